// An extension whose service worker has a memory, in headless Chromium; it can be stopped and woken.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { dist, root } from './app.mjs'
import { launch } from './browser.mjs'

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
    memory ??= await open({ policy: { limits: { batch: 100_000 } } })
    if (fill) return (await memory.importRecords({ records: records(fill) })).inserted
    const { items } = await memory.recall(task)
    return { texts: items.map((item) => item.text), ms: performance.now() - began, instance }
  }
  chrome.runtime.onMessage.addListener((message, sender, reply) => {
    answer(message).then(reply, (error) => reply(String(error)))
    return true
  })`

function unpack() {
  const folder = mkdtempSync(join(tmpdir(), 'hardwon-extension-'))
  mkdirSync(join(folder, 'hardwon'))
  cpSync(dist, join(folder, 'hardwon'), { recursive: true })
  cpSync(join(root, 'js/tests/lib/corpus.mjs'), join(folder, 'corpus.mjs'))
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(MANIFEST))
  writeFileSync(join(folder, 'background.js'), BACKGROUND)
  writeFileSync(join(folder, 'page.html'), '<!doctype html>')
  return folder
}

/** The extension with `records` lessons: what asks its worker, what stops that, and what ends it all. */
export async function startExtension(records) {
  const folder = unpack()
  const { context, close } = await launch({
    args: [`--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
  })
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  const page = await context.newPage()
  await page.goto(new URL('page.html', worker.url()).href)
  const send = (message) => page.evaluate((message) => chrome.runtime.sendMessage(message), message)
  const filled = await send({ fill: records })
  const session = await context.newCDPSession(page)
  await session.send('ServiceWorker.enable')
  return {
    filled,
    ask: (task) => send({ task }),
    stop: () => session.send('ServiceWorker.stopAllWorkers'),
    close: async () => {
      await close()
      rmSync(folder, { recursive: true })
    },
  }
}
