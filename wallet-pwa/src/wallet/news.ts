/**
 * The organiser's messages. Only those with a signature of the key in the ticket's link are shown; the others are hidden and
 * counted. A warning beside a forged "run to gate B" would be read second.
 */
import { standing, verifyAnnouncement } from '@gatehouse/proto/announcement.ts'
import type { Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'

export interface News {
  /** Emergencies first, then newest first. */
  signed: readonly Announcement[]
  /** Number of announcements that were left out because their signature is missing or wrong. */
  hidden: number
}

const URGENCY = { emergency: 0, warning: 1, info: 2 } as const

/** @param verifierKey of the ticket's link; null for a link that had none, so that nothing can be verified */
export async function readNews(
  announcements: readonly Announcement[],
  verifierKey: string | null,
  by: Ed25519Verifier,
): Promise<News> {
  const checked = await Promise.all(
    announcements.map(
      async (one) => verifierKey !== null && (await verifyAnnouncement(one, verifierKey, by).catch(() => false)),
    ),
  )
  const verified = announcements.filter((_, i) => checked[i])
  const signed = standing(verified)
  signed.sort((a, b) => URGENCY[a.severity] - URGENCY[b.severity] || b.issued_at.localeCompare(a.issued_at))
  return { signed, hidden: announcements.length - verified.length }
}

/** The announcements that have not expired. @param now unix ms by the box */
export function inForce(announcements: readonly Announcement[], now: number): Announcement[] {
  return announcements.filter(({ expires_at }) => expires_at === undefined || Date.parse(expires_at) > now)
}
