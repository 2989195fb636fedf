// Every verb of a memory over the packed tarball, and what a driver promises: order, aborts, errors, models.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import test from 'node:test'

import { app, failingRun, imported } from '../lib/app.mjs'

const hardwon = await imported()
const { HardwonError, memoryStore, open, readExport, writeExport } = hardwon

async function opened(t, options) {
  const memory = await open(options)
  t.after(() => memory[Symbol.asyncDispose]())
  return memory
}

const code = (wanted) => (error) => error instanceof HardwonError && error.code === wanted

test('every verb answers', async (t) => {
  const memory = await opened(t, { store: memoryStore() })
  const learned = await memory.learn([1, 2, 3].map((n) => failingRun(n, { mended: true })).join('\n'))
  assert.deepEqual([learned.sessions, learned.inserted, learned.promoted], [3, 1, 1])
  const [id] = learned.records
  assert.equal((await memory.get(id)).tier, 'strategic')
  assert.equal((await memory.list()).total, 1)
  assert.equal((await memory.list({ tool: 'nothing' })).total, 0)

  const recalled = await memory.recall({ tool: 'write_file', args: { path: 'out/9/b.md' } })
  assert.equal(recalled.moment, 'before_tool')
  assert.equal(recalled.items[0].id, id)
  assert.equal(recalled.tokenizer, 'o200k_base')
  assert.match(recalled.block, /parent directory/)
  assert.equal((await memory.recall('bake bread with rye flour')).block, '')
  assert.equal((await memory.explain(id, { tool: 'write_file' })).comes_back, true)

  const call = { tool: 'write_file', args: { path: 'out/9/b.md' }, session_id: 'run-9' }
  assert.equal((await memory.guard(call)).verdict, 'advise')
  assert.equal((await memory.mute(id)).outcome, 'changed')
  assert.deepEqual((await memory.guard(call)).silent, [{ id, reason: 'muted' }])
  await memory.unmute(id)
  await memory.pin(id, { actor: 'ann', reason: 'it matters' })
  assert.equal((await memory.stats()).pinned, 1)
  await memory.unpin(id)
  await memory.settle(id, { outcome: 'followed' })
  assert.equal((await memory.report()).learned.length, 1)

  assert.equal(await memory.observe({ session_id: 'live', lines: [{ type: 'start', task: 'x' }] }), 1)
  assert.equal((await memory.learn()).events, 1)
  const taught = await memory.teach('Run the formatter before you commit')
  assert.equal(taught.outcome, 'created')
  assert.equal((await memory.review()).total, 0)
  await memory.resolve(taught.id, { choice: 'block' })
  assert.equal((await memory.forget(taught.id)).outcome, 'changed')
  assert.equal((await memory.restore(taught.id)).outcome, 'changed')
  const { op } = await memory.pin(taught.id)
  assert.equal((await memory.undo(op)).done, true)
  assert.equal((await memory.history({ id: taught.id })).at(-1).verb, 'undo')
  assert.equal((await memory.maintain()).missing, 0)
  assert.equal((await memory.forget(taught.id, { hard: true })).outcome, 'erased')
  await assert.rejects(memory.get(taught.id), code('invalid.not_found'))
  assert.equal((await memory.stats()).tombstones, 1)

  const text = writeExport(await memory.exportRecords())
  const other = await opened(t, { store: memoryStore() })
  assert.equal((await other.importRecords(readExport(text))).inserted, 1)
  assert.deepEqual((await other.get(id)).evidence, (await memory.get(id)).evidence)
})

test('an error has the code of every host', async (t) => {
  const memory = await opened(t, { store: memoryStore() })
  await assert.rejects(memory.get('00'.repeat(16)), code('invalid.not_found'))
  await assert.rejects(memory.get('x'), code('invalid.json'))
  await assert.rejects(memory.recall({ nonsense: 1 }), code('invalid.json'))
  await assert.rejects(open({ store: memoryStore(), space: '' }), code('invalid.space'))
  const odd = await open({ store: memoryStore(), policy: { recall: { top_k: 0 } } })
  await assert.rejects(odd.recall('x'), code('invalid.policy'))
  const cycle = {}
  cycle.self = cycle
  await assert.rejects(memory.recall({ tool: 'x', args: cycle }), code('invalid.json'))
  await memory.close()
  await assert.rejects(memory.stats(), code('invalid.closed'))
})

