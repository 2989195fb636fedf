// One verb under way: what it asks, and how long it goes on asking after a conflict.
//
// Decides when a verb gives up and what an abort interrupts. Never answers a request.

import type { Engine } from '../target/glue/hardwon_web.js'
import { json } from './json.js'
import { PATIENCE_MS, contended } from './patience.js'
import type { Commit, LogQuery, OnImage } from './store/store.js'
import type { Awaitable } from './types.js'

/** What the core asks a model for. */
export interface Prompts {
  instructions: string
  max_tokens: number
  prompts: string[]
}

/** What an operation asks its host for. */
export type Request =
  | { load: { since: number } }
  | { records: { rev: number; ids: string[] } }
  | { commit: Commit }
  | { log: LogQuery }
  | { trace_append: { session_id: string; lines: string[] } }
  | { trace_load: { session_id: string | null } }
  | { trace_mined: { sessions: [string, number][]; ended?: string[] } }
  | Foreign

/** What is not the store's to answer. */
export type Foreign =
  { embed: { texts: string[] } } | { rerank: { query: string; texts: string[] } } | { complete: Prompts }

/** What the engine says after each step. */
export type Answer = { need: Request } | { done: unknown } | { error: { code: string; message: string } }

const LONGEST_WAIT_MS = 50

/** One verb under way. */
export class Operation {
  readonly signal: AbortSignal | undefined
  isCommitted = false
  hasLoaded = false
  answer: Answer = { done: undefined }
  readonly #engine: Engine
  readonly #number: number
  #began = Date.now()
  #wait = 1
  #release: (() => void) | undefined
  #image: Promise<OnImage | null> | undefined

  constructor(engine: Engine, number: number, signal: AbortSignal | undefined, image?: Promise<OnImage | null>) {
    this.#engine = engine
    this.#number = number
    this.signal = signal
    this.#image = image
  }

  /** The image that was asked for when the verb came, once. */
  takeImage(): Promise<OnImage | null> | undefined {
    const image = this.#image
    this.#image = undefined
    return image
  }

  start(begin: object): void {
    this.answer = JSON.parse(this.#engine.start(this.#number, json(begin))) as Answer
  }

  resume(reply: string): void {
    this.answer = JSON.parse(this.#engine.resume(this.#number, reply)) as Answer
  }

  /** Goes on upon an image; `false` where that is none of the engine's. */
  resumeOnImage({ since, bytes, records }: OnImage): boolean {
    if (!(bytes instanceof Uint8Array)) return false
    const answer = this.#engine.resumeOnImage(this.#number, `{"loaded":{"reset":${since}}}`, bytes, records)
    if (answer === undefined) return false
    this.hasLoaded = true
    this.answer = JSON.parse(answer) as Answer
    return true
  }

  /** What a model or an embedder takes is no waiting for others. */
  forgive(): void {
    this.#began = Date.now()
  }

  async backOff(): Promise<void> {
    const waited = Date.now() - this.#began
    if (waited >= PATIENCE_MS) throw contended(waited)
    await new Promise((resolve) => setTimeout(resolve, this.#wait * (0.5 + Math.random() / 2)))
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS)
  }

  /** Whoever lost the race once goes next, so that busy writers starve nobody. */
  async takeTurn(turn: () => Awaitable<() => void> | undefined): Promise<void> {
    this.#release ??= await turn()
  }

  makeWay(): void {
    this.#release?.()
    this.#release = undefined
  }

  end(): void {
    this.makeWay()
    this.#engine.abandon(this.#number)
  }

  /** The value of a promise; an abort goes first. */
  unlessAborted<T>(promise: Promise<T>): Promise<T> {
    const { signal } = this
    if (!signal) return promise
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason)
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop, { once: true })
      promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    })
  }
}
