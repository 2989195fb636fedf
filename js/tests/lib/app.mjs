// The packed tarball in an empty project, made once for all tests: target/js/app.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const app = join(root, 'target/js/app')
export const dist = join(app, 'node_modules/hardwon/dist')

/** Packs the built package and unpacks it into an empty project. */
export function pack() {
  rmSync(app, { recursive: true, force: true })
  const inside = join(app, 'node_modules/hardwon')
  mkdirSync(inside, { recursive: true })
  const out = execFileSync('npm', ['pack', '--json', '--pack-destination', app], {
    cwd: join(root, 'js'),
    encoding: 'utf8',
  })
  const packed = JSON.parse(out)
  const { filename } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0]
  execFileSync('tar', ['-xzf', join(app, filename), '-C', inside, '--strip-components=1'])
  writeFileSync(join(app, 'package.json'), '{"name": "app", "private": true, "type": "module"}\n')
  const peer = join(root, 'js/node_modules/better-sqlite3')
  if (existsSync(peer)) symlinkSync(peer, join(app, 'node_modules/better-sqlite3'))
}

/** The package as an app sees it. */
export const imported = () =>
  import(
    createRequire(join(app, 'x.js'))
      .resolve('hardwon')
      .replace(/\.cjs$/, '.js')
  )

/** Why tests of the SQLite file cannot run here; false where they can. */
export const noSqlite = await (async () => {
  const hasOwn = await import(['node', 'sqlite'].join(':')).then(
    () => true,
    () => false,
  )
  const has = hasOwn || existsSync(join(root, 'js/node_modules/better-sqlite3/build/Release/better_sqlite3.node'))
  const notice = `notice: Node ${process.version} has no SQLite and better-sqlite3 is not compiled; not tested here`
  if (!has) console.error(notice)
  return has ? false : notice
})()

export const contract = () => readFileSync(join(root, 'tests/contract/store.jsonl'), 'utf8')

export function vectors() {
  const folder = join(root, 'tests/vectors')
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
  return files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
}

export function ranVectors(host, names) {
  mkdirSync(join(root, 'target/vectors'), { recursive: true })
  writeFileSync(join(root, `target/vectors/${host}.txt`), names.map((name) => `${name}\n`).join(''))
}

/** A trace of one run: a call that fails and, where told so, the call that mended it. */
export function failingRun(session, { mended = false } = {}) {
  const at = (n) => `2026-05-0${(session % 9) + 1}T09:00:0${n}.000Z`
  const event = (n, fields) =>
    JSON.stringify({ session_id: `run-${session}`, event_id: `r${session}-${n}`, ts: at(n), ...fields })
  const failed = { ok: false, error: 'cannot open output file: parent directory does not exist' }
  const lines = [
    event(1, { type: 'start', task: 'Write the report' }),
    event(2, { type: 'tool_call', name: 'write_file', args: { path: `out/${session}/a.md` }, result: failed }),
  ]
  if (mended) {
    const args = { path: `out/${session}/a.md`, parents: true }
    lines.push(event(3, { type: 'tool_call', name: 'write_file', args, result: { ok: true, result: 'written' } }))
    lines.push(event(4, { type: 'final', text: 'The report is written.', outcome: 'success' }))
  }
  return lines.join('\n')
}
