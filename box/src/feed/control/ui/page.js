import { bytesText, durationText, retainedLevel, warningsOf } from './words.js'

const EVERY_MS = 1000

// Out of the address bar, the history and every screenshot; this page keeps it in memory alone.
const token = new URLSearchParams(location.search).get('token') ?? ''
history.replaceState(null, '', location.pathname)

const byId = (id) => document.getElementById(id)
const rows = new Map()
let before
let lastAnswer
/** The error of the last press of a button. */
let notice

/** The address of this page is the daemon's, or a proxy's in front of it. */
function ask(path, options) {
  const signal = AbortSignal.timeout(5000)
  return fetch(`../${path}`, { ...options, signal, headers: { authorization: `Bearer ${token}` } })
}

/** Text only where it changed: a reader of the screen would say it again. */
function write(element, text, level = '') {
  if (element.textContent !== text) element.textContent = text
  for (const name of ['good', 'warn', 'alarm']) element.classList.toggle(name, name === level)
}

function show(stats) {
  const { source, slot, publication, engine, uptimeMs } = stats
  write(
    byId('source'),
    source.state,
    source.state === 'streaming' ? 'good' : source.state === 'failed' ? 'alarm' : 'warn',
  )
  write(byId('uptime'), `${source.kind}, up ${durationText(uptimeMs)}`)
  write(byId('events'), engine.eventsTotal.toLocaleString())
  if (before && uptimeMs > before.uptimeMs) {
    const perSecond = ((engine.eventsTotal - before.eventsTotal) / (uptimeMs - before.uptimeMs)) * 1000
    write(byId('rate'), Math.round(perSecond).toLocaleString())
  }
  before = { uptimeMs, eventsTotal: engine.eventsTotal }
  write(
    byId('retained'),
    slot ? bytesText(slot.retainedWalBytes) : 'unknown',
    slot ? retainedLevel(slot.retainedWalBytes) : 'warn',
  )
  write(byId('flushed'), engine.flushedLsn)
  write(
    byId('slot'),
    !slot ? 'unknown' : !slot.exists ? 'gone' : slot.active ? 'active' : 'not read',
    slot?.active ? '' : 'warn',
  )
  const tables = publication?.allTables ? 'all tables' : 'some tables'
  write(
    byId('publication'),
    !publication ? 'unknown' : publication.exists ? tables : 'gone',
    publication?.exists ? '' : 'warn',
  )
  warn(notice ? [notice, ...warningsOf(stats)] : warningsOf(stats))
  for (const sink of engine.sinks) showSink(sink)
}

function warn(warnings) {
  const list = byId('warnings')
  while (list.children.length > warnings.length) list.lastElementChild.remove()
  warnings.forEach(({ level, text }, i) => {
    write(list.children[i] ?? list.appendChild(document.createElement('li')), text, level)
  })
}

/** A row is made once: whoever has moved the focus to its button keeps it there. */
function rowOf({ id, name, durability }) {
  const known = rows.get(id)
  if (known) return known
  const line = byId('sinks').insertRow()
  const head = line.appendChild(document.createElement('th'))
  head.scope = 'row'
  head.textContent = name
  const small = head.appendChild(document.createElement('small'))
  small.textContent = `${id}, ${durability}`
  const cell = (kind) => {
    const made = line.insertCell()
    made.className = kind
    return made
  }
  const row = {
    status: cell('state'),
    waiting: cell('number'),
    behind: cell('number'),
    delivered: cell('number'),
    dropped: cell('number'),
    dead: cell('number'),
    acked: cell(''),
    error: cell('error'),
    actions: cell(''),
  }
  for (const name of ['button', 'skip']) {
    row[name] = row.actions.appendChild(document.createElement('button'))
    row[name].type = 'button'
    row[name].addEventListener('click', () => press(id, row[name]))
  }
  rows.set(id, row)
  return row
}

function showSink(sink) {
  const row = rowOf(sink)
  const paused = sink.status === 'paused'
  write(row.status, sink.status, paused ? (sink.durability === 'durable' ? 'alarm' : 'warn') : 'good')
  const onDisk = sink.queueDiskBytes > 0
  const disk = `, ${bytesText(sink.queueDiskBytes)} of ${bytesText(sink.queueDiskLimit)} on disk`
  write(row.waiting, `${sink.queueDepth.toLocaleString()}${onDisk ? disk : ''}`, onDisk ? 'warn' : '')
  write(row.behind, sink.queueDepth > 0 ? durationText(sink.lagMs) : '')
  write(row.delivered, sink.deliveredCount.toLocaleString())
  write(row.dropped, sink.droppedCount.toLocaleString(), sink.droppedCount > 0 ? 'warn' : '')
  write(row.dead, sink.deadLetterCount.toLocaleString(), sink.deadLetterCount > 0 ? 'warn' : '')
  write(row.acked, sink.ackedLsn)
  write(row.error, sink.lastError ?? '', 'warn')
  row.button.dataset.action = paused ? 'resume' : 'pause'
  write(row.button, paused ? 'Resume' : 'Pause')
  row.button.setAttribute('aria-label', `${paused ? 'Resume' : 'Pause'} ${sink.name}`)
  // The event is named in the request: meanwhile the sink may be stuck on another one.
  row.skip.hidden = sink.stuckOn === null
  row.skip.dataset.action = `skip?event=${sink.stuckOn}`
  write(row.skip, sink.stuckOn === null ? '' : `Skip ${sink.stuckOn}`)
  row.skip.setAttribute('aria-label', `Skip ${sink.stuckOn} of ${sink.name}: it becomes a dead letter`)
}

async function press(id, button) {
  button.disabled = true
  notice = undefined
  try {
    const answer = await ask(`api/sinks/${id}/${button.dataset.action}`, { method: 'POST' })
    if (!answer.ok) throw new Error((await answer.json()).error)
  } catch (error) {
    notice = { level: 'alarm', text: `${button.getAttribute('aria-label')}: not done, ${error.message}` }
  } finally {
    await refresh()
    button.disabled = false
    button.focus()
  }
}

async function refresh() {
  try {
    const answer = await ask('api/stats')
    if (answer.status === 401) throw new Error('the token is no longer good. Open the link with the token again.')
    if (!answer.ok) throw new Error(`status ${answer.status}`)
    show(await answer.json())
    lastAnswer = new Date()
    document.querySelector('main').classList.remove('stale')
  } catch (error) {
    const since = lastAnswer ? `; the figures are from ${lastAnswer.toLocaleTimeString()}` : ''
    write(byId('source'), 'no answer', 'alarm')
    warn([{ level: 'alarm', text: `The change feed does not answer: ${error.message}${since}` }])
    document.querySelector('main').classList.add('stale')
  }
}

// The address no longer has the token, and without it the server would refuse the page.
addEventListener('keydown', (event) => {
  if (event.key !== 'F5' && !((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'r')) return
  event.preventDefault()
  location.replace(`${location.pathname}?${new URLSearchParams({ token })}`)
})

async function run() {
  // A page that nobody sees asks nothing.
  if (!document.hidden) await refresh()
  setTimeout(run, EVERY_MS)
}
run()
