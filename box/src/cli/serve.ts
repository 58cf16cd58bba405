/** `gatehouse serve`: runs the box, and prints its addresses, an invite, and at the first start the admin token. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import QRCode from 'qrcode'
import { type Box, openBox } from '../boot/box.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { invitePayload, mintInvite, trustLink } from '../ca/invites.ts'
import { type Config, type Environment, readConfig } from '../config.ts'
import { runFeedBeside } from '../feed/beside.ts'
import { prepareBoxFeed } from '../feed/of-the-box.ts'
import { boundReadAhead } from '../http/read-ahead.ts'
import { createLogger, type Logger } from '../log.ts'
import { advertise, find } from '../mesh/discovery/discovery.ts'
import { joinAtStart } from '../mesh/membership/join-at-start.ts'
import { collectBesideScans } from '../thread-priority.ts'
import { listenForStop, type Stop } from '../usage.ts'

/** Time for which mDNS is listened to for a box whose address has changed. */
const FIND_MS = 2_000

/**
 * Serves until SIGTERM or SIGINT, then finishes what is in progress. A second signal ends the process at once, which the ledger survives.
 * @param feedBeside run the change feed as well, as a child process; the image has a service for it
 */
export async function runBox(environment: Environment, options: { feedBeside?: boolean } = {}): Promise<void> {
  collectBesideScans()
  boundReadAhead()
  using stop = listenForStop()
  while ((await serveOnce(environment, stop, options)) === 'again') {
    // The guide has written another event: everything is read anew. Not in a second in which this process has answered: a signature has
    // whole seconds, and one of that second would be good once more (http/request-signature.ts).
    await sleep(1000, undefined, { signal: stop.signal }).catch(() => {})
  }
}

async function serveOnce(environment: Environment, stop: Stop, { feedBeside = false }): Promise<'again' | 'done'> {
  const config = readConfig(environment)
  const logger = createLogger(config.logLevel)
  if (config.meshInvite) {
    const hasJoined = await joinAtStart(config, config.meshInvite, { logger, signal: stop.signal })
    if (!hasJoined) return 'done'
  }
  const { promise: reopened, resolve: reopen } = Promise.withResolvers<void>()
  await using running = new AsyncDisposableStack()
  const box = running.use(
    await openBox(config, {
      ...{ logger, wallClock: Date.now, monotonic: () => performance.now(), reopen },
      ...(config.mdns && { find: () => find({ timeoutMs: FIND_MS }) }),
    }),
  )
  const { boxId, event, ports, caFingerprint } = box
  if (config.mdns) {
    const onProblem = ({ message }: Error) => logger.warn({ event: 'mdns', message })
    running.use(advertise({ boxId, eventId: event.id, name: event.name, ports, caFingerprint }, { onProblem }))
  }
  logger.info({ event: 'box_open', box: boxId, ports })
  // On the appliance, output goes into a log that is kept on the card: no token and no invite may be in it.
  if (config.appliance === undefined) console.log(await bootNotice(box, config))
  if (feedBeside && config.feed) running.use(await openFeedBeside(config, logger))
  const shopFeed = await box.prepareShopFeed()
  if (shopFeed) running.use(runFeedBeside({ configPath: shopFeed, logger, monotonic: () => performance.now() }))
  const signal = await Promise.race([stop.received, reopened])
  logger.info({ event: 'box_closing', signal: signal ?? 'event_file' })
  return signal === undefined ? 'again' : 'done'
}

async function openFeedBeside(config: Config, logger: Logger): Promise<AsyncDisposable> {
  try {
    const { configPath, dashboard } = await prepareBoxFeed(config)
    if (dashboard) console.log(`  change feed     ${dashboard}\n`)
    return runFeedBeside({ configPath, logger, monotonic: () => performance.now() })
  } catch (error) {
    // The box has logged the mistake when it opened. People are let in without a feed.
    logger.error({ event: 'feed_not_started', problem: (error as Error).message })
    return { [Symbol.asyncDispose]: async () => {} }
  }
}

async function bootNotice(box: Box, { demo, dataDir }: Config): Promise<string> {
  const { event, ledger, ports, baseUrl, untrustedPlainUrl } = box
  const checkpoints = event.checkpoints.map((checkpoint) => checkpoint.id)
  const invite = await mintInvite({ checkpoints, by: COMMAND_LINE }, { event, ledger, now: Date.now() })
  // Links of an organiser's own tickets are not printed: anybody who reads the log could open the tickets.
  const links = demo ? box.ticketLinks(3) : []
  const payload = invitePayload({ baseUrl, caFingerprint: box.caFingerprint, invite })
  const link = untrustedPlainUrl === undefined ? payload : trustLink(payload, untrustedPlainUrl)
  return `
${event.name} is open: box ${box.boxId}

  this machine    http://localhost:${ports.http}    https://localhost:${ports.https}    devices on ${ports.device}
  phones          ${baseUrl}
  control room    ${baseUrl}/dashboard/
  CA              ${box.caFingerprint}
  admin token     ${adminTokenLine(box, dataDir)}

Invite for one scanner, valid for ten minutes:

${await QRCode.toString(link, { type: 'terminal', small: true, errorCorrectionLevel: 'L' })}
  ${link}
${link === payload ? '' : `\nThe same for a device that trusts the box, and for gatehouse pair:\n\n  ${payload}\n`}${links.length > 0 ? `\nTickets of the demo event, as their holders see them:\n\n${links.map((link) => `  ${link}\n`).join('')}` : ''}`
}

/** Shown once: what a box prints at every start ends up in the logs of a service, which more people read than its data folder. */
function adminTokenLine({ adminToken, adminTokenIsNew }: Box, dataDir: string): string {
  if (adminTokenIsNew) return `${adminToken}    (shown this once; kept in ${join(dataDir, 'admin-token')})`
  return `in ${join(dataDir, 'admin-token')}`
}
