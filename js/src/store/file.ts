// Where the SQLite file is, and with which driver it is opened.
//
// Decides the path by the order of the command, and takes `node:sqlite`, else `better-sqlite3`.

import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

import { HardwonError, messageOf } from '../error.js'
import type { Connection } from './sql.js'
import { sqliteStoreOver } from './sqlite.js'
import type { Store } from './store.js'

export interface SqliteOptions {
  /**
   * The store: its directory, or the SQLite file itself (a file, or a name in `.db` or `.sqlite`). Where it is not
   * given: `HARDWON_STORE`, else the nearest `.hardwon` here or above, else `.hardwon` here.
   */
  path?: string
}

const DIRECTORY = '.hardwon'
const FILE = 'memory.db'

/** A store in the SQLite file that the command and every other binding share. */
export async function sqliteStore(options: SqliteOptions = {}): Promise<Store> {
  const file = storeFile(options)
  make(file)
  return sqliteStoreOver(file, await connect(file))
}

/** The file of the store that these options name. */
export function storeFile({ path }: SqliteOptions): string {
  return fileOf(resolve(path || process.env.HARDWON_STORE || nearest(process.cwd())))
}

function nearest(here: string): string {
  for (let folder = here; ; folder = dirname(folder)) {
    const found = join(folder, DIRECTORY)
    if (isDirectory(found)) return found
    if (folder === dirname(folder)) return join(here, DIRECTORY)
  }
}

function fileOf(path: string): string {
  const isNamedAsFile = /\.(db|sqlite)$/.test(path) && !isDirectory(path)
  return isNamedAsFile || (existsSync(path) && statSync(path).isFile()) ? path : join(path, FILE)
}

function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/** Makes the file where there is none, for its owner alone: what agents did is nobody else's business. */
function make(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    closeSync(openSync(file, 'a', 0o600))
  } catch (cause) {
    throw new HardwonError('host.store', `the store failed: ${file} cannot be made (${messageOf(cause)})`, { cause })
  }
}

type Constructor = new (file: string) => Connection

async function connect(file: string): Promise<Connection> {
  const Database = (await nodeSqlite()) ?? betterSqlite()
  if (Database) return new Database(file)
  throw new HardwonError(
    'host.store',
    'the store failed: this runtime has no SQLite; use Node 22.13 or newer, or `npm install better-sqlite3`, or pass ' +
      '`store: memoryStore()` to go on without keeping anything',
  )
}

async function nodeSqlite(): Promise<Constructor | undefined> {
  try {
    // Put together so that a bundler leaves it alone: older runtimes do not have it.
    const name = ['node', 'sqlite'].join(':')
    return ((await import(name)) as { DatabaseSync: Constructor }).DatabaseSync
  } catch {
    return undefined
  }
}

function betterSqlite(): Constructor | undefined {
  try {
    const Database = createRequire(import.meta.url)('better-sqlite3') as Constructor
    // It may be installed without what its compiler would have made.
    new Database(':memory:').close()
    return Database
  } catch {
    return undefined
  }
}
