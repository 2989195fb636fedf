// The file form of an export: JSON Lines, as the command writes and reads it (docs/format.md).

import { HardwonError } from './error.js'
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

/** What an export file holds, for `importRecords`. */
export function readExport(text: string): Exported {
  const [header, ...lines] = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parse)
  const { format, version } = (header ?? {}) as { format?: string; version?: number }
  if (format !== FORMAT) throw new HardwonError('invalid.json', 'this is no export of hardwon')
  if (version !== VERSION) {
    throw new HardwonError('incompatible', `the export has version ${version}, and this build reads ${VERSION}`)
  }
  const held = lines as { record: MemoryRecord; vectors?: StoredVector[] }[]
  return { records: held.map((one) => one.record), vectors: held.flatMap((one) => one.vectors ?? []) }
}

function parse(line: string, at: number): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new HardwonError('invalid.json', `line ${at + 1} of the export is no JSON`, { cause })
  }
}

function grouped(vectors: StoredVector[]): Map<string, StoredVector[]> {
  const groups = new Map<string, StoredVector[]>()
  for (const one of vectors) groups.set(one.record, [...(groups.get(one.record) ?? []), one])
  return groups
}
