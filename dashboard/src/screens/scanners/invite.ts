/** Invites: what is chosen, how long they last, and the device that was paired with one. */
import { fromBase64Url } from '@gatehouse/proto/base64.ts'
import type { Invite } from '@gatehouse/proto/wire/admin.ts'
import type { Stats } from '@gatehouse/proto/wire/stats.ts'

/** Kind of device that is paired: a phone with our scanner, or an app of pretix in one of its modes. */
export const APPS = ['ours', 'proxy', 'plain'] as const
export type PairedApp = (typeof APPS)[number]

/** Seconds. The box takes 10 to a week. */
export const EXPIRIES = [600, 3600, 12 * 3600, 86_400, 7 * 86_400] as const

/** Marks a gate's checkpoints, or takes them all away when they are marked already. */
export function toggled(chosen: ReadonlySet<string>, ids: readonly string[]): Set<string> {
  const every = ids.every((id) => chosen.has(id))
  const others = [...chosen].filter((id) => !ids.includes(id))
  return new Set(every ? others : [...others, ...ids])
}

export function share(chosen: ReadonlySet<string>, ids: readonly string[]): 'all' | 'some' | 'none' {
  const there = ids.filter((id) => chosen.has(id)).length
  return there === 0 ? 'none' : there === ids.length ? 'all' : 'some'
}

/** Of what is chosen, what the event still has: in its order. */
export function checkpointsIn(gates: Stats['gates'], chosen: ReadonlySet<string>): string[] {
  return gates.flatMap(({ checkpoints }) => checkpoints.map(({ id }) => id)).filter((id) => chosen.has(id))
}

/**
 * The ms that are left of an invite, by this device's clock from the moment when the answer came: a tablet whose clock is wrong
 * counts right all the same.
 */
export function leftOf(made: { at: number; seconds: number }, now: number): number {
  return Math.max(0, made.at + made.seconds * 1000 - now)
}

export interface DeviceRow {
  device_id: string
  name: string
  checkpoints: readonly string[]
}

/**
 * The device that was paired with an invite that is shown: one that was not there before, with the same checkpoints. Two invites
 * alike that are open at once cannot be told apart, and need not be.
 */
export function cameIn<D extends DeviceRow>(
  before: ReadonlySet<string>,
  checkpoints: readonly string[],
  roster: readonly D[],
): D | undefined {
  const wanted = [...checkpoints].sort().join('\n')
  return roster.find(
    ({ device_id, checkpoints: own }) => !before.has(device_id) && [...own].sort().join('\n') === wanted,
  )
}

/** Name in the lists for the phone that takes a code of a gate's sheet: the place, with a number where the sheet has several. @param n from 0 */
export function nameOnSheet(gate: string, n: number, count: number): string {
  return count === 1 ? gate : `${gate} ${n + 1}`
}

/** The link for a phone: to the page on which it comes to trust the box, where it has to, and then the scanner. */
export function linkOf({ trust_link, qr_payload }: Pick<Invite, 'trust_link' | 'qr_payload'>): string {
  return trust_link ?? qr_payload
}

/** The fingerprint of the authority in an invite of this box, as phones show it: pairs of digits. */
export function fingerprintIn(link: string): string {
  const payload = fromBase64Url(new URL(link).hash.slice('#i='.length))
  const { fp } = JSON.parse(new TextDecoder().decode(payload)) as { fp: string }
  return (fp.replace(/^sha256:/, '').match(/../g) ?? []).join(' ').toUpperCase()
}

/** The host of an invite that only the box itself can open; null where other devices can. */
export function hostOfOwn(link: string): string | null {
  const { hostname } = new URL(link)
  return hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]' ? hostname : null
}

/** Whole days that a certificate is still good for; below zero when it has ended. */
export function daysLeft(expiresAt: string, now: number): number {
  return Math.floor((Date.parse(expiresAt) - now) / 86_400_000)
}
