// Images in the SQLite file: an opening builds nothing, and answers as one that builds everything.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'

import { imported, noSqlite } from '../lib/app.mjs'
import { playForgery, playImage } from '../lib/image.mjs'

const skip = noSqlite

test('an image in the file answers as the records do, and a forged one is none', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hardwon-image-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const hardwon = await imported()
  const fresh = () => hardwon.sqliteStore({ path: join(folder, 'memory.db') })
  assert.deepEqual(await playImage(hardwon, fresh), [])
  assert.deepEqual(await playForgery(hardwon, fresh), [])
})
