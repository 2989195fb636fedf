// The store in memory: for tests, for previews, and where a page may keep nothing.
//
// Decides nothing and keeps nothing beyond its life. It answers as every other store does.

import { ANSWERS, Remains, canFollow, check, erased, mayCache } from './rules.js'
import type {
  ChangeSet,
  Commit,
  Committed,
  LogEntry,
  LogQuery,
  Loaded,
  RunMark,
  Snapshot,
  Store,
  Tombstone,
} from './store.js'
import type { MemoryRecord, StoredVector } from '../types.js'

class Space {
  log: LogEntry[] = []
  horizon = 0
  ops = new Map<string, number>()
  records = new Map<string, MemoryRecord>()
  vectors = new Map<string, StoredVector>()
  runs = new Map<string, RunMark>()
  tombstones: Tombstone[] = []
  traces = new Map<string, { lines: string[]; mined: number }>()
  caches = new Map<string, { rev: number; bytes: Uint8Array }>()
  answers = new Map<string, string>()

  load(since: number): Loaded {
    const rev = this.log.length
    if (!canFollow(since, this.horizon, rev)) return { reset: this.snapshot() }
    return { changes: { list: this.log.slice(since).map((entry) => entry.set), rev } }
  }

  snapshot(): Snapshot {
    return {
      rev: this.log.length,
      records: inOrder(this.records),
      vectors: inOrder(this.vectors),
      runs: inOrder(this.runs),
      tombstones: [...this.tombstones],
    }
  }

  commit(commit: Commit): Committed {
    const known = this.ops.get(commit.set.op_id)
    if (known !== undefined) return { committed: known }
    if (commit.set.base !== this.log.length) return 'conflict'
    const rev = this.log.length + 1
    this.ops.set(commit.set.op_id, rev)
    this.log.push({ rev, set: commit.set })
    const gone = erased(commit.set)
    this.#keep(commit, gone)
    if (gone.size > 0) {
      this.#erase(gone)
      this.horizon = rev
    }
    return { committed: rev }
  }

  query({ op, records = [], last = 0 }: LogQuery): LogEntry[] {
    const newest = this.log.length - last
    const asked = new Set(records)
    const isOf = (set: ChangeSet) => set.op_id === op || (set.undoes ?? []).includes(op ?? '')
    return this.log.filter(
      ({ set }, at) => at >= newest || isOf(set) || set.changes.some((change) => asked.has(change.record)),
    )
  }

  #keep({ set, rows }: Commit, gone: Set<string>): void {
    for (const { record, delta } of set.changes) {
      if (delta.vector) this.vectors.set(`${record} ${delta.vector.embedder}`, { record, ...delta.vector })
    }
    for (const { id, record } of rows) {
      if (record) this.records.set(id, record)
      // What is erased stays until its evidence has been followed.
      else if (!gone.has(id)) this.#drop(new Set([id]))
    }
    for (const mark of set.runs ?? []) this.runs.set(mark.session_id, mark)
    this.tombstones.push(...(set.tombstones ?? []))
  }

  #drop(ids: Set<string>): void {
    for (const id of ids) this.records.delete(id)
    for (const [key, one] of this.vectors) if (ids.has(one.record)) this.vectors.delete(key)
  }

  #erase(gone: Set<string>): void {
    const remains = new Remains()
    const touched = new Set<number>()
    for (const id of gone) {
      const record = this.records.get(id)
      if (record) remains.addRecord(record)
    }
    this.log = this.log.map(({ rev, set }) => {
      const [lost, changes] = parted(set.changes, (change) => gone.has(change.record))
      for (const change of lost) {
        remains.addDelta(change.delta)
        touched.add(rev)
      }
      return { rev, set: { ...set, changes } }
    })
    this.#drop(gone)
    for (const session of remains.sessions) this.traces.delete(session)
    this.caches.clear()
    this.answers.clear()
    for (const record of this.records.values()) remains.spareRecord(record)
    for (const { set } of this.log) for (const change of set.changes) remains.spareDelta(change.delta)
    for (const [session, mark] of this.runs) if (remains.reaches(mark)) this.runs.delete(session)
    for (const { rev, set } of this.log) remains.clean(set, touched.has(rev), set.changes.length === 0)
  }
}

/** A store that lives as long as its value. */
class MemoryStore implements Store {
  readonly #spaces = new Map<string, Space>()

  load(space: string, since: number): Loaded {
    return this.#space(space).load(since)
  }

  commit(space: string, commit: Commit): Committed {
    check(commit)
    return this.#space(space).commit(commit)
  }

  log(space: string, query: LogQuery): LogEntry[] {
    return this.#space(space).query(query)
  }

  traceAppend(space: string, session: string, lines: string[]): void {
    if (lines.length === 0) return
    const traces = this.#space(space).traces
    const trace = traces.get(session) ?? { lines: [], mined: 0 }
    trace.lines.push(...lines)
    traces.set(session, trace)
  }

  traceLoad(space: string, session: string | null): [string, string[]][] {
    const traces = [...this.#space(space).traces].sort(([a], [b]) => (a < b ? -1 : 1))
    const wanted = traces.filter(([name, { lines, mined }]) =>
      session === null ? mined < lines.length : name === session,
    )
    return wanted.map(([name, { lines }]) => [name, [...lines]])
  }

  traceMined(space: string, session: string, lines: number): void {
    const trace = this.#space(space).traces.get(session)
    if (trace) trace.mined = Math.min(Math.max(trace.mined, lines), trace.lines.length)
  }

  traceDrop(space: string, session: string): void {
    const { traces } = this.#space(space)
    const trace = traces.get(session)
    if (trace && trace.mined >= trace.lines.length) traces.delete(session)
  }

  cacheGet(space: string, name: string, rev: number): Uint8Array | null {
    const saved = this.#space(space).caches.get(name)
    return saved?.rev === rev ? saved.bytes : null
  }

  cachePut(space: string, name: string, rev: number, bytes: Uint8Array): void {
    const { caches, horizon, log } = this.#space(space)
    const newer = (caches.get(name)?.rev ?? 0) > rev
    if (mayCache(rev, horizon, log.length) && !newer) caches.set(name, { rev, bytes: bytes.slice() })
  }

  answerGet(space: string, key: string): string | null {
    return this.#space(space).answers.get(key) ?? null
  }

  answerPut(space: string, answers: [string, string][]): void {
    const kept = this.#space(space).answers
    for (const [key, text] of answers) {
      // A map keeps the order of keeping.
      kept.delete(key)
      kept.set(key, text)
    }
    for (const key of kept.keys()) {
      if (kept.size <= ANSWERS) break
      kept.delete(key)
    }
  }

  spaces(): string[] {
    const held = [...this.#spaces].filter(([, space]) => space.log.length > 0 || space.traces.size > 0)
    return held.map(([name]) => name).sort()
  }

  #space(name: string): Space {
    const space = this.#spaces.get(name) ?? new Space()
    this.#spaces.set(name, space)
    return space
  }
}

/** A store in memory, which ends with the page or process. */
export function memoryStore(): Store {
  return new MemoryStore()
}

function inOrder<T>(map: Map<string, T>): T[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value)
}

function parted<T>(list: T[], test: (one: T) => boolean): [T[], T[]] {
  return [list.filter(test), list.filter((one) => !test(one))]
}
