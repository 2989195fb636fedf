// The entry for Node, Deno and Bun: assets are files beside this one, the store is the SQLite file of the command.

import { readFile } from 'node:fs/promises'

import type { Platform } from '../engine.js'
import type { MemoryOptions } from '../memory.js'
import { opener } from '../open.js'
import { stepperOf } from '../stepper.js'
import { sqliteStore, storeFile, type SqliteOptions } from '../store/file.js'
import { policyBeside } from '../store/policy.js'

export * from '../exports.js'
export { sqliteStore, type SqliteOptions } from '../store/file.js'

/** How to open a memory in Node. */
export interface OpenOptions extends MemoryOptions, SqliteOptions {}

const PLATFORM: Platform = {
  wasm: () => readFile(new URL('./hardwon.wasm', import.meta.url)),
  asset: (name) => new URL(`./${name}`, import.meta.url),
  fetch: (address) => {
    const isPath = typeof address === 'string' && !/^(https?|file|data):/.test(address)
    const url = isPath ? address : new URL(address)
    return typeof url === 'string' || url.protocol === 'file:' ? readFile(url) : fetch(url)
  },
}

/** Opens a memory; it is kept in the SQLite file of the command where no store is given. */
export const open = opener<OpenOptions>(PLATFORM, sqliteStore, (options, engine) =>
  policyBeside(storeFile(options), engine),
)

/** The step protocol as strings. */
export const stepper = stepperOf(PLATFORM)
