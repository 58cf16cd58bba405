// What the figures mean, in words. Without the page: page.ts puts both into one script, and a test reads this one alone.

const GIB = 1024 ** 3

/** From here on a person should know, and from there on a person should act. */
const RETAINED = { warn: GIB, alarm: 10 * GIB }

/** @param {number} bytes */
export function bytesText(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${units[power]}`
}

/** @param {number} ms */
export function durationText(ms) {
  const seconds = Math.floor(ms / 1000)
  const [days, hours, minutes] = [
    Math.floor(seconds / 86400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ]
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

/** @param {number} bytes */
export function retainedLevel(bytes) {
  return bytes >= RETAINED.alarm ? 'alarm' : bytes >= RETAINED.warn ? 'warn' : 'good'
}

/** The statistics as they come from /api/stats: everything that is not as it should be, the worst first. */
export function warningsOf({ source, slot, publication, walLevel, engine }) {
  const found = []
  const add = (level, text) => found.push({ level, text })
  if (source.state === 'failed') add('alarm', `The source has failed, and waits for a person: ${source.lastError}`)
  else if (source.snapshot && source.snapshot.state !== 'done') add('warn', snapshotText(source.snapshot))
  else if (source.state !== 'streaming') {
    add('warn', `The source is ${source.state}${source.lastError ? `: ${source.lastError}` : '.'}`)
  }
  if (slot === null && publication === null && walLevel === null) {
    add('warn', 'The database does not answer: nothing is known of slot, publication and retained log.')
  }
  if (slot && !slot.exists) add('alarm', 'The replication slot is gone: changes from then on may be lost.')
  if (publication && !publication.exists) add('alarm', 'The publication is gone: no change is published any more.')
  const retained = slot ? slot.retainedWalBytes : 0
  if (retainedLevel(retained) !== 'good') {
    const holding = engine.sinks.filter(({ durability, status }) => durability === 'durable' && status === 'paused')
    const cause = holding.length > 0 ? ` Held by the paused ${namesOf(holding)}: resume or remove it.` : ''
    add(retainedLevel(retained), `The database retains ${bytesText(retained)} of log for this feed.${cause}`)
  }
  if (engine.stalledBy.length > 0) {
    const full = namesOf(engine.sinks.filter(({ id }) => engine.stalledBy.includes(id)))
    const others = namesOf(engine.sinks.filter(({ stalledBy }) => stalledBy.length > 0))
    const whom = others === '' ? '' : ` ${others} ${others.includes(',') ? 'wait' : 'waits'} with it.`
    add('alarm', `Nothing is read for ${durationText(engine.stalledMs)}: the queue of ${full} is full.${whom}`)
  }
  if (engine.positionsError) {
    add('warn', `Positions cannot be written, so more comes again after a restart: ${engine.positionsError}`)
  }
  for (const sink of engine.sinks) {
    if (sink.deadLetterCount > 0) {
      const changes = sink.deadLetterCount === 1 ? 'One change' : `${sink.deadLetterCount} changes`
      add('warn', `${changes} could not be delivered to ${sink.name}: see its file of dead letters.`)
    }
    const why = sink.lastError ? `: ${sink.lastError}` : '.'
    const paused = sink.status === 'paused'
    if (paused && sink.durability === 'durable')
      add('alarm', `${sink.name} is paused, and the database keeps its log for it${why}`)
    else if (paused) add('warn', `${sink.name} is paused${why}`)
    else if (sink.lastError) add('warn', `${sink.name} has failed ${sink.attempts} times and is tried again${why}`)
  }
  return found.sort((a, b) => Number(a.level !== 'alarm') - Number(b.level !== 'alarm'))
}

function namesOf(sinks) {
  return sinks.map(({ name }) => name).join(', ')
}

function snapshotText({ state, table, rows, estimatedRows }) {
  if (state === 'delivering') {
    return `All ${rows.toLocaleString('en')} existing rows are read, and are still being delivered. Changes come behind them.`
  }
  const where = table ? `, now of ${table}` : ''
  return `Existing rows are read first: ${rows.toLocaleString('en')} of about ${estimatedRows.toLocaleString('en')}${where}. Changes come behind them.`
}
