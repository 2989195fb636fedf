// The driver: answers the requests of operations until each is done.
//
// Decides the order in which operations that run side by side get their turn at the store, how long a conflict is tried
// again, and what an abort interrupts. One step at a time: an operation that waits for a model holds nobody up.

import { Engine, answerKey, redact } from '../target/glue/hardwon_web.js'
import { HardwonError, messageOf, storeError } from './error.js'
import { PATIENCE_MS, contended } from './patience.js'
import type { Commit, LogQuery, OnImage, Store } from './store/store.js'
import type { Awaitable } from './types.js'

/** What the core asks a model for. */
export interface Prompts {
  instructions: string
  max_tokens: number
  prompts: string[]
}

/** What goes with one prompt: what the model is to do, the most tokens of its answer, and when to stop. */
export interface CompleteOptions {
  instructions: string
  max_tokens: number
  signal: AbortSignal | undefined
}

/** Answers one prompt. Where it throws, the fixed wording serves. */
export type Complete = (prompt: string, options: CompleteOptions) => Awaitable<string>

/** A vector for each text, of any length other than zero; zeros for no opinion. */
export type Embed = (texts: string[], options: { signal: AbortSignal | undefined }) => Awaitable<ArrayLike<number>[]>

/** How well each text fits the query, from 0 to 1; asked about what has passed the filters and the gate. */
export type Rerank = (
  query: string,
  texts: string[],
  options: { signal: AbortSignal | undefined },
) => Awaitable<ArrayLike<number>>

/** What a host supplies besides the store. */
export interface Ports {
  embed?: Embed | undefined
  rerank?: Rerank | undefined
  model?: string | undefined
  complete?: Complete | undefined
}

type Request =
  | { load: { since: number } }
  | { records: { rev: number; ids: string[] } }
  | { commit: Commit }
  | { log: LogQuery }
  | { trace_append: { session_id: string; lines: string[] } }
  | { trace_load: { session_id: string | null } }
  | { trace_mined: { sessions: [string, number][]; ended?: string[] } }
  | Foreign

/** What is not the store's to answer. */
type Foreign = { embed: { texts: string[] } } | { rerank: { query: string; texts: string[] } } | { complete: Prompts }

type Answer = { need: Request } | { done: unknown } | { error: { code: string; message: string } }

const LONGEST_WAIT_MS = 50
/** So many prompts are with the model at once. */
const AT_ONCE = 4

/** Drives the operations of one space. */
export class Driver {
  readonly #engine: Engine
  readonly #store: Store
  readonly #space: string
  readonly #ports: Ports
  #last: Promise<unknown> = Promise.resolve()
  #numbers = 0
  #underWay = 0
  #isRetired = false

  constructor(setup: string, store: Store, space: string, ports: Ports) {
    try {
      this.#engine = new Engine(setup)
    } catch (refused) {
      if (typeof refused !== 'string') throw refused
      throw failure(JSON.parse(refused) as { error: { code: string; message: string } })
    }
    this.#store = store
    this.#space = space
    this.#ports = ports
  }

  /** Keeps the engine for a verb that is about to be carried out. */
  hold(): this {
    this.#underWay += 1
    return this
  }

  /** Carries out a verb, for which the engine was held; it may begin with an image that was asked for since it came. */
  async run(input: object, signal: AbortSignal | undefined, image?: Promise<OnImage | null>): Promise<unknown> {
    const number = (this.#numbers = (this.#numbers + 1) % 0xffff_ffff)
    const operation = new Operation(this.#engine, number, signal, image)
    try {
      signal?.throwIfAborted()
      const output = await this.#drive(operation, input)
      this.#keepImage()
      return output
    } finally {
      operation.end()
      this.#letGo()
    }
  }

  /** Gives the engine's memory back once nothing is under way; ends when the store is left alone. */
  async retire(): Promise<void> {
    this.#isRetired = true
    this.#free()
    await this.#last
  }

  /** Keeps an image of the indexes where one is due, behind what waits for the store. */
  #keepImage(): void {
    const { images } = this.#store
    if (!images) return
    this.hold()
    const kept = this.#last.then(async () => {
      const bytes = this.#engine.dueImage()
      const [rev, embedder] = [this.#engine.revision(), this.#engine.embedder()]
      if (bytes) await images.keep(this.#space, { rev, embedder, bytes })
    })
    // It is nothing's only copy: where it cannot be kept, opening takes longer.
    this.#last = kept.catch(() => undefined).then(() => this.#letGo())
  }

  #letGo(): void {
    this.#underWay -= 1
    this.#free()
  }

