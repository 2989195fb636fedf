// The quick starts of the README, run as they stand, over the packed tarball.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import test from 'node:test'

import { app, noSqlite, root } from '../lib/app.mjs'
import { launch, serve } from '../lib/browser.mjs'

const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The first code block of this kind under a heading. */
function block(heading, kind) {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0]
  return (
    section?.match(new RegExp(`\`\`\`${kind}\n(.*?)\n\`\`\``, 's'))?.[1] ?? assert.fail(`no ${kind} under ${heading}`)
  )
}

test('the quick start of Node', { skip: noSqlite }, () => {
  const folder = mkdtempSync(join(app, 'readme-'))
  writeFileSync(join(folder, 'start.mjs'), block('In Node', 'js'))
  const said = execFileSync(process.execPath, ['start.mjs'], { cwd: folder, encoding: 'utf8' })
  assert.match(said, /^failed: no unit given/)
  assert.match(said, /12 box/)
  assert.match(said, /<retrieved_guidelines/)
})

test('the quick start of the browser', async (t) => {
  const folder = mkdtempSync(join(app, 'readme-'))
  writeFileSync(join(folder, 'start.html'), block('In a browser', 'html').replace('./node_modules', '../node_modules'))
  const server = await serve({ [basename(folder)]: folder, node_modules: join(app, 'node_modules') }, '')
  const { context, close } = await launch()
  t.after(async () => {
    await close()
    await server.close()
  })
  const page = await context.newPage()
  await page.goto(`${server.url}/${basename(folder)}/start.html`)
  await page.waitForFunction(() => /1 lesson:.*formatter/s.test(document.getElementById('out').textContent))
})
