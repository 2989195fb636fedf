// Tools with a memory: each call is observed, what is known is said at the call, and failures are learned.
//
// Decides how advice reaches the caller and when a session is learned from. It fails open: whatever goes wrong in the
// memory, the call is made as it would have been.

import { HardwonError, messageOf } from './error.js'
import { json } from './json.js'
import { BACKGROUND, type Memory } from './memory.js'
import type { Awaitable, Guarded, Scope } from './types.js'

/** A call that is about to be made. */
export interface GuardedCall {
  tool: string
  args: unknown
}

export interface GuardOptions {
  /** The session of the run; a new one where it is not given. */
  session_id?: string
  /** What the run is to do. */
  task?: string
  scope?: Scope
  /** Whether failures are learned as they happen; true where it is not given. */
  learn?: boolean
  /** Whether a proven remedy of one argument may change the call. */
  rewrite?: boolean
  /** Asked before a call that a person has blocked: whether to make it. Without it the call is made with the advice. */
  onHold?: (advice: Guarded, call: GuardedCall) => Awaitable<boolean>
  /** Told what is said. */
  onAdvice?: (advice: Guarded, call: GuardedCall) => void
  /** Puts what is to be said into a result. A text is said behind a text and as `advice` in an object otherwise. */
  tell?: (result: unknown, block: string) => unknown
  /** Told of failures of the memory itself, which change no call. */
  onError?: (error: unknown) => void
}

/** A tool as frameworks have it: the Vercel AI SDK calls `execute`, LangChain.js `_call`. */
type Tool = ((...args: never[]) => unknown) | { execute?: unknown } | { _call: unknown; name: string }

/**
 * The same tools with a memory: one function or tool, a list of them, or an object of them by name. Works for plain
 * functions, tools of the Vercel AI SDK and tools of LangChain.js.
 */
export function guard<T>(tools: T, memory: Memory, options: GuardOptions = {}): T {
  const run = new Run(memory, options)
  return wrapAll(tools, run) as T
}

function wrapAll(tools: unknown, run: Run): unknown {
  if (Array.isArray(tools)) return tools.map((tool) => wrap(tool, '', run))
  if (isTool(tools)) return wrap(tools, '', run)
  if (typeof tools === 'object' && tools !== null) {
    return Object.fromEntries(
      Object.entries(tools).map(([name, tool]) => [name, isTool(tool) ? wrap(tool, name, run) : tool]),
    )
  }
  throw new HardwonError('invalid.tool', '`guard` takes functions and tools: one, a list, or an object of them by name')
}

function isTool(tool: unknown): tool is Tool {
  if (typeof tool === 'function') return true
  if (typeof tool !== 'object' || tool === null) return false
  const { execute, _call } = tool as { execute?: unknown; _call?: unknown }
  return typeof execute === 'function' || typeof _call === 'function'
}

function wrap(tool: unknown, name: string, run: Run): unknown {
  if (typeof tool === 'function') {
    const call = tool as (...args: unknown[]) => unknown
    return named(name || call.name, (...args: unknown[]) =>
      run.call(name || call.name, args, (given) => call(...given)),
    )
  }
  if (!isTool(tool)) throw new HardwonError('invalid.tool', 'this is neither a function nor a tool that can be called')
  const { execute, _call } = tool as {
    execute?: (...args: unknown[]) => unknown
    _call?: (...args: unknown[]) => unknown
  }
  const own = name || String((tool as { name?: string }).name ?? (tool as { id?: string }).id ?? 'tool')
  if (execute)
    return { ...tool, execute: (...args: unknown[]) => run.call(own, args, (given) => execute.apply(tool, given)) }
  const derived = Object.create(tool) as { responseFormat?: string; _call: unknown }
  const isPair = derived.responseFormat === 'content_and_artifact'
  derived._call = (...args: unknown[]) => run.call(own, args, (given) => _call?.apply(tool, given), isPair)
  return derived
}

function named(name: string, call: (...args: unknown[]) => unknown): unknown {
  return Object.defineProperty(call, 'name', { value: name })
}

/** A session whose calls are guarded. */
class Run {
  readonly #memory: Memory
  readonly #options: GuardOptions
  readonly #session: string
  #hasBegun = false
  /** Whether a call has failed since the session was last learned from. */
  #hasFailed = false
  #isStale = false
  #learning: Promise<void> | undefined

  constructor(memory: Memory, options: GuardOptions) {
    this.#memory = memory
    this.#options = options
    this.#session = options.session_id ?? crypto.randomUUID()
  }

