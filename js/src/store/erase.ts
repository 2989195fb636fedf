// Hard forgetting in the SQLite file: the rows go in the commit itself, the bytes right after it.
//
// Decides what an erasure reaches, as native/src/store/sqlite/erase.rs does.

import type { MemoryRecord } from '../types.js'
import { Remains } from './rules.js'
import type { Sql } from './sql.js'
import type { ChangeSet, Delta, RunMark } from './store.js'

/** Deletes every row about the records and what tells of them elsewhere; this revision becomes the horizon. */
export function eraseRows(sql: Sql, space: number, rev: number, gone: Set<string>): void {
  const remains = new Remains()
  const touched = new Set<number>()
  for (const digits of gone) eraseRecord(sql, space, Buffer.from(digits, 'hex'), remains, touched)
  for (const session of remains.sessions) {
    const lines = `DELETE FROM trace_line WHERE trace IN
                   (SELECT id FROM live_trace WHERE space = ?1 AND session = ?2)`
    sql.run(lines, space, session)
    sql.run('DELETE FROM live_trace WHERE space = ?1 AND session = ?2', space, session)
  }
  spare(sql, space, remains)
  for (const row of sql.all('SELECT session, json FROM run WHERE space = ?1', space)) {
    if (remains.reaches(JSON.parse(String(row.json)) as RunMark)) {
      sql.run('DELETE FROM run WHERE space = ?1 AND session = ?2', space, String(row.session))
    }
  }
  cleanHeads(sql, space, remains, touched)
  sql.run('DELETE FROM cache WHERE space = ?1', space)
  sql.run('UPDATE space SET horizon = ?2 WHERE id = ?1', space, rev)
  sql.run('INSERT INTO to_wipe(space, rev) VALUES (?1, ?2)', space, rev)
}

function eraseRecord(sql: Sql, space: number, id: Buffer, remains: Remains, touched: Set<number>): void {
  for (const row of sql.all('SELECT json FROM record WHERE space = ?1 AND id = ?2', space, id)) {
    remains.addRecord(JSON.parse(String(row.json)) as MemoryRecord)
  }
  for (const row of sql.all('SELECT rev, delta FROM change WHERE space = ?1 AND record = ?2', space, id)) {
    remains.addDelta(JSON.parse(String(row.delta)) as Delta)
    touched.add(Number(row.rev))
  }
  sql.run('DELETE FROM change WHERE space = ?1 AND record = ?2', space, id)
  sql.run('DELETE FROM record WHERE space = ?1 AND id = ?2', space, id)
  sql.run('DELETE FROM vector WHERE space = ?1 AND record = ?2', space, id)
}

/** Keeps the sessions that records which stay name too. One without evidence names none, and need not be read. */
function spare(sql: Sql, space: number, remains: Remains): void {
  const rows = "SELECT json FROM record WHERE space = ?1 AND instr(json, 'session_id')"
  const log = "SELECT delta FROM change WHERE space = ?1 AND instr(delta, 'session_id')"
  for (const row of sql.all(rows, space)) remains.spareRecord(JSON.parse(String(row.json)) as MemoryRecord)
  for (const row of sql.all(log, space)) remains.spareDelta(JSON.parse(String(row.delta)) as Delta)
}

/** Takes what tells of the records out of the heads of operations. */
function cleanHeads(sql: Sql, space: number, remains: Remains, touched: Set<number>): void {
  const all = `SELECT head, rev,
                 EXISTS(SELECT 1 FROM change WHERE change.space = op.space AND change.rev = op.rev) AS filled
               FROM op WHERE space = ?1`
  for (const row of sql.all(all, space)) {
    const [head, rev] = [JSON.parse(String(row.head)) as ChangeSet, Number(row.rev)]
    if (remains.clean(head, touched.has(rev), row.filled === 0)) {
      sql.run('UPDATE op SET head = ?3 WHERE space = ?1 AND rev = ?2', space, rev, JSON.stringify(head))
    }
  }
}
