/** `gatehouse invite`: lets one more scanner in, from the box's own keyboard. */
import { hostname } from 'node:os'
import { join } from 'node:path'
import { MOST_INVITE_SECONDS } from '@gatehouse/proto/wire/admin.ts'
import QRCode from 'qrcode'
import { openAuthority } from '../ca/authority.ts'
import { INVITE_SECONDS, invitePayload, mintInvite } from '../ca/invites.ts'
import { readConfig } from '../config.ts'
import { readEvent } from '../event/event.ts'
import { COMMAND_LINE } from '../http/actor.ts'
import { reachableHost } from '../http/machine.ts'
import { openLedger } from '../ledger/open.ts'
import { type Command, JSON_OPTION, textOf, textsOf } from './command.ts'
import { UsageError } from './usage.ts'

export const invite: Command = {
  usage: 'invite [--checkpoint ID] [--supervisor]',
  summary: 'mint a scanner invite and show its QR code',
  operands: 0,
  details: '  Works beside a running box: the invite counts at once.',
  options: {
    checkpoint: {
      type: 'string',
      multiple: true,
      description: 'where the device may scan; again for another (default: everywhere)',
    },
    name: { type: 'string', description: 'what the device will be called' },
    minutes: { type: 'string', description: `until when it can be used (default: ${INVITE_SECONDS / 60})` },
    supervisor: { type: 'boolean', description: 'the device may admit refused tickets, with a reason' },
    ...JSON_OPTION,
  },
  async run({ values, environment }) {
    const config = readConfig(environment)
    if (config.httpsPort === 0) {
      throw new UsageError('GATEHOUSE_HTTPS_PORT is 0: set it to the port that the box printed when it started.')
    }
    const event = await readEvent(config.eventDir)
    const { ledger } = openLedger({ dataDir: config.dataDir, eventId: event.id, wallClock: Date.now })
    using _closing = ledger
    const authority = await openAuthority({
      dir: join(config.dataDir, 'ca'),
      eventId: event.id,
      eventName: event.name,
      endsAt: Date.parse(event.ends_at),
      hostname: hostname(),
      now: Date.now,
    })
    const name = textOf(values.name)
    const supervisor = values.supervisor === true
    const chosen = textsOf(values.checkpoint)
    const checkpoints = chosen.length > 0 ? chosen : event.checkpoints.map((checkpoint) => checkpoint.id)
    const minted = await mintInvite(
      {
        ...{ checkpoints, seconds: secondsOf(textOf(values.minutes)), supervisor, by: COMMAND_LINE },
        ...(name !== undefined && { name }),
      },
      { event, ledger, now: Date.now() },
    )
    const baseUrl = `https://${reachableHost(config.publicHost)}:${config.httpsPort}`
    const payload = invitePayload({ baseUrl, caFingerprint: authority.fingerprint, invite: minted })
    const expiresAt = new Date(minted.expiresAt).toISOString()
    if (values.json) console.log(JSON.stringify({ invite: minted.code, expires_at: expiresAt, qr_payload: payload }))
    else {
      const qr = await QRCode.toString(payload, { type: 'terminal', small: true, errorCorrectionLevel: 'L' })
      console.log(`${qr}\n${payload}\n\nOne device, until ${expiresAt}, at ${checkpoints.join(', ')}.`)
    }
    return true
  },
}

function secondsOf(minutes: string | undefined): number {
  if (minutes === undefined) return INVITE_SECONDS
  const most = MOST_INVITE_SECONDS / 60
  if (!/^\d+$/.test(minutes) || Number(minutes) === 0 || Number(minutes) > most) {
    throw new UsageError(`--minutes is "${minutes}", not a whole number from 1 to ${most}.`)
  }
  return Number(minutes) * 60
}
