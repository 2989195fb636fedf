// Every host reads what every other wrote: exports of all, and the SQLite file where it is shared, with its image.
//
// The command, the wheel and the npm package in Node and in Chromium, each as it is built. HARDWON_COMMAND names the
// command, HARDWON_PYTHON an interpreter that has the wheel.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { fileURLToPath } from 'node:url'

import { failingRun, imported, noSqlite, root } from '../../../js/tests/lib/app.mjs'
import { launch, serve } from '../../../js/tests/lib/browser.mjs'
import { query, records } from '../../../js/tests/lib/corpus.mjs'

const command = process.env.HARDWON_COMMAND ?? join(root, 'target/release/hardwon')
const python = process.env.HARDWON_PYTHON ?? join(root, 'target/python/bin/python')
const script = fileURLToPath(new URL('./wheel.py', import.meta.url))
const hardwon = await imported()

const folder = mkdtempSync(join(tmpdir(), 'hardwon-hosts-'))
let places = 0
const place = () => join(folder, `store-${(places += 1)}`)
let browser
let server
let page

before(async () => {
  server = await serve()
  browser = await launch()
  page = await browser.context.newPage()
  await page.goto(server.url)
})
after(async () => {
  await browser?.close()
  await server?.close()
  rmSync(folder, { recursive: true })
})

const run = (where, ...args) =>
  execFileSync(command, [...args, '--json', '--store', where], { encoding: 'utf8', maxBuffer: 1 << 26, stdio: 'pipe' })

function wheel(where, ...calls) {
  const input = JSON.stringify(calls)
  return JSON.parse(
    execFileSync(python, [script, where], { input, encoding: 'utf8', maxBuffer: 1 << 26, stdio: 'pipe' }),
  )
}

async function inNode(where, work) {
  const memory = await hardwon.open({ path: where })
  try {
    return await work(memory)
  } finally {
    await memory.close()
  }
}

const inPage = (where, verb, argument) =>
  page.evaluate(
    async ([name, verb, argument]) => {
      const { open, readExport, writeExport } = await import('/pkg/browser.js')
      const memory = await open({ name, persist: false })
      try {
        if (verb === 'export') return writeExport(await memory.exportRecords())
        if (verb === 'import') return await memory.importRecords(readExport(argument))
        return await memory[verb](argument)
      } finally {
        await memory.close()
      }
    },
    [where, verb, argument],
  )

/** What each host does with a store at a place: learns and teaches, takes an export in, gives one out, recalls. */
const HOSTS = {
  command: {
    learn: (where, trace) => run(where, 'learn', file('trace.jsonl', trace)),
    teach: (where, text) => run(where, 'teach', text),
    importText: (where, text) => run(where, 'import', file('export.jsonl', text)),
    exportText: (where) => run(where, 'export'),
    recall: (where, task) => JSON.parse(run(where, 'recall', '--task', task)),
  },
  wheel: {
    learn: (where, trace) => wheel(where, ['learn', { data: trace }]),
    teach: (where, text) => wheel(where, ['teach', { text }]),
    importText: (where, text) => wheel(where, ['import_records', hardwon.readExport(text)]),
    exportText: (where) => hardwon.writeExport(wheel(where, ['export_records', {}])[0]),
    recall: (where, task) => wheel(where, ['recall', { task }])[0],
  },
  node: {
    learn: (where, trace) => inNode(where, (memory) => memory.learn(trace)),
    teach: (where, text) => inNode(where, (memory) => memory.teach(text)),
    importText: (where, text) => inNode(where, (memory) => memory.importRecords(hardwon.readExport(text))),
    exportText: async (where) => hardwon.writeExport(await inNode(where, (memory) => memory.exportRecords())),
    recall: (where, task) => inNode(where, (memory) => memory.recall(task)),
  },
  browser: {
    learn: (where, trace) => inPage(where, 'learn', trace),
    teach: (where, text) => inPage(where, 'teach', text),
    importText: (where, text) => inPage(where, 'import', text),
    exportText: (where) => inPage(where, 'export'),
    recall: (where, task) => inPage(where, 'recall', task),
  },
}
const SHARING = ['command', 'wheel', 'node']

