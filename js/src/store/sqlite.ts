// The store in one SQLite file: the very file that the command and the other bindings read and write.
//
// Decides how rows are laid out, as native/src/store/sqlite does. Never decides what a change means. Each transaction
// runs to its end without an await, so that verbs which run side by side never meet inside one.

import { HardwonError } from '../error.js'
import type { MemoryRecord } from '../types.js'
import { eraseRows } from './erase.js'
import { ANSWERS, canFollow, check, erased } from './rules.js'
import { APPLICATION_ID, FORMAT, SETTINGS, TABLES } from './schema.js'
import { Sql, attempt, bytes, type Connection, type Row } from './sql.js'
import { imageOf, keepImage, putCache, recordsAt } from './sqlite-image.js'
import { headOf, setText, snapshot } from './sqlite-read.js'
import type { Change, ChangeSet, Commit, Committed, Images, LogEntry, LogQuery, Store } from './store.js'

/** How the names of answers begin among the caches: they go as those go. */
const ANSWER = 'answer:'

class SqliteStore implements Store {
  readonly images: Images = {
    load: (space) => this.#read((sql) => imageOf(sql, space)),
    records: (space, rev, ids) => this.#read((sql) => recordsAt(sql, space, rev, ids)),
    keep: (space, image) => this.#write((sql) => keepImage(sql, space, image)),
  }
  readonly #path: string
  readonly #sql: Sql

  constructor(path: string, sql: Sql) {
    this.#path = path
    this.#sql = sql
  }

  /** Makes the tables where there are none, and finishes what a crash has interrupted. */
  async prepare(): Promise<this> {
    await attempt(this.#path, () => {
      const sql = this.#sql
      sql.exec('PRAGMA busy_timeout = 0')
      if (formatOf(sql, this.#path) === 'none') create(sql, this.#path)
      writeAhead(sql, this.#path)
      sql.exec(SETTINGS)
    })
    // Whoever is in the way will finish it, or the next opening will.
    await this.#wipe(() => true).catch(() => undefined)
    return this
  }

  load(space: string, since: number): Promise<string> {
    return this.#read((sql) => {
      const head = headOf(sql, space)
      if (since > 0 && since === head.rev) return `{"changes":{"list":[],"rev":${since}}}`
      if (!canFollow(since, head.horizon, head.rev)) return snapshot(sql, head)
      const list: string[] = []
      for (let rev = since + 1; rev <= head.rev; rev += 1) list.push(setText(sql, this.#path, head.id, rev))
      return `{"changes":{"list":[${list.join(',')}],"rev":${head.rev}}}`
    })
  }

  async commit(space: string, commit: Commit): Promise<Committed> {
    check(commit)
    const done = await this.#write((sql): Committed => {
      const head = headOf(sql, space)
      const known = sql.first('SELECT rev FROM op WHERE space = ?1 AND id = ?2', head.id, bytes(commit.set.op_id))
      if (known) return { committed: Number(known.rev) }
      if (commit.set.base !== head.rev) return 'conflict'
      const rev = head.rev + 1
      const id = spaceId(sql, space)
      sql.run('UPDATE space SET rev = ?2 WHERE id = ?1', id, rev)
      const gone = erased(commit.set)
      keep(sql, id, rev, commit, gone)
      if (gone.size > 0) eraseRows(sql, id, rev, gone)
      return { committed: rev }
    })
    if (done !== 'conflict' && erased(commit.set).size > 0) await this.#wipeNow()
    return done
  }

