// What a store's images must hold to, on any host: answers are those of a memory that was opened without one.

import { query, records } from './corpus.mjs'

const MANY = 200

/** A store that counts what is read of it; `images: false` hides its images. */
function watched(store, { images = true } = {}) {
  const seen = { loads: 0, onImage: 0, records: 0 }
  const keeper = {
    load: async (space) => {
      const found = await store.images.load(space)
      if (found) seen.onImage += 1
      return found
    },
    records: (space, rev, ids) => ((seen.records += ids.length), store.images.records(space, rev, ids)),
    keep: (...args) => store.images.keep(...args),
  }
  const counting = Object.create(store, {
    load: { value: (...args) => ((seen.loads += args[1] === 0 ? 1 : 0), store.load(...args)) },
    images: { value: images ? keeper : undefined },
  })
  for (const name of ['commit', 'log', 'answerGet', 'answerPut', 'traceLoad', 'traceAppend', 'traceMined', 'traceDrop'])
    Object.defineProperty(counting, name, { value: (...args) => store[name](...args) })
  return { store: counting, seen }
}

/** Plays it all; answers with what did not hold. `fresh` opens the store again, over the same data. */
export async function playImage({ open }, fresh, options = {}) {
  const wrong = []
  const check = (holds, what) => holds || wrong.push(what)
  const using = async (work, hiding) => {
    const { store, seen } = watched(await fresh(), hiding)
    const memory = await open({ ...options, store })
    try {
      return await work(memory, seen)
    } finally {
      await memory.close()
      await Object.getPrototypeOf(store).close?.()
    }
  }
  const answers = async (memory) => {
    const found = []
    for (let n = 0; n < 20; n += 1) found.push((await memory.recall(query(n))).items)
    return JSON.stringify([found, (await memory.list({ limit: 1000 })).total])
  }
  const agree = async (when) => {
    const plain = await using(answers, { images: false })
    const [known, seen] = await using(async (memory, seen) => [await answers(memory), seen])
    check(known === plain, `the answers are the same ${when}`)
    return seen
  }

  await using((memory) => memory.importRecords({ records: records(MANY) }))
  await using(async (memory, seen) => {
    await memory.recall(query(1))
    check(seen.onImage === 1 && seen.loads === 0, 'an opening begins with the image')
    check(seen.records > 0 && seen.records < MANY / 2, `few records are read for a recall, not ${seen.records}`)
  })
  await agree('upon an image')

  // What changed since lies over it.
  const { id, list } = await using(async (memory) => {
    const { id } = await memory.teach('Rotate the ledger before the sprite step: the id must come from the list')
    const { records: list } = await memory.list({ limit: 5 })
    await memory.forget(list[1].id)
    await memory.pin(list[2].id)
    return { id, list }
  })
  check((await agree('after changes')).onImage === 1, 'an image that is older than the space still serves')

  // Verbs side by side look at different records.
  await using(async (memory) => {
    const all = await Promise.all(Array.from({ length: 12 }, (_, n) => memory.recall(query(n * 31))))
    check(
      all.every(({ items }) => Array.isArray(items)),
      'verbs side by side are answered',
    )
    check((await memory.get(id)).id === id, 'and so is who comes after')
  })

  // Another changes a record that this one has not looked at.
  await using(async (memory, seen) => {
    await memory.recall(query(3))
    await using((other) => other.pin(list[3].id))
    check((await memory.get(list[3].id)).pin !== 'none', 'a change of others to a sealed record is seen')
    check(seen.onImage + seen.loads >= 1, 'by starting anew')
  })

  const holds = async (id) => {
    const store = await fresh()
    const bytes = (await store.images.load('default'))?.bytes ?? []
    await store.close?.()
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
      .join('')
      .includes(id)
  }
  const gone = list[4]
  check(await holds(gone.id), 'an image knows its records by their ids')
  await using((memory) => memory.forget(gone.id, { hard: true }))
  check(!(await holds(gone.id)), 'a hard forget takes the image, and the next one does not know the record')
  const seen = await agree('after a hard forget')
  check(seen.onImage === 1, 'upon the new image')
  return wrong
}

/** A store whose image is none: it is as one without. */
export async function playForgery({ open }, fresh, options = {}) {
  const wrong = []
  for (const forged of [new Uint8Array(), new Uint8Array(100), 'cut', 'flipped', 'count']) {
    const store = await fresh()
    const { images } = store
    const lying = {
      load: async (space) => {
        const found = await images.load(space)
        if (!found || forged === 'count') return found && { ...found, records: found.records + 1 }
        const bytes = found.bytes.slice(0, forged === 'cut' ? -1 : undefined)
        if (forged === 'flipped') bytes[bytes.length >> 1] ^= 4
        return { ...found, bytes: typeof forged === 'string' ? bytes : forged }
      },
      records: (...args) => images.records(...args),
      keep: (...args) => images.keep(...args),
    }
    Object.defineProperty(store, 'images', { value: lying, configurable: true })
    const memory = await open({ ...options, store })
    const { items } = await memory.recall(query(1))
    if (items.length === 0) wrong.push(`${forged}: nothing came back`)
    await memory.close()
    await store.close?.()
  }
  return wrong
}
