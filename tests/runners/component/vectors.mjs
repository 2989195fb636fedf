// The vectors through the component in Node.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { playAll } from '../../../js/tests/lib/vectors.mjs'
import { instance, root, tokens } from './host.mjs'

const { stepping } = await instance({ 'host-tables': { tokens } })

function stepper(setup) {
  try {
    const made = stepping.Stepper.make(setup)
    return { start: (json) => made.start(0, json), resume: (json) => made.resume(0, json), free() {} }
  } catch (refused) {
    throw JSON.parse(refused).error
  }
}

const folder = join(root, 'tests/vectors')
const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl')).sort()
const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
const { names, problems } = await playAll(lines, stepper)
if (problems.length > 0 || names.length === 0) {
  console.error(`${problems.length} of ${names.length} vectors fail in component-jco:\n${problems.join('\n')}`)
  process.exit(1)
}
mkdirSync(join(root, 'target/vectors'), { recursive: true })
writeFileSync(join(root, 'target/vectors/component-jco.txt'), names.map((name) => `${name}\n`).join(''))
console.log(`${names.length} vectors hold in component-jco`)
