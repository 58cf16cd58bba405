/** `gatehouse-hq serve`: composes HQ and runs it. */
import { inArray, sql } from '../drizzle/core.ts'
import { Turns } from '../feed/grpc/turns.ts'
import { createLogger, type Logger } from '../log.ts'
import { listenForStop } from '../usage.ts'
import type { HqConfig } from './config.ts'
import { bringUpToDate, causeOf, type HqDatabase, type HqDb, openHqDatabase } from './database.ts'
import { openHealth } from './health.ts'
import { openOwnIdentity } from './own-identity.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { Roster } from './roster.ts'
import { boxes } from './schema.ts'

/** An added box may connect, and a removed one is disconnected, within this time. */
const LOOK_MS = 1000
/** Batches of one box that may wait for their turn. */
const MOST_WAITING = 4

/** Serves until SIGTERM or SIGINT, then finishes the batches that are under way. */
export async function serveHq(config: HqConfig): Promise<void> {
  const logger = createLogger(config.logLevel)
  using stop = listenForStop()
  await using running = new AsyncDisposableStack()
  const started = performance.now()
  const database = running.use(openHqDatabase(config.databaseUrl, config.connections))
  // Open before the database is there: until then `/readyz` answers 503.
  let isOpen = false
  const health = running.use(
    await openHealth({
      host: config.host,
      port: config.healthPort,
      uptime: () => performance.now() - started,
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
  logger.info({ event: 'hq_closing', signal: await stop.received })
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
  const roster = await Roster.open(db)
  await using opened = new AsyncDisposableStack()
  const turns = new Turns(MOST_WAITING)
  const { host, port } = config
  const receiver = opened.use(await openReceiver({ host, port, db, logger, now, roster, turns }))
  const own = await openOwnIdentity(config, {
    logger,
    now,
    onRenewed: (identity) => {
      receiver.trust(identity, roster.authorities)
      logger.info({ event: 'certificate_renewed', expires: new Date(identity.notAfter).toISOString() })
    },
  })
  opened.use(own.shown)
  const trust = () => receiver.trust(own.shown.current, roster.authorities)
  trust()
  opened.use(every(LOOK_MS, followRoster({ db, roster, receiver, trust, logger, now })))
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

interface Following {
  db: HqDb
  roster: Roster
  receiver: Receiver
  /** Passes the roster's authorities to the receiver. */
  trust: () => void
  logger: Logger
  now: () => number
}

/** @returns what is to be called again and again: rereads the roster, and notes which boxes are connected. Never rejects. */
function followRoster({ db, roster, receiver, trust, logger, now }: Following): () => Promise<void> {
  let trusted = roster.authorities.join('\n')
  let isAway = false
  return async () => {
    try {
      await roster.reread()
      const authorities = roster.authorities.join('\n')
      if (authorities !== trusted) {
        trusted = authorities
        trust()
        receiver.disconnect((certificate) => !roster.senderOf(certificate, now()).ok)
      }
      const senders = receiver.connected().map((certificate) => roster.senderOf(certificate, now()))
      await noteConnected(
        senders.flatMap((sender) => (sender.ok ? [sender.added.name] : [])),
        { db, now },
      )
      if (isAway) logger.info({ event: 'hq_database_back' })
      isAway = false
    } catch (error) {
      // Logged once and not every second. A box learns of it when it sends, and keeps its batch.
      if (!isAway) logger.error({ event: 'hq_database_away', code: causeOf(error).code ?? 'no answer' })
      isAway = true
    }
  }
}

/** Writes which boxes are connected, for `gatehouse-hq status`, which is another process. */
async function noteConnected(
  names: readonly string[],
  { db, now }: Pick<HqDatabase, 'db'> & { now: () => number },
): Promise<void> {
  const isConnected = names.length > 0 ? inArray(boxes.name, names) : sql`false`
  const seenAt = new Date(now()).toISOString()
  // A row is written when it changes, and every ten seconds while its box is connected.
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

/** Calls `look` again and again, each time `ms` after the last call has ended. */
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
