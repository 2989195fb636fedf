// The SQLite file that the command and this package share: each reads and goes on with what the other wrote.
//
// HARDWON_COMMAND names the command; scripts/js builds it.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'

import { app, dist, failingRun, imported, noSqlite, root } from '../lib/app.mjs'
import { query, records } from '../lib/corpus.mjs'

const { HardwonError, open } = await imported()
const command = process.env.HARDWON_COMMAND ?? join(root, 'target/debug/hardwon')

function folderFor(t) {
  const folder = mkdtempSync(join(tmpdir(), 'hardwon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function native(folder, ...args) {
  return JSON.parse(execFileSync(command, [...args, '--json', '--store', folder], { encoding: 'utf8' }))
}

function traceFile(folder, name, text) {
  const path = join(folder, `${name}.jsonl`)
  writeFileSync(path, text)
  return path
}

test('what the command wrote is read and extended, and the other way round', { skip: noSqlite }, async (t) => {
  const folder = folderFor(t)
  native(folder, 'learn', traceFile(folder, 'one', failingRun(1, { mended: true })))
  const memory = await open({ path: folder })
  const [lesson] = (await memory.list()).records
  assert.match(lesson.text, /parents/)
  const learned = await memory.learn([2, 3].map((n) => failingRun(n, { mended: true })).join('\n'))
  assert.deepEqual([learned.inserted, learned.promoted], [0, 1])
  const taught = await memory.teach('Run the formatter before you commit')

  const { records } = native(folder, 'list')
  assert.deepEqual(records.map((record) => record.id).sort(), [lesson.id, taught.id].sort())
  assert.equal(native(folder, 'show', lesson.id).record.tier, 'strategic')
  assert.match(native(folder, 'recall', '--task', 'format and commit').block, /formatter/)
  native(folder, 'learn', traceFile(folder, 'four', failingRun(4)))
  native(folder, 'pin', taught.id)
  assert.equal((await memory.get(lesson.id)).evidence.length, 4)
  assert.equal((await memory.get(taught.id)).pin, 'pinned')
  await memory.undo((await memory.history()).at(-1).op)
  assert.equal(native(folder, 'show', taught.id).record.pin, 'none')
  await memory.close()
  assert.deepEqual(native(folder, 'doctor').findings, [])
  assert.equal(statSync(join(folder, 'memory.db')).mode & 0o077, 0)
})

test('the command and Node rank alike, score for score', { skip: noSqlite }, async (t) => {
  const folder = folderFor(t)
  const memory = await open({ path: folder })
  await memory.importRecords({ records: records(300) })
  for (const task of [3, 57, 208].map(query)) {
    const ours = await memory.recall({ task, budget: 4000 })
    const theirs = native(folder, 'recall', '--task', task, '--budget', '4000')
    assert.ok(ours.items.length > 3, task)
    const scores = (items) => items.map(({ id, why }) => [id, why.score, why.cosine, why.lexical])
    assert.deepEqual(scores(ours.items), scores(theirs.items))
    assert.equal(ours.block, theirs.block)
  }
  await memory.close()
})

test('a hard forget leaves no byte in the file, whoever wrote it', { skip: noSqlite }, async (t) => {
  const folder = folderFor(t)
  const secretive = failingRun(1)
    .replaceAll('parent directory', 'zanzibar folder')
    .replaceAll('run-1', 'session-quagga')
  native(folder, 'learn', traceFile(folder, 'one', secretive))
  rmSync(join(folder, 'one.jsonl'))
  const memory = await open({ path: folder })
  await memory.teach('Run the formatter before you commit', { actor: 'ann' })
  const [{ id }] = (await memory.list({ tool: 'write_file' })).records
  await memory.pin(id, { reason: 'since session-quagga' })
  assert.equal((await memory.forget(id, { hard: true })).outcome, 'erased')
  for (const name of ['memory.db', 'memory.db-wal']) {
    const bytes = existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : Buffer.alloc(0)
    for (const word of ['zanzibar', 'quagga']) assert.ok(!bytes.includes(word), `${word} in ${name}`)
  }
  await memory.close()
  assert.deepEqual(native(folder, 'doctor').findings, [])
  assert.equal(native(folder, 'list').records.length, 1)
})

test('an export of each is taken in by the other', { skip: noSqlite }, async (t) => {
  const folder = folderFor(t)
  const { readExport, writeExport } = await imported()
  const memory = await open({ path: join(folder, 'js.db') })
  await memory.learn(failingRun(1))
  const file = join(folder, 'export.jsonl')
  writeFileSync(file, writeExport(await memory.exportRecords()))
  native(join(folder, 'native'), 'import', file)
  const back = join(folder, 'back.jsonl')
  native(join(folder, 'native'), 'export', back)
  await memory.close()
  const other = await open({ path: join(folder, 'other.db') })
  assert.equal((await other.importRecords(readExport(readFileSync(back, 'utf8')))).inserted, 1)
  await other.close()
})

test('processes that write at once lose nothing', { skip: noSqlite }, async (t) => {
  const folder = folderFor(t)
  const writer = join(folder, 'writer.mjs')
  const entry = join(app, 'node_modules/hardwon/dist/node.js')
  writeFileSync(
    writer,
    `
    import { open } from ${JSON.stringify(entry)}
    const memory = await open({ path: ${JSON.stringify(folder)} })
    for (let n = 0; n < 8; n += 1) await memory.teach(\`Check the \${process.argv[2]} valve number \${n} before noon\`)
    await memory.close()`,
  )
  const run = promisify(execFile)
  const commands = [0, 1, 2, 3].map((n) => run(command, ['teach', `Look at gauge ${n} after lunch`, '--store', folder]))
  await Promise.all([...['red', 'blue', 'green'].map((name) => run(process.execPath, [writer, name])), ...commands])
  const memory = await open({ path: folder })
  assert.equal((await memory.stats()).revision, 28)
  await memory.close()
  assert.deepEqual(native(folder, 'doctor').findings, [])
})

test('a file of something else is left as it is', { skip: noSqlite }, async (t) => {
  const folder = folderFor(t)
  const path = join(folder, 'notes.db')
  writeFileSync(path, 'these are my notes, and they are long enough for a first page of anything')
  const refused = (code) => (error) => error instanceof HardwonError && error.code === code
  await assert.rejects(open({ path }), refused('host.store'))
  assert.match(readFileSync(path, 'utf8'), /my notes/)
  await assert.rejects(open({ path: join(path, 'below') }), refused('host.store'))
})

test('where there is no SQLite, the error names the remedy', async (t) => {
  const folder = folderFor(t)
  cpSync(dist, folder, { recursive: true })
  const script = join(folder, 'script.mjs')
  writeFileSync(
    script,
    `import { open } from './node.js'
     await open({ path: 'x.db' }).catch(({ code, message }) => console.log(code, message))`,
  )
  const isOwn = process.allowedNodeEnvironmentFlags.has('--experimental-sqlite')
  const flags = isOwn ? ['--no-experimental-sqlite'] : []
  const said = execFileSync(process.execPath, [...flags, script], { cwd: folder, encoding: 'utf8' })
  assert.match(said, /^host\.store .*Node 22\.13.*better-sqlite3.*memoryStore\(\)/)
})

test('the policy beside the store counts as for the command, with its mistakes', { skip: noSqlite }, async (t) => {
  const folder = folderFor(t)
  const policy = (text) => writeFileSync(join(folder, 'policy.toml'), text)
  policy('[learn]\npromote_at = 1 # at once\n\n[limits]\ntrace_bytes = 1_000_000\n')
  const memory = await open({ path: folder })
  await memory.learn(failingRun(1, { mended: true }))
  assert.equal((await memory.list()).records[0].tier, 'strategic')
  await memory.close()
  const own = await open({ path: join(folder, 'other.db'), policy: {} })
  await own.learn(failingRun(1, { mended: true }))
  assert.equal((await own.list()).records[0].tier, 'tactical')
  await own.close()

  for (const [text, part] of [
    ['[learn]\npromote_att = 2\n', 'promote_att'],
    ['[recall]\ntop_k = 0\n', 'recall.top_k'],
    ['[learn]\npromote_at = "two"\n', 'policy.toml'],
    ['[', 'policy.toml'],
  ]) {
    policy(text)
    const theirs = await promisify(execFile)(command, ['list', '--json', '--store', folder]).catch((error) => error)
    assert.match(theirs.stderr, /invalid\.policy/)
    await assert.rejects(open({ path: folder }), ({ code, message }) => {
      return code === 'invalid.policy' && message.includes(part) && message.includes(join(folder, 'policy.toml'))
    })
  }
  writeFileSync(join(folder, 'policy.toml'), Buffer.from([0xff, 0xfe, 0x5b]))
  await assert.rejects(open({ path: folder }), { code: 'file.unreadable' })
})
