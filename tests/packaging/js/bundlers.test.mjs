// Bundles by Vite, webpack and esbuild, each run in Chromium: learn, recall, and what is kept is there after a reload.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { app, dist } from '../../../js/tests/lib/app.mjs'
import { launch, serve } from '../../../js/tests/lib/browser.mjs'

const SOURCE = (from, more = '') => `
  import { open } from '${from}'
  const memory = await open({ name: document.title${more} })
  await memory.teach('Run the formatter before you commit')
  const { items } = await memory.recall('run the formatter before you commit')
  const { embedder, tokenizer } = await memory.stats()
  window.result = { said: items.map((item) => item.text), embedder, tokenizer }`
const PAGE = (script) => `<!doctype html><title>x</title><script type="module" src="${script}"></script>`

let browser
before(async () => (browser = await launch()))
after(() => browser.close())

function project(source) {
  const folder = mkdtempSync(join(app, 'bundle-'))
  writeFileSync(join(folder, 'main.js'), source)
  return folder
}

async function runs(folder, page = 'index.html') {
  const server = await serve({ out: folder })
  const tab = await browser.context.newPage()
  const problems = []
  tab.on('pageerror', (error) => problems.push(error.message))
  for (let visit = 0; visit < 2; visit += 1) {
    await tab.goto(`${server.url}/out/${page}`)
    await tab.waitForFunction(() => window.result, undefined, { timeout: 15_000 }).catch(() => undefined)
    const result = await tab.evaluate(() => window.result)
    assert.deepEqual(result?.said, ['Run the formatter before you commit'], problems.join('\n'))
    assert.deepEqual([result.embedder, result.tokenizer], ['amt1-cbe963f8', 'o200k_base'])
  }
  await server.close()
}

test('Vite finds the assets by itself', async () => {
  const folder = project(SOURCE('hardwon'))
  writeFileSync(join(folder, 'index.html'), PAGE('./main.js'))
  const { build } = await import('vite')
  await build({ root: folder, base: './', logLevel: 'error', build: { target: 'es2022' } })
  await runs(join(folder, 'dist'))
})

test('webpack finds the assets by itself', async () => {
  const folder = project(SOURCE('hardwon'))
  const require = createRequire(import.meta.url)
  const webpack = require('webpack')
  const config = {
    mode: 'production',
    context: folder,
    entry: './main.js',
    output: { path: join(folder, 'out'), filename: 'main.js', publicPath: 'auto' },
    performance: { hints: false },
  }
  const stats = await new Promise((resolve, reject) =>
    webpack(config, (error, stats) => (error ? reject(error) : resolve(stats))),
  )
  assert.ok(!stats.hasErrors() && !stats.hasWarnings(), stats.toString())
  writeFileSync(join(folder, 'out/index.html'), PAGE('main.js'))
  await runs(join(folder, 'out'))
})

test('esbuild bundles the inline entry into one file', async () => {
  const tables = ", tokens: new URL('./o200k.bin', import.meta.url), embedder: new URL('./table.bin', import.meta.url)"
  const folder = project(SOURCE('hardwon/inline', tables))
  const { build } = await import('esbuild')
  const out = join(folder, 'out')
  const common = { bundle: true, format: 'esm', target: 'es2022', logLevel: 'error' }
  await build({ ...common, entryPoints: [join(folder, 'main.js')], outfile: join(out, 'main.js') })
  for (const table of ['o200k.bin', 'table.bin']) cpSync(join(dist, table), join(out, table))
  writeFileSync(join(out, 'index.html'), PAGE('main.js'))
  await runs(out)
})

test('esbuild bundles the browser entry, with the assets beside it', async () => {
  const folder = project(SOURCE('hardwon'))
  const { build } = await import('esbuild')
  const out = join(folder, 'out')
  const common = { bundle: true, format: 'esm', target: 'es2022', logLevel: 'error', conditions: ['browser'] }
  await build({ ...common, entryPoints: [join(folder, 'main.js')], outfile: join(out, 'main.js') })
  for (const asset of ['hardwon.wasm', 'o200k.bin', 'table.bin']) cpSync(join(dist, asset), join(out, asset))
  writeFileSync(join(out, 'index.html'), PAGE('main.js'))
  await runs(out)
})
