// The wire form of facts as types: claims with their sources, what the verbs about facts take, and what they answer.
//
// As in types.ts, fields have the names of the wire form.

import type { Cause, Open, Outcome, Scope, Tally, Worded } from './types.js'

/** What a fact claims. A statement that was not taken apart has no subject here. */
export interface Claim {
  subject?: string
  predicate?: string
  object?: string
  /** The value that it says this is in place of: `npm` of "we use bun, not npm". */
  instead_of?: string
  negated?: boolean
  many?: boolean
  dated?: boolean
  rationale?: string
  freshness?: string
}

/** Where a record comes from, least trusted first. */
export type SourceClass = Open<'web' | 'model' | 'tool' | 'review' | 'repo' | 'user'>

/** Somebody or something that says a fact. */
export interface Support {
  source: SourceClass
  at: string
  confidence: number
  reference?: string
  author?: string
  quote?: string
}

export type FactType = Open<'preference' | 'constraint' | 'decision' | 'workflow' | 'external'>

/** A claim in parts, as a sentence, or both. Type, scope and source are needed. */
export interface RememberInput extends Cause {
  text?: string
  subject?: string
  predicate?: string
  object?: string
  cardinality?: 'one' | 'many'
  subtype?: FactType
  scope?: Scope
  source?: SourceClass
  reference?: string
  quote?: string
  confidence?: number
  rationale?: string
  freshness?: string
  tags?: string[]
  valid_from?: string
  valid_to?: string
  revalidate_after?: string
  claimed_at?: string
  /** It holds no longer. */
  retract?: boolean
}

export interface FactsInput {
  subject?: string
  predicate?: string
  object?: string
  /** Predicates to follow from the values found, one after the other. */
  follow?: string[]
  subtype?: FactType
  source?: SourceClass
  said_by?: string
  scope?: Scope
  as_of?: string
  believed?: boolean
  due?: boolean
  all?: boolean
  offset?: number
  limit?: number
}

export interface AuditInput extends Cause {
  scope?: Scope
  /** Carry out the remedies that are safe. */
  fix?: boolean
}

export interface ExtractInput extends Cause {
  messages: { role: string; text: string; id?: string; at?: string }[]
  session_id?: string
  scope?: Scope
  model?: boolean
}

export interface ImportFactsInput extends Cause {
  documents: { name: string; text: string }[]
  format?: Open<'mcp_memory' | 'mem0' | 'langgraph_store' | 'notes' | 'instructions' | 'markdown'>
  subtype?: FactType
  scope?: Scope
  source?: SourceClass
}

export interface Remembered {
  outcome: Outcome
  reason?: string
  id: string | null
  replaced?: string[]
  rivals?: string[]
  beside?: string[]
  read_back?: string
  flags?: string[]
  op: string | null
}

/** A claim that was found, and what came of it. */
export interface Told {
  message: number
  text: string
  outcome: Outcome
  reason?: string
  id: string | null
}

export interface Extracted {
  messages: number
  sentences: number
  /** Sentences that nobody looked at for more than an explicit form. */
  unread: number
  outcomes: Tally
  told: Told[]
  model?: Worded
  op: string | null
}

export interface Gathered {
  format: string
  outcomes: Tally
  skipped: Tally
  told: Told[]
  op: string | null
}

export interface Audited {
  checked: number
  flaws: {
    class: Open<'duplicate' | 'scope_leak' | 'stale' | 'contradiction' | 'inference' | 'secret' | 'index'>
    records: string[]
    detail: string
    remedy: string
    safe: boolean
    fixed: boolean
  }[]
  fixed: number
  op: string | null
}

export interface Forgotten {
  forgotten: string[]
  weakened: string[]
  revived: string[]
  op: string | null
}
