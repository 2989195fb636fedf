// An extension's service worker that is stopped and woken: what it learned is there again.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'

import { dist, root } from '../lib/app.mjs'
import { launch } from '../lib/browser.mjs'

const MANIFEST = {
  manifest_version: 3,
  name: 'memory',
  version: '1',
  background: { service_worker: 'background.js', type: 'module' },
  content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'" },
}
const BACKGROUND = `
  import { open } from './hardwon/browser.js'
  import { records } from './corpus.mjs'

  const began = performance.now()
  const instance = crypto.randomUUID()
  let memory
  async function answer({ fill, task }) {
    memory ??= await open()
    if (fill) return (await memory.importRecords({ records: records(fill) })).inserted
    const { items } = await memory.recall(task)
    return { texts: items.map((item) => item.text), ms: performance.now() - began, instance }
  }
  chrome.runtime.onMessage.addListener((message, sender, reply) => {
    answer(message).then(reply, (error) => reply(String(error)))
    return true
  })`
function extension(t) {
  const folder = mkdtempSync(join(tmpdir(), 'hardwon-extension-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'hardwon'))
  cpSync(dist, join(folder, 'hardwon'), { recursive: true })
  cpSync(join(root, 'js/tests/lib/corpus.mjs'), join(folder, 'corpus.mjs'))
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(MANIFEST))
  writeFileSync(join(folder, 'background.js'), BACKGROUND)
  writeFileSync(join(folder, 'page.html'), '<!doctype html>')
  return folder
}

test('a service worker that was stopped remembers when it is woken', async (t) => {
  const folder = extension(t)
  const { context, close } = await launch({
    args: [`--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
  })
  t.after(close)
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  const page = await context.newPage()
  await page.goto(new URL('page.html', worker.url()).href)
  const send = (message) => page.evaluate((message) => chrome.runtime.sendMessage(message), message)
  const task = 'check the schema before the branch step: the remote rejects it'
  assert.equal(await send({ fill: 1000 }), 1000)
  const first = await send({ task })
  assert.ok(first.texts.length > 0)

  const session = await context.newCDPSession(page)
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.stopAllWorkers')
  const again = await send({ task })
  assert.notEqual(again.instance, first.instance)
  assert.deepEqual(again.texts, first.texts)
  t.diagnostic(`${Math.round(again.ms)} ms from its start to its first answer, of 1000 records`)
})
