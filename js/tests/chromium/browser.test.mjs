// The packed package in headless Chromium, with a real IndexedDB and a strict Content-Security-Policy.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import test, { after, before, beforeEach } from 'node:test'

import { ranVectors, root } from '../lib/app.mjs'
import { launch, serve } from '../lib/browser.mjs'

let browser
let server
let page

before(async () => {
  server = await serve()
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await server?.close()
})
beforeEach(async () => {
  for (const old of browser.context.pages()) await old.close()
  page = await newPage()
  await page.evaluate(async () => {
    const all = await indexedDB.databases()
    await Promise.all(all.map(({ name }) => new Promise((done) => (indexedDB.deleteDatabase(name).onsuccess = done))))
  })
})

async function newPage() {
  const fresh = await browser.context.newPage()
  await fresh.goto(server.url)
  return fresh
}

/** Runs a function of lib/page.mjs. */
function inPage(where, name, ...args) {
  return where.evaluate(async ([name, args]) => (await import('/lib/page.mjs'))[name](...args), [name, args])
}

test('the vectors hold in Chromium', async () => {
  const files = readdirSync(join(root, 'tests/vectors'))
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
  const { names, problems } = await inPage(page, 'vectors', files)
  assert.equal(problems.length, 0, problems.join('\n'))
  ranVectors('chromium', names)
})

test('an image in IndexedDB answers as the records do, and a forged one is none', async () => {
  assert.deepEqual(await inPage(page, 'images'), [])
})

test('IndexedDB passes the contract, reopened after each step', async () => {
  const { cases, steps, problems } = await inPage(page, 'contract')
  assert.equal(problems.length, 0, problems.join('\n'))
  assert.ok(cases >= 18 && steps >= 200, `${cases} cases, ${steps} steps`)
})

test('what was learned is there after the page has gone', async () => {
  const ids = await inPage(page, 'teachMany', 'red', 3)
  await page.close()
  assert.deepEqual((await inPage(await newPage(), 'found')).ids.sort(), ids.sort())
})

test('two tabs that race lose no update, and both see all', async () => {
  const other = await newPage()
  const [red, blue] = await Promise.all([inPage(page, 'teachMany', 'red', 30), inPage(other, 'teachMany', 'blue', 30)])
  const all = [...red, ...blue].sort()
  for (const tab of [page, other]) {
    const { ids, revision, entries } = await inPage(tab, 'found')
    assert.deepEqual(ids.sort(), all)
    assert.deepEqual([revision, entries], [60, 60])
  }
})

