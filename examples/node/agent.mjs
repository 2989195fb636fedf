// An agent loop with a memory: run 1 fails and learns, run 2 is told before it makes the same call.
//
// The model is a script, so that it runs anywhere; the tool is real and really fails. `node agent.mjs [STORE]`.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { guard, open } from 'hardwon'

const work = await mkdtemp(join(tmpdir(), 'agent-'))

const tools = {
  /** Writes a file; the folder must be there unless `parents` says to make it. */
  async write_file({ path, text, parents = false }) {
    const file = join(work, path)
    if (parents) await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text).catch(() => {
      throw new Error('cannot open output file: parent directory does not exist')
    })
    return `wrote ${path}`
  },
}

/** What a model does: it makes the call, and reads what it was told before and what came back. */
async function scripted({ path, told, call }) {
  const knows = /`parents`/.test(told)
  try {
    return await call({ path, text: 'a report', ...(knows ? { parents: true } : {}) })
  } catch (error) {
    console.log(`  failed: ${error.message.split('\n')[0]}`)
    return call({ path, text: 'a report', parents: true })
  }
}

const memory = await open({ path: process.argv[2] ?? join(work, 'memory') })
for (const [n, path] of ['april/sales.md', 'may/stock.md'].entries()) {
  const task = `Write the report ${path}`
  console.log(`run ${n + 1}: ${task}`)
  const { block } = await memory.recall({ task, tools: Object.keys(tools) })
  if (block !== '') console.log(block.replace(/^/gm, '  | ').trimEnd())
  const { write_file } = guard(tools, memory, { session_id: `run-${n + 1}`, task })
  const result = await scripted({ path, told: block, call: write_file })
  console.log(`  ${result.split('\n')[0]}`)
  // What the run has shown is learned before the next one begins.
  await memory.learn()
}
await memory.close()
