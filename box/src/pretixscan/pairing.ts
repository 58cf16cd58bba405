/** Pairs a pretixSCAN: a QR code in the form that the app reads, single use, and the login that it gets for it. */
import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import type { Authority } from '../ca/authority.ts'
import { admitDevice, newDeviceId } from '../ca/enroll.ts'
import { type MintedInvite, mintInvite, type NewInvite, requireInvite } from '../ca/invites.ts'
import { GatehouseError } from '../errors.ts'
import type { Event } from '../event/event.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { PretixScanMode } from '../ledger/schema.ts'
import type { Setup } from './shapes.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** The app switches to proxy mode by it. */
const PROXY_PREFIX = 'proxy='
const MOST_NAME = 100

export interface PairingDeps {
  authority: Pick<Authority, 'issueDeviceCertificate'>
  event: Event
  ledger: Ledger
  /** Unix ms. */
  now: () => number
}

/** 83 random bits, so that it can be typed where no camera reads it: good once, for minutes, and tries are slowed. */
function newToken(mode: PretixScanMode): string {
  const letters = Array.from({ length: 16 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
  return mode === 'proxy' ? `${PROXY_PREFIX}${letters}` : letters
}

/** @throws GatehouseError `not_found` for a checkpoint that the event does not have */
export function mintPairing(
  wanted: Omit<NewInvite, 'app'> & { mode: PretixScanMode },
  { event, ledger, now }: PairingDeps,
): Promise<MintedInvite> {
  const { mode, ...rest } = wanted
  return mintInvite({ ...rest, app: { code: newToken(mode), mode } }, { event, ledger, now: now() })
}

/** The text of the QR code. An app that sees the key `version` takes it for a code of another kind. */
export function pairingPayload(url: string, { code }: MintedInvite): string {
  return JSON.stringify({ handshake_version: 1, url, token: code })
}

export interface Paired {
  id: string
  name: string
  token: string
  mode: PretixScanMode
  checkpoints: readonly string[]
}

/**
 * Puts the app on the roster. Its certificate is issued as every device's is, and nobody keeps the key: on the device tier the token
 * alone opens nothing.
 * @throws GatehouseError `not_found`, `invite_used`, `invite_expired`; `conflict` once the event is over
 */
export async function pairPretixScan(setup: Setup, deps: PairingDeps): Promise<Paired> {
  const { ledger, authority } = deps
  const now = deps.now()
  // An app that was typed a token leaves the prefix as it is; one that scanned it sends it, too.
  requireInvite(setup.token, { ledger, now }, 'pretixscan')
  const id = newDeviceId()
  const token = randomBytes(32).toString('hex')
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issued = await authority.issueDeviceCertificate({ deviceId: id, publicKey })
  const app = softwareOf(setup)
  const name = nameOf(setup)
  const request = { invite: setup.token, name }
  const invite = await ledger.commit(() => admitDevice({ id, token, issued, request, app }, { ledger, now }))
  const { mode, checkpoints } = { mode: invite.app ?? 'proxy', checkpoints: invite.checkpoints }
  return { id, name: invite.name ?? name, token, mode, checkpoints }
}

/** "pretixSCAN Android 3.3.4". */
export function softwareOf({ software_brand, software_version }: Pick<Setup, 'software_brand' | 'software_version'>) {
  return printable(`${software_brand ?? ''} ${software_version ?? ''}`) || 'pretixSCAN'
}

function nameOf({ hardware_brand, hardware_model }: Setup): string {
  return printable(`${hardware_brand ?? ''} ${hardware_model ?? ''}`) || 'pretixSCAN'
}

/** An app says of itself what it likes, and people read it. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, MOST_NAME)
    .toWellFormed()
}

/** Text that the app shows when its token does not work. */
export function pairingProblem(error: unknown): string | undefined {
  if (!(error instanceof GatehouseError)) return undefined
  switch (error.code) {
    case 'not_found':
      return 'This box never made this token: scan the QR code of this box again.'
    case 'invite_used':
      return 'This token has been used: ask the control room for a new one.'
    case 'invite_expired':
      return 'This token has expired: ask the control room for a new one.'
    case 'bad_request':
    case 'conflict':
      return error.message
    default:
      return undefined
  }
}
