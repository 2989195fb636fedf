// What every store of this package does alike: which commits it refuses, and what an erasure reaches.
//
// Decides nothing about records. The same rules stand in core/src/store/rules.rs.

import { HardwonError } from '../error.js'
import type { Evidence, MemoryRecord } from '../types.js'
import type { ChangeSet, Commit, Delta, Member, RunMark } from './store.js'

/** The name of an image among the caches. */
export const IMAGE = 'image'

/** From how many records on reading all of them is quicker than reading them one by one. */
export const MANY = 256

/** The most answers of a model that a space keeps. */
export const ANSWERS = 4096

/** Refuses a commit whose rows do not follow from its changes: one row for each record changed, and no other. */
export function check(commit: Commit): void {
  const gone = erased(commit.set)
  const waiting = new Set(commit.set.changes.map((change) => change.record))
  for (const row of commit.rows) {
    const sameId = row.record === null || row.record.id === row.id
    const stays = row.record !== null && gone.has(row.id)
    if (!sameId || stays || !waiting.delete(row.id)) {
      throw new HardwonError('protocol', `the row of record ${row.id} does not follow from a change`)
    }
  }
  for (const id of waiting) throw new HardwonError('protocol', `record ${id} is changed but has no row`)
}

/** The records that a change set erases. */
export function erased(set: ChangeSet): Set<string> {
  return new Set((set.tombstones ?? []).map((tombstone) => tombstone.record))
}

/** Whether a reader at `since` can be told the changes alone. */
export function canFollow(since: number, horizon: number, rev: number): boolean {
  return since > 0 && since >= horizon && since <= rev
}

/** Whether an index saved at `saved` may be kept. */
export function mayCache(saved: number, horizon: number, rev: number): boolean {
  return saved > 0 && saved >= horizon && saved <= rev
}

/** What tells of erased records outside their own rows: the sessions that showed them, and words a reason may quote. */
export class Remains {
  readonly sessions = new Set<string>()
  readonly #words = new Set<string>()

  addRecord(record: MemoryRecord): void {
    const texts = [...(record.variants ?? []), ...(record.rewordings ?? [])].map((one) => one.text)
    for (const one of record.supports ?? []) texts.push(one.quote ?? '')
    for (const word of [record.id, record.text, ...(record.situations ?? []), ...texts]) this.#words.add(word)
    for (const one of record.evidence ?? []) this.#addEvidence(one)
  }

  addDelta(delta: Delta): void {
    const record = delta.create ?? delta.remove
    if (record) this.addRecord(record)
    const member = delta.add ?? delta.drop
    if (member) this.#addMember(member)
    for (const scalar of delta.set ? [delta.set.before, delta.set.after] : []) {
      if (typeof scalar.text === 'string') this.#words.add(scalar.text)
    }
  }

  /** Keeps the sessions that a record which stays names too. */
  spareRecord(record: MemoryRecord): void {
    for (const one of record.evidence ?? []) this.#spareEvidence(one)
  }

  spareDelta(delta: Delta): void {
    const record = delta.create ?? delta.remove
    if (record) this.spareRecord(record)
    const evidence = (delta.add ?? delta.drop)?.evidence
    if (evidence) this.#spareEvidence(evidence)
  }

  /** Whether a mark is of a session that nothing but erased records named. */
  reaches(mark: RunMark): boolean {
    return this.sessions.has(mark.session_id) || this.sessions.has(mark.root_run_id)
  }

  /**
   * Takes out of an operation's head what tells of the erased records; answers whether anything did. Where the
   * operation `touched` them, its reason goes, and who did it too once it has no other change.
   */
  clean(head: ChangeSet, touched: boolean, emptied: boolean): boolean {
    const reason = head.reason ?? ''
    const all = head.runs ?? []
    const runs = all.filter((mark) => !this.reaches(mark))
    const clears = reason !== '' && (touched || this.#isQuotedIn(reason))
    const hides = touched && emptied && (head.actor ?? '') !== ''
    if (clears) delete head.reason
    if (hides) delete head.actor
    if (runs.length > 0) head.runs = runs
    else delete head.runs
    return clears || hides || runs.length < all.length
  }

  #isQuotedIn(reason: string): boolean {
    return [...this.#words, ...this.sessions].some((word) => quotes(reason, word))
  }

  #addMember(member: Member): void {
    if (member.evidence) this.#addEvidence(member.evidence)
    const text = member.situation ?? member.variant?.text ?? member.rewording?.text ?? member.support?.quote
    if (text !== undefined) this.#words.add(text)
  }

  #addEvidence(one: Evidence): void {
    this.sessions.add(one.session_id)
    this.sessions.add(one.root_run_id)
    this.#words.add(one.event_id)
  }

  #spareEvidence(one: Evidence): void {
    this.sessions.delete(one.session_id)
    this.sessions.delete(one.root_run_id)
  }
}

const LAST_IS_WORD = /[\p{Alphabetic}\p{N}]$/u
const FIRST_IS_WORD = /^[\p{Alphabetic}\p{N}]/u

/** Whether a text holds the word, as a whole word. */
export function quotes(text: string, word: string): boolean {
  if (word === '') return false
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    const end = at + word.length
    const before = text.slice(Math.max(0, at - 2), at)
    const after = text.slice(end, end + 2)
    if (!LAST_IS_WORD.test(before) && !FIRST_IS_WORD.test(after)) return true
  }
  return false
}