test('a tab hears that another has committed', async () => {
  const other = await newPage()
  const heard = other.evaluate(async () => {
    const { hardwon } = await import('/lib/page.mjs')
    const memory = await hardwon.open()
    return new Promise((resolve) => memory.watch(async () => resolve((await memory.list()).total)))
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  await inPage(page, 'teachMany', 'red', 1)
  assert.equal(await heard, 1)
})

test('a tab that is killed while it commits leaves what it acknowledged, and nothing by halves', async () => {
  const told = []
  await page.exposeFunction('told', (id) => void told.push(id))
  const session = await browser.context.newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  const working = page.evaluate(async () => {
    const { teachMany } = await import('/lib/page.mjs')
    await teachMany('blue', 10_000, (id) => window.told(id))
  })
  // It ends with the tab, and not before.
  let early
  working.catch((error) => (early = error))
  while (told.length < 12) {
    assert.equal(early, undefined)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  session.send('Page.crash').catch(() => undefined)
  await crashed
  const acknowledged = [...told]
  const { ids, revision, entries } = await inPage(await newPage(), 'found')
  for (const id of acknowledged) assert.ok(ids.includes(id), `${id} was acknowledged and is gone`)
  assert.deepEqual([revision, entries], [ids.length, ids.length])
})

test('a page lets go when another wants a newer version, and says so afterwards', async () => {
  const other = await newPage()
  await page.evaluate(async () => {
    const { hardwon } = await import('/lib/page.mjs')
    window.memory = await hardwon.open()
    await window.memory.teach('Check the port')
  })
  const upgraded = await other.evaluate(() => {
    const request = indexedDB.open('hardwon', 2)
    return new Promise((resolve) => {
      request.onblocked = () => resolve('blocked')
      request.onsuccess = () => {
        request.result.close()
        resolve('upgraded')
      }
    })
  })
  assert.equal(upgraded, 'upgraded')
  const { code } = await page.evaluate(async () => {
    const { failure } = await import('/lib/page.mjs')
    return failure(() => window.memory.list())
  })
  assert.equal(code, 'incompatible')
})

test('a database that another page deletes begins anew', async () => {
  const other = await newPage()
  await page.evaluate(async () => {
    const { hardwon } = await import('/lib/page.mjs')
    window.memory = await hardwon.open()
    await window.memory.teach('Check the port')
  })
  await other.evaluate(() => new Promise((done) => (indexedDB.deleteDatabase('hardwon').onsuccess = done)))
  assert.equal(await page.evaluate(async () => (await window.memory.list()).total), 0)
})

test('a page that does not let go is named after a while', async () => {
  await page.evaluate(
    () =>
      new Promise(
        (done) =>
          (indexedDB.open('hardwon', 1).onsuccess = ({ target }) => {
            window.held = target.result
            indexedDB.deleteDatabase('hardwon')
            done()
          }),
      ),
  )
  const { code, message } = await (
    await newPage()
  ).evaluate(async () => {
    const { failure } = await import('/lib/page.mjs')
    return failure(async ({ open }) => (await open()).list())
  })
  assert.equal(code, 'host.store')
  assert.match(message, /another page/)
})

test('a full quota is told, and loses nothing', async (t) => {
  // A browser remembers for a while how much there was: this one is new.
  const fresh = await launch()
  t.after(fresh.close)
  const page = await fresh.context.newPage()
  await page.goto(server.url)
  const quota = await fresh.context.newCDPSession(page)
  await quota.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 200_000 })
  const before = await inPage(page, 'teachMany', 'red', 2)
  const told = await page.evaluate(async () => {
    const { failure } = await import('/lib/page.mjs')
    return failure(async ({ open }) => {
      const memory = await open()
      // What repeats would be kept small.
      const text = Array.from({ length: 40_000 }, () => Math.random().toString(36)).join(' ')
      const lines = [JSON.stringify({ type: 'thought', text })]
      for (let n = 0; n < 20; n += 1) await memory.observe({ session_id: 'long', lines })
    })
  })
  assert.equal(told?.code, 'host.store')
  assert.match(told.message, /no more space.*Nothing was changed/)
  assert.deepEqual((await inPage(page, 'found')).ids.sort(), before.sort())
  await quota.send('Storage.overrideQuotaForOrigin', { origin: server.url })
  await inPage(page, 'teachMany', 'green', 1)
  assert.equal((await inPage(page, 'found')).revision, 3)
})

for (const [how, script] of [
  ['has none', () => Object.defineProperty(window, 'indexedDB', { value: undefined })],
  [
    'refuses it',
    () =>
      (IDBFactory.prototype.open = () => {
        throw new DOMException('denied', 'SecurityError')
      }),
  ],
]) {
  test(`a browser that ${how} is told apart, and a store in memory goes on`, async () => {
    const bare = await browser.context.newPage()
    await bare.addInitScript(script)
    await bare.goto(server.url)
    const { code, message } = await bare.evaluate(async () => {
      const { failure } = await import('/lib/page.mjs')
      return failure(async ({ open }) => (await open()).list())
    })
    assert.equal(code, 'host.store')
    assert.match(message, /no IndexedDB.*memoryStore\(\)/)
    const total = await bare.evaluate(async () => {
      const { hardwon } = await import('/lib/page.mjs')
      const memory = await hardwon.open({ store: hardwon.memoryStore() })
      await memory.teach('Check the port')
      return (await memory.list()).total
    })
    assert.equal(total, 1)
  })
}

test('a content script is refused with the reason', async () => {
  const { code, message } = await page.evaluate(async () => {
    const { failure } = await import('/lib/page.mjs')
    Object.defineProperty((window.chrome ??= {}), 'runtime', { value: { id: 'abc' }, configurable: true })
    return failure(({ open }) => open())
  })
  assert.equal(code, 'host.store')
  assert.match(message, /content script/)
})

test('a worker and a service worker share the memory of the page', async () => {
  const ids = await inPage(page, 'teachMany', 'red', 1)
  const answer = await page.evaluate(() => {
    const worker = new Worker('/lib/worker.mjs', { type: 'module' })
    worker.postMessage({ who: 'blue', many: 2 })
    return new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)))
  })
  assert.equal(answer.error, undefined)
  const served = await page.evaluate(async () => {
    const { installing, active = installing } = await navigator.serviceWorker.register('/lib/worker.mjs', {
      type: 'module',
    })
    const heard = new Promise((resolve) => (navigator.serviceWorker.onmessage = ({ data }) => resolve(data)))
    navigator.serviceWorker.startMessages()
    ;(active ?? installing).postMessage({ who: 'green', many: 2 })
    return heard
  })
  assert.equal(served.error, undefined)
  const all = [...ids, ...answer.taught, ...served.taught].sort()
  assert.deepEqual((await inPage(page, 'found')).ids.sort(), all)
})
