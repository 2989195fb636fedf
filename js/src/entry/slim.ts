// The entry without assets: the caller hands over the module, and the tables where they are wanted.

import type { Platform, WasmSource } from '../engine.js'
import { HardwonError } from '../error.js'
import type { Memory, MemoryOptions } from '../memory.js'
import { opener } from '../open.js'
import { stepperOf } from '../stepper.js'
import { indexedDbStore, type IndexedDbOptions } from '../store/indexeddb.js'
import type { Awaitable } from '../types.js'

export * from '../exports.js'
export { indexedDbStore, type IndexedDbOptions } from '../store/indexeddb.js'

/** How to open a memory without assets. */
export interface OpenOptions extends MemoryOptions, IndexedDbOptions {
  /** The engine's module: `hardwon/hardwon.wasm`. */
  wasm: WasmSource | (() => Awaitable<WasmSource>)
}

const PLATFORM: Platform = {
  wasm: () => {
    throw new HardwonError('host.assets', 'hardwon/slim has no engine of its own; pass `wasm`')
  },
  asset: () => undefined,
  fetch: (address) => fetch(address),
}

/** Opens a memory with the module that is given; it is kept in IndexedDB where no store is given. */
export const open: (options: OpenOptions) => Promise<Memory> = opener<OpenOptions>(PLATFORM, indexedDbStore)

/** The step protocol as strings. */
export const stepper = stepperOf(PLATFORM)
