// The corpus of the Rust benchmarks (benches/src/corpus.rs): lesson-like records made by a fixed generator.

const VERBS =
  'check pass create restart quote pin lock sort close flush retry validate mount escape rebuild trim'.split(' ')
const THINGS = (
  'schema branch directory token header index worker cache socket migration fixture payload manifest cursor replica ' +
  'snapshot container queue certificate archive session pipeline renderer compiler linter bucket tenant gateway shard ' +
  'ledger sprite volume'
).split(' ')
const REASONS = [
  'it is not created for you',
  'the default is too small',
  'names are case sensitive',
  'the remote rejects it',
  'the id must come from the list',
  'a stale copy is served otherwise',
  'the order is not kept',
  'two writers race for it',
  'the flag was renamed',
  'the path is relative',
  'empty values are dropped',
  'the port is taken',
  'the file is locked',
  'time zones differ',
  'the limit is per user',
  'it needs a restart',
]
const MASK = (1n << 64n) - 1n

function mix(x) {
  const y = ((x ^ (x >> 31n)) * 0x9e3779b97f4a7c15n) & MASK
  return ((y ^ (y >> 29n)) * 0xbf58476d1ce4e5b9n) & MASK
}

/** The text of record `n`. */
export function text(n) {
  let state = mix(BigInt(n) + 1n)
  const pick = (list) => list[Number((state = mix(state)) >> 33n) % list.length]
  const [verb, first, second, reason] = [pick(VERBS), pick(THINGS), pick(THINGS), pick(REASONS)]
  return `${verb} the ${first} before the ${second} step ${n % 997}: ${reason}`
}

/** A query near some record. */
export function query(n) {
  const words = text((n * 7919) % 10_007).split(' ')
  return words.filter((_, at) => at % 3 !== 1).join(' ')
}

/** Record `n`. */
export function record(n) {
  const hex = (value) => value.toString(16).padStart(16, '0')
  const at = new Date(1_790_000_000_000 + n).toISOString()
  return {
    id: hex(mix(BigInt(n))) + hex(BigInt(n)),
    kind: 'lesson',
    subtype: 'taught',
    text: text(n),
    key: `bench ${n}`,
    tools: [`tool_${n % 40}`],
    status: 'active',
    tier: 'tactical',
    pin: 'none',
    source: 'user',
    confidence: 1_000_000,
    created_at: at,
    updated_at: at,
    last_confirmed_at: at,
    version: 0,
  }
}

/** Records `0` to `n`. */
export const records = (n) => Array.from({ length: n }, (_, at) => record(at))
