// SQLite in JavaScript: the part of `node:sqlite` and `better-sqlite3` that both have, and what goes wrong with a file.
//
// Decides which failures are worth another try. Knows nothing of memory.

import { HardwonError, messageOf } from '../error.js'
import { PATIENCE_MS, contended } from '../patience.js'

/** A value of a row. */
export type Cell = string | number | Uint8Array | null
export type Row = { [column: string]: Cell }

/** A compiled statement. */
export interface Statement {
  run(...values: Cell[]): unknown
  get(...values: Cell[]): unknown
  all(...values: Cell[]): unknown[]
}

interface Prepared {
  statement: Statement
  /** Which value goes to which place. */
  order: number[]
}

/** A connection, as `node:sqlite` and `better-sqlite3` make it. */
export interface Connection {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): void
}

const LONGEST_WAIT_MS = 8

/** A connection whose statements stay compiled. */
export class Sql {
  readonly #connection: Connection
  readonly #statements = new Map<string, Prepared>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  exec(sql: string): void {
    this.#connection.exec(sql)
  }

  run(sql: string, ...values: Cell[]): void {
    const { statement, order } = this.#prepared(sql)
    statement.run(...order.map((at) => values[at] as Cell))
  }

  all(sql: string, ...values: Cell[]): Row[] {
    const { statement, order } = this.#prepared(sql)
    return statement.all(...order.map((at) => values[at] as Cell)) as Row[]
  }

  first(sql: string, ...values: Cell[]): Row | undefined {
    const { statement, order } = this.#prepared(sql)
    return (statement.get(...order.map((at) => values[at] as Cell)) as Row | null | undefined) ?? undefined
  }

  /** The first column of the first row, as a number. */
  number(sql: string, ...values: Cell[]): number {
    return Number(Object.values(this.first(sql, ...values) ?? {})[0])
  }

  /** Runs `work` all or nothing. */
  within<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
    this.exec(begin)
    try {
      const result = work()
      this.exec('COMMIT')
      return result
    } catch (cause) {
      try {
        this.exec('ROLLBACK')
      } catch {
        // What failed is what is told; SQLite has mostly rolled back already.
      }
      throw cause
    }
  }

  close(): void {
    this.#statements.clear()
    this.#connection.close()
  }

  /** Parameters are numbered; the drivers know only those in order. */
  #prepared(sql: string): Prepared {
    let prepared = this.#statements.get(sql)
    if (!prepared) {
      const order = [...sql.matchAll(/\?(\d)/g)].map(([, number]) => Number(number) - 1)
      prepared = { statement: this.#connection.prepare(sql.replace(/\?\d/g, '?')), order }
      this.#statements.set(sql, prepared)
    }
    return prepared
  }
}

/** The bytes of hexadecimal digits. */
export function bytes(digits: string): Buffer {
  return Buffer.from(digits, 'hex')
}

/** The hexadecimal digits of bytes. */
export function hex(cell: Cell | undefined): string {
  return Buffer.from(cell as Uint8Array).toString('hex')
}

/** Tries until the file is free or patience ends. */
export async function attempt<T>(path: string, work: () => T): Promise<T> {
  const began = Date.now()
  for (let wait = 0.5; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return work()
    } catch (cause) {
      if (!isBusy(cause)) throw told(path, cause)
      const waited = Date.now() - began
      if (waited >= PATIENCE_MS) throw contended(waited)
    }
    await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random() / 2)))
  }
}

/** SQLite's primary result code. */
function resultCode(cause: unknown): number {
  const { errcode, code } = (cause ?? {}) as { errcode?: number; code?: string }
  if (typeof errcode === 'number') return errcode & 0xff
  const names: [string, number][] = [
    ['SQLITE_BUSY', 5],
    ['SQLITE_LOCKED', 6],
    ['SQLITE_PROTOCOL', 15],
    ['SQLITE_FULL', 13],
    ['SQLITE_READONLY', 8],
    ['SQLITE_CANTOPEN', 14],
    ['SQLITE_NOTADB', 26],
    ['SQLITE_IOERR', 10],
    ['SQLITE_CORRUPT', 11],
  ]
  return names.find(([name]) => code?.startsWith(name))?.[1] ?? 0
}

/** Whether somebody else is in the way. */
export function isBusy(cause: unknown): boolean {
  return [5, 6, 15].includes(resultCode(cause))
}

/** A failure of the file, in words that say what happened and what to do. */
export function told(path: string, cause: unknown): unknown {
  if (cause instanceof HardwonError) return cause
  const host = (what: string) => new HardwonError('host.store', `the store failed: ${path} ${what}`, { cause })
  switch (resultCode(cause)) {
    case 13:
      return host('could not grow: the disk or quota is full. Nothing was changed; free some space and try again')
    case 8:
      return host('cannot be written: the file or its folder is read-only for you. Nothing was changed')
    case 14:
      return host('cannot be opened: see that its folder exists and that you may write both')
    case 26:
      return host('is not a hardwon store, or its first page is damaged. Nothing was changed; give another path')
    case 10:
      return host(`could not be read or written (${messageOf(cause)}). Nothing was changed; check the disk`)
    case 0:
      return cause
    default: {
      const what = `${path} is not as it was written (${messageOf(cause)}). Nothing was changed; run \`hardwon doctor\``
      return new HardwonError('corrupt', `the store is damaged: ${what}`, { cause })
    }
  }
}
