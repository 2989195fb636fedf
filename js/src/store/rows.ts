// Rows of the IndexedDB store: a transaction with its object stores by name, and what stands in the rows that several
// files read.
//
// Decides nothing. Every answer is that of a request of the transaction: awaiting it keeps the transaction alive.

import { answer } from './idb.js'

/** Where a space stands. */
export interface Head {
  rev: number
  horizon: number
}

export interface OpRow {
  space: string
  id: string
  head: string
}

export interface ChangeRow {
  space: string
  record: string
  delta: string
}

/** Every key that begins with these parts. */
export function under(...parts: IDBValidKey[]): IDBKeyRange {
  return IDBKeyRange.bound(parts, [...parts, []])
}

/** A transaction with its stores by name. */
export class Rows {
  readonly #transaction: IDBTransaction

  constructor(transaction: IDBTransaction) {
    this.#transaction = transaction
  }

  get<T>(store: string, key: IDBValidKey): Promise<T | undefined> {
    return answer(this.#of(store).get(key)) as Promise<T | undefined>
  }

  all<T>(store: string, ...parts: IDBValidKey[]): Promise<T[]> {
    return answer(this.#of(store).getAll(under(...parts))) as Promise<T[]>
  }

  keys(store: string, ...parts: IDBValidKey[]): Promise<IDBValidKey[][]> {
    return answer(this.#of(store).getAllKeys(under(...parts))) as Promise<IDBValidKey[][]>
  }

  /** Rows with their keys. */
  async entries<T>(store: string, ...parts: IDBValidKey[]): Promise<[IDBValidKey[], T][]> {
    const [keys, rows] = await Promise.all([this.keys(store, ...parts), this.all<T>(store, ...parts)])
    return keys.map((key, at) => [key, rows[at] as T])
  }

  /** Rows of the log of a space after this revision. */
  after<T>(store: 'op' | 'change', space: string, rev: number): Promise<T[]> {
    return answer(this.#of(store).getAll(IDBKeyRange.bound([space, rev + 1], [space, []]))) as Promise<T[]>
  }

  /** How many rows there are under these parts. */
  count(store: string, ...parts: IDBValidKey[]): Promise<number> {
    return answer(this.#of(store).count(under(...parts)))
  }

  allKeys(store: string): Promise<IDBValidKey[]> {
    return answer(this.#of(store).getAllKeys())
  }

  /** Keys of rows that an index finds. */
  keysBy(store: string, index: string, ...parts: IDBValidKey[]): Promise<IDBValidKey[][]> {
    const range = IDBKeyRange.only(parts)
    return answer(this.#of(store).index(index).getAllKeys(range)) as Promise<IDBValidKey[][]>
  }

  put(store: string, key: IDBValidKey, row: unknown): void {
    this.#of(store).put(row, key)
  }

  add(store: string, key: IDBValidKey, row: unknown): void {
    this.#of(store).add(row, key)
  }

  drop(store: string, key: IDBValidKey | IDBKeyRange): void {
    this.#of(store).delete(key)
  }

  #of(store: string): IDBObjectStore {
    return this.#transaction.objectStore(store)
  }
}

/** Where a space stands; one that is not there stands at 0. */
export async function head(rows: Rows, space: string): Promise<Head> {
  return (await rows.get<Head>('space', space)) ?? { rev: 0, horizon: 0 }
}
