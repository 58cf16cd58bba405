/** What stands over the scanner, most urgent first. */
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import type { Hold, IncidentState, KnownBox, Link, MirrorState, ScanRecord } from '../../model.ts'
import { hashOf, type ScreenName } from '../../route.ts'
import { words } from '../../words/en.ts'
import { sentence } from '../../words/en-verdict.ts'

export interface Notice {
  /** The same for as long as it says the same: what was dismissed stays away until there is news. */
  id: string
  tone: 'bad' | 'warn' | 'info' | 'good'
  title: string
  text: string
  /** Where a person can do something about it. */
  href?: string
  /** What dismissing it means; absent where it stays until the thing itself is over. */
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

/** A report of one's own that is over is shown for so long, ms. */
const OVER_SHOWN_MS = 5 * 60_000

export function noticesOf(situation: Situation): Notice[] {
  const { now, link, boxes, mirror, hold, doubles, aside, announcements, incidents, checkpoint } = situation
  const own = incidents.filter((one) => isOwn(one, situation.deviceId))
  const elsewhere = incidents.filter((one) => !isOwn(one, situation.deviceId))
  const alone = link.state === 'alone'
  return [
    ...(hold
      ? [
          notice(
            'hold',
            'bad',
            words.notice.hold(checkpoint.gate_name),
            [sentence(hold.reason), hold.expiresAt === null ? '' : words.notice.holdUntil(hold.expiresAt)]
              .filter(Boolean)
              .join(' '),
          ),
        ]
      : []),
    ...(alone && mirror === null ? [notice('no-list', 'bad', words.notice.noList, words.notice.noListText)] : []),
    ...(mirror?.stale ? [notice('stale', 'bad', words.notice.stale(now - mirror.asOf), words.notice.staleText)] : []),
    ...elsewhere.map(
      ({ id, kind, incident }): Notice => ({
        ...notice(
          `incident ${id}`,
          'bad',
          words.notice.emergency(words.incidents.kinds[kind], incident?.gate_name ?? ''),
          incident?.note || words.notice.emergencyText,
        ),
        ...to('incidents'),
        dismiss: { kind: 'notice' },
      }),
    ),
    ...announcements.filter(({ severity }) => severity === 'emergency').map(announcement),
    ...(doubles.length > 0
      ? [
          {
            ...notice('doubles', 'warn', words.notice.doubles(doubles.length), words.notice.doublesText),
            ...to('doubles'),
          },
        ]
      : []),
    ...(aside.length > 0
      ? [{ ...notice('aside', 'warn', words.notice.aside(aside.length), words.notice.asideText), ...to('doubles') }]
      : []),
    ...(alone && mirror !== null
      ? [
          notice(
            'alone',
            'warn',
            words.notice.alone(link.heardAt === null ? null : now - link.heardAt),
            words.notice.aloneText,
          ),
        ]
      : []),
    ...(!alone && link.away !== null
      ? [notice('away', 'warn', words.notice.away(link.away), words.notice.awayText)]
      : []),
    ...own
      .filter(({ incident }) => !isOver(incident) || now - changedAt(incident) < OVER_SHOWN_MS)
      .map((one): Notice => {
        const { id, kind, progress, incident, refusal } = one
        const kindName = words.incidents.kinds[kind]
        return {
          ...(refusal === undefined
            ? notice(
                `own ${id} ${progress} ${incident?.version ?? 0}`,
                isOver(incident) ? 'good' : 'info',
                `${kindName}: ${words.incidents.ticks[progress]}`,
                incident && progress === 'seen' ? response(incident) : words.incidents.progress[progress],
              )
            : notice(`own ${id} refused`, 'bad', kindName, words.incidents.refused(refusal))),
          ...to('incidents'),
          ...((isOver(incident) || refusal !== undefined) && { dismiss: { kind: 'notice' } as const }),
        }
      }),
    ...announcements.filter(({ severity }) => severity !== 'emergency').map(announcement),
    ...boxes
      .filter(({ open }) => !open)
      .map(
        ({ name, origin }): Notice => ({
          ...notice(`joined ${origin}`, 'info', words.notice.joined(name), words.notice.joinedText),
          ...to('settings'),
          dismiss: { kind: 'notice' },
        }),
      ),
  ]
}

export function isOwn({ incident }: IncidentState, deviceId: string): boolean {
  return incident === null || incident.reported_by === deviceId
}

/** What the control room has done about it, in one line. */
export function response({ state, assignee, actions }: NonNullable<IncidentState['incident']>): string {
  const reason = actions.at(-1)?.reason
  return [words.incidents.state(state, assignee), reason && words.incidents.reason(reason)].filter(Boolean).join(' ')
}

function announcement({ id, severity, text }: Announcement): Notice {
  const tone = severity === 'emergency' ? 'bad' : severity === 'warning' ? 'warn' : 'info'
  return {
    ...notice(`announcement ${id}`, tone, words.notice.announcement[severity], text),
    dismiss: { kind: 'announcement', id },
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

function to(screen: ScreenName): { href: string } {
  return { href: hashOf(screen) }
}
