/** The screens where something is decided or written down: `load: () => import('./flags/flags.tsx')`, which exports `Screen`. */
import { titles } from '../words/en-titles.ts'
import type { Screen } from './screen.ts'

export const actionScreens: readonly Screen[] = [
  {
    path: 'flags',
    title: titles.flags,
    icon: 'M6 21V4h11l-2 4 2 4H6',
    load: () => import('./flags/flags.tsx'),
  },
  {
    path: 'devices',
    title: titles.devices,
    icon: 'M7 3h10v18H7zM11 18h2',
    load: () => import('./devices/devices.tsx'),
  },
  {
    path: 'tickets',
    title: titles.tickets,
    icon: 'M3 7h18v3a2 2 0 0 0 0 4v3H3v-3a2 2 0 0 0 0-4zM14 7v10',
    load: () => import('./tickets/tickets.tsx'),
  },
  {
    path: 'announce',
    title: titles.announce,
    icon: 'M4 10v4h3l9 5V5l-9 5zM19 9v6',
    load: () => import('./announce/announce.tsx'),
  },
  {
    path: 'import',
    title: titles.import,
    icon: 'M12 3v11M7 10l5 5 5-5M4 20h16',
    load: () => import('./import/import.tsx'),
  },
  {
    path: 'record',
    title: titles.record,
    icon: 'M6 3h9l4 4v14H6zM9 14l2.500 2.500L16 11',
    load: () => import('./record/record.tsx'),
  },
  {
    path: 'boxes',
    title: titles.boxes,
    icon: 'M4 4h7v6H4zM13 14h7v6h-7zM7.500 10v7h5.500M16.500 14V7H11',
    load: () => import('./boxes/boxes.tsx'),
  },
  {
    path: 'hq',
    title: titles.hq,
    icon: 'M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4',
    load: () => import('./hq/hq.tsx'),
  },
  {
    path: 'log',
    title: titles.log,
    icon: 'M5 6h14M5 10h14M5 14h14M5 18h9',
    load: () => import('./log/log.tsx'),
  },
  {
    path: 'appliance',
    title: titles.appliance,
    icon: 'M5 5h14v10H5zM9 19h6M12 15v4M8 8h2M8 11h2',
    only: 'appliance',
    load: () => import('./appliance/appliance.tsx'),
  },
  {
    path: 'settings',
    title: titles.settings,
    icon: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
    load: () => import('./settings/settings.tsx'),
  },
]
