// The one door.

import { instantiate, type Platform, type WasmSource } from './engine.js'
import { Memory, type MemoryOptions } from './memory.js'
import type { Store } from './store/store.js'
import type { Awaitable } from './types.js'

/** `open` of a runtime: `makeStore` gives the store where the caller gives none. */
export function opener<Options extends MemoryOptions>(
  platform: Platform,
  makeStore: (options: Options) => Awaitable<Store>,
): (options?: Options) => Promise<Memory> {
  return async (options = {} as Options) => {
    const { store, wasm } = options
    const started = instantiate(() => (typeof wasm === 'function' ? wasm() : (wasm ?? platform.wasm())))
    const [made] = await Promise.all([store ?? makeStore(options), started])
    return new Memory(made, store === undefined, options, platform)
  }
}

export type { WasmSource }
