// A worker, dedicated or service, that works with a memory when it is asked to.

import { found, teachMany } from './page.mjs'

self.onmessage = async ({ data, source }) => {
  const reply = (message) => (source ?? self).postMessage(message)
  try {
    reply({ taught: await teachMany(data.who, data.many), ...(await found()) })
  } catch (error) {
    reply({ error: String(error) })
  }
}
self.oninstall = () => self.skipWaiting?.()
self.onactivate = (event) => event.waitUntil?.(self.clients.claim())
