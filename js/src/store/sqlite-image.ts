// The image of a space in the cache of the SQLite file, the very bytes that native/src/store/sqlite/image.rs keeps.
//
// Decides by revision which of its entries still hold: what no later change touches is as it was. An image that is not
// of this log is none.

import { IMAGE, MANY, mayCache } from './rules.js'
import { bytes, hex, isBusy, type Sql } from './sql.js'
import { allVectors, headOf, vectorText, type Head } from './sqlite-read.js'
import type { ChangeSet, Image, OnImage } from './store.js'

/** The operation that led to the image's revision, and whether all vectors of the space are in it. */
const HEAD = 16 + 1

interface Saved {
  rev: number
  isDense: boolean
  bytes: Uint8Array
}

/** The image that is kept, with what has changed since. */
export function imageOf(sql: Sql, space: string): OnImage | null {
  const head = headOf(sql, space)
  const saved = savedIn(sql, head)
  if (!saved) return null
  const records = sql.number('SELECT count(*) FROM record WHERE space = ?1', head.id)
  const changes = 'SELECT DISTINCT record FROM change WHERE space = ?1 AND rev > ?2'
  const changed = sql.all(changes, head.id, saved.rev).map((row) => hex(row.record))
  if (changed.length > records) return null
  changed.sort()
  const found = changed.map((id) => recordText(sql, head.id, id))
  const gone = changed.filter((_, at) => found[at] === undefined)
  const vectors = saved.isDense ? changed.flatMap((id) => vectorsOf(sql, head.id, id)) : allVectors(sql, head.id)
  const tombstones = sql.all('SELECT json FROM tombstone WHERE space = ?1 ORDER BY rev, seq', head.id)
  const since =
    `{"rev":${head.rev},"records":[${found.filter((text) => text !== undefined).join(',')}],` +
    `"gone":${JSON.stringify(gone)},"vectors":[${vectors.join(',')}],` +
    `"runs":${JSON.stringify(runsSince(sql, head.id, saved.rev))},` +
    `"tombstones":[${tombstones.map((row) => String(row.json)).join(',')}]}`
  return { bytes: saved.bytes, since, records }
}

/** These records at this revision. */
export function recordsAt(sql: Sql, space: string, rev: number, ids: string[]): string | null {
  const head = headOf(sql, space)
  if (head.rev !== rev) return null
  if (ids.length <= MANY) {
    const found = ids.map((id) => recordText(sql, head.id, id))
    return `[${found.filter((text) => text !== undefined).join(',')}]`
  }
  const wanted = new Set(ids)
  const all = sql.all('SELECT id, json FROM record WHERE space = ?1', head.id)
  const found = all.filter((row) => wanted.has(hex(row.id)))
  return `[${found.map((row) => String(row.json)).join(',')}]`
}

/** Keeps an image, unless it would be of another history or hold what was erased. */
export function keepImage(sql: Sql, space: string, { rev, embedder, bytes: image }: Image): void {
  const head = headOf(sql, space)
  const op = sql.first('SELECT id FROM op WHERE space = ?1 AND rev = ?2', head.id, rev)
  if (!op) return
  const others = 'SELECT 1 FROM vector WHERE space = ?1 AND embedder <> ?2 LIMIT 1'
  const isDense = sql.first(others, head.id, embedder) === undefined
  // Without any vector it would have all of them read at each opening.
  if (!isDense && embedder === '') return
  putCache(sql, head, IMAGE, rev, Buffer.concat([op.id as Uint8Array, Buffer.of(Number(isDense)), image]))
}

/** Saves a derived index, unless a newer one of that name is there. */
export function putCache(sql: Sql, head: Head, name: string, rev: number, index: Buffer): void {
  if (!mayCache(rev, head.horizon, head.rev)) return
  const put = `INSERT INTO cache(space, name, rev, bytes) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO UPDATE SET rev = excluded.rev, bytes = excluded.bytes WHERE rev <= excluded.rev`
  sql.run(put, head.id, name, rev, index)
}

/** The image that is kept of a space. One that cannot be read is as one that is not there. */
function savedIn(sql: Sql, { id, horizon }: Head): Saved | undefined {
  try {
    const row = sql.first('SELECT rev, bytes FROM cache WHERE space = ?1 AND name = ?2', id, IMAGE)
    if (!row) return undefined
    const [rev, kept] = [Number(row.rev), row.bytes as Uint8Array]
    const op = sql.first('SELECT id FROM op WHERE space = ?1 AND rev = ?2', id, rev)
    const isOurs = rev >= horizon && kept.length > HEAD && op !== undefined && hex(op.id) === hex(kept.subarray(0, 16))
    return isOurs ? { rev, isDense: kept[16] === 1, bytes: kept.subarray(HEAD) } : undefined
  } catch (cause) {
    if (isBusy(cause)) throw cause
    return undefined
  }
}

function recordText(sql: Sql, space: number, id: string): string | undefined {
  const row = sql.first('SELECT json FROM record WHERE space = ?1 AND id = ?2', space, bytes(id))
  return row && String(row.json)
}

function vectorsOf(sql: Sql, space: number, id: string): string[] {
  const find = 'SELECT record, embedder, bytes FROM vector WHERE space = ?1 AND record = ?2'
  return sql.all(find, space, bytes(id)).map(vectorText)
}

/** The marks of sessions that have been set since a revision, in their order. */
function runsSince(sql: Sql, space: number, rev: number): unknown[] {
  const heads = sql.all('SELECT head FROM op WHERE space = ?1 AND rev > ?2 ORDER BY rev', space, rev)
  return heads.flatMap((row) => (JSON.parse(String(row.head)) as ChangeSet).runs ?? [])
}