  #free(): void {
    if (this.#isRetired && this.#underWay === 0) this.#engine.free()
  }

  async #drive(operation: Operation, input: object): Promise<unknown> {
    operation.start({ env: { now: new Date().toISOString(), seed: seed() }, input })
    for (;;) {
      const answer = operation.answer
      if ('done' in answer) return answer.done
      if ('error' in answer) throw failure(answer)
      const request = answer.need
      if ('embed' in request || 'rerank' in request || 'complete' in request) {
        operation.makeWay()
        operation.resume(await operation.unlessAborted(this.#foreign(request, operation.signal)))
        operation.forgive()
        continue
      }
      if (!operation.isCommitted) operation.signal?.throwIfAborted()
      const reply = await this.#step(operation, request)
      if (reply === CONFLICT) {
        await operation.backOff()
        await operation.takeTurn(() => this.#store.turn?.(this.#space))
      }
    }
  }

  /** Answers one request of the store and resumes, before any other operation's request is answered. */
  #step(operation: Operation, request: Request): Promise<string> {
    const step = this.#last.then(async () => {
      const image = await this.#image(operation, request)
      if (image && operation.resumeOnImage(image)) return DONE
      const reply = await this.#answer(operation, request)
      operation.isCommitted ||= 'commit' in request && reply !== CONFLICT
      operation.resume(reply)
      return reply
    })
    this.#last = step.catch(() => undefined)
    return step
  }

  /** An image to begin with, where everything is to be loaded and the store keeps one. */
  async #image(operation: Operation, request: Request): Promise<OnImage | null | undefined> {
    if (!('load' in request) || this.#since(operation, request.load.since) > 0) return undefined
    try {
      return await (operation.takeImage() ?? this.#store.images?.load(this.#space))
    } catch (cause) {
      throw storeError(messageOf(cause), cause)
    }
  }

  /** From where on to load: another operation may have moved the view on since this one asked. */
  #since(operation: Operation, asked: number): number {
    // Who has loaded and asks for everything cannot follow from where the view is.
    return operation.hasLoaded && asked === 0 ? 0 : this.#engine.revision()
  }

  async #loaded(since: number): Promise<string> {
    const loaded = await this.#store.load(this.#space, since)
    return `{"loaded":${typeof loaded === 'string' ? loaded : JSON.stringify(loaded)}}`
  }

  async #answer(operation: Operation, request: Request): Promise<string> {
    const [store, space] = [this.#store, this.#space]
    try {
      if ('load' in request) {
        const since = this.#since(operation, request.load.since)
        operation.hasLoaded = true
        return await this.#loaded(since)
      }
      if ('records' in request) {
        // What other operations look at is wanted with it.
        const [rev, ids] = [this.#engine.revision(), JSON.parse(this.#engine.wanted()) as string[]]
        const records = await store.images?.records(space, rev, ids)
        return records ? `{"records":${records}}` : await this.#loaded(rev)
      }
      if ('commit' in request) return JSON.stringify(await store.commit(space, request.commit))
      if ('log' in request) return JSON.stringify({ logged: await store.log(space, request.log) })
      if ('trace_append' in request) {
        await store.traceAppend(space, request.trace_append.session_id, request.trace_append.lines)
        return DONE
      }
      if ('trace_load' in request) {
        return JSON.stringify({ traces: await store.traceLoad(space, request.trace_load.session_id) })
      }
      if ('trace_mined' in request) {
        const { sessions, ended = [] } = request.trace_mined
        for (const [session, lines] of sessions) await store.traceMined(space, session, lines)
        for (const session of ended) await store.traceDrop(space, session)
        return DONE
      }
    } catch (cause) {
      throw storeError(messageOf(cause), cause)
    }
    throw new HardwonError('protocol', `this host does not answer ${Object.keys(request).join()}; update it`)
  }

  async #foreign(request: Foreign, signal: AbortSignal | undefined): Promise<string> {
    if ('complete' in request) return this.#complete(request.complete, signal)
    const port = 'embed' in request ? 'embedder' : 'reranker'
    try {
      return JSON.stringify(
        'embed' in request ? await this.#embed(request, signal) : await this.#rerank(request, signal),
      )
    } catch (cause) {
      return JSON.stringify({ failed: { port, message: messageOf(cause) } })
    }
  }

  async #embed({ embed: { texts } }: { embed: { texts: string[] } }, signal: AbortSignal | undefined): Promise<object> {
    const { embed } = this.#ports
    if (!embed) throw new Error('no `embed` is set')
    const vectors = await embed(texts, { signal })
    if (!Array.from(vectors).every(areNumbers)) throw new Error('a component of a vector is no number')
    return { embedded: vectors.map((vector) => Array.from(vector)) }
  }

  async #rerank(
    { rerank: { query, texts } }: { rerank: { query: string; texts: string[] } },
    signal: AbortSignal | undefined,
  ): Promise<object> {
    const { rerank } = this.#ports
    if (!rerank) throw new Error('no `rerank` is set')
    const scores = await rerank(query, texts, { signal })
    if (!areNumbers(scores)) throw new Error('a score is no number; give each text one from 0 to 1')
    return { reranked: Array.from(scores, (score) => Math.round(score * 1e6)) }
  }

  /** Answers prompts: from what the store has kept, and for the rest by the model. */
  async #complete(asked: Prompts, signal: AbortSignal | undefined): Promise<string> {
    const { complete, model } = this.#ports
    if (!complete || model === undefined) return '"unsupported"'
    const { instructions, max_tokens } = asked
    const answers = await inTurns(asked.prompts, async (prompt) => {
      const key = answerKey(model, instructions, max_tokens, prompt)
      const kept = await this.#store.answerGet(this.#space, key)
      if (kept !== null) return { text: kept }
      try {
        // What is kept holds no secret, and the answer of today is the one that is found tomorrow.
        const text = redact(await complete(prompt, { instructions, max_tokens, signal }))
        await this.#store.answerPut(this.#space, [[key, text]])
        return { text }
      } catch (cause) {
        return { failed: messageOf(cause) }
      }
    })
    return JSON.stringify({ completed: { model, answers } })
  }
}

const CONFLICT = '"conflict"'
const DONE = '"done"'

/** One verb under way. */
class Operation {
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
    this.answer = JSON.parse(this.#engine.start(this.#number, JSON.stringify(begin))) as Answer
  }

  resume(reply: string): void {
    this.answer = JSON.parse(this.#engine.resume(this.#number, reply)) as Answer
  }

  /** Goes on upon an image; `false` where that is none of the engine's. */
  resumeOnImage({ since, bytes, records }: OnImage): boolean {
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

function failure({ error }: { error: { code: string; message: string } }): HardwonError {
  return new HardwonError(error.code, error.message)
}

/** JSON has no word for what is no number. */
function areNumbers(list: ArrayLike<number>): boolean {
  return Array.from(list).every(Number.isFinite)
}

/** 16 bytes never used before, as hexadecimal digits. */
function seed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Maps with a few calls at once. */
async function inTurns<T, R>(list: T[], call: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(list.length)
  let next = 0
  const work = async () => {
    for (let at = next++; at < list.length; at = next++) results[at] = await call(list[at] as T)
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, list.length) }, work))
  return results
}
