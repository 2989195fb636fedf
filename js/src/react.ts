// The wire form of the agents' channel as types: its messages, what a memory is asked, and what it says.
//
// As in types.ts, fields have the names of the wire form. docs/channel.md tells what each means.

import type { Cause, Open, Scope } from './types.js'

/** A behavioural correction in parts. The record's text is the situation. */
export interface Feedback {
  situation?: string
  behavior?: string
  impact?: string
  action?: string
}

/** One message of a channel. */
export interface Message {
  from: string
  /** Names with commas between them, or `all`. */
  to: string
  thread: string
  type: Open<'ready' | 'info' | 'intent' | 'ack' | 'wait' | 'done' | 'learned' | 'escalate' | 'shutdown'>
  ts: string
  text: string
}

/** What a memory is asked about a message. */
export interface ReactInput extends Cause {
  /** How it is asked; `heard` where it is not said. */
  about?: Open<'heard' | 'argued' | 'decided' | 'confirmed'>
  message: Message
  /** What it follows: what the agent that it may correct said last, or what was asked to be confirmed. */
  before?: Message
  /** The intent that it belongs to. */
  intent?: Message
  /** Of an argument: the memories that it is about. */
  memories?: string[]
  /** The memories that are already counted as shown or missed for the intent. */
  counted?: string[]
  scope?: Scope
  /** Whether the host's model judges what fits the situation. */
  model?: boolean
}

/** What came of an objection. */
export type Came = Open<'followed' | 'not_followed' | 'irrelevant' | 'unresolved'>

/** What a memory says to a message. */
export interface Opinion {
  /** What is to be known, one `info` each. */
  infos: string[]
  /** Why the initiator is to wait; none where nothing speaks against it. */
  objection: { memories: string[]; text: string } | null
  /** What an `ack` says, where nothing speaks against the intent. */
  ack: string
  /** What a person is asked before something is remembered; empty for nothing. */
  question: string
  /** Of an argument: whether the answer meets the objection, or what came of it. */
  verdict: { rebut: string } | { settled: Came } | null
  surfaced: string[]
  missed: string[]
  made: string[]
  replaced: string[]
  refused: string[]
  op: string | null
}

/** What came of showing records, and how many are proven by it. */
export interface Outcomes {
  surfaced: number
  followed: number
  not_followed: number
  irrelevant: number
  missed: number
  unresolved: number
  /** In millionths; none where nobody said. */
  effectiveness: number | null
  proven: number
  unproven: number
  failing: number
  core: number
}
