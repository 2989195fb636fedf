// Builds the package into dist/: `node build.mjs GLUE_DIR`, the folder that wasm/web/bindgen has written.
//
// Decides what goes into the package: one engine, two tables, a thin entry for each runtime, and flat types.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join, resolve } from 'node:path'

import esbuild from 'esbuild'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'

const here = fileURLToPath(new URL('.', import.meta.url))
const glue = resolve(process.argv[2] ?? '')
const dist = join(here, 'dist')
const ENTRIES = ['browser', 'node', 'workerd', 'slim', 'inline']

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
mkdirSync(join(here, 'target/glue'), { recursive: true })
for (const name of ['hardwon_web.js', 'hardwon_web.d.ts']) cpSync(join(glue, name), join(here, 'target/glue', name))

const wasm = join(dist, 'hardwon.wasm')
const optimiser = join(here, 'node_modules/binaryen/bin/wasm-opt')
execFileSync(process.execPath, [optimiser, '-O1', join(glue, 'hardwon_web_bg.wasm'), '-o', wasm], { stdio: 'inherit' })
for (const table of ['o200k.bin', 'table.bin']) cpSync(join(here, '../model/data', table), join(dist, table))
const toml = readFileSync(join(here, 'node_modules/smol-toml/LICENSE'), 'utf8')
const data = readFileSync(join(here, '../model/NOTICE'), 'utf8')
writeFileSync(join(dist, 'NOTICE'), `${data}\nIn node.js and node.cjs: smol-toml, which reads policy.toml.\n\n${toml}`)
cpSync(join(here, '../LICENSE'), join(here, 'LICENSE'))

const sources = ENTRIES.map((name) => join(here, 'src/entry', `${name}.ts`))
const sha256 = (file) =>
  createHash('sha256')
    .update(readFileSync(join(dist, file)))
    .digest('hex')
const hashes = Object.fromEntries(['hardwon.wasm', 'o200k.bin', 'table.bin'].map((file) => [file, sha256(file)]))
const define = { HARDWON_FILES: JSON.stringify(hashes) }
const common = { bundle: true, target: 'es2022', charset: 'utf8', logLevel: 'warning', legalComments: 'none' }
const inlined = {
  name: 'the engine as text',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^hardwon:base64$/ }, () => ({ path: wasm, namespace: 'base64' }))
    onLoad({ filter: /.*/, namespace: 'base64' }, () => ({
      contents: `export default ${JSON.stringify(readFileSync(wasm).toString('base64'))}`,
    }))
  },
}
await esbuild.build({
  ...common,
  entryPoints: sources,
  outdir: dist,
  format: 'esm',
  splitting: true,
  chunkNames: 'engine-[hash]',
  external: ['node:*', './hardwon.wasm'],
  define,
  plugins: [inlined],
})
await esbuild.build({
  ...common,
  entryPoints: [join(here, 'src/entry/node.ts')],
  outfile: join(dist, 'node.cjs'),
  format: 'cjs',
  platform: 'node',
  define: { ...define, 'import.meta.url': 'hardwonUrl' },
  banner: { js: "const hardwonUrl = require('node:url').pathToFileURL(__filename).href" },
})

await types(sources, (name) => name)
// A module of the other kind shares no file with these.
await types([join(here, 'src/entry/node.ts')], () => 'node.d.cts')

async function types(input, nameOf) {
  const plugins = [dts({ tsconfig: join(here, 'tsconfig.json') })]
  const built = await rollup({ input, plugins, external: [/^node:/, /\.wasm$/, 'hardwon:base64'] })
  const names = { entryFileNames: '[name].d.ts', chunkFileNames: 'types-[hash].d.ts' }
  const { output } = await built.generate({ format: 'es', ...names })
  for (const { fileName, code } of output) {
    writeFileSync(join(dist, nameOf(fileName)), code.replace(/^import .*(\.wasm|hardwon:base64|node:).*\n/gm, ''))
  }
}
