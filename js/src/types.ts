// The wire form of the engine as types: records, what each verb takes, and what it answers.
//
// Fields have the names of the wire form (docs/format.md), so that a record looks the same on every host. Shares and
// scores are whole numbers in millionths, times RFC 3339 in UTC, ids 32 hexadecimal digits.

import type { Claim, SourceClass, Support } from './facts.js'
import type { Feedback, Outcomes } from './react.js'

export type * from './facts.js'
export type * from './react.js'

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/** A string of this list, or one of a newer engine. */
export type Open<T extends string> = T | (string & {})

/** To whom a record applies inside a space; `{}` is everyone. */
export interface Scope {
  user?: string
  project?: string
  repo?: string
  subsystem?: string
  agent?: string
}

export type Kind = 'lesson' | 'fact' | 'feedback' | 'item'
export type Status = 'active' | 'quarantined' | 'conflicted' | 'superseded' | 'retracted' | 'archived'
export type Tier = 'tactical' | 'strategic'

/** An event that shows a lesson. */
export interface Evidence {
  key: string
  session_id: string
  root_run_id: string
  event_id: string
  position: number
  ts: string
  undated?: boolean
  tool: string
  says: string
}

/** One way a lesson was said. */
export interface Variant {
  text: string
  strength: Open<'looped' | 'bare' | 'weak' | 'seen' | 'named' | 'proven' | 'taught'>
  subtype: string
  trigger?: string
  about?: string
  action?: unknown
  benign?: boolean
}

/** A wording in the words of a model. */
export interface Rewording {
  of: string
  text: string
  model: string
}

/** What came of a record. */
export interface Counters {
  surfaced: number
  followed: number
  not_followed: number
  irrelevant: number
  missed: number
  recurred: number
  avoided: number
  withheld?: number
  recurred_withheld?: number
  avoided_withheld?: number
}

/** A record: a lesson, fact, feedback or item. What says nothing is left out. */
export interface MemoryRecord {
  id: string
  kind: Kind
  subtype: string
  scope?: Scope
  text: string
  key: string
  signature?: string
  tool_group?: string
  trigger?: string
  situations?: string[]
  tools?: string[]
  tags?: string[]
  marks?: string[]
  status: Status
  status_reason?: string
  tier: Tier
  tier_set?: Tier
  pin: 'none' | 'auto_core' | 'pinned'
  source: SourceClass
  author?: string
  confidence: number
  claim?: Claim
  feedback?: Feedback
  supports?: Support[]
  rivals?: string[]
  counters: Counters
  evidence?: Evidence[]
  variants?: Variant[]
  rewordings?: Rewording[]
  created_at: string
  updated_at: string
  last_confirmed_at: string
  valid_from?: string
  valid_to?: string
  revalidate_after?: string
  supersedes?: string[]
  superseded_by?: string
  version: number
}

/** A vector of a record's text by one embedder: int8 components, two hexadecimal digits each. */
export interface StoredVector {
  record: string
  embedder: string
  vector: string
}

/** Counts by name. */
export type Tally = { [name: string]: number }

/** Options of `observe`. */
export interface ObserveInput {
  session_id: string
  /** Canonical events: objects, or lines of JSON. */
  lines: (string | object)[]
}

/** Options of `learn`: a trace, or the live traces that wait where there is none. */
export interface LearnInput {
  /** The trace as its format has it. */
  data?: string
  /** The format; detected where it is not given. */
  format?: string
  session_id?: string
  /** The session whose live trace is mined. */
  observed?: string
  scope?: Scope
  scope_from_trace?: boolean
  repositories?: { [folder: string]: string }
  /** Whether `complete` words what begins a lesson. */
  model?: boolean
  actor?: string
}

export interface TeachInput {
  text: string
  tools?: string[]
  tags?: string[]
  situation?: string
  scope?: Scope
  actor?: string
  reason?: string
}

export interface RecallInput {
  task?: string
  tool?: string
  /** The arguments of the call: JSON text, or any other value, which is written as JSON. */
  args?: unknown
  error?: string
  claim?: string
  tools?: string[]
  session_id?: string
  scope?: Scope
  budget?: number
  top_k?: number
  /** What held at this time; now where it is not given. */
  as_of?: string
  /** As it was believed at that time. */
  believed?: boolean
  /** What you see at this moment: facts that contradict it are left out and named. */
  current?: { subject?: string; predicate?: string; object?: string; text?: string }[]
}

/** Who asks, and why. */
export interface Cause {
  actor?: string
  reason?: string
}

export interface ListInput {
  kind?: Kind
  status?: Status[]
  tier?: Tier
  tool?: string
  tag?: string
  scope?: Scope
  offset?: number
  limit?: number
}

export interface ForgetInput extends Cause {
  /** Erase it for good. */
  hard?: boolean
}

export interface UndoInput extends Cause {
  /** Also take back later operations that built on it. */
  cascade?: boolean
}

export interface HistoryInput {
  id?: string
  limit?: number
}

export interface MaintainInput {
  model?: boolean
  vectors?: number
  actor?: string
}

export interface ExportInput {
  scope?: Scope
  without_vectors?: boolean
}

export interface ImportInput {
  records: MemoryRecord[]
  vectors?: StoredVector[]
  actor?: string
}

export interface GuardInput {
  session_id?: string
  tool: string
  /** The arguments: JSON text, or any other value, which is written as JSON. */
  args?: unknown
  task?: string
  scope?: Scope
  /** Whether the call can be made with other arguments. */
  rewrite?: boolean
}