test('a refusal is an outcome', async (t) => {
  const memory = await opened(t, { store: memoryStore() })
  const { outcome, reason } = await memory.teach('Use the token ghp_aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zA7 to push')
  assert.equal(outcome, 'refused')
  assert.match(reason, /^secret: github_token/)
})

test('a learn that waits for a model holds up no recall', async (t) => {
  let said
  const waits = new Promise((resolve) => (said = resolve))
  const complete = async (prompt, { instructions, max_tokens }) => {
    assert.match(prompt, /<draft>/)
    assert.ok(instructions.length > 0 && max_tokens > 0)
    await waits
    return 'Make sure the parent directory is there before `write_file` opens the file'
  }
  const memory = await opened(t, { store: memoryStore(), complete, model: 'scripted-1' })
  const learning = memory.learn({ data: failingRun(1), model: true })
  await memory.teach('Run the formatter before you commit')
  assert.match((await memory.recall('format the code before you commit')).block, /formatter/)
  said()
  const learned = await learning
  assert.deepEqual([learned.inserted, learned.model.worded], [1, 1])
  const [lesson] = (await memory.list({ tool: 'write_file' })).records
  assert.equal(lesson.rewordings[0].model, 'scripted-1')
})

test('an answer of a model is kept, and a failing model hurts nothing', async (t) => {
  const store = memoryStore()
  let calls = 0
  const complete = () => {
    calls += 1
    throw new Error('no model today')
  }
  const first = await open({ store, complete, model: 'm', space: 'a' })
  const learned = await first.learn({ data: failingRun(1), model: true })
  assert.deepEqual([learned.inserted, learned.model.unused], [1, { call_failed: 1 }])
  const good = await open({
    store,
    complete: () => 'Create the parent directory first: `write_file` does not',
    model: 'm',
  })
  await good.learn({ data: failingRun(1), model: true })
  await good.undo((await good.history()).at(-1).op)
  assert.equal(calls, 1)
})

test('an embedder of your own is asked, and its failure told', async (t) => {
  const embed = async (texts) => texts.map((text) => [text.length, 1, text.includes('commit') ? 5 : 0])
  const memory = await opened(t, { store: memoryStore(), embedder: { id: 'mine-1', dims: 3, embed } })
  await memory.teach('Run the formatter before you commit')
  assert.equal((await memory.stats()).embedder, 'mine-1')
  assert.equal((await memory.exportRecords()).vectors[0].embedder, 'mine-1')
  const fails = { id: 'mine-1', dims: 3, embed: () => Promise.reject(new Error('out of order')) }
  const other = await opened(t, { store: memoryStore(), embedder: fails })
  await assert.rejects(other.teach('Check the port'), code('host.embedder'))
})

test('reading works without tables, learning says what is missing', async (t) => {
  const missing = { tokens: false, embedder: false }
  const store = memoryStore()
  const whole = await open({ store })
  await whole.teach('Run the formatter before you commit')
  const memory = await opened(t, { store, ...missing })
  assert.match((await memory.recall('run the formatter before you commit')).block, /formatter/)
  const { embedder, tokenizer } = await memory.stats()
  assert.deepEqual([embedder, tokenizer], ['', 'bytes'])
  const refused = await memory.teach('Check that the port is free before you start the server on the build machine')
  assert.equal(refused.outcome, 'refused')
  assert.match(refused.reason, /^needs_token_table/)
})

test('an abort ends a verb, unless it is committed', async (t) => {
  const complete = () => new Promise(() => undefined)
  const memory = await opened(t, { store: memoryStore(), complete, model: 'm' })
  // A timer of its own: that of `AbortSignal.timeout` does not keep the process waiting.
  const late = new AbortController()
  setTimeout(() => late.abort(new DOMException('too late', 'TimeoutError')), 30)
  const { signal } = late
  await assert.rejects(memory.learn({ data: failingRun(1), model: true }, { signal }), { name: 'TimeoutError' })
  assert.equal((await memory.list()).total, 0)
  const aborted = AbortSignal.abort()
  await assert.rejects(memory.recall('x', { signal: aborted }), { name: 'AbortError' })
})

