// The vectors in Node: `run.mjs GLUE.js`, the glue that the generator wrote beside its WebAssembly file.
//
// Decides whether this host says what the vectors say, string for string. Never rewrites a vector.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { resolve } from 'node:path'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const { Stepper } = createRequire(import.meta.url)(resolve(process.argv[2]))

const folder = `${root}/tests/vectors`
const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl')).sort()
const lines = files.flatMap((name) => readFileSync(`${folder}/${name}`, 'utf8').split('\n').filter(Boolean))

function play(vector) {
  let stepper
  try {
    stepper = new Stepper(JSON.stringify(vector.setup))
  } catch (refused) {
    return differs(vector.expect, refused)
  }
  for (const operation of [vector, ...(vector.then ?? [])]) {
    let answer = stepper.start(operation.text ?? JSON.stringify(operation.start))
    for (const [asked, reply] of operation.exchange) {
      const problem = differs(asked, answer)
      if (problem) return problem
      answer = stepper.resume(JSON.stringify(reply))
    }
    const problem = differs(operation.expect, answer)
    if (problem) return problem
  }
  stepper.free()
}

// Where the two part, with what stands around; undefined where they are equal.
function differs(expected, got) {
  const wanted = JSON.stringify(expected)
  if (wanted === got) return undefined
  let at = 0
  while (at < wanted.length && wanted[at] === got[at]) at += 1
  const around = (text) => text.slice(Math.max(at - 60, 0), at + 100)
  return `character ${at}\n  expected … ${around(wanted)}\n  got      … ${around(got)}`
}

const names = []
const problems = []
for (const vector of lines.map((line) => JSON.parse(line))) {
  names.push(vector.name)
  const problem = play(vector)
  if (problem) problems.push(`${vector.name}: ${problem}`)
}
if (problems.length > 0) {
  console.error(`${problems.length} of ${names.length} vectors fail in Node:\n${problems.join('\n')}`)
  process.exit(1)
}
mkdirSync(`${root}/target/vectors`, { recursive: true })
writeFileSync(`${root}/target/vectors/node.txt`, names.map((name) => `${name}\n`).join(''))
console.log(`${names.length} vectors hold in Node`)
