// The package run by Deno, Bun and workerd: every one learns and recalls.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { app, dist } from '../../../js/tests/lib/app.mjs'

const modules = fileURLToPath(new URL('./node_modules', import.meta.url))
const SCRIPT = `
  import { memoryStore, open, sqliteStore } from 'hardwon'
  const stored = await sqliteStore({ path: 'memory.db' }).catch(({ code }) => code)
  const store = typeof stored === 'string' ? memoryStore() : stored
  const memory = await open({ store })
  await memory.teach('Run the formatter before you commit')
  const { items } = await memory.recall('run the formatter before you commit')
  console.log(JSON.stringify([typeof stored === 'string' ? stored : 'sqlite', items.map((item) => item.text)]))
  await memory.close()`

function project() {
  const folder = mkdtempSync(join(app, 'runtime-'))
  writeFileSync(join(folder, 'main.mjs'), SCRIPT)
  return folder
}

const said = (text) => JSON.parse(text.trim().split('\n').at(-1))

test('Deno, with the SQLite file', () => {
  const deno = join(modules, '@deno/linux-x64-glibc/deno')
  const out = execFileSync(deno, ['run', '-A', '--no-remote', '--node-modules-dir=manual', 'main.mjs'], {
    cwd: project(),
    encoding: 'utf8',
  })
  assert.deepEqual(said(out), ['sqlite', ['Run the formatter before you commit']])
})

test('Bun', () => {
  const bun = join(modules, '@oven/bun-linux-x64/bin/bun')
  const [store, items] = said(execFileSync(bun, ['run', 'main.mjs'], { cwd: project(), encoding: 'utf8' }))
  assert.ok(['sqlite', 'host.store'].includes(store), store)
  assert.deepEqual(items, ['Run the formatter before you commit'])
})

test('workerd, with the module imported and the tables as data', async (t) => {
  const folder = mkdtempSync(join(app, 'runtime-'))
  cpSync(dist, join(folder, 'hardwon'), { recursive: true })
  writeFileSync(
    join(folder, 'worker.js'),
    `import { memoryStore, open } from './hardwon/workerd.js'
     import tokens from './hardwon/o200k.bin'
     import embedder from './hardwon/table.bin'
     export default { async fetch() {
       const memory = await open({ store: memoryStore(), tokens, embedder })
       await memory.teach('Run the formatter before you commit')
       const { items } = await memory.recall('run the formatter before you commit')
       return Response.json(items.map((item) => item.text))
     } }`,
  )
  const port = await freePort()
  const files = ['workerd.js', ...chunks()]
  const code = files.map((name) => `(name = "hardwon/${name}", esModule = embed "hardwon/${name}")`)
  const data = ['o200k.bin', 'table.bin'].map((name) => `(name = "hardwon/${name}", data = embed "hardwon/${name}")`)
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
     const config :Workerd.Config = (
       services = [(name = "main", worker = .worker)],
       sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);
     const worker :Workerd.Worker = (
       modules = [(name = "worker.js", esModule = embed "worker.js"), ${[...code, ...data].join(', ')},
         (name = "hardwon/hardwon.wasm", wasm = embed "hardwon/hardwon.wasm")],
       compatibilityDate = "2026-01-01");`,
  )
  const workerd = spawn(join(modules, '@cloudflare/workerd-linux-64/bin/workerd'), ['serve', 'config.capnp'], {
    cwd: folder,
    stdio: 'inherit',
  })
  t.after(() => workerd.kill())
  const answer = await eventually(() => fetch(`http://127.0.0.1:${port}/`))
  assert.deepEqual(await answer.json(), ['Run the formatter before you commit'])
})

/** The files that the entry of workerd imports. */
function chunks() {
  const text = execFileSync('cat', [join(dist, 'workerd.js')], { encoding: 'utf8' })
  return [...text.matchAll(/from "\.\/([^"]+\.js)"/g)].map(([, name]) => name)
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function eventually(work) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries > 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
