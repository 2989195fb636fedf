// A host of the component with an asynchronous store in one file: `agent.mjs FOLDER FILE`, where FOLDER is what jco
// made of the component. What the engine asks for is answered between its steps, so nothing has to answer at once.
import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The rows of one space in a file of JSON, which is written anew and put in place by its name. */
export class Rows {
  constructor(path) {
    this.path = path
  }

  async #load() {
    const text = this.path && (await readFile(this.path, 'utf8').catch(() => undefined))
    return text ? JSON.parse(text) : (this.kept ?? { version: 0, rows: {} })
  }

  async read(spans) {
    const { version, rows } = await this.#load()
    const is_in = ([key]) => spans.some(([first, end]) => first <= key && key < end)
    return { version, rows: Object.entries(rows).filter(is_in) }
  }

  async write({ version, puts, removes }) {
    const all = await this.#load()
    if (all.version !== version) return false
    for (const key of removes) delete all.rows[key]
    for (const [key, value] of puts) all.rows[key] = value
    this.kept = { version: version + 1, rows: all.rows }
    if (!this.path) return true
    const file = await open(`${this.path}.new`, 'w')
    await file.writeFile(JSON.stringify(this.kept))
    await file.sync()
    await file.close()
    await rename(`${this.path}.new`, this.path)
    return true
  }
}

/** Carries a task of a store out on rows. */
export async function keep(Keeper, rows, task) {
  const keeper = Keeper.make(JSON.stringify(task))
  for (let said = JSON.parse(keeper.next()); ; ) {
    if (said.read) said = JSON.parse(keeper.read(JSON.stringify(await rows.read(said.read))))
    else if (said.write) said = JSON.parse(keeper.written(await rows.write(said.write)))
    else return said
  }
}

/** Carries a verb out. */
export async function run({ Keeper }, stepper, rows, input) {
  const env = { now: new Date().toISOString(), seed: randomBytes(16).toString('hex') }
  let said = JSON.parse(stepper.start(0, JSON.stringify({ env, input })))
  while (said.need) {
    // A model would be asked here, and awaited.
    const { done, error } = said.need.complete ? { done: { reply: 'unsupported' } } : await keep(Keeper, rows, { request: said.need })
    const reply = error ? { failed: { port: 'store', message: error.message } } : done.reply
    said = JSON.parse(stepper.resume(0, JSON.stringify(reply)))
  }
  if (said.error) throw Object.assign(new Error(said.error.message), said.error)
  return said.done
}

if (process.argv.length === 4) {
  const [folder, file] = process.argv.slice(2)
  const { instantiate } = await import(pathToFileURL(join(folder, 'memory.js')).href)
  const module = async (name) => WebAssembly.compile(await readFile(join(folder, name)))
  // The store of this host is asked between steps, so that the import is never called.
  const { stepping } = await instantiate(module, { 'hardwon:memory/host-store': { Store: class {} } })
  const [stepper, rows] = [stepping.Stepper.make('{"counter":"o200k_base","embedder":"amt1-cbe963f8"}'), new Rows(file)]
  await run(stepping, stepper, rows, { verb: 'teach', text: 'Run the formatter before you commit.' })
  console.log((await run(stepping, stepper, rows, { verb: 'recall', task: 'format the code and commit' })).block)
}