  async call(tool: string, given: unknown[], make: (given: unknown[]) => unknown, isPair = false): Promise<unknown> {
    const call = { tool, args: argsOf(given) }
    const advice = await this.#ask(call)
    if (advice?.verdict === 'hold' && (await this.#options.onHold?.(advice, call)) === false) {
      await this.#observe(call, { status: 'refused', error: advice.text })
      throw new HardwonError('held', advice.text)
    }
    const says = advice && advice.verdict !== 'silent' ? advice : undefined
    if (says) this.#options.onAdvice?.(says, call)
    const changed = says?.verdict === 'rewrite' && says.args ? [JSON.parse(says.args), ...given.slice(1)] : given
    call.args = argsOf(changed)
    let result: unknown
    try {
      result = await make(changed)
    } catch (cause) {
      await this.#failed(call, cause, says)
      throw cause
    }
    if (isStream(result)) return this.#stream(call, result, says)
    await this.#passed(call, isPair ? (result as unknown[])[0] : result)
    if (!says) return result
    if (!isPair) return this.#tell(result, says.block)
    const [content, artifact] = result as [unknown, unknown]
    return [this.#tell(content, says.block), artifact]
  }

  /** A tool that yields results: the last one is the result. */
  async *#stream(
    call: GuardedCall,
    results: AsyncIterable<unknown>,
    says: Guarded | undefined,
  ): AsyncIterable<unknown> {
    let last: unknown
    try {
      for await (last of results) yield last
    } catch (cause) {
      await this.#failed(call, cause, says)
      throw cause
    }
    await this.#passed(call, last)
    if (says) yield this.#tell(last, says.block)
  }

  async #ask(call: GuardedCall): Promise<Guarded | undefined> {
    const { task = '', scope = {}, rewrite = false } = this.#options
    return this.#openly(async () => {
      const advice = await this.#memory.guard({ ...call, session_id: this.#session, task, scope, rewrite })
      if (advice.event !== '') await this.#memory.observe({ session_id: this.#session, lines: [advice.event] })
      return advice
    })
  }

  async #passed(call: GuardedCall, result: unknown): Promise<void> {
    await this.#observe(call, { ok: true, result: textOf(result) })
    // A call that works after one that failed may be the remedy.
    if (this.#hasFailed) this.#learn()
  }

  async #failed(call: GuardedCall, cause: unknown, says: Guarded | undefined): Promise<void> {
    const error = messageOf(cause)
    await this.#observe(call, { ok: false, error })
    this.#hasFailed = true
    const { scope = {} } = this.#options
    const known = await this.#openly(async () => {
      const found = await this.#memory.recall({ ...call, error, session_id: this.#session, scope })
      if (found.block !== '') await this.#memory.observe({ session_id: this.#session, lines: [found.event] })
      return found.block
    })
    this.#learn()
    const block = known || says?.block
    if (!block || !(cause instanceof Error)) return
    try {
      cause.message = `${cause.message}\n\n${block}`
    } catch {
      // An error that cannot be changed says what it says.
    }
  }

  async #observe({ tool, args }: GuardedCall, result: object): Promise<void> {
    await this.#openly(async () => {
      const at = { session_id: this.#session, ts: new Date().toISOString() }
      const event = {
        ...at,
        type: 'tool_call',
        event_id: crypto.randomUUID(),
        event_id_global: true,
        name: tool,
        args,
        result,
      }
      const begin = { ...at, type: 'start', task: this.#options.task }
      const lines = this.#hasBegun || !this.#options.task ? [event] : [begin, event]
      this.#hasBegun = true
      await this.#memory.observe({ session_id: this.#session, lines })
    })
  }

  /** Learns from the session beside the calls; what is added meanwhile is learned next. */
  #learn(): void {
    if (this.#options.learn === false) return
    this.#isStale = true
    this.#learning ??= this.#learnAll().finally(() => (this.#learning = undefined))
    this.#memory[BACKGROUND](this.#learning)
  }

  async #learnAll(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      const { scope } = this.#options
      await this.#openly(() => this.#memory.learn({ observed: this.#session, ...(scope ? { scope } : {}) }))
    }
  }

  #tell(result: unknown, block: string): unknown {
    if (this.#options.tell) return this.#options.tell(result, block)
    if (typeof result === 'string') return `${result}\n\n${block}`
    const isObject = typeof result === 'object' && result !== null && Object.getPrototypeOf(result) === Object.prototype
    return isObject ? { ...result, advice: block } : result
  }

  async #openly<R>(work: () => Promise<R>): Promise<R | undefined> {
    try {
      return await work()
    } catch (error) {
      this.#options.onError?.(error)
      return undefined
    }
  }
}

/** The arguments of a call as one value: an object as it is, several in a list. */
function argsOf(given: unknown[]): unknown {
  const [first] = given
  const isObject = typeof first === 'object' && first !== null && !Array.isArray(first)
  return isObject ? first : { arguments: given }
}

function isStream(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : (json(result) ?? '')
}
