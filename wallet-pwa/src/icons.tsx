/** Drawn with the ink around them; the word beside each is what a screen reader says. */
import type { JSX } from 'preact'

const PATHS = {
  ticket:
    'M3 8a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v2a2 2 0 0 0 0 4v2a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-2a2 2 0 0 0 0-4zM15 6v2.5M15 11v2M15 15.5V18',
  nearby: 'M12 21s7-6.2 7-11.5A7 7 0 0 0 5 9.5C5 14.8 12 21 12 21zM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  news: 'M4 10v4h3l6 4V6L7 10zM17 9a4 4 0 0 1 0 6',
  more: 'M4 7h16M4 12h16M4 17h16',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.5v.2',
  warn: 'M12 3.5L22 20.5H2zM12 10v5M12 17.6v.2',
  bad: 'M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM8.8 8.8l6.4 6.4M15.2 8.8l-6.4 6.4',
  good: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8 12.3l2.8 2.8L16.2 9.5',
  back: 'M15 5l-7 7 7 7',
} as const
export type IconName = keyof typeof PATHS

export function Icon({ of }: { of: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[of]} />
    </svg>
  )
}
