// What the tests run inside a page, a worker or a service worker.

import * as hardwon from '/pkg/browser.js'
import { runContract } from './contract.mjs'
import { playForgery, playImage } from './image.mjs'
import { playAll } from './vectors.mjs'

const text = async (path) => (await fetch(path)).text()

export async function vectors(files) {
  const texts = await Promise.all(files.map((name) => text(`/tests/vectors/${name}`)))
  return playAll(
    texts.flatMap((one) => one.split('\n').filter(Boolean)),
    hardwon.stepper,
  )
}

export async function contract() {
  let name
  let count = 0
  const script = await text('/tests/contract/store.jsonl')
  const fresh = () => hardwon.indexedDbStore({ name: (name = `contract-${(count += 1)}`), persist: false })
  return runContract(script, fresh, async (store) => {
    await store.close()
    return hardwon.indexedDbStore({ name, persist: false })
  })
}

export async function images() {
  const fresh = () => hardwon.indexedDbStore({ name: 'images', persist: false })
  return [...(await playImage(hardwon, fresh)), ...(await playForgery(hardwon, fresh))]
}

/** Teaches so many lessons; each is told of once it is durable. */
export async function teachMany(who, many, told = () => undefined, options = {}) {
  const memory = await hardwon.open(options)
  const ids = []
  for (let n = 0; n < many; n += 1) {
    const { id } = await memory.teach(`Check the ${who} valve number ${n} before noon`)
    ids.push(id)
    await told(id)
  }
  await memory.close()
  return ids
}

/** What a fresh reader finds: ids, revision, and how long the history is. */
export async function found(options = {}) {
  const memory = await hardwon.open(options)
  const { records } = await memory.list()
  const { revision } = await memory.stats()
  const history = await memory.history({ limit: 10_000 })
  await memory.close()
  return { ids: records.map((record) => record.id), revision, entries: history.length }
}

/** The code and message of what a function throws. */
export async function failure(work) {
  try {
    await work(hardwon)
    return undefined
  } catch ({ code, message }) {
    return { code, message }
  }
}

export { hardwon }
