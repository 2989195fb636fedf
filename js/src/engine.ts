// The engine's module and its two tables: loaded once for a page or process, whoever asks first.
//
// Decides when something is loaded and how a failure is told. Never what it means.

import init, { takeEmbedder, takeTokens } from '../target/glue/hardwon_web.js'
import { HardwonError, messageOf } from './error.js'
import type { Shelf } from './shelf.js'
import type { Awaitable } from './types.js'

/** A compiled module, its bytes, or where to fetch it. */
export type WasmSource = WebAssembly.Module | BufferSource | Response | URL | string

/** A table: its bytes, where to fetch it, or a function that gives either. */
export type AssetSource =
  BufferSource | Response | URL | string | (() => Awaitable<BufferSource | Response | URL | string>)

/** The tables by their files. */
export type AssetName = 'o200k.bin' | 'table.bin'

/** What differs from runtime to runtime. */
export interface Platform {
  /** Where the engine's module is. */
  wasm(): Awaitable<WasmSource>
  /** Where a table is, unless the caller says; none where the runtime has no place for files. */
  asset(name: AssetName): AssetSource | undefined
  /** Where files that were fetched are kept for the next time, if anywhere. */
  shelf?: Shelf | undefined
  /** The bytes at an address. */
  fetch(address: URL | string): Awaitable<BufferSource | Response>
}

/** Tables that could not be loaded are not asked for by every reading verb. */
const COOL_DOWN_MS = 30_000

let instantiated: Promise<unknown> | undefined

/** Compiles and starts the engine, once; the package's own, unless the caller says which. */
export function instantiate(
  wasm: WasmSource | (() => Awaitable<WasmSource>) | undefined,
  platform: Platform,
): Promise<unknown> {
  instantiated ??= Promise.resolve()
    .then(() => (typeof wasm === 'function' ? wasm() : (wasm ?? ownModule(platform))))
    .then((module_or_path) => init({ module_or_path }))
    .catch((cause) => {
      instantiated = undefined
      const advice =
        "see that hardwon.wasm is served, and that a Content-Security-Policy allows 'wasm-unsafe-eval'; or pass `wasm`"
      throw new HardwonError('host.assets', `the engine could not be started (${messageOf(cause)}); ${advice}`, {
        cause,
      })
    })
  return instantiated
}

/** One of the two tables. */
class Table {
  readonly file: AssetName
  readonly #what: string
  readonly #take: (bytes: Uint8Array) => void
  #loading: Promise<Uint8Array> | undefined
  #isThere = false
  #failed: { at: number; error: HardwonError } | undefined

  constructor(file: AssetName, what: string, take: (bytes: Uint8Array) => void) {
    this.file = file
    this.#what = what
    this.#take = take
  }

  /**
   * Loads it beside the engine, unless it is there; the problem, where that fails. Where `source` is not given it is
   * the package's own.
   */
  async load(
    source: AssetSource | undefined,
    platform: Platform,
    engine: Promise<unknown>,
    isUrgent: boolean,
  ): Promise<HardwonError | undefined> {
    if (this.#isThere) return undefined
    if (this.#failed && !isUrgent && Date.now() - this.#failed.at < COOL_DOWN_MS) return this.#failed.error
    this.#loading ??= (source ? fetched(source, platform) : this.#own(platform)).finally(
      () => (this.#loading = undefined),
    )
    try {
      const bytes = await this.#loading
      // A failure of the engine is none of the table's, and told by whoever started it.
      if (!(await isUp(engine))) return undefined
      if (!this.#isThere) this.#take(bytes)
      this.#isThere = true
      return undefined
    } catch (cause) {
      const error = new HardwonError(
        'host.assets',
        `the ${this.#what} could not be loaded (${messageOf(cause)}); ` +
          `serve ${this.file} of the package beside its code, or say where it is`,
        { cause },
      )
      this.#failed = { at: Date.now(), error }
      return error
    }
  }

  #own(platform: Platform): Promise<Uint8Array> {
    return kept(this.file, platform.asset(this.file), platform)
  }
}

/** The token table, by which lessons are cut to a length. */
export const TOKENS = new Table('o200k.bin', 'token table', takeTokens)

/** The embedding table, by which texts are near each other in meaning. */
export const EMBEDDER = new Table('table.bin', 'embedding table', takeEmbedder)

/**
 * The package's own module. A site's is left to the browser, which keeps the code it was compiled to. Of an extension's
 * files a browser keeps none, and reads them slowly.
 */
async function ownModule(platform: Platform): Promise<WasmSource> {
  const source = await platform.wasm()
  if (!platform.shelf || !(source instanceof URL) || !source.protocol.endsWith('extension:')) return source
  const bytes = await kept('hardwon.wasm', source, platform)
  return WebAssembly.compile(bytes as BufferSource).catch(() => source)
}

/** The bytes of a file of the package: from the shelf, or fetched and put there. */
async function kept(file: keyof typeof HARDWON_FILES, source: AssetSource | undefined, platform: Platform) {
  const { shelf } = platform
  const hash = HARDWON_FILES[file]
  const there = await shelf?.get(file, hash)
  if (there) return there
  const bytes = await fetched(source, platform)
  void shelf?.put(file, hash, bytes)
  return bytes
}

async function fetched(source: AssetSource | undefined, platform: Platform): Promise<Uint8Array> {
  if (source === undefined) throw new Error('this runtime has no place for it')
  const found = typeof source === 'function' ? await source() : source
  return bytesOf(typeof found === 'string' || found instanceof URL ? await platform.fetch(found) : found)
}

function isUp(engine: Promise<unknown>): Promise<boolean> {
  return engine.then(
    () => true,
    () => false,
  )
}

async function bytesOf(found: BufferSource | Response): Promise<Uint8Array> {
  if (ArrayBuffer.isView(found)) return new Uint8Array(found.buffer, found.byteOffset, found.byteLength)
  if (!(found instanceof Response)) return new Uint8Array(found)
  if (!found.ok) throw new Error(`${found.url} answered ${found.status}`)
  return new Uint8Array(await found.arrayBuffer())
}
