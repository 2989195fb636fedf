// The examples as a reader runs them: the page in Chromium, by mouse, by keyboard and without its server; the agent in
// Node.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { app, noSqlite, root } from '../lib/app.mjs'
import { launch } from '../lib/browser.mjs'

const screens = join(root, 'target/js/screens')
let server
let url
let browser

before(async () => {
  mkdirSync(screens, { recursive: true })
  server = spawn(process.execPath, [join(root, 'examples/browser/serve.mjs'), '0'])
  url = await new Promise((resolve) => server.stdout.once('data', (line) => resolve(String(line).trim())))
  browser = await launch()
})
after(async () => {
  await browser?.close()
  server?.kill()
})

async function opened(options = {}) {
  const page = await browser.context.newPage()
  page.problems = []
  page.on('pageerror', (error) => page.problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()))
  await page.emulateMedia(options)
  await page.goto(url)
  await page.waitForSelector('html[data-ready]')
  return page
}

const shown = '#lessons li:not(.out)'

test('a trace is dropped, its lessons appear, are found, explained, and stay', async () => {
  const page = await opened({ colorScheme: 'light' })
  await page.setViewportSize({ width: 900, height: 1000 })
  assert.ok(await page.isVisible('#empty'))
  await page.screenshot({ path: join(screens, 'empty.png') })
  await page.setInputFiles('#file', join(root, 'examples/browser/sample.jsonl'))
  await page.waitForFunction((shown) => document.querySelectorAll(shown).length === 3, shown)
  assert.match(await page.textContent('#told'), /3 runs read: 3 new lessons/)
  await page.screenshot({ path: join(screens, 'learned.png') })

  await page.fill('#query', 'write the report into a new directory')
  await page.waitForFunction((shown) => document.querySelectorAll(shown).length === 1, shown)
  assert.match(await page.textContent(`${shown} .text`), /parents/)
  await page.click(`${shown} summary`)
  assert.equal(await page.locator(`${shown} .track`).count(), 5)
  assert.match(await page.textContent(`${shown} .from`), /thursday-3/)
  await page.screenshot({ path: join(screens, 'asked.png') })
  await page.fill('#query', 'peel the potatoes')
  await page.waitForFunction(() => /Nothing fits/.test(document.querySelector('#answer').textContent))
  assert.deepEqual(page.problems, [])
  await page.close()

  const again = await opened({ colorScheme: 'dark' })
  await again.setViewportSize({ width: 900, height: 1000 })
  assert.equal(await again.locator(shown).count(), 3)
  await again.screenshot({ path: join(screens, 'dark.png') })
  await again.setViewportSize({ width: 380, height: 800 })
  await again.screenshot({ path: join(screens, 'narrow.png') })
  await again.setInputFiles('#file', join(root, 'examples/browser/sample.jsonl'))
  await again.waitForFunction(() => /3 of them known already: 0 new/.test(document.querySelector('#told').textContent))
  await again.close()
})

test('everything is reached by keyboard', async () => {
  const page = await opened()
  await page.keyboard.press('/')
  await page.keyboard.type('write the report into a new directory')
  await page.waitForFunction(() => /would be said/.test(document.querySelector('#answer').textContent))
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  assert.equal(await page.locator(`${shown} details[open]`).count(), 1)
  const before = await page.locator('#lessons li').count()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForFunction((before) => document.querySelectorAll('#lessons li').length < before, before)
  await page.keyboard.press('t')
  assert.ok(await page.getAttribute('html', 'data-theme'))
  assert.deepEqual(page.problems, [])
  await page.close()
})

test('two tabs show the same, and the page opens without its server', async () => {
  const [one, other] = [await opened(), await opened()]
  const many = await one.locator('#lessons li').count()
  await one.locator('#lessons summary').first().click()
  await one.locator('#lessons .forget').first().click()
  await other.waitForFunction((many) => document.querySelectorAll('#lessons li').length === many - 1, many)
  await other.evaluate(() => navigator.serviceWorker.ready)
  server.kill()
  await new Promise((resolve) => server.once('exit', resolve))
  const offline = await opened()
  assert.equal(await offline.locator('#lessons li').count(), many - 1)
  await offline.fill('#query', 'write the report into a new directory')
  await offline.waitForFunction(() => document.querySelector('#answer').textContent !== '')
  await offline.close()
})

test('the agent fails once, and is told the second time', { skip: noSqlite }, () => {
  const folder = mkdtempSync(join(app, 'agent-'))
  cpSync(join(root, 'examples/node/agent.mjs'), join(folder, 'agent.mjs'))
  const said = execFileSync(process.execPath, ['agent.mjs'], { cwd: folder, encoding: 'utf8' })
  const [first, second] = said.split('run 2:')
  assert.match(first, /failed: cannot open output file/)
  assert.match(second, /Give `parents` to `write_file`/)
  assert.match(second, /wrote may\/stock\.md/)
  assert.doesNotMatch(second, /failed:/)
})
