// The image of a space in IndexedDB: which of its entries still hold.
//
// Decides by revision, as native/src/store/sqlite/image.rs does: what no later change touches is as it was. An image
// that is not of this log is none.

import { IMAGE, MANY, mayCache } from './rules.js'
import { head, type ChangeRow, type OpRow, type Rows } from './rows.js'
import type { ChangeSet, Image, OnImage } from './store.js'

interface Saved {
  rev: number
  /** The operation that led there: revisions of another log have other operations. */
  op: string
  /** Whether no vector of the space was left out. */
  isDense: boolean
  /** A blob is read from its file and not through the database, in half the time. */
  bytes: Blob
}

/** An image whose bytes are still to be read, which no transaction would outlive. */
export interface Found extends Omit<OnImage, 'bytes'> {
  bytes: Blob
}

/** The image that is kept, with what has changed since. */
export async function imageOf(rows: Rows, space: string): Promise<Found | null> {
  const [now, saved] = await Promise.all([head(rows, space), rows.get<Saved>('cache', [space, IMAGE])])
  if (!saved || saved.rev < now.horizon) return null
  const [op, records] = await Promise.all([rows.get<OpRow>('op', [space, saved.rev]), rows.count('record', space)])
  if (op?.id !== saved.op) return null
  const [ops, changes, tombstones] = await Promise.all([
    rows.after<OpRow>('op', space, saved.rev),
    rows.after<ChangeRow>('change', space, saved.rev),
    rows.all<string>('tombstone', space),
  ])
  const changed = [...new Set(changes.map((change) => change.record))].sort()
  if (changed.length > records) return null
  const [found, vectors] = await Promise.all([some(rows, space, changed), vectorsOf(rows, space, saved, changed)])
  const gone = changed.filter((_, at) => found[at] === undefined)
  const runs = ops.flatMap((one) => (JSON.parse(one.head) as ChangeSet).runs ?? [])
  const since =
    `{"rev":${now.rev},"records":[${found.filter((text) => text !== undefined).join(',')}],` +
    `"gone":${JSON.stringify(gone)},"vectors":[${vectors.join(',')}],"runs":${JSON.stringify(runs)},` +
    `"tombstones":[${tombstones.join(',')}]}`
  return { bytes: saved.bytes, since, records }
}

/** The image with its bytes. One that cannot be read is as one that is not there. */
export async function readImage(found: Found | null): Promise<OnImage | null> {
  try {
    return found && { ...found, bytes: new Uint8Array(await found.bytes.arrayBuffer()) }
  } catch {
    return null
  }
}

/** These records at this revision. */
export async function recordsAt(rows: Rows, space: string, rev: number, ids: string[]): Promise<string | null> {
  if ((await head(rows, space)).rev !== rev) return null
  if (ids.length <= MANY) return `[${(await some(rows, space, ids)).filter((text) => text !== undefined).join(',')}]`
  const wanted = new Set(ids)
  const all = await rows.entries<string>('record', space)
  return `[${all
    .filter(([key]) => wanted.has(key[1] as string))
    .map(([, text]) => text)
    .join(',')}]`
}

/** Keeps an image, unless it would be of another history or hold what was erased. */
export async function keepImage(rows: Rows, space: string, { rev, embedder, bytes }: Image): Promise<void> {
  const [now, saved, op, vectors] = await Promise.all([
    head(rows, space),
    rows.get<Saved>('cache', [space, IMAGE]),
    rows.get<OpRow>('op', [space, rev]),
    rows.keys('vector', space),
  ])
  if (!op || !mayCache(rev, now.horizon, now.rev) || (saved?.rev ?? 0) > rev) return
  const isDense = vectors.every((key) => key[2] === embedder)
  // Without any vector it would have all of them read at each opening.
  if (!isDense && embedder === '') return
  rows.put('cache', [space, IMAGE], { rev, op: op.id, isDense, bytes: new Blob([bytes as BlobPart]) } satisfies Saved)
}

function some(rows: Rows, space: string, ids: string[]): Promise<(string | undefined)[]> {
  return Promise.all(ids.map((id) => rows.get<string>('record', [space, id])))
}

async function vectorsOf(rows: Rows, space: string, { isDense }: Saved, changed: string[]): Promise<string[]> {
  if (!isDense) return rows.all<string>('vector', space)
  return (await Promise.all(changed.map((id) => rows.all<string>('vector', space, id)))).flat()
}