function file(name, text) {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** An export by its meaning: parsed, in the order of ids. When a store has taken it in is its own. */
function held(text) {
  const { records: all, vectors } = hardwon.readExport(text)
  const records = all.map(({ version: _, updated_at: __, ...record }) => record)
  const byId = (a, b) => ((a.id ?? a.record) < (b.id ?? b.record) ? -1 : 1)
  return { records: records.sort(byId), vectors: vectors.sort(byId) }
}

const answered = ({ items, block }) => [items.map(({ id, text, why }) => [id, text, why]), block.replace(/ \d+ d/g, '')]
const TRACE = [1, 2, 3].map((n) => failingRun(n, { mended: true })).join('\n')
const TAUGHT = '先运行格式化工具 🧹, dann «committen»: the hook\u00a0rejects it'
const TASK = 'write the report: the parent directory does not exist'

test('the export of every host is the same in every other', { skip: noSqlite }, async () => {
  for (const [writer, from] of Object.entries(HOSTS)) {
    const there = place()
    await from.learn(there, TRACE)
    await from.teach(there, TAUGHT)
    const text = await from.exportText(there)
    assert.equal(held(text).records.length, 2, writer)
    const found = answered(await from.recall(there, TASK))
    assert.ok(found[0].length > 0, writer)
    for (const [reader, to] of Object.entries(HOSTS)) {
      const here = place()
      await to.importText(here, text)
      assert.deepEqual(held(await to.exportText(here)), held(text), `${writer} to ${reader}`)
      assert.deepEqual(answered(await to.recall(here, TASK)), found, `${writer} to ${reader}`)
    }
  }
})

test('the file of every host, with its image, is that of every other', { skip: noSqlite }, async () => {
  const { DatabaseSync } = await import(['node', 'sqlite'].join(':'))
  const exported = hardwon.writeExport({ records: records(200), vectors: [] })
  const tasks = [3, 57].map(query)
  for (const writer of SHARING) {
    const there = place()
    await HOSTS[writer].importText(there, exported)
    const expected = []
    for (const task of tasks) expected.push(answered(await HOSTS[writer].recall(there, task)))
    // Who begins with the image never reads this record; who reads all of them cannot open the space.
    const shown = new Set(expected.flatMap(([items]) => items.map(([id]) => id)))
    const db = new DatabaseSync(join(there, 'memory.db'))
    const ids = db.prepare('SELECT lower(hex(id)) AS id FROM record ORDER BY id').all()
    const [far] = ids.map(({ id }) => id).filter((id) => !shown.has(id) && !isNear(id, tasks))
    db.prepare("UPDATE record SET json = 'broken' WHERE id = ?").run(Buffer.from(far, 'hex'))
    db.close()
    for (const reader of SHARING) {
      const copy = place()
      cpSync(there, copy, { recursive: true })
      for (const [at, task] of tasks.entries()) {
        assert.deepEqual(answered(await HOSTS[reader].recall(copy, task)), expected[at], `${writer} to ${reader}`)
      }
      const bare = new DatabaseSync(join(copy, 'memory.db'))
      bare.exec("DELETE FROM cache WHERE name = 'image'")
      bare.close()
      await assert.rejects(async () => HOSTS[reader].recall(copy, tasks[0]), `${reader} reads all without an image`)
    }
  }
})

/** Whether a record may be looked at for one of the tasks: it shares a word that tells something. */
function isNear(id, tasks) {
  const text = records(200).find((record) => record.id === id).text
  const words = (one) => new Set(one.split(/\W+/).filter((word) => word.length > 3 && !/before|step/.test(word)))
  return tasks.some((task) => [...words(task)].some((word) => words(text).has(word)))
}
