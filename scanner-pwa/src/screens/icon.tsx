/** Small drawings beside words, never in their place: 24 by 24, in the colour of the text. */
import type { JSX } from 'preact'

const PATHS = {
  scan: 'M3 3h7v2H5v5H3zM14 3h7v7h-2V5h-5zM3 14h2v5h5v2H3zM19 14h2v7h-7v-2h5zM7 11h10v2H7z',
  recent: 'M4 5h3v3H4zM9 5h11v3H9zM4 10.5h3v3H4zM9 10.5h11v3H9zM4 16h3v3H4zM9 16h11v3H9z',
  shift: 'M12 3a4.5 4.5 0 110 9 4.500 4.500 0 010-9zM3 21c0-5 4-7.500 9-7.500s9 2.500 9 7.500z',
  settings:
    'M3 5h10v2H3zM17 5h4v2h-4zM14 3h2v6h-2zM3 11h4v2H3zM11 11h10v2H11zM8 9h2v6H8zM3 17h10v2H3zM17 17h4v2h-4zM14 15h2v6h-2z',
  torch: 'M7 2h10v4l-2 4v12H9V10L7 6zM11 12h2v4h-2z',
  flip: 'M4 7h4l2-3h4l2 3h4v13H4zM12 9.500a4 4 0 100 8 4 4 0 000-8z',
  keyboard:
    'M2 5h20v14H2zM4.500 8v2.500H7V8zM9 8v2.500h2.500V8zM13.500 8v2.500H16V8zM18 8v2.500h2V8zM6.500 13.500V16h11v-2.500z',
  alarm: 'M12 2l11 20H1zM10.800 9v6h2.400V9zM10.800 17v2.400h2.400V17z',
  search:
    'M10 3a7 7 0 015.600 11.200l5.400 5.400-1.900 1.900-5.400-5.400A7 7 0 1110 3zM10 5.600a4.400 4.400 0 100 8.800 4.400 4.400 0 000-8.800z',
  linked: 'M2 17h4v5H2zM8 12h4v10H8zM14 7h4v15h-4zM20 2h2v20h-2z',
  offline:
    'M3 1.500L22.500 21 21 22.500 1.500 3zM2 17h4v5H2zM8 12.500l4 4V22H8zM14 18.500l3.500 3.500H14zM14 7h4v8.500l-4-4zM20 2h2v17l-2-2z',
  sent: 'M3 13l2-2 4 4L19 5l2 2L9 19z',
  unsent: 'M12 3l7 8h-4v6H9v-6H5zM4 19h16v2H4z',
  back: 'M14 4l2 2-6 6 6 6-2 2-8-8z',
  mute: 'M3 9h4l6-5v16l-6-5H3zM16 9l1.400-1.400L19.500 9.700l2.100-2.100L23 9l-2.100 2.100L23 13.200l-1.400 1.400-2.100-2.100-2.100 2.100L16 13.200l2.100-2.100z',
  close:
    'M5 6.500L6.500 5 12 10.500 17.500 5 19 6.500 13.500 12l5.500 5.500-1.500 1.500-5.500-5.500L6.500 19 5 17.500l5.500-5.500z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }): JSX.Element {
  return <Drawing path={PATHS[name]} class="icon" />
}

/** The same with a path of its own. */
export function Drawing({ path, class: name }: { path: string; class: string }): JSX.Element {
  return (
    <svg class={name} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} fill="currentColor" fill-rule="evenodd" />
    </svg>
  )
}
