/** `gatehouse invite`: creates an invite for a scanner. */
import { MOST_INVITE_SECONDS } from '@gatehouse/proto/wire/admin.ts'
import QRCode from 'qrcode'
import { COMMAND_LINE } from '../ca/actor.ts'
import { openEventAuthority } from '../ca/authority.ts'
import { INVITE_SECONDS, invitePayload, mintInvite, trustLink, trustPage } from '../ca/invites.ts'
import { heldName } from '../certificate/store.ts'
import { readConfig } from '../config.ts'
import { reachableHost, unreachableHost } from '../http/machine.ts'
import { type Command, JSON_OPTION, secondsOf, textOf, textsOf } from './command.ts'
import { openBeside, requireHttpsPort } from './opened.ts'

export const invite: Command = {
  usage: 'invite [--checkpoint ID]... [--supervisor] [OPTIONS]',
  summary: 'create an invite for one scanner, and show its QR code',
  details: 'The box may be running: the invite is valid at once, for one device.',
  examples: ['gatehouse invite', 'gatehouse invite --checkpoint north-in --name "North 2" --minutes 60'],
  operands: 0,
  options: {
    checkpoint: {
      type: 'string',
      value: 'ID',
      multiple: true,
      description: 'checkpoint at which the device may scan; repeat for several (default: all)',
    },
    name: { type: 'string', value: 'NAME', description: 'name of the device' },
    minutes: {
      type: 'string',
      value: 'MINUTES',
      description: `how long the invite is valid, 1 to ${MOST_INVITE_SECONDS / 60} (default: ${INVITE_SECONDS / 60})`,
    },
    supervisor: { type: 'boolean', description: 'allow the device to admit refused tickets, with a reason' },
    ...JSON_OPTION,
  },
  async run({ values, environment }) {
    const config = readConfig(environment)
    requireHttpsPort(config)
    using opened = await openBeside(config)
    const { event, ledger } = opened
    const authority = await openEventAuthority(event, { ...config, now: Date.now })
    const name = textOf(values.name)
    const supervisor = values.supervisor === true
    const chosen = textsOf(values.checkpoint)
    const checkpoints = chosen.length > 0 ? chosen : event.checkpoints.map((checkpoint) => checkpoint.id)
    const minted = await mintInvite(
      {
        ...{
          checkpoints,
          seconds: secondsOf(values, { usual: INVITE_SECONDS, most: MOST_INVITE_SECONDS }),
          supervisor,
          by: COMMAND_LINE,
        },
        ...(name !== undefined && { name }),
      },
      { event, ledger, now: Date.now() },
    )
    const publicName = await heldName(config, Date.now())
    const host = publicName ?? reachableHost(config.publicHost)
    const baseUrl = `https://${host}:${config.httpsPort}`
    const payload = invitePayload({ baseUrl, caFingerprint: authority.fingerprint, invite: minted })
    const expiresAt = new Date(minted.expiresAt).toISOString()
    const unreachable = unreachableHost(host)
    if (unreachable !== undefined) console.error(unreachable)
    // Plain HTTP protects a supervisor's invite too little; where the certificate is trusted anyway, nobody needs the page.
    const isTrusted = publicName !== undefined || config.tlsCert !== undefined
    const plainUrl = isTrusted || config.httpPort === 0 ? undefined : `http://${host}:${config.httpPort}`
    const trust_link = supervisor || plainUrl === undefined ? null : trustLink(payload, plainUrl)
    const trust_page = !supervisor || plainUrl === undefined ? null : trustPage('scanner', plainUrl)
    if (values.json)
      console.log(
        JSON.stringify({ invite: minted.code, expires_at: expiresAt, qr_payload: payload, trust_link, trust_page }),
      )
    else {
      const link = trust_link ?? payload
      const qr = await QRCode.toString(link, { type: 'terminal', small: true, errorCorrectionLevel: 'L' })
      const direct =
        link === payload ? '' : `For a device that trusts the box, and for gatehouse pair:\n\n${payload}\n\n`
      const first =
        trust_page === null ? '' : `A device that does not trust the box yet opens this first: ${trust_page}\n\n`
      console.log(
        `${qr}\n${link}\n\n${direct}${first}For one device, until ${expiresAt}, at ${checkpoints.join(', ')}.`,
      )
    }
    return true
  },
}
