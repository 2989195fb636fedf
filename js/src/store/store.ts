// What a store is: it keeps a space's log, current records, vectors and live traces, all or nothing.
//
// Decides nothing: what goes in comes out. tests/contract is the script that every store passes.

import type { Support } from '../facts.js'
import type { Awaitable, Evidence, MemoryRecord, Rewording, StoredVector, Variant } from '../types.js'

/** A member of one of a record's sets: an object of one key. */
export interface Member {
  evidence?: Evidence
  variant?: Variant
  rewording?: Rewording
  support?: Support
  situation?: string
  [kind: string]: unknown
}

/** A typed delta: an object of one key. A store looks only at what it keys rows by and at what an erasure reaches. */
export interface Delta {
  create?: MemoryRecord
  remove?: MemoryRecord | null
  add?: Member
  drop?: Member
  set?: { before: { text?: string }; after: { text?: string } }
  vector?: { embedder: string; vector: string }
  [kind: string]: unknown
}

export interface Change {
  record: string
  delta: Delta
}

export interface RunMark {
  session_id: string
  root_run_id: string
  [field: string]: unknown
}

export interface Tombstone {
  record: string
  [field: string]: unknown
}

/** What one operation changes. */
export interface ChangeSet {
  base: number
  op_id: string
  verb: string
  at: string
  actor?: string
  reason?: string
  undoes?: string[]
  promote_at: number
  changes: Change[]
  runs?: RunMark[]
  tombstones?: Tombstone[]
}

/** A change set with the current versions that follow from it. */
export interface Commit {
  set: ChangeSet
  rows: { id: string; record: MemoryRecord | null }[]
}

/** A space at one revision. */
export interface Snapshot {
  rev: number
  records: MemoryRecord[]
  vectors: StoredVector[]
  runs: RunMark[]
  tombstones: Tombstone[]
}

export type Loaded = { changes: { list: ChangeSet[]; rev: number } } | { reset: Snapshot }
export type Committed = { committed: number } | 'conflict'

export interface LogQuery {
  op?: string | null
  records?: string[]
  last?: number
}

export interface LogEntry {
  rev: number
  set: ChangeSet
}

/** A space upon an image of its indexes. */
export interface OnImage {
  /** The image. */
  bytes: Uint8Array
  /** A snapshot, as JSON text, of what has changed since, with the ids of changed records that have ended as `gone`. */
  since: string
  /** How many records there are. */
  records: number
}

/** An image of a space's indexes, as the engine draws it. */
export interface Image {
  rev: number
  /** The embedder whose vectors are in it; empty for none. */
  embedder: string
  bytes: Uint8Array
}

/**
 * Images of spaces, which a store may keep so that opening builds no index and reads few records. They are no second
 * truth: any may go at any time, and a hard forget takes all of its space.
 */
export interface Images {
  /** As `load` from 0, upon the image that is kept; `null` where none is of this log. */
  load(space: string): Awaitable<OnImage | null>
  /** These records as they stand at this revision, as JSON text; `null` where the space has moved on. */
  records(space: string, rev: number, ids: string[]): Awaitable<string | null>
  /** Keeps an image; an older one goes. */
  keep(space: string, image: Image): Awaitable<void>
}

/**
 * A store of many spaces. Methods may answer at once or by a promise. What they throw reaches the caller of the verb as
 * `host.store`, unless it is a `HardwonError`.
 */
export interface Store {
  /** What was committed after `since`; everything anew where that is 0 or older than the horizon. JSON text will do. */
  load(space: string, since: number): Awaitable<Loaded | string>
  /**
   * Commits all or nothing, durably before it answers, if the space is at `commit.set.base`; else `'conflict'`. An
   * operation id that is known is committed already. A set with `tombstones` erases those records everywhere.
   */
  commit(space: string, commit: Commit): Awaitable<Committed>
  /** Log entries, oldest first, each once. */
  log(space: string, query: LogQuery): Awaitable<LogEntry[]>
  /** Appends events to the live trace of a session. */
  traceAppend(space: string, session: string, lines: string[]): Awaitable<void>
  /** The lines of one session, or with `null` of every session that has lines which were not mined. */
  traceLoad(space: string, session: string | null): Awaitable<[string, string[]][]>
  /** Notes how many lines of a session have been mined. */
  traceMined(space: string, session: string, lines: number): Awaitable<void>
  /** Drops the live trace of a session, if all of its lines have been mined. */
  traceDrop(space: string, session: string): Awaitable<void>
  /** A derived index saved at exactly this revision. */
  cacheGet(space: string, name: string, rev: number): Awaitable<Uint8Array | null>
  /** Saves a derived index; an older one of that name goes. */
  cachePut(space: string, name: string, rev: number, bytes: Uint8Array): Awaitable<void>
  /** An answer of a model kept under this key. */
  answerGet(space: string, key: string): Awaitable<string | null>
  /** Keeps answers of a model. Any may go at any time, and a hard forget takes all of its space. */
  answerPut(space: string, answers: [string, string][]): Awaitable<void>
  /** Images of its spaces, if it keeps any. */
  readonly images?: Images
  /** The names of the spaces that hold anything, in order. */
  spaces(): Awaitable<string[]>
  /** Waits until this caller comes next among those that lost a race; answers how to make way again. */
  turn?(space: string): Awaitable<() => void>
  /** Tells of commits that others made, until the answer is called. */
  watch?(listener: (space: string) => void): () => void
  /** Gives everything back. */
  close?(): Awaitable<void>
}