export interface SettleInput extends Cause {
  outcome: 'followed' | 'not_followed' | 'irrelevant'
}

export interface ReviewInput {
  scope?: Scope
  limit?: number
}

export interface ResolveInput extends Cause {
  choice: 'confirm' | 'block' | 'archive' | 'supersede'
  /** The record that takes its place; for `supersede` alone. */
  by?: string
}

export interface ReportInput {
  days?: number
}

/** What came of asking a model for words. */
export interface Worded {
  model: string
  asked: number
  worded: number
  unused: Tally
}

export interface Learned {
  format: string
  sessions: number
  known: number
  events: number
  signals: number
  drafted: number
  inserted: number
  merged: number
  promoted: number
  quarantined: number
  skipped: Tally
  bad_lines: Tally
  bad: string[]
  records: string[]
  notices: string[]
  model?: Worded
  op: string | null
}

/** What came of a write. */
export type Outcome = Open<
  | 'created'
  | 'refreshed'
  | 'changed'
  | 'unchanged'
  | 'superseded'
  | 'coexists'
  | 'retracted'
  | 'conflicted'
  | 'quarantined'
  | 'refused'
  | 'erased'
>

export interface Written {
  outcome: Outcome
  reason?: string
  id: string | null
  op: string | null
}

/** Why a record came back: its place, and the score of each signal in millionths. */
export interface Why {
  slot: 'core' | 'tool' | 'ranked'
  relevance: number
  lexical: number
  cosine: number
  signature: number
  situation: number
  score: number
  /** What the reranker says, where one was asked: what the order follows then, in place of `score`. */
  reranked?: number
}

export interface Item {
  id: string
  text: string
  kind: string
  tier: string
  age_days: number
  confidence: number
  why: Why
  evidence: string[]
  due?: boolean
  rivals?: string[]
  superseded_by?: string
  valid_from?: string
  valid_to?: string
}

export interface Recalled {
  moment: Open<'start' | 'before_tool' | 'after_failure' | 'before_done'>
  items: Item[]
  omitted: string[]
  /** Facts that contradict what you see now. */
  overruled?: string[]
  /** The fenced block for a prompt; empty when nothing came back. */
  block: string
  tokens: number
  tokenizer: string
  event: string
  notices: string[]
}

export interface Listed {
  records: MemoryRecord[]
  total: number
}

export interface Undone {
  done: boolean
  undone: string[]
  entangled: string[]
  records: string[]
  op: string | null
}

export interface HistoryEntry {
  rev: number
  op: string
  verb: string
  at: string
  actor?: string
  reason?: string
  undoes?: string[]
  changes: string[]
}

export interface Explained {
  id: string
  comes_back: boolean
  rank: number | null
  checks: { name: string; passed: boolean; detail: string }[]
  why: Why
}

export interface Maintained {
  archived: number
  summaries: number
  embedded: number
  missing: number
  model?: Worded
  op: string | null
}

export interface Exported {
  records: MemoryRecord[]
  vectors: StoredVector[]
}

export interface Imported {
  inserted: number
  merged: number
  unchanged: number
  refused: Tally
  op: string | null
}

export interface Figures {
  revision: number
  kinds: Tally
  statuses: Tally
  tiers: Tally
  subtypes: Tally
  pinned: number
  sessions: number
  without_vector: number
  /** The embedder; empty where search goes by words alone. */
  embedder: string
  /** The tokenizer; `bytes` where the token table is missing. */
  tokenizer: string
  tombstones: number
  /** What came of showing the active records. */
  outcomes: Outcomes
}

export interface Guarded {
  verdict: Open<'silent' | 'advise' | 'hold' | 'rewrite'>
  /** What to say, in one line; empty when silent. */
  text: string
  block: string
  items: Item[]
  silent: { id: string; reason: string }[]
  event: string
  /** The arguments to make the call with, as JSON text; for `rewrite` alone. */
  args?: string
}

export interface Reviewed {
  items: { record: MemoryRecord; cause: string; detail: string }[]
  total: number
}

export interface Rate {
  recurred: number
  of: number
}

export interface Effect {
  since: string
  until: string
  sessions: number
  learned: string[]
  left: number
  shown: { id: string; text: string; surfaced: number; recurred: number; avoided: number }[]
  with: Rate
  without: Rate
  effect: { low: number; value: number; high: number } | null
  waiting: number
}

/** Numbers of the lifecycle; docs/architecture.md says what each means. */
export interface Policy {
  learn?: {
    token_cap?: number
    promote_at?: number
    overlap?: number
    success_patterns?: boolean
    postmortems?: boolean
    retention_days?: number
    model_calls?: number
  }
  evict?: { max_entries?: number | null; half_life_days?: number; strategy?: 'archive' | 'summarize' }
  recall?: {
    top_k?: number
    budget?: number
    lexical?: number
    gate?: number
    tool_share?: number
    mmr?: number
    importance?: number
  }
  guard?: { per_run?: number; failure_rate?: number; ignored?: number; quiet_hours?: number; holdback?: number }
  review?: { passed_runs?: number; unseen_runs?: number }
  facts?: { revalidate_days?: number; least_source?: SourceClass; per_source?: number; many?: string[] }
  limits?: {
    text_bytes?: number
    members?: number
    evidence?: number
    records?: number
    batch?: number
    trace_bytes?: number
  }
  scope?: Scope
}
