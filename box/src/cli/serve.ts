/** `gatehouse serve`: runs the box, and prints what the person in front of it needs. */
import QRCode from 'qrcode'
import { type Box, openBox } from '../box.ts'
import { invitePayload, mintInvite } from '../ca/invites.ts'
import { type Config, type Environment, readConfig } from '../config.ts'
import { runFeedBeside } from '../feed/beside.ts'
import { prepareBoxFeed } from '../feed/of-the-box.ts'
import { COMMAND_LINE } from '../http/actor.ts'
import { createLogger, type Logger } from '../log.ts'
import { advertise, find } from '../mesh/discovery.ts'
import { joinFirst } from '../mesh/join/join-first.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
/** How long the network is listened to for a box that is not where it was. */
const FIND_MS = 2_000

/**
 * Serves until SIGTERM or SIGINT, then finishes what is in flight. A second signal ends it at once: the ledger bears that.
 * @param feedBeside run the change feed too, as a process of its own; the image has a service for it
 */
export async function runBox(environment: Environment, { feedBeside = false } = {}): Promise<void> {
  const config = readConfig(environment)
  const logger = createLogger(config.logLevel)
  const stopped = new Promise<string>((resolve) => {
    const stop = (signal: string) => {
      for (const name of SIGNALS) process.off(name, stop)
      resolve(signal)
    }
    for (const name of SIGNALS) process.on(name, stop)
  })
  if (config.meshInvite) {
    const stopping = new AbortController()
    void stopped.then(() => stopping.abort())
    const isIn = await joinFirst(config, config.meshInvite, { logger, signal: stopping.signal })
    if (!isIn) return
  }
  await using running = new AsyncDisposableStack()
  const box = running.use(
    await openBox(config, {
      ...{ logger, wallClock: Date.now, monotonic: () => performance.now() },
      ...(config.mdns && { find: () => find({ timeoutMs: FIND_MS }) }),
    }),
  )
  const { boxId, event, ports, caFingerprint } = box
  if (config.mdns) {
    const onProblem = ({ message }: Error) => logger.warn({ event: 'mdns', message })
    running.use(advertise({ boxId, eventId: event.id, name: event.name, ports, caFingerprint }, { onProblem }))
  }
  logger.info({ event: 'box_open', box: boxId, ports })
  // On the appliance nobody reads along, but a log does, that is kept on the card: no token and no invite goes there.
  if (config.appliance === undefined) console.log(await bootNotice(box, config))
  if (feedBeside && config.feed) running.use(await openFeedBeside(config, logger))
  const shopFeed = await box.prepareShopFeed()
  if (shopFeed) running.use(runFeedBeside({ configPath: shopFeed, logger, monotonic: () => performance.now() }))
  logger.info({ event: 'box_closing', signal: await stopped })
}

async function openFeedBeside(config: Config, logger: Logger): Promise<AsyncDisposable> {
  try {
    const { configPath, dashboard } = await prepareBoxFeed(config)
    if (dashboard) console.log(`  change feed     ${dashboard}\n`)
    return runFeedBeside({ configPath, logger, monotonic: () => performance.now() })
  } catch (error) {
    // The box has said it already, when it opened: people are let in without a feed, too.
    logger.error({ event: 'feed_not_started', problem: (error as Error).message })
    return { [Symbol.asyncDispose]: async () => {} }
  }
}

async function bootNotice(box: Box, { demo }: Config): Promise<string> {
  const { event, ledger, ports, baseUrl } = box
  const checkpoints = event.checkpoints.map((checkpoint) => checkpoint.id)
  const invite = await mintInvite({ checkpoints, by: COMMAND_LINE }, { event, ledger, now: Date.now() })
  // An organiser's own tickets are for their holders, and not for whoever reads the boot log.
  const links = demo ? box.ticketLinks(3) : []
  const payload = invitePayload({ baseUrl, caFingerprint: box.caFingerprint, invite })
  return `
${event.name} is open: box ${box.boxId}

  this machine    http://localhost:${ports.http}    https://localhost:${ports.https}    devices on ${ports.device}
  phones          ${baseUrl}
  control room    ${baseUrl}/dashboard/
  CA              ${box.caFingerprint}
  admin token     ${box.adminToken}

A scanner pairs with this invite, once, within ten minutes:

${await QRCode.toString(payload, { type: 'terminal', small: true, errorCorrectionLevel: 'L' })}
  ${payload}
${links.length > 0 ? `\nTickets of the demo event, as their holders open them:\n\n${links.map((link) => `  ${link}\n`).join('')}` : ''}`
}
