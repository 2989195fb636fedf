// The store in IndexedDB, shared by any number of tabs, workers and service workers of one origin.
//
// Decides how rows are laid out: what an erasure must reach stands in rows of its own, as in the SQLite file. A commit
// is one compare-and-swap transaction that awaits nothing but its own requests.

import { HardwonError } from '../error.js'
import type { MemoryRecord } from '../types.js'
import { Database, absent, isContentScript } from './idb.js'
import { imageOf, keepImage, readImage, recordsAt } from './indexeddb-image.js'
import { Rows, head, under, type ChangeRow, type OpRow } from './rows.js'
import { ANSWERS, Remains, canFollow, check, erased, mayCache } from './rules.js'
import type {
  Change,
  ChangeSet,
  Commit,
  Committed,
  Delta,
  Images,
  LogEntry,
  LogQuery,
  RunMark,
  Store,
} from './store.js'

const VERSION = 1
const STORES = [
  'space',
  'op',
  'undo',
  'change',
  'record',
  'vector',
  'run',
  'tombstone',
  'trace',
  'line',
  'cache',
  'answer',
]
const LOG = ['space', 'op', 'undo', 'change']
const STATE = ['record', 'vector', 'run', 'tombstone']

interface Trace {
  lines: number
  mined: number
}
interface Hint {
  space: string
}

function build(db: IDBDatabase): void {
  for (const name of STORES) {
    const store = db.createObjectStore(name)
    if (name === 'op') store.createIndex('by_id', ['space', 'id'], { unique: true })
    if (name === 'change') store.createIndex('by_record', ['space', 'record'])
  }
}

