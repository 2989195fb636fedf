// IndexedDB behind promises: a connection that comes back, and transactions that await nothing foreign.
//
// Decides when a connection is given up and how a failure is told. Knows nothing of memory.

import { HardwonError, messageOf } from '../error.js'
import { PATIENCE_MS } from '../patience.js'

/** The answer to a request. Awaiting nothing but these keeps a transaction alive. */
export function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** A database that is opened when it is first used, and again after another page has made it close. */
export class Database {
  readonly name: string
  readonly #version: number
  readonly #build: (db: IDBDatabase) => void
  #opened: Promise<IDBDatabase> | undefined
  #isClosed = false

  constructor(name: string, version: number, build: (db: IDBDatabase) => void) {
    this.name = name
    this.#version = version
    this.#build = build
  }

  open(): Promise<IDBDatabase> {
    if (this.#isClosed) return Promise.reject(new HardwonError('host.store', `the store "${this.name}" is closed`))
    this.#opened ??= this.#connect().catch((cause) => {
      this.#opened = undefined
      throw cause
    })
    return this.#opened
  }

  /**
   * Runs `work` in one transaction, and answers once that is durable where it writes. `work` awaits nothing but
   * requests of the transaction; where it throws, nothing is changed.
   */
  async run<T>(
    mode: 'readonly' | 'readwrite',
    stores: string[],
    work: (transaction: IDBTransaction) => Promise<T>,
  ): Promise<T> {
    const transaction = await this.#begin(mode, stores)
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
    })
    ended.catch(() => undefined)
    let result: T
    try {
      result = await work(transaction)
    } catch (cause) {
      try {
        transaction.abort()
      } catch {
        // It has ended by itself.
      }
      // Why it ended says more than that a request of it failed.
      const why = await ended.then(
        () => undefined,
        (why: unknown) => why,
      )
      throw this.#told(cause instanceof HardwonError ? cause : transaction.error ? why : cause)
    }
    // What was read stands, however the transaction ends.
    if (mode === 'readonly') return result
    await ended.catch((cause) => {
      throw this.#told(cause)
    })
    return result
  }

  async close(): Promise<void> {
    const opened = this.#opened
    this.#isClosed = true
    this.#opened = undefined
    await opened?.then(
      (db) => db.close(),
      () => undefined,
    )
  }

  async #begin(mode: 'readonly' | 'readwrite', stores: string[]): Promise<IDBTransaction> {
    // Strict: an answer to a commit outlives a crash of the machine.
    const options = mode === 'readwrite' ? { durability: 'strict' as const } : {}
    try {
      return (await this.open()).transaction(stores, mode, options)
    } catch (cause) {
      if (cause instanceof HardwonError) throw cause
      // The connection was closed under us: by another page's newer version, or with the site's data.
      this.#opened = undefined
      try {
        return (await this.open()).transaction(stores, mode, options)
      } catch (again) {
        throw this.#told(again)
      }
    }
  }

  #connect(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      let request: IDBOpenDBRequest
      try {
        request = indexedDB.open(this.name, this.#version)
      } catch (cause) {
        return reject(absent(cause))
      }
      let isLate = false
      // Blocked by a page that holds an older version, or behind one that is in the way of a deletion.
      const waited = setTimeout(() => {
        isLate = true
        const message = `another page of this site holds "${this.name}" open and does not let go; close or reload it`
        reject(new HardwonError('host.store', `the store failed: ${message}`))
      }, PATIENCE_MS)
      request.onupgradeneeded = () => {
        if (isLate) request.transaction?.abort()
        else this.#build(request.result)
      }
      request.onerror = () => {
        clearTimeout(waited)
        reject(request.error?.name === 'VersionError' ? newer(this.name) : absent(request.error))
      }
      request.onsuccess = () => {
        clearTimeout(waited)
        const db = request.result
        if (isLate) return db.close()
        // Another page wants a newer version or deletes the database: who does not close is in its way for ever.
        db.onversionchange = () => this.#letGo(db)
        db.onclose = () => this.#letGo(db)
        resolve(db)
      }
    })
  }

  #letGo(db: IDBDatabase): void {
    db.close()
    this.#opened = undefined
  }

  #told(cause: unknown): unknown {
    if (cause instanceof HardwonError) return cause
    const name = (cause as DOMException | null)?.name
    const what =
      name === 'QuotaExceededError'
        ? 'the browser gives this site no more space. Nothing was changed; free some, or forget records, and try again'
        : `${messageOf(cause)}. Nothing was changed`
    return new HardwonError('host.store', `the store failed: IndexedDB "${this.name}": ${what}`, { cause })
  }
}

function newer(name: string): HardwonError {
  return new HardwonError(
    'incompatible',
    `IndexedDB "${name}" is of a newer format than this build of hardwon reads. Nothing was changed; reload the page, ` +
      'or update hardwon',
  )
}

/** Whether this is an extension's script in somebody else's page. */
export function isContentScript(): boolean {
  const { chrome, location } = globalThis as {
    chrome?: { runtime?: { id?: string } }
    location?: { protocol?: string }
  }
  return chrome?.runtime?.id !== undefined && !/extension:$/.test(location?.protocol ?? '')
}

/** Told where a browser gives no IndexedDB, as some do in private windows. */
export function absent(cause: unknown): HardwonError {
  return new HardwonError(
    'host.store',
    `the store failed: this browser gives no IndexedDB here (${messageOf(cause)}); a private window may be why. ` +
      'Pass `store: memoryStore()` to go on without keeping anything',
    { cause },
  )
}
