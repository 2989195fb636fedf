// The file form of an export: JSON Lines, as the command writes and reads it (docs/format.md).

import { HardwonError, messageOf } from './error.js'
import type { Exported, MemoryRecord, StoredVector } from './types.js'

const FORMAT = 'hardwon-export'
const VERSION = 1

/** An export as a file. */
export function writeExport({ records, vectors }: Exported, space = 'default'): string {
  const byRecord = grouped(vectors)
  const lines = records.map((record) => ({ record, vectors: byRecord.get(record.id) ?? [] }))
  const header = { format: FORMAT, records: records.length, space, version: VERSION }
  return [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** What an export file holds, for `importRecords`: all of it, or an error where it is cut or damaged. */
export function readExport(text: string): Exported {
  const [first, ...rest] = text.split('\n').map((line, at) => [line, at + 1] as const)
  const { format, version, records: announced } = parse(...first!) as { [field: string]: unknown }
  if (format !== FORMAT) throw bad(1, 'it is not the header of an export')
  if (typeof version !== 'number' || version > VERSION) {
    const message = `the export has layout ${version}, and this build reads up to ${VERSION}; update hardwon`
    throw new HardwonError('incompatible', message)
  }
  const lines = rest.filter(([line]) => line.trim() !== '').map(([line, at]) => heldIn(parse(line, at), at))
  if (lines.length !== announced) throw bad(1, `it announces ${announced} records and ${lines.length} follow`)
  return { records: lines.map((one) => one.record), vectors: lines.flatMap((one) => one.vectors ?? []) }
}

interface Held {
  record: MemoryRecord
  vectors?: StoredVector[]
}

function heldIn(line: { [field: string]: unknown }, at: number): Held {
  const { record, vectors = [] } = line
  if (!isObject(record) || !Array.isArray(vectors)) throw bad(at, 'it is not a record with its vectors')
  return line as unknown as Held
}

function parse(line: string, at: number): { [field: string]: unknown } {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw bad(at, messageOf(cause), cause)
  }
  if (!isObject(value)) throw bad(at, 'it is no object')
  return value
}

function isObject(value: unknown): value is { [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function bad(line: number, what: string, cause?: unknown): HardwonError {
  return new HardwonError('invalid.export', `the export, line ${line}: ${what}`, { cause })
}

function grouped(vectors: StoredVector[]): Map<string, StoredVector[]> {
  const groups = new Map<string, StoredVector[]>()
  for (const one of vectors) groups.set(one.record, [...(groups.get(one.record) ?? []), one])
  return groups
}
