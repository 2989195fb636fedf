// The store contract over the stores that Node has.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'

import { contract, imported, noSqlite, root } from '../lib/app.mjs'
import { runContract } from '../lib/contract.mjs'

function holds({ cases, steps, problems }) {
  assert.equal(problems.length, 0, problems.join('\n'))
  assert.ok(cases >= 18 && steps >= 200, `${cases} cases, ${steps} steps`)
}

test('the store in memory passes the contract', async () => {
  const { memoryStore } = await imported()
  holds(await runContract(contract(), () => memoryStore()))
})

test('the SQLite file passes the contract, reopened after each step', { skip: noSqlite }, async (t) => {
  const { sqliteStore } = await imported()
  const folder = mkdtempSync(join(tmpdir(), 'hardwon-'))
  t.after(() => rmSync(folder, { recursive: true }))
  let path
  let count = 0
  const fresh = () => sqliteStore({ path: (path = join(folder, `${(count += 1)}.db`)) })
  const again = async (store) => {
    await store.close()
    return sqliteStore({ path })
  }
  holds(await runContract(contract(), fresh, again))
})

test('the tables are those that the command makes', () => {
  const tables = (path, begin, end) => readFileSync(join(root, path), 'utf8').split(begin)[1].split(end)[0].trim()
  const theirs = tables('native/src/store/sqlite/schema.rs', 'TABLES: &str = "', '";')
  assert.equal(tables('js/src/store/schema.ts', 'TABLES = `', '`'), theirs)
})
