// The component in Node: transpiled by jco once, instantiated often.
//
// Decides what an import that nobody gave answers: `unsupported`. Never decides what a test expects.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { transpile } from './transpile.mjs'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
const component = join(root, 'target/component/engine/hardwon-memory-engine.wasm')
const folder = join(root, 'target/component/jco')

/** Throws, as a host does that cannot do something at all. */
export const unsupported = () => {
  throw { tag: 'unsupported' }
}

/** The exports of a new instance; `imports` are functions by interface. */
export async function instance(imports = {}) {
  const { instantiate } = await import(pathToFileURL(await transpiled()).href)
  const module = (name) => WebAssembly.compile(readFileSync(join(folder, name)))
  class Store {}
  Object.assign(Store.prototype, { read: unsupported, write: unsupported })
  const all = {
    'host-store': { Store: imports.Store ?? Store },
    'host-embed': { describe: unsupported, embed: unsupported },
    'host-model': { name: unsupported, complete: unsupported },
    'host-tables': { tokens: unsupported, embedder: unsupported },
  }
  const named = Object.entries(all).map(([name, functions]) => [`hardwon:memory/${name}`, { ...functions, ...imports[name] }])
  return instantiate(module, Object.fromEntries(named))
}

/** The token table. */
export const tokens = () => new Uint8Array(readFileSync(join(root, 'model/data/o200k.bin')))

async function transpiled() {
  const entry = join(folder, 'memory.js')
  if (!existsSync(entry) || statSync(entry).mtimeMs < statSync(component).mtimeMs) await transpile(component, folder)
  return entry
}
