// The entry in one file: the module is inside, for places where a second file cannot be had. The tables are not.

import wasm from 'hardwon:base64'

import type { Platform } from '../engine.js'
import type { MemoryOptions } from '../memory.js'
import { opener } from '../open.js'
import { stepperOf } from '../stepper.js'
import { indexedDbStore, type IndexedDbOptions } from '../store/indexeddb.js'

export * from '../exports.js'
export { indexedDbStore, type IndexedDbOptions } from '../store/indexeddb.js'

/** How to open a memory from one file. */
export interface OpenOptions extends MemoryOptions, IndexedDbOptions {}

const PLATFORM: Platform = {
  wasm: () => Uint8Array.from(atob(wasm), (letter) => letter.charCodeAt(0)),
  asset: () => undefined,
  fetch: (address) => fetch(address),
}

/** Opens a memory; it is kept in IndexedDB where no store is given. */
export const open = opener<OpenOptions>(PLATFORM, indexedDbStore)

/** The step protocol as strings. */
export const stepper = stepperOf(PLATFORM)
