// Lessons from traces in one page: drop a file, see what it teaches, ask, and see why each answer came back.
//
// `/hardwon/` is the folder `dist` of the package; serve.mjs serves it so.
import { open } from './hardwon/browser.js'

const $ = (id) => document.getElementById(id)
const memory = await open({ name: 'hardwon-example' })
let records = new Map()
let found = new Map()

/** Learns from texts, one trace each, and says what came of it. */
async function learn(texts) {
  $('told').textContent = 'Reading …'
  try {
    const before = records.size
    let [sessions, known] = [0, 0]
    for (const text of texts) {
      const learned = await memory.learn(text)
      sessions += learned.sessions
      known += learned.known
      await show()
    }
    const fresh = records.size - before
    const again = known > 0 ? `, ${known} of them known already` : ''
    $('told').textContent = `${count(sessions, 'run')} read${again}: ${count(fresh, 'new lesson')}.`
  } catch (error) {
    $('told').textContent = error.message
  }
}

/** Searches; without a query every lesson is shown. */
async function ask() {
  const task = $('query').value.trim()
  found = new Map()
  if (task === '') {
    $('answer').textContent = ''
  } else {
    const { items } = await memory.recall({ task, top_k: 12 })
    found = new Map(items.map((item, at) => [item.id, { ...item, at }]))
    $('answer').textContent =
      items.length === 0 ? 'Nothing fits, so nothing comes back.' : `${count(items.length, 'lesson')} would be said.`
  }
  draw()
}

async function show() {
  const all = await memory.list({ status: ['active', 'quarantined'] })
  records = new Map(all.records.map((record) => [record.id, record]))
  const { embedder, tokenizer } = await memory.stats()
  const search = embedder === '' ? 'by words alone' : 'by words and meaning'
  $('figures').textContent = `Kept in this browser · searched ${search} · tokens by ${tokenizer}`
  draw()
}

/** Puts the lessons on the page: those that are there stay, so that what is open stays open. */
function draw() {
  const isAsked = $('query').value.trim() !== ''
  const order = [...records.values()].sort((a, b) => runs(b) - runs(a) || (a.text < b.text ? -1 : 1))
  if (isAsked) order.sort((a, b) => (found.get(a.id)?.at ?? 1e9) - (found.get(b.id)?.at ?? 1e9))
  const rows = order.map((record) => {
    const row = $(`r-${record.id}`) ?? made(record.id)
    fill(row, record)
    row.classList.toggle('out', isAsked && !found.has(record.id))
    return row
  })
  for (const row of $('lessons').children) if (!records.has(row.id.slice(2))) row.remove()
  rows.forEach((row, at) => {
    if ($('lessons').children[at] !== row) $('lessons').insertBefore(row, $('lessons').children[at] ?? null)
  })
  $('empty').hidden = records.size > 0
  $('count').textContent = records.size > 0 ? records.size : ''
}

function made(id) {
  const row = $('lesson').content.firstElementChild.cloneNode(true)
  row.id = `r-${id}`
  row.querySelector('.forget').addEventListener('click', async () => {
    await memory.forget(id, { actor: 'the reader of the page' })
    $('told').textContent = 'Forgotten. It comes back when a new run shows it.'
    await show()
  })
  return row
}

function fill(row, record) {
  row.querySelector('.text').replaceChildren(...marked(record.text))
  const marks = [[count(runs(record), 'run'), '']]
  if (record.tier === 'strategic') marks.push(['strategic', 'strategic'])
  if (record.status === 'quarantined') marks.push(['waits for review', 'quarantined'])
  row.querySelector('.marks').replaceChildren(...marks.map(([text, kind]) => element('span', `mark ${kind}`, text)))
  const { why } = found.get(record.id) ?? {}
  row.querySelector('.why').replaceChildren(...(why ? bars(why) : []))
  const sessions = [...new Set((record.evidence ?? []).map((event) => event.session_id))]
  const shown = sessions.slice(-4).join(', ')
  row.querySelector('.from').textContent = shown === '' ? '' : `Seen in ${shown}`
}

/** The score of each signal as a bar. */
function bars(why) {
  const signals = [
    ['together', why.score],
    ['words', why.lexical],
    ['meaning', why.cosine],
    ['same error', why.signature],
    ['same task', why.situation],
  ]
  return signals.flatMap(([name, score]) => {
    const share = Math.max(0, Math.min(1, score / 1_000_000))
    const track = element('span', 'track')
    const bar = element('span', 'fill')
    bar.style.width = `${share * 100}%`
    track.append(bar)
    return [element('span', 'soft', name), track, element('span', 'number', share.toFixed(2))]
  })
}

/** A text whose parts in back quotes are code. */
function marked(text) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? element('code', '', part) : part))
}

function element(name, kind, text = '') {
  const made = document.createElement(name)
  made.className = kind
  made.textContent = text
  return made
}

const runs = (record) => new Set((record.evidence ?? []).map((event) => event.root_run_id)).size
const count = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`

$('file').addEventListener('change', async () => {
  await learn(await Promise.all([...$('file').files].map((file) => file.text())))
  $('file').value = ''
})
for (const kind of ['dragenter', 'dragover', 'dragleave', 'drop']) {
  document.addEventListener(kind, (event) => {
    event.preventDefault()
    $('drop').classList.toggle('over', kind === 'dragenter' || kind === 'dragover')
  })
}
document.addEventListener('drop', async (event) => {
  await learn(await Promise.all([...event.dataTransfer.files].map((file) => file.text())))
})
$('sample').addEventListener('click', async () => learn([await (await fetch('sample.jsonl')).text()]))

let waiting
$('query').addEventListener('input', () => {
  clearTimeout(waiting)
  waiting = setTimeout(ask, 120)
})
$('ask').addEventListener('submit', (event) => {
  event.preventDefault()
  ask()
})

function changeTheme() {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  const now = document.documentElement.dataset.theme ?? (isDark ? 'dark' : 'light')
  document.documentElement.dataset.theme = now === 'dark' ? 'light' : 'dark'
}
$('theme').addEventListener('click', changeTheme)

/** Moves the focus among the lessons that are shown. */
function move(by) {
  const rows = [...document.querySelectorAll('#lessons li:not(.out) summary')]
  const at = rows.indexOf(document.activeElement)
  const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)
  rows[next]?.focus()
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isWriting = document.activeElement === $('query')
  if (event.key === 'Escape' && isWriting) $('query').blur()
  if (isWriting) return
  const keys = { '/': () => $('query').focus(), j: () => move(1), k: () => move(-1), t: changeTheme }
  if (!keys[event.key]) return
  event.preventDefault()
  keys[event.key]()
})

memory.watch(show)
await show()
document.documentElement.dataset.ready = 'yes'
await navigator.serviceWorker?.register('offline.js').catch(() => undefined)
