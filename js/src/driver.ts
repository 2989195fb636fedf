// The driver: answers the requests of operations until each is done.
//
// Decides the order in which operations that run side by side get their turn at the store, and when an image is kept.
// One step at a time: an operation that waits for a model holds nobody up.

import { Engine, answerKey, redact } from '../target/glue/hardwon_web.js'
import { HardwonError, messageOf, storeError } from './error.js'
import { json } from './json.js'
import { Operation, type Foreign, type Prompts, type Request } from './operation.js'
import { seed } from './seed.js'
import type { OnImage, Store } from './store/store.js'
import type { Awaitable } from './types.js'

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
    return this.#ofStore(({ images }) => operation.takeImage() ?? images?.load(this.#space))
  }

  /** From where on to load: another operation may have moved the view on since this one asked. */
  #since(operation: Operation, asked: number): number {
    // Who has loaded and asks for everything cannot follow from where the view is.
    return operation.hasLoaded && asked === 0 ? 0 : this.#engine.revision()
  }

  async #loaded(since: number): Promise<string> {
    const loaded = await this.#store.load(this.#space, since)
    return `{"loaded":${typeof loaded === 'string' ? loaded : json(loaded)}}`
  }

  #answer(operation: Operation, request: Request): Promise<string> {
    const space = this.#space
    return this.#ofStore(async (store) => {
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
      if ('commit' in request) return json(await store.commit(space, request.commit))
      if ('log' in request) return json({ logged: await store.log(space, request.log) })
      if ('trace_append' in request) {
        await store.traceAppend(space, request.trace_append.session_id, request.trace_append.lines)
        return DONE
      }
      if ('trace_load' in request) {
        return json({ traces: await store.traceLoad(space, request.trace_load.session_id) })
      }
      if ('trace_mined' in request) {
        const { sessions, ended = [] } = request.trace_mined
        for (const [session, lines] of sessions) await store.traceMined(space, session, lines)
        for (const session of ended) await store.traceDrop(space, session)
        return DONE
      }
      throw new HardwonError('protocol', `this host does not answer ${Object.keys(request).join()}; update it`)
    })
  }

  /** What the store answers. What it throws is an error of the store. */
  async #ofStore<T>(ask: (store: Store) => Awaitable<T>): Promise<T> {
    try {
      return await ask(this.#store)
    } catch (cause) {
      throw storeError(messageOf(cause), cause)
    }
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
      const kept = await this.#ofStore((store) => store.answerGet(this.#space, key))
      if (typeof kept === 'string') return { text: kept }
      let text: string
      try {
        // What is kept holds no secret, and the answer of today is the one that is found tomorrow.
        text = redact(await complete(prompt, { instructions, max_tokens, signal }))
      } catch (cause) {
        return { failed: messageOf(cause) }
      }
      await this.#ofStore((store) => store.answerPut(this.#space, [[key, text]]))
      return { text }
    })
    return JSON.stringify({ completed: { model, answers } })
  }
}

const CONFLICT = '"conflict"'
const DONE = '"done"'

function failure({ error }: { error: { code: string; message: string } }): HardwonError {
  return new HardwonError(error.code, error.message)
}

/** JSON has no word for what is no number. */
function areNumbers(list: ArrayLike<number>): boolean {
  return Array.from(list).every(Number.isFinite)
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