test('many verbs at once lose no update', async (t) => {
  const memory = await opened(t, { store: memoryStore() })
  const colours = 'amber beige black blue brown coral cyan green grey ivory jade khaki lemon lilac lime mauve'.split(
    ' ',
  )
  const written = await Promise.all(colours.map((name) => memory.teach(`Paint the ${name} door after lunch`)))
  assert.ok(written.every(({ op }) => op !== null))
  const { revision } = await memory.stats()
  assert.equal(revision, colours.length)
})

test('two memories over one store see each other', async (t) => {
  const store = memoryStore()
  const one = await opened(t, { store })
  const two = await opened(t, { store })
  await Promise.all([1, 2, 3, 4, 5].flatMap((n) => [one.learn(failingRun(n)), two.learn(failingRun(n + 3))]))
  const { records } = await one.list()
  assert.equal(records.length, 1)
  assert.equal(new Set(records[0].evidence.map((event) => event.session_id)).size, 8)
  assert.deepEqual(await two.list(), await one.list())
})

test('a store that fails is told of, and a store of your own will do', async (t) => {
  const broken = { ...methods(memoryStore()), load: () => Promise.reject(new Error('the disk is on fire')) }
  const memory = await opened(t, { store: broken })
  await assert.rejects(memory.recall('x'), (error) => code('host.store')(error) && /on fire/.test(error.message))
  const other = await opened(t, { store: methods(memoryStore()) })
  assert.equal((await other.teach('Check the port')).outcome, 'created')
})

test('a store that others keep writing is contended after a while, and a lost answer is found', async (t) => {
  const inner = memoryStore()
  let lost = 0
  const store = {
    ...methods(inner),
    commit: async (space, commit) => {
      const done = await inner.commit(space, commit)
      return (lost += 1) === 1 ? 'conflict' : done
    },
  }
  const memory = await opened(t, { store })
  assert.equal((await memory.teach('Check the port')).outcome, 'created')
  assert.equal((await memory.list()).total, 1)
})

// A store as plain functions.
function methods(store) {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(store)).filter((name) => name !== 'constructor')
  return Object.fromEntries(names.map((name) => [name, (...args) => store[name](...args)]))
}

test('the steps of a Vercel AI SDK generation are learned as they are', async (t) => {
  const memory = await opened(t, { store: memoryStore() })
  const steps = [
    {
      finishReason: 'tool-calls',
      content: [
        { type: 'tool-call', toolCallId: 'c1', toolName: 'write_file', input: { path: 'out/1/a.md' } },
        {
          type: 'tool-error',
          toolCallId: 'c1',
          toolName: 'write_file',
          error: new Error('parent directory does not exist'),
        },
      ],
    },
  ]
  const learned = await memory.learn(steps)
  assert.deepEqual([learned.format, learned.inserted], ['vercel_ai_sdk', 1])
})

test('the package can be required, and is the same', async (t) => {
  const required = createRequire(join(app, 'x.js'))('hardwon')
  assert.deepEqual(Object.keys(required).sort(), Object.keys(hardwon).sort())
  const memory = await required.open({ store: required.memoryStore() })
  t.after(() => memory.close())
  assert.equal((await memory.teach('Check the port')).outcome, 'created')
})

test('verbs go on while an embedder takes its time', async (t) => {
  let arrive
  const late = new Promise((resolve) => (arrive = resolve))
  const store = memoryStore()
  const memory = await opened(t, { store, embedder: { id: 'late-1', dims: 2, embed: () => late.then(() => [[1, 0]]) } })
  const teaching = memory.teach('Check the port')
  const listed = await Promise.all(Array.from({ length: 20 }, () => memory.list()))
  assert.ok(listed.every(({ total }) => total === 0))
  arrive()
  assert.equal((await teaching).outcome, 'created')
})