  log(space: string, { op, records = [], last = 0 }: LogQuery): Promise<LogEntry[]> {
    return this.#read((sql) => {
      const { id } = headOf(sql, space)
      const found: Row[] = []
      if (op) {
        found.push(...sql.all('SELECT rev FROM op WHERE space = ?1 AND id = ?2', id, bytes(op)))
        found.push(...sql.all('SELECT rev FROM undo WHERE space = ?1 AND undone = ?2', id, bytes(op)))
      }
      const ofRecord = 'SELECT DISTINCT rev FROM change WHERE space = ?1 AND record = ?2'
      for (const record of records) found.push(...sql.all(ofRecord, id, bytes(record)))
      found.push(...sql.all('SELECT rev FROM op WHERE space = ?1 ORDER BY rev DESC LIMIT ?2', id, last))
      const revs = [...new Set(found.map((row) => Number(row.rev)))].sort((a, b) => a - b)
      return revs.map((rev) => ({ rev, set: JSON.parse(setText(sql, this.#path, id, rev)) as ChangeSet }))
    })
  }

  async traceAppend(space: string, session: string, lines: string[]): Promise<void> {
    if (lines.length === 0) return
    await this.#write((sql) => {
      const id = spaceId(sql, space)
      const grow = `INSERT INTO live_trace(space, session, lines, mined) VALUES (?1, ?2, ?3, 0)
                    ON CONFLICT DO UPDATE SET lines = lines + excluded.lines RETURNING id, lines`
      const trace = sql.first(grow, id, session, lines.length)
      const begin = Number(trace?.lines) - lines.length
      const add = 'INSERT INTO trace_line(trace, line, json) VALUES (?1, ?2, ?3)'
      lines.forEach((line, at) => sql.run(add, Number(trace?.id), begin + at, line))
    })
  }

  traceLoad(space: string, session: string | null): Promise<[string, string[]][]> {
    return this.#read((sql) => {
      const find = `SELECT id, session FROM live_trace
                    WHERE space = ?1 AND (session = ?2 OR (?2 IS NULL AND mined < lines)) ORDER BY session`
      const lines = 'SELECT json FROM trace_line WHERE trace = ?1 ORDER BY line'
      const traces = sql.all(find, headOf(sql, space).id, session)
      return traces.map((trace): [string, string[]] => [
        String(trace.session),
        sql.all(lines, Number(trace.id)).map((row) => String(row.json)),
      ])
    })
  }

  async traceMined(space: string, session: string, lines: number): Promise<void> {
    await this.#write((sql) => {
      const note = 'UPDATE live_trace SET mined = min(lines, max(mined, ?3)) WHERE space = ?1 AND session = ?2'
      sql.run(note, headOf(sql, space).id, session, lines)
    })
  }

  async traceDrop(space: string, session: string): Promise<void> {
    await this.#write((sql) => {
      const find = 'SELECT id FROM live_trace WHERE space = ?1 AND session = ?2 AND mined >= lines'
      for (const { id } of sql.all(find, headOf(sql, space).id, session)) {
        sql.run('DELETE FROM trace_line WHERE trace = ?1', Number(id))
        sql.run('DELETE FROM live_trace WHERE id = ?1', Number(id))
      }
    })
  }

  cacheGet(space: string, name: string, rev: number): Promise<Uint8Array | null> {
    return this.#cached(space, name, 'AND cache.rev = ?3', rev)
  }

  async cachePut(space: string, name: string, rev: number, index: Uint8Array): Promise<void> {
    await this.#write((sql) => putCache(sql, headOf(sql, space), name, rev, Buffer.from(index)))
  }

  async answerGet(space: string, key: string): Promise<string | null> {
    const kept = await this.#cached(space, ANSWER + key)
    return kept && new TextDecoder().decode(kept)
  }

  async answerPut(space: string, answers: [string, string][]): Promise<void> {
    if (answers.length === 0) return
    await this.#write((sql) => {
      const id = spaceId(sql, space)
      const { rev } = headOf(sql, space)
      const put = `INSERT INTO cache(space, name, rev, bytes) VALUES (?1, ?2, ?3, ?4)
                   ON CONFLICT DO UPDATE SET rev = excluded.rev, bytes = excluded.bytes`
      for (const [key, text] of answers) sql.run(put, id, ANSWER + key, rev, Buffer.from(text))
      const thin = `DELETE FROM cache WHERE space = ?1 AND name IN (
                        SELECT name FROM cache WHERE space = ?1 AND name >= ?2 AND name < ?2 || 'g'
                        ORDER BY rev DESC, name LIMIT -1 OFFSET ?3)`
      sql.run(thin, id, ANSWER, ANSWERS)
    })
  }

  spaces(): Promise<string[]> {
    return this.#read((sql) => sql.all('SELECT name FROM space ORDER BY name').map((row) => String(row.name)))
  }

  close(): void {
    this.#sql.close()
  }

  #cached(space: string, name: string, and = '', ...values: number[]): Promise<Uint8Array | null> {
    const find = `SELECT bytes FROM cache JOIN space ON space.id = cache.space
                  WHERE space.name = ?1 AND cache.name = ?2 ${and}`
    return attempt(this.#path, () => (this.#sql.first(find, space, name, ...values)?.bytes as Uint8Array) ?? null)
  }

  /** Reads at one moment. */
  #read<T>(work: (sql: Sql) => T): Promise<T> {
    return attempt(this.#path, () => this.#sql.within('BEGIN', () => work(this.#sql)))
  }

  /** Writes all or nothing, durable when it answers. */
  #write<T>(work: (sql: Sql) => T): Promise<T> {
    return attempt(this.#path, () => this.#sql.within('BEGIN IMMEDIATE', () => work(this.#sql)))
  }

  async #wipeNow(): Promise<void> {
    const ours = this.#pending()
    try {
      await this.#wipe((pending) => pending.some((one) => ours.includes(one)))
    } catch (cause) {
      const message =
        'the store failed: the records are forgotten and no answer will hold them again, but their bytes are not yet ' +
        `wiped from ${this.#path}. Close other programs that use it and do the same again, or just open it again`
      throw new HardwonError('host.store', message, { cause })
    }
  }

  /** Rebuilds the file from what is still there and cuts its log to nothing, where erasures wait for it. */
  async #wipe(isWanted: (pending: string[]) => boolean): Promise<void> {
    let rebuilt: string[] | undefined
    await attempt(this.#path, () => {
      const pending = this.#pending()
      if (pending.length === 0 || !isWanted(pending)) return
      if (!rebuilt) {
        this.#sql.exec('VACUUM')
        rebuilt = pending
      }
      const folded = this.#sql.first('PRAGMA wal_checkpoint(TRUNCATE)')
      if (folded?.busy !== 0) throw Object.assign(new Error('the log is in use'), { errcode: 5 })
      this.#sql.within('BEGIN IMMEDIATE', () => {
        for (const one of rebuilt ?? []) {
          this.#sql.run("DELETE FROM to_wipe WHERE space || ':' || rev = ?1", one)
        }
      })
    })
  }

  /** The erasures of which bytes may still be in the file. */
  #pending(): string[] {
    return this.#sql.all("SELECT space || ':' || rev AS one FROM to_wipe").map((row) => String(row.one))
  }
}

