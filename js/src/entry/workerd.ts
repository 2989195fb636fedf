// The entry for workerd: the module is imported, for there nothing may be compiled from bytes. It has no files and no
// store of its own: pass `store`, and the tables as bytes where lessons are to be learned.

import wasm from './hardwon.wasm'

import type { Platform } from '../engine.js'
import { HardwonError } from '../error.js'
import type { MemoryOptions } from '../memory.js'
import { opener } from '../open.js'
import { stepperOf } from '../stepper.js'

export * from '../exports.js'

/** How to open a memory in a worker. */
export type OpenOptions = MemoryOptions

const PLATFORM: Platform = {
  wasm: () => wasm,
  asset: () => undefined,
  fetch: (address) => fetch(address),
}

/** Opens a memory over the store that is given. */
export const open = opener<OpenOptions>(PLATFORM, () => {
  throw new HardwonError('host.store', 'the store failed: this runtime keeps nothing by itself; pass `store`')
})

/** The step protocol as strings. */
export const stepper = stepperOf(PLATFORM)
