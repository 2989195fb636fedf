// Files of the package kept in IndexedDB: who opens again has them in a quarter of the time that HTTP's cache takes.
//
// Decides nothing and promises nothing: a file is found by the hash of its bytes, and where anything fails it is
// fetched as ever. Memory is in other databases; these may be deleted at any time.

import { Database, answer, isContentScript } from './store/idb.js'

const STORE = 'table'

/** A place for files that are fetched once. */
export class Shelf {
  readonly #db = new Database('hardwon-tables', 1, (db) => void db.createObjectStore(STORE))

  /** The bytes of a file with this hash. */
  async get(file: string, hash: string): Promise<Uint8Array | undefined> {
    if (typeof indexedDB === 'undefined' || isContentScript()) return undefined
    try {
      const kept = await this.#db.run('readonly', [STORE], (transaction) =>
        answer(transaction.objectStore(STORE).get([file, hash]) as IDBRequest<Blob | undefined>),
      )
      return kept && new Uint8Array(await kept.arrayBuffer())
    } catch {
      return undefined
    }
  }

  /** Keeps a file; others of its name go. */
  async put(file: string, hash: string, bytes: Uint8Array): Promise<void> {
    if (typeof indexedDB === 'undefined' || isContentScript()) return
    try {
      const blob = new Blob([bytes as BlobPart])
      await this.#db.run('readwrite', [STORE], async (transaction) => {
        const store = transaction.objectStore(STORE)
        store.delete(IDBKeyRange.bound([file], [file, []]))
        await answer(store.put(blob, [file, hash]))
      })
    } catch {
      // It is fetched again next time.
    }
  }
}
