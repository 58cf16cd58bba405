/** `gatehouse serve`: runs the box, and prints what the person in front of it needs. */
import QRCode from 'qrcode'
import { type Box, openBox } from '../box.ts'
import { invitePayload, mintInvite } from '../ca/invites.ts'
import { type Environment, readConfig } from '../config.ts'
import { COMMAND_LINE } from '../http/actor.ts'
import { createLogger } from '../log.ts'
import { announce } from '../mesh/discovery.ts'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Serves until SIGTERM or SIGINT, then finishes what is in flight. A second signal ends it at once: the ledger bears that. */
export async function runBox(environment: Environment): Promise<void> {
  const config = readConfig(environment)
  const logger = createLogger(config.logLevel)
  const stopped = new Promise<string>((resolve) => {
    const stop = (signal: string) => {
      for (const name of SIGNALS) process.off(name, stop)
      resolve(signal)
    }
    for (const name of SIGNALS) process.on(name, stop)
  })
  await using running = new AsyncDisposableStack()
  const box = running.use(await openBox(config, { logger, wallClock: Date.now, monotonic: () => performance.now() }))
  const { boxId, event, ports, caFingerprint } = box
  if (config.mdns) {
    const onProblem = ({ message }: Error) => logger.warn({ event: 'mdns', message })
    running.use(announce({ boxId, eventId: event.id, name: event.name, ports, caFingerprint }, { onProblem }))
  }
  logger.info({ event: 'box_open', box: boxId, ports })
  console.log(await bootNotice(box))
  logger.info({ event: 'box_closing', signal: await stopped })
}

async function bootNotice(box: Box): Promise<string> {
  const { event, ledger, ports, baseUrl } = box
  const checkpoints = event.checkpoints.map((checkpoint) => checkpoint.id)
  const invite = await mintInvite({ checkpoints, by: COMMAND_LINE }, { event, ledger, now: Date.now() })
  const payload = invitePayload({ baseUrl, caFingerprint: box.caFingerprint, invite })
  return `
${event.name} is open: box ${box.boxId}

  this machine    http://localhost:${ports.http}    https://localhost:${ports.https}    devices on ${ports.device}
  phones          ${baseUrl}
  CA              ${box.caFingerprint}
  admin token     ${box.adminToken}

A scanner pairs with this invite, once, within ten minutes:

${await QRCode.toString(payload, { type: 'terminal', small: true, errorCorrectionLevel: 'L' })}
  ${payload}
`
}