/** A store over a connection to the SQLite file at `path`. */
export function sqliteStoreOver(path: string, connection: Connection): Promise<Store> {
  return new SqliteStore(path, new Sql(connection)).prepare()
}

/** What the file is, without changing it. */
function formatOf(sql: Sql, path: string): 'none' | 'ours' {
  const [application, version, tables] = sql.within('BEGIN', () => [
    sql.number('PRAGMA application_id'),
    sql.number('PRAGMA user_version'),
    sql.number('SELECT count(*) FROM sqlite_schema'),
  ])
  if (application === APPLICATION_ID && version === FORMAT) return 'ours'
  if (application === APPLICATION_ID) {
    throw new HardwonError(
      'incompatible',
      `${path} has store format ${version} and this build of hardwon reads format ${FORMAT}. Nothing was changed; ` +
        'update hardwon, or export the store with the version that wrote it',
    )
  }
  if (application === 0 && version === 0 && tables === 0) return 'none'
  const what = `${path} is a database of another program. Nothing was changed; give another path`
  throw new HardwonError('host.store', `the store failed: ${what}`)
}

/** Makes the tables, unless another process was first. Format and tables appear together. */
function create(sql: Sql, path: string): void {
  writeAhead(sql, path)
  sql.exec(SETTINGS)
  sql.within('BEGIN IMMEDIATE', () => {
    if (sql.number('SELECT count(*) FROM sqlite_schema') > 0) return
    sql.exec(TABLES)
    sql.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}`)
  })
}

function writeAhead(sql: Sql, path: string): void {
  if (sql.first('PRAGMA journal_mode = WAL')?.journal_mode === 'wal') return
  const what = `${path} lies where programs cannot share a file (a network folder?); put it on a local disk`
  throw new HardwonError('host.store', `the store failed: ${what}`)
}

/** The number of a space, which is made where it is new. */
function spaceId(sql: Sql, space: string): number {
  sql.run('INSERT INTO space(name, rev, horizon) VALUES (?1, 0, 0) ON CONFLICT DO NOTHING', space)
  return headOf(sql, space).id
}

function keep(sql: Sql, id: number, rev: number, { set, rows }: Commit, gone: Set<string>): void {
  const head = JSON.stringify({ ...set, changes: [] })
  sql.run('INSERT INTO op(space, rev, id, head) VALUES (?1, ?2, ?3, ?4)', id, rev, bytes(set.op_id), head)
  const undo = 'INSERT OR IGNORE INTO undo(space, undone, rev) VALUES (?1, ?2, ?3)'
  for (const undone of set.undoes ?? []) sql.run(undo, id, bytes(undone), rev)
  set.changes.forEach((change, seq) => keepChange(sql, id, rev, seq, change))
  for (const row of rows) {
    if (row.record) keepRecord(sql, id, row.record)
    // What is erased stays until its evidence has been followed.
    else if (!gone.has(row.id)) dropRecord(sql, id, row.id)
  }
  const mark = `INSERT INTO run(space, session, json) VALUES (?1, ?2, ?3)
                ON CONFLICT DO UPDATE SET json = excluded.json`
  for (const run of set.runs ?? []) sql.run(mark, id, run.session_id, JSON.stringify(run))
  const bury = 'INSERT INTO tombstone(space, rev, seq, json) VALUES (?1, ?2, ?3, ?4)'
  ;(set.tombstones ?? []).forEach((tombstone, seq) => sql.run(bury, id, rev, seq, JSON.stringify(tombstone)))
}

function keepChange(sql: Sql, id: number, rev: number, seq: number, { record, delta }: Change): void {
  let [text, vector]: [string, Buffer | null] = [JSON.stringify(delta), null]
  if (delta.vector) {
    vector = bytes(delta.vector.vector)
    text = JSON.stringify({ vector: { embedder: delta.vector.embedder, vector: '' } })
    const put = `INSERT INTO vector(space, record, embedder, bytes) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET bytes = excluded.bytes`
    sql.run(put, id, bytes(record), delta.vector.embedder, vector)
  }
  const add = 'INSERT INTO change(space, rev, seq, record, delta, vector) VALUES (?1, ?2, ?3, ?4, ?5, ?6)'
  sql.run(add, id, rev, seq, bytes(record), text, vector)
}

function keepRecord(sql: Sql, id: number, record: MemoryRecord): void {
  const put = `INSERT INTO record(space, id, json) VALUES (?1, ?2, ?3)
               ON CONFLICT(space, id) DO UPDATE SET json = excluded.json`
  sql.run(put, id, bytes(record.id), JSON.stringify(record))
}

function dropRecord(sql: Sql, id: number, record: string): void {
  sql.run('DELETE FROM record WHERE space = ?1 AND id = ?2', id, bytes(record))
  sql.run('DELETE FROM vector WHERE space = ?1 AND record = ?2', id, bytes(record))
}
