// The conformance vectors over the packed tarball, in Node.
import assert from 'node:assert/strict'
import test from 'node:test'

import { imported, ranVectors, vectors } from './lib/app.mjs'
import { playAll } from './lib/vectors.mjs'

test('the vectors hold in Node', async () => {
  const { stepper } = await imported()
  const { names, problems } = await playAll(vectors(), stepper)
  assert.equal(problems.length, 0, problems.join('\n'))
  assert.ok(names.length > 0)
  ranVectors('node', names)
})
