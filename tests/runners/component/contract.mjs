// The script that every store passes, on the keeper of the component over the rows of the example, in Node.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Rows, keep } from '../../../examples/wasi-node/agent.mjs'
import { runContract } from '../../../js/tests/lib/contract.mjs'
import { instance, root } from './host.mjs'

const { stepping } = await instance()

// What the engine writes where a script has left it out.
const unsaid = ['1970-01-01T00:00:00.000Z', '0000000000000000']

class Store {
  #spaces = new Map()

  async #ask(space, task) {
    if (!this.#spaces.has(space)) this.#spaces.set(space, new Rows())
    const said = await keep(stepping.Keeper, this.#spaces.get(space), task)
    if (said.error) throw Object.assign(new Error(said.error.message), said.error)
    const told = JSON.stringify(said.done.reply ?? said.done)
    return JSON.parse(told, (_, value) => (unsaid.includes(value) ? undefined : value))
  }

  async #request(space, request) {
    return this.#ask(space, { request })
  }

  load = async (space, since) => (await this.#request(space, { load: { since } })).loaded
  commit = (space, commit) => this.#request(space, { commit })
  log = async (space, query) => (await this.#request(space, { log: query })).logged
  traceAppend = (space, session_id, lines) => this.#request(space, { trace_append: { session_id, lines } })
  traceLoad = async (space, session_id) => (await this.#request(space, { trace_load: { session_id } })).traces
  traceMined = (space, session, lines) => this.#request(space, { trace_mined: { sessions: [[session, lines]] } })
  traceDrop = (space, session) => this.#request(space, { trace_mined: { sessions: [], ended: [session] } })
  cachePut = (space, name, rev, bytes) => this.#ask(space, { cache: [name, rev, Buffer.from(bytes).toString('hex')] })
  answerPut = (space, answers) => this.#ask(space, { keep_answers: answers })
  answerGet = async (space, key) => (await this.#ask(space, { answers: [key] })).answers[0]

  async cacheGet(space, name, rev) {
    const { cached } = await this.#ask(space, { cached: [name, rev] })
    return cached === null ? null : Uint8Array.from(Buffer.from(cached, 'hex'))
  }

  async spaces() {
    const held = await Promise.all([...this.#spaces].map(async ([name, rows]) => [name, await rows.read([['', '~']])]))
    return held.filter(([, page]) => page.rows.length > 0).map(([name]) => name).sort()
  }
}

const script = readFileSync(join(root, 'tests/contract/store.jsonl'), 'utf8')
const { steps, problems } = await runContract(script, () => new Store())
if (problems.length > 0 || steps < 150) {
  console.error(`the store's script fails in component-jco, ${steps} steps:\n${problems.join('\n')}`)
  process.exit(1)
}
console.log(`the store's script holds in component-jco: ${steps} steps`)
