/** The notices above the scanner: holds, emergencies, an old list, double uses, announcements. */
import type { ReadonlySignal, Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Scanner } from '../../gate/model.ts'
import { ALARM } from '../../sound/patterns.ts'
import type { Sound } from '../../sound/sound.ts'
import { words } from '../../words/words.ts'
import { Icon } from '../icon.tsx'
import { type Notice, noticesOf } from './notices.ts'
import './notices.css'

interface NoticesProps {
  scanner: Scanner
  now: ReadonlySignal<number>
  /** Ids of what was dismissed here. */
  dismissed: Signal<ReadonlySet<string>>
  sound: Sound
}

export function Notices({ scanner, now, dismissed, sound }: NoticesProps): JSX.Element | null {
  const checkpoint = scanner.checkpoint.value
  const pairing = scanner.pairing.value
  const notices =
    checkpoint && pairing
      ? noticesOf({
          now: now.value,
          deviceId: pairing.deviceId,
          checkpoint,
          link: scanner.link.value,
          boxes: scanner.boxes.value,
          mirror: scanner.mirror.value,
          hold: scanner.hold.value,
          doubles: scanner.doubles.value,
          aside: scanner.aside.value,
          announcements: scanner.announcements.value,
          incidents: scanner.incidents.value,
        }).filter(({ id }) => !dismissed.value.has(id))
      : []
  // Heard once for each: a hold, or somebody in danger.
  const alarms = notices.filter(isAlarm).map(({ id }) => id)
  const newest = alarms.join('\n')
  useEffect(() => {
    if (alarms.length > 0) sound.play(ALARM)
  }, [newest])

  const dismiss = (notice: Notice) => {
    if (notice.dismiss?.kind === 'announcement') scanner.dismissAnnouncement(notice.dismiss.id)
    else dismissed.value = new Set([...dismissed.value, notice.id])
  }
  return (
    <section class="notices" aria-label={words.scan.notices} aria-live="polite">
      {notices.map((notice) => (
        <div key={notice.id} class="notice" data-tone={notice.tone}>
          <p>
            <b>{notice.title}</b> <span>{notice.text}</span>
          </p>
          {notice.href && (
            <a class="button" href={notice.href} aria-label={`${words.notice.look}: ${notice.title}`}>
              {words.notice.look}
            </a>
          )}
          {notice.dismiss && (
            <button type="button" aria-label={words.notice.dismissNamed(notice.title)} onClick={() => dismiss(notice)}>
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
    </section>
  )
}

function isAlarm({ id, tone }: Notice): boolean {
  return tone === 'bad' && (id === 'hold' || id.startsWith('incident') || id.startsWith('announcement'))
}
