// The entry for browsers, and for whatever has no entry of its own: assets lie beside this file.

import type { Platform } from '../engine.js'
import type { MemoryOptions } from '../memory.js'
import { opener } from '../open.js'
import { Shelf } from '../shelf.js'
import { stepperOf } from '../stepper.js'
import { indexedDbStore, type IndexedDbOptions } from '../store/indexeddb.js'

export * from '../exports.js'
export { indexedDbStore, type IndexedDbOptions } from '../store/indexeddb.js'

/** How to open a memory in a browser. */
export interface OpenOptions extends MemoryOptions, IndexedDbOptions {}

// Written out one by one: bundlers find and copy files by this very form.
const PLATFORM: Platform = {
  wasm: () => new URL('./hardwon.wasm', import.meta.url),
  asset: (name) =>
    name === 'o200k.bin' ? new URL('./o200k.bin', import.meta.url) : new URL('./table.bin', import.meta.url),
  shelf: new Shelf(),
  fetch: (address) => fetch(address),
}

/** Opens a memory; it is kept in IndexedDB where no store is given. */
export const open = opener<OpenOptions>(PLATFORM, indexedDbStore)

/** The step protocol as strings. */
export const stepper = stepperOf(PLATFORM)
