// Compares the sizes of WebAssembly files with a ledger: `wasm-size.mjs FOLDER LEDGER [--update]`.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'

// A file that grows by more than this share must be written into the ledger, where a reviewer sees it.
const GROWTH = 0.03

const [folder, ledgerPath, update] = process.argv.slice(2)

function sizes(name) {
  const bytes = readFileSync(`${folder}/${name}`)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return { raw: bytes.length, brotli: brotliCompressSync(bytes, { params }).length }
}

const files = readdirSync(folder).filter((name) => name.endsWith('.wasm'))
const measured = Object.fromEntries(files.sort().map((name) => [name, sizes(name)]))
for (const [name, { raw, brotli }] of Object.entries(measured)) {
  console.log(`${name}: ${raw} bytes raw, ${brotli} with brotli`)
}
if (update === '--update') {
  writeFileSync(ledgerPath, `${JSON.stringify(measured, null, 2)}\n`)
} else {
  const ledger = JSON.parse(readFileSync(ledgerPath, 'utf8'))
  const names = [...new Set([...Object.keys(ledger), ...Object.keys(measured)])]
  const grown = names.flatMap((name) =>
    ['raw', 'brotli']
      .filter((how) => !(measured[name]?.[how] <= (ledger[name]?.[how] ?? 0) * (1 + GROWTH)))
      .map((how) => `${name}, ${how}: ${ledger[name]?.[how]} -> ${measured[name]?.[how]}`),
  )
  if (grown.length > 0) {
    console.error(`grown by more than ${GROWTH * 100} %:\n${grown.join('\n')}\nif it is worth it: scripts/wasm-size --update`)
    process.exit(1)
  }
}
