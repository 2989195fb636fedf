// Serves the page at http://localhost:8080: `node serve.mjs [PORT]`. Any static server will do; `/hardwon/` is the
// folder `dist` of the package.
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const installed = join(here, 'node_modules/hardwon/dist')
const dist = existsSync(installed) ? installed : join(here, '../../js/dist')
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.jsonl': 'text/plain; charset=utf-8',
}

const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname))
  const inPackage = path.startsWith('/hardwon/')
  const file = inPackage ? join(dist, path.slice('/hardwon/'.length)) : join(here, path === '/' ? 'index.html' : path)
  if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
  createReadStream(file).pipe(response)
})
server.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => {
  console.log(`http://localhost:${server.address().port}`)
})
