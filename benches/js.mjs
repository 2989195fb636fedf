// Benchmarks of the npm package: figures as one JSON object a line, over the corpus of the Rust benchmarks.
//
// `node benches/js.mjs` after scripts/js. Recall is CPU time, the median of several rounds; HARDWON_BENCHES names the
// Rust benchmarks, whose recall of the same size is then measured in the same run. What a page waits for is wall time
// in headless Chromium, with the assets in the browser's cache.
import { execFileSync } from 'node:child_process'

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { imported, noSqlite } from '../js/tests/lib/app.mjs'
import { launch, serve } from '../js/tests/lib/browser.mjs'
import { query, records } from '../js/tests/lib/corpus.mjs'
import { startExtension } from '../js/tests/lib/extension.mjs'

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]
const say = (figure, n, unit, value) =>
  console.log(JSON.stringify({ figure, n, [unit]: Math.round(value * 1e4) / 1e4 }))

async function inNode(n) {
  const { memoryStore, open } = await imported()
  const memory = await open({ store: memoryStore(), policy: { limits: { batch: n } } })
  await memory.importRecords({ records: records(n) })
  const rounds = []
  for (let round = 0, calls = 60; round < 11; round += 1) {
    const before = process.cpuUsage()
    for (let call = 0; call < calls; call += 1) await memory.recall(query(round * calls + call))
    const { user, system } = process.cpuUsage(before)
    rounds.push((user + system) / 1000 / calls)
  }
  await memory.close()
  return rounds.sort((a, b) => a - b)
}

function natively(n) {
  const benches = process.env.HARDWON_BENCHES
  if (!benches) return undefined
  const lines = execFileSync(benches, ['recall', `--size=${n}`], { encoding: 'utf8' })
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line)).find(({ figure }) => figure === 'recall with embedding')?.ms
}

/** From `open` to the first answer, of a file that is there. */
async function fromFile(n) {
  const folder = mkdtempSync(join(tmpdir(), 'hardwon-bench-'))
  const { open, sqliteStore } = await imported()
  const options = { path: folder, policy: { limits: { batch: n } } }
  const memory = await open(options)
  await memory.importRecords({ records: records(n) })
  await memory.close()
  const waits = { 'with its image': [], 'without an image': [] }
  for (let round = 0; round < 18; round += 1) {
    const kind = round % 2 === 0 ? 'with its image' : 'without an image'
    const store = await sqliteStore(options)
    if (round % 2 !== 0) Object.defineProperty(store, 'images', { value: undefined })
    const before = performance.now()
    const memory = await open({ ...options, store })
    await memory.recall(query(round))
    waits[kind].push(performance.now() - before)
    await memory.close()
    await store.close()
  }
  rmSync(folder, { recursive: true })
  return waits
}

async function inChromium(n) {
  const server = await serve()
  const { context, close } = await launch()
  const page = await context.newPage()
  await page.goto(server.url)
  await page.evaluate(async (n) => {
    const [{ open }, { records }] = await Promise.all([import('/pkg/browser.js'), import('/lib/corpus.mjs')])
    const memory = await open({ policy: { limits: { batch: n } } })
    await memory.importRecords({ records: records(n) })
    await memory.close()
  }, n)
  const waits = []
  for (let round = 0; round < 10; round += 1) {
    await page.goto(server.url)
    waits.push(
      await page.evaluate(async () => {
        const { open } = await import('/pkg/browser.js')
        const before = performance.now()
        const memory = await open()
        const { items } = await memory.recall('check the schema before the branch step: the remote rejects it')
        if (items.length === 0) throw new Error('nothing came back')
        return performance.now() - before
      }),
    )
  }
  await close()
  await server.close()
  // The first one has fetched the tables.
  return waits.slice(1)
}

async function wokenWorker(n) {
  const extension = await startExtension(n)
  const task = 'check the schema before the branch step: the remote rejects it'
  await extension.ask(task)
  const waits = []
  for (let round = 0; round < 9; round += 1) {
    await extension.stop()
    waits.push((await extension.ask(task)).ms)
  }
  await extension.close()
  return waits
}

function sayWaits(figure, n, waits) {
  say(`${figure}, fastest`, n, 'ms', Math.min(...waits))
  say(`${figure}, median`, n, 'ms', median(waits))
}

for (const n of [1_000, 10_000]) {
  const rounds = await inNode(n)
  const own = median(rounds)
  say('recall in Node, CPU, fastest round', n, 'ms', rounds[0])
  say('recall in Node, CPU', n, 'ms', own)
  if (!noSqlite) {
    for (const [how, waits] of Object.entries(await fromFile(n))) {
      sayWaits(`open and first recall in Node, the SQLite file ${how}`, n, waits)
    }
  }
  sayWaits('open and first recall in Chromium', n, await inChromium(n))
  sayWaits("an extension's worker from its start to its first recall", n, await wokenWorker(n))
  const native = natively(n)
  if (native === undefined) continue
  say('recall native, CPU, same run', n, 'ms', native)
  console.log(JSON.stringify({ ratio: 'Node / native', n, value: Math.round((own / native) * 1000) / 1000 }))
}
