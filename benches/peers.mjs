// Compares one recall in Node with the search of other stores for JavaScript, all of the same texts, in one run.
//
// `node benches/peers.mjs HARNESS_DIR [N]`, in the long form of scripts/benches. HARNESS_DIR holds bench.mjs, which
// runs `bench.mjs SYSTEM N MODULES_DIR` and prints one JSON object with `search_cpu_ms`. Peers that cannot be installed
// are named and left out. Ours embeds, searches words and meaning, gives places and writes the fenced block, where the
// peers search vectors that are ready.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { imported, root } from '../js/tests/lib/app.mjs'
import { record } from '../js/tests/lib/corpus.mjs'

const PEERS = { orama: '@orama/orama', 'hnswlib-wasm': 'hnswlib-wasm', vectra: 'vectra', agentdb: 'agentdb' }
const [harness, n] = [resolve(process.argv[2] ?? ''), Number(process.argv[3] ?? 10_000)]
const folder = join(root, 'target/js/peers')
const cache = join(folder, 'corpus')
const env = { ...process.env, BENCH_CACHE: cache }
const python = process.env.HARDWON_PEERS_PYTHON ?? 'python3'
const say = (row) => console.log(JSON.stringify(row))
const run = (program, args, cwd = folder) => execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: 'pipe' })

/** The modules of a peer, installed once; scripts of theirs do not run, but for what has to be compiled. */
function installed(name) {
  if (existsSync(join(folder, 'node_modules', name))) return true
  try {
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', name])
    if (name === 'agentdb') run('npm', ['rebuild', '--loglevel=error', 'hnswlib-node'])
    return true
  } catch {
    return false
  }
}

async function ours() {
  const { t: texts, q: queries } = JSON.parse(readFileSync(join(cache, `t${n}.json`), 'utf8'))
  const { memoryStore, open } = await imported()
  const memory = await open({ store: memoryStore(), policy: { limits: { batch: n } } })
  await memory.importRecords({ records: texts.map((text, at) => ({ ...record(at), text })) })
  for (const query of queries) await memory.recall(query)
  const before = process.cpuUsage()
  for (const query of queries) await memory.recall(query)
  const { user, system } = process.cpuUsage(before)
  await memory.close()
  return (user + system) / 1000 / queries.length
}

function peer(system) {
  if (!installed(PEERS[system])) return undefined
  try {
    const rows = run(process.execPath, [join(harness, 'bench.mjs'), system, String(n), folder]).split('\n')
    return JSON.parse(rows.filter((row) => row.startsWith('{')).at(-1))
  } catch {
    return undefined
  }
}

if (!existsSync(join(harness, 'bench.mjs'))) {
  console.log(`skipped: no harness of peers at ${harness}`)
} else {
  mkdirSync(cache, { recursive: true })
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private": true}\n')
  if (!existsSync(join(cache, `t${n}.json`))) run(python, [join(harness, 'dump_js.py'), String(n)])
  const recall = await ours()
  say({ system: 'hardwon', n, search_cpu_ms: Math.round(recall * 1e4) / 1e4 })
  for (const system of Object.keys(PEERS)) {
    const found = peer(system)
    if (!found) say({ system, left_out: 'not installed or failed' })
    else {
      const { loaded, search_cpu_ms, load_cpu_us_per, recall10 } = found
      const ratio = Math.round((recall / search_cpu_ms) * 1e4) / 1e4
      say({ system, n: loaded, search_cpu_ms, load_cpu_us_per, recall10, ratio })
    }
  }
}