class IndexedDbStore implements Store {
  readonly images: Images = {
    load: async (space) => readImage(await this.#read([...LOG, ...STATE, 'cache'], (rows) => imageOf(rows, space))),
    records: (space, rev, ids) => this.#read(['space', 'record'], (rows) => recordsAt(rows, space, rev, ids)),
    keep: (space, image) => this.#write(['space', 'op', 'vector', 'cache'], (rows) => keepImage(rows, space, image)),
  }
  readonly #db: Database
  readonly #hints: BroadcastChannel | undefined
  #asksToPersist: boolean

  constructor(name: string, persist: boolean) {
    this.#db = new Database(name, VERSION, build)
    this.#hints = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(`hardwon:${name}`)
    this.#asksToPersist = persist
  }

  async load(space: string, since: number): Promise<string> {
    // Mostly nothing is new, and the row that says so is in no writer's way for long.
    const now = await this.#read(['space'], (rows) => head(rows, space))
    if (since > 0 && since === now.rev) return `{"changes":{"list":[],"rev":${since}}}`
    return this.#read([...LOG, ...STATE], async (rows) => {
      const { rev, horizon } = await head(rows, space)
      if (!canFollow(since, horizon, rev)) return snapshot(rows, space, rev)
      const list = await Promise.all(upTo(since, rev).map((at) => setText(rows, space, at)))
      return `{"changes":{"list":[${list.join(',')}],"rev":${rev}}}`
    })
  }

  async commit(space: string, commit: Commit): Promise<Committed> {
    check(commit)
    const done = await this.#write(STORES, async (rows): Promise<Committed> => {
      const [now, known] = await Promise.all([head(rows, space), rows.keysBy('op', 'by_id', space, commit.set.op_id)])
      if (known[0]) return { committed: known[0][1] as number }
      if (commit.set.base !== now.rev) return 'conflict'
      const rev = now.rev + 1
      const gone = erased(commit.set)
      keep(rows, space, rev, commit, gone)
      if (gone.size > 0) await erase(rows, space, gone)
      rows.put('space', space, { rev, horizon: gone.size > 0 ? rev : now.horizon })
      return { committed: rev }
    })
    if (done !== 'conflict') {
      this.#hints?.postMessage({ space } satisfies Hint)
      this.#persist()
    }
    return done
  }

  log(space: string, query: LogQuery): Promise<LogEntry[]> {
    return this.#read(LOG, async (rows) => {
      const revs = await matching(rows, space, query)
      return Promise.all(
        revs.map(async (rev) => ({ rev, set: JSON.parse(await setText(rows, space, rev)) as ChangeSet })),
      )
    })
  }

  async traceAppend(space: string, session: string, lines: string[]): Promise<void> {
    if (lines.length === 0) return
    await this.#write(['trace', 'line'], async (rows) => {
      const trace = (await rows.get<Trace>('trace', [space, session])) ?? { lines: 0, mined: 0 }
      lines.forEach((line, at) => rows.add('line', [space, session, trace.lines + at], line))
      rows.put('trace', [space, session], { ...trace, lines: trace.lines + lines.length })
    })
  }

  traceLoad(space: string, session: string | null): Promise<[string, string[]][]> {
    return this.#read(['trace', 'line'], async (rows) => {
      const traces = await rows.entries<Trace>('trace', space)
      const named = traces.map(([key, trace]) => [key[1] as string, trace] as const)
      const wanted = named.filter(([name, { lines, mined }]) => (session === null ? mined < lines : name === session))
      return Promise.all(
        wanted.map(async ([name]): Promise<[string, string[]]> => [name, await rows.all<string>('line', space, name)]),
      )
    })
  }

  async traceMined(space: string, session: string, lines: number): Promise<void> {
    await this.#write(['trace'], async (rows) => {
      const trace = await rows.get<Trace>('trace', [space, session])
      if (!trace) return
      rows.put('trace', [space, session], { ...trace, mined: Math.min(Math.max(trace.mined, lines), trace.lines) })
    })
  }

  async traceDrop(space: string, session: string): Promise<void> {
    await this.#write(['trace', 'line'], async (rows) => {
      const trace = await rows.get<Trace>('trace', [space, session])
      if (!trace || trace.mined < trace.lines) return
      rows.drop('trace', [space, session])
      rows.drop('line', under(space, session))
    })
  }

  cacheGet(space: string, name: string, rev: number): Promise<Uint8Array | null> {
    return this.#read(['cache'], async (rows) => {
      const saved = await rows.get<{ rev: number; bytes: Uint8Array }>('cache', [space, name])
      return saved?.rev === rev ? saved.bytes : null
    })
  }

  async cachePut(space: string, name: string, rev: number, bytes: Uint8Array): Promise<void> {
    await this.#write(['space', 'cache'], async (rows) => {
      const [now, saved] = await Promise.all([head(rows, space), rows.get<{ rev: number }>('cache', [space, name])])
      if (!mayCache(rev, now.horizon, now.rev) || (saved?.rev ?? 0) > rev) return
      rows.put('cache', [space, name], { rev, bytes: bytes.slice() })
    })
  }

  answerGet(space: string, key: string): Promise<string | null> {
    return this.#read(['answer'], async (rows) => {
      const kept = await rows.get<{ text: string }>('answer', [space, key])
      return kept?.text ?? null
    })
  }

  async answerPut(space: string, answers: [string, string][]): Promise<void> {
    if (answers.length === 0) return
    await this.#write(['answer'], async (rows) => {
      const kept = new Map(
        (await rows.entries<{ at: number }>('answer', space)).map(([key, { at }]) => [key[1] as string, at]),
      )
      let next = Math.max(0, ...kept.values()) + 1
      for (const [key, text] of answers) {
        kept.set(key, next)
        rows.put('answer', [space, key], { text, at: next++ })
      }
      const oldest = [...kept].sort(([, a], [, b]) => a - b).slice(0, Math.max(0, kept.size - ANSWERS))
      for (const [key] of oldest) rows.drop('answer', [space, key])
    })
  }

  spaces(): Promise<string[]> {
    return this.#read(['space', 'trace'], async (rows) => {
      const [spaces, traces] = await Promise.all([rows.allKeys('space'), rows.allKeys('trace')])
      const names = [...spaces, ...traces.map((key) => (key as IDBValidKey[])[0])] as string[]
      return [...new Set(names)].sort()
    })
  }

  /** Web Locks give turns; the revision alone decides whether a commit holds. */
  turn(space: string): Promise<() => void> {
    const locks = globalThis.navigator?.locks
    if (!locks) return Promise.resolve(() => undefined)
    return new Promise((resolve, reject) => {
      const held = () => new Promise<void>((release) => resolve(release))
      locks.request(`hardwon:${this.#db.name}:${space}`, held).catch(reject)
    })
  }

  watch(listener: (space: string) => void): () => void {
    const hear = (event: MessageEvent<Hint>) => listener(event.data.space)
    this.#hints?.addEventListener('message', hear)
    return () => this.#hints?.removeEventListener('message', hear)
  }

  async close(): Promise<void> {
    this.#hints?.close()
    await this.#db.close()
  }

  #read<T>(stores: string[], work: (rows: Rows) => Promise<T>): Promise<T> {
    return this.#db.run('readonly', stores, (transaction) => work(new Rows(transaction)))
  }

  #write<T>(stores: string[], work: (rows: Rows) => Promise<T>): Promise<T> {
    return this.#db.run('readwrite', stores, (transaction) => work(new Rows(transaction)))
  }

  /** Asks once, after there is something to keep, that the browser does not clear it when space is short. */
  #persist(): void {
    if (!this.#asksToPersist) return
    this.#asksToPersist = false
    globalThis.navigator?.storage?.persist?.().catch(() => undefined)
  }
}

export interface IndexedDbOptions {
  /** The database; `hardwon` where it is not given. */
  name?: string
  /** Whether to ask the browser, after the first commit, not to clear this site's data. True where it is not given. */
  persist?: boolean
}

/** A store in IndexedDB. It is opened when it is first used. */
export function indexedDbStore({ name = 'hardwon', persist = true }: IndexedDbOptions = {}): Store {
  if (typeof indexedDB === 'undefined') throw absent('there is none')
  if (isContentScript()) {
    throw new HardwonError(
      'host.store',
      'the store failed: a content script has the IndexedDB of the page it runs in, which the page can read and change. ' +
        "Open the memory in the extension's service worker and send it messages",
    )
  }
  return new IndexedDbStore(name, persist)
}

