/** Forged pages of a traitor. Each would take effect at every box if the box that it names had signed it. Pure. */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import { encodeEnvelope, encodePage } from '../src/mesh/replication/envelope.ts'
import type { Rows } from '../src/mesh/replication/rows.ts'

export const LIES = ['enrolment', 'erasure', 'device_revoked', 'ticket_revoked', 'scan'] as const
export type Lie = (typeof LIES)[number]

/** The id of the device that the lies enrol, and of their scan. */
export const FORGED_DEVICE = 'dev-f0f0f0f0f0f0'
export const FORGED_SCAN = 'f0f0f0f0-f0f0-4f0f-8f0f-f0f0f0f0f0f0'

/** A real key, as enrolment asks for: SubjectPublicKeyInfo of P-256's base point (SEC 2, section 2.4.2), base64. */
const DEVICE_KEY = Buffer.from(
  '3059301306072a8648ce3d020106082a8648ce3d03010703420004' +
    '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
    '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  'hex',
).toString('base64')

export interface LieAbout {
  /** The box whose journal the page claims to continue, and the index of its entry. */
  readonly box: string
  readonly index: number
  /** Unix ms: the clock of the entry. */
  readonly at: number
  /** A device of the event, and a ticket by its ref. */
  readonly device: string
  readonly ticket: string
}

/** @returns a page that continues the journal by one entry */
export function forgedPage(lie: Lie, about: LieAbout): Uint8Array {
  const { box, index, at } = about
  const entry = { ...fieldsOf(lie, about), kind: lie, index, hlc: format({ ms: at, count: index % 1_000_000 }) }
  const envelope = encodeEnvelope({ index, bytes: Buffer.from(canonicalJson(entry)) }, rowsOf(lie, about))
  return encodePage({ box, size: index + 1, entries: [envelope] })
}

function fieldsOf(lie: Lie, { at, device, ticket }: LieAbout): { readonly [field: string]: unknown } {
  const time = new Date(at).toISOString()
  const by = { actor: 'X', address: '192.0.2.1', reason: 'X' }
  switch (lie) {
    case 'enrolment':
      return { device: FORGED_DEVICE, certificate: 'ab'.repeat(32), checkpoints: ['a-in'], supervisor: true }
    case 'erasure':
      return { ...by, at: time, names: 1, emails: 1, incident_notes: 0, flag_notes: 0 }
    case 'device_revoked':
      return { ...by, device }
    case 'ticket_revoked':
      return { ...by, ticket }
    case 'scan':
      return {
        ...{ at: time, observed_at: time, checkpoint: 'a-in', device, scan_id: FORGED_SCAN, tier: 'once', ticket },
        ...{ code: 'ab'.repeat(16), confidence: 'confirmed', device_hlc: '0.0', direction: 'in', occurrence: 1 },
        ...{ offline_admitted: false, slot: 'arena', surplus: 0, verdict: 'ADMIT' },
      }
  }
}

function rowsOf(lie: Lie, { at }: LieAbout): Rows | undefined {
  if (lie === 'scan') return { passage: { at, from: null, to: 'arena', occurrence: 1, provisional: false } }
  if (lie !== 'enrolment') return undefined
  const zeros = (bytes: number) => Buffer.alloc(bytes).toString('base64')
  return {
    device: {
      ...{ id: FORGED_DEVICE, name: 'X', fingerprint: 'ab'.repeat(32), tokenHash: zeros(32), publicKey: DEVICE_KEY },
      ...{ checkpoints: ['a-in'], enrolledAt: at, expiresAt: at + 86_400_000, revokedAt: null, revokedReason: null },
      supervisor: true,
    },
  }
}

/** Every spelling of a text in which somebody who listens could read it: plain, and in base64 at each of its three places. */
export function spellingsOf(text: string): Buffer[] {
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.from('x'.repeat(shift) + text)
      .toString('base64')
      .replace(/=+$/, '')
    // The first and the last character depend on the neighbours of the text.
    return encoded.slice(shift === 0 ? 0 : shift + 1, -1)
  })
  return [text, ...base64].map((spelling) => Buffer.from(spelling))
}
