// Runs tests/contract/store.jsonl against any store of the package, in any runtime.
//
// Decides whether an answer equals the expected one. Never knows which store it talks to.

/** Runs every case on a store that `fresh` makes; `between` may close and reopen it after each step. */
export async function runContract(script, fresh, between = (store) => store) {
  const names = {}
  const problems = []
  let [cases, steps, name] = [0, 0, '']
  let store = await fresh()
  for (const line of script.split('\n').filter(Boolean)) {
    const { let: values, case: next, call, expect } = JSON.parse(line)
    if (values) {
      for (const [key, value] of Object.entries(values)) names[key] = filledIn(value, names)
    } else if (next) {
      await store.close?.()
      store = await fresh()
      name = next
      cases += 1
    } else {
      const [said, wanted] = [await answer(store, filledIn(call, names)), filledIn(expect, names)]
      if (plain(said) !== plain(wanted)) {
        problems.push(`${name}\n  call     ${plain(call)}\n  expected ${plain(wanted)}\n  got      ${plain(said)}`)
      }
      store = await between(store)
      steps += 1
    }
  }
  await store.close?.()
  return { cases, steps, problems }
}

async function answer(store, call) {
  const [[method, given]] = Object.entries(call)
  const { space } = given
  const done = () => 'done'
  const calls = {
    load: async () => parsed(await store.load(space, given.since)),
    commit: () => store.commit(space, structuredClone(given.commit)),
    log: () => store.log(space, given.query),
    trace_append: async () => done(await store.traceAppend(space, given.session_id, given.lines)),
    trace_load: () => store.traceLoad(space, given.session_id),
    trace_mined: async () => done(await store.traceMined(space, given.session_id, given.lines)),
    trace_drop: async () => done(await store.traceDrop(space, given.session_id)),
    cache_get: async () => hex(await store.cacheGet(space, given.name, given.rev)),
    cache_put: async () => done(await store.cachePut(space, given.name, given.rev, unhex(given.bytes))),
    answer_get: () => store.answerGet(space, given.key),
    answer_put: async () => done(await store.answerPut(space, given.answers)),
    spaces: () => store.spaces(),
  }
  try {
    return await calls[method]()
  } catch (error) {
    if (typeof error.code !== 'string') throw error
    return { error: error.code }
  }
}

function filledIn(value, names) {
  if (typeof value === 'string' && value.startsWith('$')) return names[value.slice(1)]
  if (Array.isArray(value)) return value.map((one) => filledIn(one, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filledIn(one, names)]))
}

// Keys sorted, and nothing that says nothing: such fields may be left out.
function plain(value) {
  const says = ([, one]) => one !== undefined && !(Array.isArray(one) && one.length === 0) && one !== ''
  const sorted = (_, one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(
          Object.entries(one)
            .filter(says)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : one
  return JSON.stringify(value, sorted)
}

const parsed = (value) => (typeof value === 'string' ? JSON.parse(value) : value)
const hex = (bytes) => bytes && Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16))
