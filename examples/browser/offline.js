// Keeps the page for when there is no network: what was fetched once is there again.

const CACHE = 'hardwon-example-1'

self.addEventListener('install', (event) => {
  event.waitUntil(keepAll())
  self.skipWaiting()
})
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  if (event.request.method === 'GET') event.respondWith(fresh(event.request))
})

/** The server's answer, which is kept; the last one where there is no server. */
async function fresh(request) {
  const cache = await caches.open(CACHE)
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(request, response.clone())
    return response
  } catch (cause) {
    const kept = await cache.match(request, { ignoreSearch: true })
    if (kept) return kept
    throw cause
  }
}

async function keepAll() {
  const assets = ['hardwon.wasm', 'o200k.bin', 'table.bin'].map((name) => `hardwon/${name}`)
  const code = await withImports('app.js')
  const cache = await caches.open(CACHE)
  await cache.addAll([...new Set(['./', 'style.css', 'sample.jsonl', ...code, ...assets])])
}

/** A module with those that it imports. */
async function withImports(path) {
  const text = await (await fetch(path)).text()
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const imported = [...text.matchAll(/from ['"]\.\/([^'"]+)['"]/g)].map(([, name]) => folder + name)
  return [path, ...(await Promise.all(imported.map(withImports))).flat()]
}
