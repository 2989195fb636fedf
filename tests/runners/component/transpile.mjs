// `transpile.mjs COMPONENT FOLDER`: what `jco transpile COMPONENT --name memory --instantiation async -o FOLDER` does.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { transpileBytes } from '@bytecodealliance/jco-transpile'

export async function transpile(component, folder) {
  const options = { name: 'memory', instantiation: 'async', wasiShim: false }
  const { files } = await transpileBytes(readFileSync(component), options)
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
}

if (process.argv.length === 4) await transpile(process.argv[2], process.argv[3])
