// Headless Chromium over a server of this machine's own: the packed package, the test helpers, and a page under a
// policy that allows nothing but its own files and WebAssembly.

import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'

import { chromium } from 'playwright-core'

import { dist, root } from './app.mjs'

const POLICY = "default-src 'none'; connect-src 'self'; worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'"
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.css': 'text/css',
  '.jsonl': 'text/plain',
}
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser with a profile of its own, and what ends it. */
export async function launch({ args = [] } = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'hardwon-chromium-'))
  const executablePath = process.env.HARDWON_CHROMIUM ?? '/usr/bin/chromium'
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: [...FLAGS, ...args],
    ignoreDefaultArgs: ['--disable-extensions'],
  })
  const close = async () => {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
  return { context, close }
}

/** Serves the package under /pkg, the helpers under /lib, vectors and contract under /tests, and other folders. */
export async function serve(folders = {}, policy = POLICY) {
  const places = { pkg: dist, lib: join(root, 'js/tests/lib'), tests: join(root, 'tests'), ...folders }
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname))
    const headers = policy ? { 'content-security-policy': policy } : {}
    if (path === '/') return response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end('<!doctype html>')
    const [, place, ...rest] = path.split('/')
    const file = join(places[place] ?? '/nowhere', ...rest)
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404, headers).end()
    const type = TYPES[extname(file)] ?? 'application/octet-stream'
    response.writeHead(200, { ...headers, 'content-type': type, 'cache-control': 'max-age=3600' })
    createReadStream(file).pipe(response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((done) => server.close(done)) }
}
