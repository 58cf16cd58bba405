/** The notices above the scanner, on one line: the most urgent, and how many more there are. A press opens them all. */
import type { ReadonlySignal, Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Scanner } from '../../gate/model.ts'
import { ALARM } from '../../sound/patterns.ts'
import type { Sound } from '../../sound/sound.ts'
import { words } from '../../words/words.ts'
import { lazy } from '../lazy.tsx'
import { type Notice, noticesOf } from './notices.ts'
import './notices.css'

const NoticeList = lazy(() => import('./notice-list.tsx'), 'NoticeList')

interface NoticesProps {
  scanner: Scanner
  now: ReadonlySignal<number>
  /** Ids of what was dismissed here. */
  dismissed: Signal<ReadonlySet<string>>
  sound: Sound
}

export function Notices({ scanner, now, dismissed, sound }: NoticesProps): JSX.Element {
  const [open, setOpen] = useState(false)
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

  // A notice that comes later does not open the list again.
  useEffect(() => {
    if (notices.length === 0) setOpen(false)
  }, [notices.length === 0])
  const dismiss = (notice: Notice) => {
    if (notice.dismiss?.kind === 'announcement') scanner.dismissAnnouncement(notice.dismiss.id)
    else dismissed.value = new Set([...dismissed.value, notice.id])
  }
  const [first, ...others] = notices
  return (
    <>
      <section class="notices" aria-label={words.scan.notices} aria-live="polite">
        {first && (
          <button type="button" class="notice-line" data-tone={first.tone} onClick={() => setOpen(true)}>
            <span>
              <b>{first.title}</b> {first.text}
            </span>
            {others.length > 0 && <span class="notice-count">{words.notice.more(others.length)}</span>}
          </button>
        )}
        {/* Heard as they come, although one line has no room for them. */}
        {others.map(({ id, title }) => (
          <p key={id} class="visually-hidden">
            {title}
          </p>
        ))}
      </section>
      {open && first && <NoticeList notices={notices} dismiss={dismiss} close={() => setOpen(false)} />}
    </>
  )
}

function isAlarm({ id, tone }: Notice): boolean {
  return tone === 'bad' && (id === 'hold' || id.startsWith('incident') || id.startsWith('announcement'))
}