test('a reranker decides the order of what passed, and its junk ends the verb', async (t) => {
  let scores = (texts) => texts.map((text) => (text.includes('goggles') ? 0.9 : 0.1))
  const asked = []
  const rerank = async (query, texts, { signal }) => {
    asked.push({ query, texts, signal })
    return scores(texts)
  }
  const memory = await opened(t, { store: memoryStore(), rerank })
  for (const thing of ['Close the door', 'Put goggles on', 'Open a window'])
    await memory.teach(`${thing} before you start the saw.`)
  const { items } = await memory.recall('start the saw')
  assert.match(items[0].text, /goggles/)
  assert.deepEqual(
    items.map(({ why }) => why.reranked),
    [900_000, 100_000, 100_000],
  )
  assert.equal(asked[0].query, 'start the saw')
  assert.equal(asked[0].texts.length, 3)
  const { why, rank } = await memory.explain(items[2].id, 'start the saw')
  assert.deepEqual([why.reranked, rank], [100_000, 3])
  scores = (texts) => new Float32Array(texts.length).fill(0.5)
  assert.equal((await memory.recall('start the saw')).items.length, 3)

  const junk = [[1], [0.1, 0.2, NaN], [0.1, 0.2, Infinity], [0.1, 0.2, 1.2], [0.1, -1, 0.2], ['a', 0, 0], 7, null]
  for (const one of junk) {
    scores = () => one
    await assert.rejects(memory.recall('start the saw'), code('host.reranker'), String(one))
  }
  scores = () => {
    throw new Error('out of order')
  }
  await assert.rejects(memory.recall('start the saw'), /out of order/)
  const leaving = new AbortController()
  scores = () => new Promise(() => leaving.abort(new Error('enough')))
  await assert.rejects(memory.recall('start the saw', { signal: leaving.signal }), /enough/)
})

test('an embedder that answers no numbers is told as the embedder', async (t) => {
  for (const vector of [[NaN, 1], ['a', 1], null, [1]]) {
    const embedder = { id: 'own-1', dims: 2, embed: (texts) => texts.map(() => vector) }
    const memory = await opened(t, { store: memoryStore(), embedder })
    await assert.rejects(memory.teach('Run make first.'), code('host.embedder'), String(vector))
  }
})

test('an export that is cut, damaged or of another kind is refused whole', async (t) => {
  const memory = await opened(t, { store: memoryStore() })
  await memory.teach('Run make first.')
  await memory.teach('Close the door after you.')
  const text = writeExport(await memory.exportRecords())
  assert.equal(readExport(text).records.length, 2)
  const lines = text.split('\n')
  const bad = ['', '7', '{}', '{"format":"hardwon-export"', lines.slice(0, 2).join('\n'), text.slice(0, -5)]
  bad.push(text.replace('"record":', '"records":'), text.replace('hardwon-export', 'other'), `${lines[0]}\nnull\n[]\n`)
  for (const one of bad) assert.throws(() => readExport(one), code('invalid.export'), one.slice(0, 60))
  assert.throws(() => readExport(text.replace('"version":1', '"version":2')), code('incompatible'))
})

test('what no verb can take is an error with a code, and half a character is none', async (t) => {
  const memory = await opened(t, { store: memoryStore() })
  for (const junk of [null, 42, true, 10n, Symbol('x'), () => 1])
    for (const verb of [
      'recall',
      'learn',
      'teach',
      'observe',
      'guard',
      'list',
      'history',
      'importRecords',
      'get',
      'pin',
    ])
      await assert.rejects(async () => memory[verb](junk), HardwonError, `${verb}(${String(junk)})`)
  await assert.rejects(memory.recall(undefined), code('invalid.json'))
  await assert.rejects(memory.recall('x', { signal: 7 }), code('invalid.json'))
  await assert.rejects(open('memory'), code('invalid.json'))
  const { id } = await memory.teach('Run \ud83e make first, not \\ud83e')
  assert.equal((await memory.get(id)).text, 'Run \ufffd make first, not \\ud83e')
})
