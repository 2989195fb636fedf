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
    // Nobody waits for the engine here: the first verb loads its tables beside it, and tells what is wrong with either.
    instantiate(() => (typeof wasm === 'function' ? wasm() : (wasm ?? platform.wasm()))).catch(() => undefined)
    // What keeps nothing of a memory keeps no tables either.
    if (store) return new Memory(store, false, options, { ...platform, shelf: undefined })
    return new Memory(await makeStore(options), true, options, platform)
  }
}

export type { WasmSource }
