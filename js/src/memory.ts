// A memory: one space of a store, with every verb.
//
// Decides which verbs wait for the tables, and what becomes of a table that cannot be had: reading goes on by words
// alone, learning says what is missing. Every rule about memory is the engine's.

import { embedderId, tokensName } from '../target/glue/hardwon_web.js'
import { Driver, type Complete, type Embed, type Rerank } from './driver.js'
import { EMBEDDER, TOKENS, instantiate, type AssetSource, type Platform, type WasmSource } from './engine.js'
import { HardwonError } from './error.js'
import { given, json } from './json.js'
import type { OnImage, Store } from './store/store.js'
import type * as types from './types.js'

/** An embedder of your own. */
export interface HostEmbedder {
  /** Name and version; it must change whenever vectors would. */
  id: string
  /** The length of a vector. */
  dims: number
  /** Cosine in millionths from which two texts may be one lesson, where the words agree. */
  merge?: number
  /** Cosine in millionths from which two texts are looked at for that. */
  candidate?: number
  /** A vector for each text. */
  embed: Embed
}

/** How to open a memory. */
export interface MemoryOptions {
  /** The store; the runtime's own where it is not given. */
  store?: Store | undefined
  /** The space inside the store; `default` where it is not given. */
  space?: string | undefined
  /** Numbers of the lifecycle that are to be other than usual. */
  policy?: types.Policy | undefined
  /** The engine's module, where it is not beside the code. */
  wasm?: WasmSource | (() => types.Awaitable<WasmSource>) | undefined
  /** The token table, where it is not beside the code; `false` to do without: nothing is learned then. */
  tokens?: AssetSource | false | undefined
  /**
   * The embedding table, where it is not beside the code; an embedder of your own; `'hash'` for a weak one without a
   * table; `false` for search by words alone.
   */
  embedder?: AssetSource | HostEmbedder | 'hash' | false | undefined
  /** A reranker of your own, asked at each recall about what has passed the filters and the gate. */
  rerank?: Rerank | undefined
  /** Answers a prompt: words for lessons, where `learn` and `maintain` are told to use a model. */
  complete?: Complete | undefined
  /** The name of that model, which is recorded with what it wrote. */
  model?: string | undefined
}

/** What may be given with each verb. */
export interface CallOptions {
  /** Ends the verb, unless it has been committed already. */
  signal?: AbortSignal | undefined
}

/** Verbs that neither count tokens nor look at meaning, and so wait for no table. */
const PLAIN = new Set(['observe', 'get', 'list', 'history', 'review', 'report', 'export_records'])
/** Verbs that write what a table decides. */
const LEARNING = new Set([
  'learn',
  'teach',
  'import_records',
  'maintain',
  'remember',
  'extract',
  'import_facts',
  'react',
])

/** Names work that `close` waits for. */
export const BACKGROUND = Symbol('background')

/** One space of a store, with every verb. Verbs may run side by side. */
export class Memory {
  /** The name of the space. */
  readonly space: string
  readonly #store: Store
  readonly #ownsStore: boolean
  readonly #options: MemoryOptions
  readonly #platform: Platform
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #background = new Set<Promise<unknown>>()
  #driver: { setup: string; driver: Driver } | undefined
  #hasBegun = false
  #isClosed = false

  /** Use `open`. */
  constructor(store: Store, ownsStore: boolean, options: MemoryOptions, platform: Platform) {
    this.space = options.space ?? 'default'
    this.#store = store
    this.#ownsStore = ownsStore
    this.#options = options
    this.#platform = platform
    if (this.space === '') throw new HardwonError('invalid.space', 'a space needs a name; `default` is the usual one')
    if (options.complete && !options.model) {
      throw new HardwonError('invalid.model', '`complete` needs the name of its model; give `model` too')
    }
  }

