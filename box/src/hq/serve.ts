/** `gatehouse-hq serve`: HQ, composed. Reads top to bottom. */
import type { X509Certificate } from 'node:crypto'
import type { CertifiedKey } from '../ca/server-identity.ts'
import { inArray, sql } from '../drizzle/core.ts'
import { createLogger, type Logger } from '../log.ts'
import { listBoxes } from './boxes.ts'
import type { HqConfig } from './config.ts'
import { bringUpToDate, causeOf, type HqDatabase, openHqDatabase } from './database.ts'
import { openHealth } from './health.ts'
import { openOwnIdentity } from './own-identity.ts'
import { openReceiver } from './receiver.ts'
import { boxes } from './schema.ts'
import { Turns } from './turns.ts'
import { type AddedBox, whoIs } from './who.ts'

/** How soon a box that was added may dial in, and one that was removed is cut off. */
const LOOK_MS = 1000
const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Serves until SIGTERM or SIGINT, then finishes the batches that are under way. */
export async function serveHq(config: HqConfig): Promise<void> {
  const logger = createLogger(config.logLevel)
  const stop = new AbortController()
  const told = new Promise<string>((resolve) => {
    const listener = (signal: string) => {
      for (const name of SIGNALS) process.off(name, listener)
      stop.abort()
      resolve(signal)
    }
    for (const name of SIGNALS) process.on(name, listener)
  })
  await using running = new AsyncDisposableStack()
  const started = performance.now()
  const database = running.use(openHqDatabase(config.databaseUrl, config.connections))
  // Before the database is there: whoever asks is told that it is waited for.
  let isOpen = false
  const health = running.use(
    await openHealth({
      ...{ host: config.host, port: config.healthPort, uptime: () => performance.now() - started },
      isReady: async () => isOpen && (await answers(database)),
    }),
  )
  logger.info({ event: 'hq_starting', health: health.port })
  try {
    await bringUpToDate(database, { logger, signal: stop.signal })
  } catch (error) {
    if (stop.signal.aborted) return
    throw error
  }
  const hq = running.use(await openHq(config, { database, logger, now: Date.now }))
  isOpen = true
  logger.info({ event: 'hq_open', port: hq.port, health: health.port })
  console.log(notice(hq))
  logger.info({ event: 'hq_closing', signal: await told })
}

interface Hq extends AsyncDisposable {
  readonly port: number
  readonly fingerprint: string | undefined
  readonly forBoxes: string
}

async function openHq(
  config: HqConfig,
  { database, logger, now }: { database: HqDatabase; logger: Logger; now: () => number },
): Promise<Hq> {
  const { db } = database
  await using opened = new AsyncDisposableStack()
  let added: readonly AddedBox[] = await listBoxes(db)
  const turns = new Turns()
  const reread = async () => {
    added = await listBoxes(db)
  }
  const { host, port } = config
  const receiver = opened.use(await openReceiver({ host, port, db, logger, now, turns, added: () => added, reread }))
  let onRenewed = (_identity: CertifiedKey) => {}
  const own = await openOwnIdentity(config, { logger, now, onRenewed: (identity) => onRenewed(identity) })
  opened.use(own.shown)
  const trust = () =>
    receiver.trust(
      own.shown.current,
      added.map(({ ca }) => ca),
    )
  onRenewed = ({ notAfter }) => {
    trust()
    logger.info({ event: 'certificate_renewed', expires: new Date(notAfter).toISOString() })
  }
  trust()

  let trusted = casOf(added)
  let isAway = false
  const look = async () => {
    try {
      await reread()
      if (casOf(added) !== trusted) {
        trusted = casOf(added)
        trust()
        receiver.cut((certificate) => !whoIs(certificate, added, now()).ok)
      }
      await noteConnected(receiver.connected(), added, { db: database.db, now })
      if (isAway) logger.info({ event: 'hq_database_back' })
      isAway = false
    } catch (error) {
      // Once, and not every second: boxes are told at each attempt, and keep what they have.
      if (!isAway) logger.error({ event: 'hq_database_away', code: causeOf(error).code ?? 'no answer' })
      isAway = true
    }
  }
  opened.use(every(LOOK_MS, look))
  const closing = opened.move()
  return {
    port: receiver.port,
    fingerprint: own.fingerprint,
    forBoxes: own.forBoxes,
    async [Symbol.asyncDispose]() {
      await closing.disposeAsync()
      await db
        .update(boxes)
        .set({ connected: false })
        .catch(() => {})
    },
  }
}

function casOf(added: readonly AddedBox[]): string {
  return added.map(({ ca }) => ca).join('\n')
}

/** `gatehouse-hq status` is another process: it reads there who is connected. */
async function noteConnected(
  certificates: readonly X509Certificate[],
  added: readonly AddedBox[],
  { db, now }: Pick<HqDatabase, 'db'> & { now: () => number },
): Promise<void> {
  const names = certificates.flatMap((certificate) => {
    const who = whoIs(certificate, added, now())
    return who.ok ? [who.added.name] : []
  })
  const isConnected = names.length > 0 ? inArray(boxes.name, names) : sql`false`
  const seenAt = new Date(now()).toISOString()
  // A row is written when it changes, and every ten seconds while somebody is there.
  await db
    .update(boxes)
    .set({
      connected: sql`${isConnected}`,
      seenAt: sql`CASE WHEN ${isConnected} THEN ${seenAt}::timestamptz ELSE ${boxes.seenAt} END`,
    })
    .where(
      sql`${boxes.connected} <> (${isConnected}) OR ((${isConnected}) AND ${boxes.seenAt} < ${seenAt}::timestamptz - interval '10 seconds')`,
    )
}

/** One look at a time; the next one after the last has ended. */
function every(ms: number, look: () => Promise<void>): AsyncDisposable {
  let under: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const next = () => {
    timer = setTimeout(() => {
      under = look().finally(() => {
        if (!stopped) next()
      })
    }, ms)
  }
  next()
  return {
    async [Symbol.asyncDispose]() {
      stopped = true
      clearTimeout(timer)
      await under
    },
  }
}

async function answers({ db }: HqDatabase): Promise<boolean> {
  try {
    await db.execute(sql`SELECT 1`)
    return true
  } catch {
    return false
  }
}

function notice({ port, fingerprint, forBoxes }: Hq): string {
  return `
HQ is open: boxes dial in on ${port}

  own authority   ${fingerprint ?? "none: the organiser's own certificate is shown"}
  for each box    ${forBoxes}

On a box: GATEHOUSE_HQ=<this host>:${port}${fingerprint ? ' GATEHOUSE_HQ_CA=<hq-ca.crt>' : ''} GATEHOUSE_HQ_TICKET_KEY=<ticket-key>
Here:     gatehouse-hq add-box --name "Gate North" --url https://<the box> --fingerprint <the box's CA>
`
}
