// The one door.

import { instantiate, type Platform, type WasmSource } from './engine.js'
import { given } from './json.js'
import { Memory, type MemoryOptions } from './memory.js'
import type { Store } from './store/store.js'
import type { Awaitable, Policy } from './types.js'

/**
 * `open` of a runtime: where the caller gives no store, `makeStore` makes it, and `usualPolicy` says which policy is in
 * force there unless the caller does.
 */
export function opener<Options extends MemoryOptions>(
  platform: Platform,
  makeStore: (options: Options) => Awaitable<Store>,
  usualPolicy?: (options: Options, engine: Promise<unknown>) => Awaitable<Policy | undefined>,
): (options?: Options) => Promise<Memory> {
  return async (options = {} as Options) => {
    const { store, wasm } = given(options)
    // Where nothing of a memory is kept, no file of the package is kept either.
    const within = store && !store.images ? { ...platform, shelf: undefined } : platform
    // Nobody waits for the engine here: the first verb loads its tables beside it, and tells what is wrong with either.
    const engine = instantiate(wasm, within)
    engine.catch(() => undefined)
    if (store) return new Memory(store, false, options, within)
    const policy = options.policy ?? (await usualPolicy?.(options, engine))
    return new Memory(await makeStore(options), true, { ...options, policy }, platform)
  }
}

export type { WasmSource }