  /** Appends events to a session's live trace; answers how many. */
  async observe(input: types.ObserveInput, options?: CallOptions): Promise<number> {
    const { lines: events } = given(input)
    if (!Array.isArray(events)) throw new HardwonError('invalid.json', '`observe` takes a list of events as `lines`')
    const lines = events.map((line) => (typeof line === 'string' ? line : json(line)))
    return (await this.#run<{ events: number }>('observe', { ...input, lines }, options)).events
  }

  /**
   * Mines lessons from a trace: its text, the steps of a Vercel AI SDK generation, or more options. Without any, from
   * the live traces that wait.
   */
  async learn(
    trace: string | readonly object[] | types.LearnInput = {},
    options?: CallOptions,
  ): Promise<types.Learned> {
    const input = typeof trace === 'string' ? { data: trace } : isList(trace) ? { data: json(trace) } : given(trace)
    return this.#run('learn', input, options)
  }

  /** Writes a lesson by hand. */
  async teach(lesson: string | types.TeachInput, options?: CallOptions): Promise<types.Written> {
    return this.#run('teach', typeof lesson === 'string' ? { text: lesson } : given(lesson), options)
  }

  /** Writes a fact, or takes one back. */
  async remember(claim: types.RememberInput, options?: CallOptions): Promise<types.Remembered> {
    return this.#run('remember', claim, options)
  }

  /** What holds, and what held; the page and how many there are in all. */
  facts(input: types.FactsInput = {}, options?: CallOptions): Promise<types.Listed> {
    return this.#run('facts', input, options)
  }

  /** What is wrong with the facts that are stored. */
  audit(input: types.AuditInput = {}, options?: CallOptions): Promise<types.Audited> {
    return this.#run('audit', input, options)
  }

  /** Finds the claims in a conversation, and writes them. */
  async extract(input: types.ExtractInput, options?: CallOptions): Promise<types.Extracted> {
    return this.#run('extract', input, options)
  }

  /** Takes in facts of other memories, or edits of an export. */
  async importFacts(input: types.ImportFactsInput, options?: CallOptions): Promise<types.Gathered> {
    return this.#run('import_facts', input, options)
  }

  /** The facts as Markdown, for people. */
  exportFacts(input: { scope?: types.Scope } = {}, options?: CallOptions): Promise<{ text: string; total: number }> {
    return this.#run('export_facts', input, options)
  }

  /** Takes back all that one source has taught. */
  forgetSource(source: string, cause: types.Cause = {}, options?: CallOptions): Promise<types.Forgotten> {
    return this.#run('forget_source', { ...cause, source }, options)
  }

  /** What the memory says to a message of other agents. */
  async react(input: types.ReactInput, options?: CallOptions): Promise<types.Opinion> {
    return this.#run('react', input, options)
  }

  /** What is known for this moment: a task, a call, an error or a claim. */
  async recall(query: string | types.RecallInput, options?: CallOptions): Promise<types.Recalled> {
    return this.#run('recall', queryOf(query), options)
  }

  /** Why a record does or does not come back for a query. */
  async explain(id: string, query: string | types.RecallInput, options?: CallOptions): Promise<types.Explained> {
    return this.#run('explain', { id, query: queryOf(query) }, options)
  }

  /** One record. */
  async get(id: string, options?: CallOptions): Promise<types.MemoryRecord> {
    return (await this.#run<{ record: types.MemoryRecord }>('get', { id }, options)).record
  }

  /** Records, filtered; the page and how many there are in all. */
  async list(input: types.ListInput = {}, options?: CallOptions): Promise<types.Listed> {
    return this.#run('list', given(input), options)
  }

  /** Takes a record back, or with `hard` erases it for good. */
  async forget(id: string, input: types.ForgetInput = {}, options?: CallOptions): Promise<types.Written> {
    return this.#run('forget', { ...given(input), id }, options)
  }

  /** Brings an archived or forgotten record back. */
  async restore(id: string, cause: types.Cause = {}, options?: CallOptions): Promise<types.Written> {
    return this.#run('restore', { ...given(cause), id }, options)
  }

  /** Takes an operation back. */
  async undo(op: string, input: types.UndoInput = {}, options?: CallOptions): Promise<types.Undone> {
    return this.#run('undo', { ...given(input), op }, options)
  }

  /** What happened to a record, or in the space. */
  async history(input: types.HistoryInput = {}, options?: CallOptions): Promise<types.HistoryEntry[]> {
    return (await this.#run<{ entries: types.HistoryEntry[] }>('history', given(input), options)).entries
  }

  /** Holds a record in place. */
  async pin(id: string, cause: types.Cause = {}, options?: CallOptions): Promise<types.Written> {
    return this.#run('pin', { ...given(cause), id }, options)
  }

  /** Lets a record go again. */
  async unpin(id: string, cause: types.Cause = {}, options?: CallOptions): Promise<types.Written> {
    return this.#run('unpin', { ...given(cause), id }, options)
  }

  /** Keeps a record from speaking at calls. */
  async mute(id: string, cause: types.Cause = {}, options?: CallOptions): Promise<types.Written> {
    return this.#run('mute', { ...given(cause), id }, options)
  }

  /** Lets a record speak at calls again. */
  async unmute(id: string, cause: types.Cause = {}, options?: CallOptions): Promise<types.Written> {
    return this.#run('unmute', { ...given(cause), id }, options)
  }

  /** Holds the cap and writes missing vectors. */
  async maintain(input: types.MaintainInput = {}, options?: CallOptions): Promise<types.Maintained> {
    return this.#run('maintain', given(input), options)
  }

  /** All records with their vectors, for a file or another host. */
  async exportRecords(input: types.ExportInput = {}, options?: CallOptions): Promise<types.Exported> {
    return this.#run('export_records', given(input), options)
  }

  /** Takes in the records of an export, with their original dates. */
  async importRecords(input: types.ImportInput, options?: CallOptions): Promise<types.Imported> {
    return this.#run('import_records', given(input), options)
  }

  /** Figures of the space. */
  async stats(options?: CallOptions): Promise<types.Figures> {
    return this.#run('stats', {}, options)
  }

  /** Whether something is to be said before a call. */
  async guard(call: types.GuardInput, options?: CallOptions): Promise<types.Guarded> {
    return this.#run('guard', withArgs(call), options)
  }

  /** Notes what came of showing a record. */
  async settle(id: string, input: types.SettleInput, options?: CallOptions): Promise<types.Written> {
    return this.#run('settle', { ...given(input), id }, options)
  }

  /** What waits for a person, most urgent first, and how much waits in all. */
  async review(input: types.ReviewInput = {}, options?: CallOptions): Promise<types.Reviewed> {
    return this.#run('review', given(input), options)
  }

  /** A person's answer to what waits. */
  async resolve(id: string, input: types.ResolveInput, options?: CallOptions): Promise<types.Written> {
    return this.#run('resolve', { ...given(input), id }, options)
  }

  /** What was learned, shown and changed in the last days. */
  async report(input: types.ReportInput = {}, options?: CallOptions): Promise<types.Effect> {
    return this.#run('report', given(input), options)
  }

  /** Tells when another tab has committed to this space, until the answer is called. A hint: read to know more. */
  watch(listener: () => void): () => void {
    const hear = (space: string) => {
      if (space === this.space) listener()
    }
    return this.#store.watch?.(hear) ?? (() => undefined)
  }

  /** Waits for what is under way and gives everything back. A store that was passed to `open` stays open. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#background)
    this.#isClosed = true
    await Promise.allSettled(this.#underWay)
    await this.#driver?.driver.retire()
    this.#driver = undefined
    if (this.#ownsStore) await this.#store.close?.()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Notes work of several verbs that is to end before the memory does. @internal */
  [BACKGROUND](work: Promise<unknown>): void {
    this.#background.add(work)
    work.finally(() => this.#background.delete(work))
  }

  async #run<T>(verb: string, options: object, call: CallOptions = {}): Promise<T> {
    const { signal } = given(call)
    if (signal && typeof signal.throwIfAborted !== 'function') {
      throw new HardwonError('invalid.json', '`signal` is no AbortSignal')
    }
    if (this.#isClosed) throw new HardwonError('invalid.closed', 'this memory is closed; open it again')
    const work = this.#carryOut<T>(verb, options, signal)
    this.#underWay.add(work)
    try {
      return await work
    } finally {
      this.#underWay.delete(work)
    }
  }

  async #carryOut<T>(verb: string, options: object, signal: AbortSignal | undefined): Promise<T> {
    signal?.throwIfAborted()
    const image = this.#firstImage()
    const driver = await this.#driverFor(verb)
    const { verb: _, ...output } = (await driver.run({ ...options, verb }, signal, image)) as { verb: string }
    return output as T
  }

  /** What the first verb begins with, read beside the engine and its tables. */
  #firstImage(): Promise<OnImage | null> | undefined {
    const { images } = this.#store
    if (!images || this.#hasBegun) return undefined
    this.#hasBegun = true
    const image = Promise.resolve().then(() => images.load(this.space))
    // Whoever awaits it is told; nobody may.
    image.catch(() => undefined)
    return image
  }

  /** The driver, held, with the tables that this verb needs, as far as they can be had. */
  async #driverFor(verb: string): Promise<Driver> {
    const { wasm } = this.#options
    const engine = instantiate(wasm, this.#platform)
    await Promise.all([engine, PLAIN.has(verb) ? undefined : this.#loadTables(engine, LEARNING.has(verb))])
    const setup = this.#setup()
    // A plain verb goes on with whatever tables the others have.
    if (!this.#driver || this.#driver.setup !== setup) {
      void this.#driver?.driver.retire()
      const { embedder, rerank, model, complete } = this.#options
      const embed = isEmbedder(embedder) ? embedder.embed : undefined
      this.#driver = { setup, driver: new Driver(setup, this.#store, this.space, { embed, rerank, model, complete }) }
    }
    return this.#driver.driver.hold()
  }

  async #loadTables(engine: Promise<unknown>, isLearning: boolean): Promise<void> {
    const { tokens, embedder } = this.#options
    const isTable = embedder !== false && embedder !== 'hash' && !isEmbedder(embedder)
    const [noTokens, noVectors] = await Promise.all([
      tokens === false ? undefined : TOKENS.load(tokens, this.#platform, engine, isLearning),
      isTable ? EMBEDDER.load(embedder, this.#platform, engine, isLearning) : undefined,
    ])
    if (isLearning && noTokens) throw noTokens
    if (isLearning && noVectors) throw noVectors
  }

  #setup(): string {
    const { policy = {}, tokens, embedder, rerank } = this.#options
    const counter = (tokens === false ? undefined : tokensName()) ?? 'bytes'
    return json({ policy, counter, embedder: embedderSetup(embedder), reranker: rerank !== undefined })
  }
}

function embedderSetup(embedder: MemoryOptions['embedder']): unknown {
  if (embedder === false) return 'none'
  if (embedder === 'hash') return 'hash'
  if (!isEmbedder(embedder)) return embedderId() ?? 'none'
  const { id, dims, merge = 900_000, candidate = 750_000 } = embedder
  return { id, dims, merge, candidate }
}

function isEmbedder(embedder: MemoryOptions['embedder']): embedder is HostEmbedder {
  return typeof embedder === 'object' && embedder !== null && 'embed' in embedder
}

function isList(trace: readonly object[] | types.LearnInput): trace is readonly object[] {
  return Array.isArray(trace)
}

function queryOf(query: string | types.RecallInput): object {
  return typeof query === 'string' ? { task: query } : withArgs(query)
}

/** Arguments go in as JSON text. */
function withArgs<T extends { args?: unknown }>(input: T): object {
  const { args, ...rest } = given(input)
  if (args === undefined) return rest
  return { ...rest, args: typeof args === 'string' ? args : json(args) }
}
