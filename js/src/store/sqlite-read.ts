// Reading the SQLite file: the head of a space, its snapshot and its log, as JSON text.
//
// Decides nothing, as native/src/store/sqlite/read.rs.

import { HardwonError } from '../error.js'
import { hex, type Row, type Sql } from './sql.js'
import type { Change, ChangeSet, Delta } from './store.js'

/** Where a space stands. */
export interface Head {
  id: number
  rev: number
  horizon: number
}

/** Where a space stands; one that is not there stands at 0. */
export function headOf(sql: Sql, space: string): Head {
  const row = sql.first('SELECT id, rev, horizon FROM space WHERE name = ?1', space)
  return { id: Number(row?.id ?? 0), rev: Number(row?.rev ?? 0), horizon: Number(row?.horizon ?? 0) }
}

/** All that a space holds, as JSON text. */
export function snapshot(sql: Sql, { id, rev }: Head): string {
  const texts = (find: string) =>
    `[${sql
      .all(find, id)
      .map((row) => String(row.json))
      .join(',')}]`
  const vectors = allVectors(sql, id)
  const records = texts('SELECT json FROM record WHERE space = ?1 ORDER BY id')
  const runs = texts('SELECT json FROM run WHERE space = ?1 ORDER BY session')
  const tombstones = texts('SELECT json FROM tombstone WHERE space = ?1 ORDER BY rev, seq')
  return (
    `{"reset":{"rev":${rev},"records":${records},"vectors":[${vectors.join(',')}],` +
    `"runs":${runs},"tombstones":${tombstones}}}`
  )
}

/** Every vector of a space. */
export function allVectors(sql: Sql, id: number): string[] {
  return sql
    .all('SELECT record, embedder, bytes FROM vector WHERE space = ?1 ORDER BY record, embedder', id)
    .map(vectorText)
}

/** A vector's row as JSON text. */
export function vectorText(row: Row): string {
  return `{"record":"${hex(row.record)}","embedder":${JSON.stringify(row.embedder)},"vector":"${hex(row.bytes)}"}`
}

/** A change set of the log as JSON text, with those of its changes that have not been erased. */
export function setText(sql: Sql, path: string, id: number, rev: number): string {
  const row = sql.first('SELECT head FROM op WHERE space = ?1 AND rev = ?2', id, rev)
  if (!row) {
    const what = `in ${path}, log entry ${rev} in space number ${id} is missing; run \`hardwon doctor\``
    throw new HardwonError('corrupt', `the store is damaged: ${what}`)
  }
  const find = 'SELECT record, delta, vector FROM change WHERE space = ?1 AND rev = ?2 ORDER BY seq'
  const changes = sql.all(find, id, rev).map((change): Change => {
    const delta = JSON.parse(String(change.delta)) as Delta
    if (delta.vector) delta.vector.vector = hex(change.vector)
    return { record: hex(change.record), delta }
  })
  return JSON.stringify({ ...(JSON.parse(String(row.head)) as ChangeSet), changes })
}
