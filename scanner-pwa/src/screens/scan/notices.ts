/** The notices above the scanner, most urgent first. */
import { sentence } from '@gatehouse/proto/verdict-words.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import type { Hold, IncidentState, KnownBox, Link, MirrorState, ScanRecord } from '../../gate/model.ts'
import { hashOf } from '../../route.ts'
import { words } from '../../words/words.ts'
import { isOwn, progressOf } from '../incident-progress.ts'

export interface Notice {
  /** The same for as long as it says the same: what was dismissed stays away until there is news. */
  id: string
  tone: 'bad' | 'alert' | 'warn' | 'info' | 'good'
  title: string
  text: string
  /** Screen on which a person can act on it. */
  href?: string
  /** Dismisses it; absent where it stays until its cause is over. */
  dismiss?: { kind: 'announcement'; id: string } | { kind: 'notice' }
}

export interface Situation {
  /** By the box's clock, ms. */
  now: number
  deviceId: string
  checkpoint: Checkpoint
  link: Link
  boxes: readonly KnownBox[]
  mirror: MirrorState | null
  hold: Hold | null
  doubles: readonly ScanRecord[]
  aside: readonly ScanRecord[]
  announcements: readonly Announcement[]
  incidents: readonly IncidentState[]
}

export function noticesOf(situation: Situation): Notice[] {
  const { announcements, incidents, deviceId, boxes, now } = situation
  const urgent = announcements.filter(({ severity }) => severity === 'emergency')
  const others = announcements.filter(({ severity }) => severity !== 'emergency')
  const own = incidents.filter((one) => isOwn(one, deviceId) && isNews(one, now))
  const isUnsent = ({ progress, refusal }: IncidentState) => progress === 'unsent' || refusal !== undefined
  return [
    ...own.filter(isUnsent).map(ownReport),
    ...held(situation),
    ...listTroubles(situation),
    ...incidents.filter((one) => !isOwn(one, deviceId) && one.incident?.emergency).map(emergency),
    ...urgent.map((one) => announcement(one, now)),
    ...toSettle(situation),
    ...whichBox(situation),
    ...own.filter((one) => !isUnsent(one)).map(ownReport),
    ...others.map((one) => announcement(one, now)),
    ...boxes.filter(({ open }) => !open).map(joined),
  ]
}

function held({ hold, checkpoint }: Situation): Notice[] {
  if (!hold) return []
  const until = hold.expiresAt === null ? '' : words.notice.holdUntil(hold.expiresAt)
  const text = [sentence(hold.reason), until].filter(Boolean).join(' ')
  return [notice('hold', 'bad', words.notice.hold(checkpoint.gate_name), text)]
}

/** The list that decisions made alone rest on: none, or an old one. */
function listTroubles({ link, mirror, now }: Situation): Notice[] {
  if (mirror === null)
    return link.state === 'offline' ? [notice('no-list', 'bad', words.notice.noList, words.notice.noListText)] : []
  return mirror.stale ? [notice('stale', 'bad', words.notice.stale(now - mirror.asOf), words.notice.staleText)] : []
}

function emergency({ id, kind, incident }: IncidentState): Notice {
  const title = words.notice.emergency(words.incidents.kinds[kind], incident?.gate_name ?? '')
  return {
    ...notice(`incident ${id}`, 'bad', title, incident?.note || words.notice.emergencyText),
    href: hashOf('incidents'),
    dismiss: { kind: 'notice' },
  }
}

function announcement({ id, severity, text, expires_at }: Announcement, now: number): Notice {
  const ends = expires_at === undefined ? Number.NaN : Date.parse(expires_at)
  // A time of day says nothing of a later day.
  const until = ends > now && ends - now < DAY_MS ? words.notice.holdUntil(ends) : ''
  const tone = severity === 'emergency' ? 'bad' : severity === 'warning' ? 'warn' : 'info'
  return {
    ...notice(
      `announcement ${id}`,
      tone,
      words.notice.announcement[severity],
      until === '' ? text : `${sentence(text)} ${until}`,
    ),
    dismiss: { kind: 'announcement', id },
  }
}

/** The box's answers to admissions made alone, until a person has seen them. */
function toSettle({ doubles, aside }: Situation): Notice[] {
  const href = hashOf('doubles')
  const came = notice('doubles', 'warn', words.notice.doubles(doubles.length), words.notice.doublesText)
  const refused = notice('aside', 'warn', words.notice.aside(aside.length), words.notice.asideText)
  return [...(doubles.length > 0 ? [{ ...came, href }] : []), ...(aside.length > 0 ? [{ ...refused, href }] : [])]
}

/** The box that answers, where it is not this scanner's own. */
function whichBox({ link, mirror, now }: Situation): Notice[] {
  const { state, heardAt, away } = link
  if (state !== 'offline')
    return away === null ? [] : [notice('away', 'warn', words.notice.away(away), words.notice.awayText)]
  // Without a list the phone decides nothing alone, which is said above.
  if (mirror === null) return []
  const title = words.notice.offline(heardAt === null ? null : now - heardAt)
  return [notice('alone', 'warn', title, words.notice.offlineText)]
}

/** A report of one's own that is over is shown for so long, ms. */
const DAY_MS = 24 * 3_600_000
const OVER_SHOWN_MS = 5 * 60_000

function isNews({ incident }: IncidentState, now: number): boolean {
  return !isOver(incident) || now - changedAt(incident) < OVER_SHOWN_MS
}

function ownReport(own: IncidentState): Notice {
  const { id, kind, progress, incident, refusal } = own
  const { tone, title, text } = progressOf(own)
  const at = refusal === undefined ? `${progress} ${incident?.version ?? 0}` : 'refused'
  const said = words.incidents.named(words.incidents.kinds[kind], title)
  return {
    ...notice(`own ${id} ${at}`, tone === 'plain' ? 'info' : tone, said, text),
    href: hashOf('incidents'),
    dismiss: { kind: 'notice' },
  }
}

function joined({ name, origin }: KnownBox): Notice {
  return {
    ...notice(`joined ${origin}`, 'info', words.notice.joined(name), words.notice.joinedText),
    href: hashOf('settings'),
    dismiss: { kind: 'notice' },
  }
}

function isOver(incident: IncidentState['incident']): boolean {
  return incident?.state === 'resolved' || incident?.state === 'cancelled'
}

function changedAt(incident: IncidentState['incident']): number {
  return Date.parse(incident?.actions.at(-1)?.at ?? incident?.reported_at ?? '') || 0
}

function notice(id: string, tone: Notice['tone'], title: string, text: string): Notice {
  return { id, tone, title, text }
}