async function snapshot(rows: Rows, space: string, rev: number): Promise<string> {
  const all = await Promise.all(STATE.map((store) => rows.all<string>(store, space)))
  const [records, vectors, runs, tombstones] = all.map((texts) => `[${texts.join(',')}]`)
  return `{"reset":{"rev":${rev},"records":${records},"vectors":${vectors},"runs":${runs},"tombstones":${tombstones}}}`
}

/** A change set of the log as JSON text, with those of its changes that have not been erased. */
async function setText(rows: Rows, space: string, rev: number): Promise<string> {
  const [op, changes] = await Promise.all([
    rows.get<OpRow>('op', [space, rev]),
    rows.all<ChangeRow>('change', space, rev),
  ])
  if (!op) throw new HardwonError('corrupt', `the store is damaged: log entry ${rev} of space "${space}" is missing`)
  const list = changes.map(({ record, delta }) => `{"record":"${record}","delta":${delta}}`)
  return `${op.head.slice(0, -1)},"changes":[${list.join(',')}]}`
}

async function matching(rows: Rows, space: string, { op, records = [], last = 0 }: LogQuery): Promise<number[]> {
  const found = await Promise.all([
    ...(op ? [rows.keysBy('op', 'by_id', space, op)] : []),
    ...records.map((record) => rows.keysBy('change', 'by_record', space, record)),
  ])
  const undoing = op ? await rows.keys('undo', space, op) : []
  const { rev } = await head(rows, space)
  const newest = upTo(Math.max(0, rev - last), rev)
  const revs = [...found.flat().map((key) => key[1]), ...undoing.map((key) => key[2]), ...newest] as number[]
  return [...new Set(revs)].sort((a, b) => a - b)
}

function keep(rows: Rows, space: string, rev: number, { set, rows: versions }: Commit, gone: Set<string>): void {
  const { changes, ...header } = set
  rows.add('op', [space, rev], { space, id: set.op_id, head: JSON.stringify(header) } satisfies OpRow)
  for (const undone of set.undoes ?? []) rows.put('undo', [space, undone, rev], null)
  changes.forEach(({ record, delta }, seq) => {
    rows.add('change', [space, rev, seq], { space, record, delta: JSON.stringify(delta) } satisfies ChangeRow)
    if (delta.vector) {
      rows.put('vector', [space, record, delta.vector.embedder], JSON.stringify({ record, ...delta.vector }))
    }
  })
  for (const { id, record } of versions) {
    if (record) {
      rows.put('record', [space, id], JSON.stringify(record))
    } else if (!gone.has(id)) {
      // What is erased stays until its evidence has been followed.
      rows.drop('record', [space, id])
      rows.drop('vector', under(space, id))
    }
  }
  for (const mark of set.runs ?? []) rows.put('run', [space, mark.session_id], JSON.stringify(mark))
  ;(set.tombstones ?? []).forEach((tombstone, seq) => {
    rows.add('tombstone', [space, rev, seq], JSON.stringify(tombstone))
  })
}

/** Deletes every row about these records, and what tells of them elsewhere. */
async function erase(rows: Rows, space: string, gone: Set<string>): Promise<void> {
  const remains = new Remains()
  const touched = new Set<number>()
  for (const id of gone) {
    const record = await rows.get<string>('record', [space, id])
    if (record !== undefined) remains.addRecord(JSON.parse(record) as MemoryRecord)
    for (const key of await rows.keysBy('change', 'by_record', space, id)) {
      const row = await rows.get<ChangeRow>('change', key)
      if (row) remains.addDelta(JSON.parse(row.delta) as Delta)
      touched.add(key[1] as number)
      rows.drop('change', key)
    }
    rows.drop('record', [space, id])
    rows.drop('vector', under(space, id))
  }
  for (const session of remains.sessions) {
    rows.drop('trace', [space, session])
    rows.drop('line', under(space, session))
  }
  rows.drop('cache', under(space))
  rows.drop('answer', under(space))
  const stays = await rows.entries<ChangeRow>('change', space)
  for (const text of await rows.all<string>('record', space)) remains.spareRecord(JSON.parse(text) as MemoryRecord)
  for (const [, { delta }] of stays) remains.spareDelta(JSON.parse(delta) as Change['delta'])
  for (const [key, text] of await rows.entries<string>('run', space)) {
    if (remains.reaches(JSON.parse(text) as RunMark)) rows.drop('run', key)
  }
  const filled = new Set(stays.map(([key]) => key[1] as number))
  for (const [key, op] of await rows.entries<OpRow>('op', space)) {
    const set = JSON.parse(op.head) as ChangeSet
    const rev = key[1] as number
    if (remains.clean(set, touched.has(rev), !filled.has(rev)))
      rows.put('op', key, { ...op, head: JSON.stringify(set) })
  }
}

/** The revisions after `since`, up to `rev`. */
function upTo(since: number, rev: number): number[] {
  return Array.from({ length: Math.max(0, rev - since) }, (_, at) => since + 1 + at)
}
