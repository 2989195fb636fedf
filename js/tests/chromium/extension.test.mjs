// An extension's service worker that is stopped and woken: what it learned is there again.
import assert from 'node:assert/strict'
import test from 'node:test'

import { startExtension } from '../lib/extension.mjs'

test('a service worker that was stopped remembers when it is woken', async (t) => {
  const extension = await startExtension(1000)
  t.after(extension.close)
  const task = 'check the schema before the branch step: the remote rejects it'
  assert.equal(extension.filled, 1000)
  const first = await extension.ask(task)
  assert.ok(first.texts.length > 0)
  await extension.stop()
  const again = await extension.ask(task)
  assert.notEqual(again.instance, first.instance)
  assert.deepEqual(again.texts, first.texts)
  t.diagnostic(`${Math.round(again.ms)} ms from its start to its first answer, of 1000 records`)
})
