// Guarded tools: plain functions, the Vercel AI SDK and LangChain.js, as they are published.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'

import { failingRun, imported, root } from '../lib/app.mjs'

const { HardwonError, guard, memoryStore, open } = await imported()
const packages = createRequire(join(root, 'js/package.json'))
const framework = (name) => import(pathToFileURL(packages.resolve(name)))

async function opened(t, options) {
  const memory = await open({ store: memoryStore(), ...options })
  t.after(() => memory.close())
  return memory
}

/** A tool that fails until it is told to make folders. */
function writeFile({ path, parents }) {
  if (!parents) throw new Error('cannot open output file: parent directory does not exist')
  return `written ${path}`
}

async function taught(t) {
  const memory = await opened(t)
  await memory.learn([1, 2, 3].map((n) => failingRun(n, { mended: true })).join('\n'))
  return memory
}

const lessons = async (memory) => (await memory.list({ tool: 'write_file' })).records

test('a failure is observed at once and learned, with the call that mended it', async (t) => {
  const memory = await opened(t)
  const { write_file } = guard({ write_file: writeFile }, memory, { session_id: 'run-a', task: 'Write the report' })
  await assert.rejects(write_file({ path: 'out/a.md' }), /parent directory/)
  assert.equal(await write_file({ path: 'out/a.md', parents: true }), 'written out/a.md')
  await memory.close()
})

test('run 1 fails, run 2 is told', async (t) => {
  const memory = await opened(t)
  const first = guard({ write_file: writeFile }, memory)
  await first.write_file({ path: 'out/a.md' }).catch(() => undefined)
  await first.write_file({ path: 'out/a.md', parents: true })
  await waitFor(async () => (await lessons(memory))[0]?.subtype === 'recovery')
  let said
  const second = guard({ write_file: writeFile }, memory, { onAdvice: (advice) => (said = advice.text) })
  const error = await second.write_file({ path: 'out/b.md' }).catch((error) => error)
  assert.match(said, /Give `parents` to `write_file`/)
  assert.match(error.message, /^cannot open output file.*\n\n<retrieved_guidelines/s)
})

test('advice goes into the result, and is said once a run', async (t) => {
  const memory = await taught(t)
  const tools = guard({ write_file: () => 'done' }, memory)
  assert.match(await tools.write_file({ path: 'out/9/a.md' }), /^done\n\n<retrieved_guidelines/)
  assert.equal(await tools.write_file({ path: 'out/9/b.md' }), 'done')
  const [object] = guard(
    [
      function write_file() {
        return { ok: 1 }
      },
    ],
    memory,
  )
  const result = await object({ path: 'out/9/a.md' })
  assert.equal(result.ok, 1)
  assert.match(result.advice, /parents/)
})

test('a rewrite changes the call where the host has asked for it', async (t) => {
  const memory = await taught(t)
  const { write_file } = guard({ write_file: writeFile }, memory, { rewrite: true })
  assert.match(await write_file({ path: 'out/9/a.md' }), /^written out\/9\/a\.md/)
})

test('a blocked call waits for a person', async (t) => {
  const memory = await taught(t)
  const [{ id }] = await lessons(memory)
  await memory.resolve(id, { choice: 'block' })
  const asked = []
  const onHold = (advice, call) => asked.push(call.tool) > 1
  const { write_file } = guard({ write_file: writeFile }, memory, { onHold })
  const held = (error) => error instanceof HardwonError && error.code === 'held'
  await assert.rejects(write_file({ path: 'out/9/a.md' }), held)
  assert.deepEqual(asked, ['write_file'])
})

test('a memory that fails changes no call', async () => {
  const store = memoryStore()
  const errors = []
  const memory = await open({
    store: { load: () => Promise.reject(new Error('gone')), traceAppend: store.traceAppend },
  })
  const tools = guard({ write_file: () => 'done' }, memory, { onError: (error) => errors.push(error.code) })
  assert.equal(await tools.write_file({ path: 'x' }), 'done')
  assert.ok(errors.length > 0 && errors.every((code) => code === 'host.store'), errors.join())
  assert.throws(
    () => guard(7, memory),
    (error) => error.code === 'invalid.tool',
  )
})

test('tools of the Vercel AI SDK are guarded, and its steps are learned', async (t) => {
  const { generateText, stepCountIs, tool } = await framework('ai')
  const { MockLanguageModelV3, MockLanguageModelV4 } = await framework('ai/test')
  const { z } = await framework('zod')
  const Model = MockLanguageModelV4 ?? MockLanguageModelV3
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  const call = (n, input) => ({
    content: [{ type: 'tool-call', toolCallId: `c${n}`, toolName: 'write_file', input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls' },
    usage,
    warnings: [],
  })
  const answers = [
    call(1, { path: 'out/a.md' }),
    call(2, { path: 'out/a.md', parents: true }),
    { content: [{ type: 'text', text: 'Written.' }], finishReason: { unified: 'stop' }, usage, warnings: [] },
  ]
  const prompts = []
  const model = new Model({ doGenerate: async ({ prompt }) => (prompts.push(prompt), answers[prompts.length - 1]) })
  const memory = await taught(t)
  const inputSchema = z.object({ path: z.string(), parents: z.boolean().optional() })
  const tools = guard(
    { write_file: tool({ description: 'writes', inputSchema, execute: async (args) => writeFile(args) }) },
    memory,
  )
  const result = await generateText({ model, tools, prompt: 'Write the report', stopWhen: stepCountIs(5) })
  assert.equal(result.text, 'Written.')
  assert.match(JSON.stringify(prompts[1]), /retrieved_guidelines/)

  const fresh = await opened(t)
  const learned = await fresh.learn(result.steps)
  assert.deepEqual([learned.format, learned.inserted], ['vercel_ai_sdk', 1])
})

test('tools of LangChain.js are guarded', async (t) => {
  const { tool } = await framework('@langchain/core/tools')
  const { z } = await framework('zod')
  const memory = await taught(t)
  const schema = z.object({ path: z.string(), parents: z.boolean().optional() })
  const plain = tool(writeFile, { name: 'write_file', description: 'writes', schema })
  const [write] = guard([plain], memory)
  assert.ok(write instanceof plain.constructor)
  await assert.rejects(write.invoke({ path: 'out/9/a.md' }), /retrieved_guidelines/)
  const message = await write.invoke({
    type: 'tool_call',
    id: 'c1',
    name: 'write_file',
    args: { path: 'a', parents: true },
  })
  assert.equal(message.content, 'written a')
})

async function waitFor(holds) {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('it did not come about')
}
