/** Every screen, in the order of the navigation; a phone has the first four in its bar. */
import { words } from '../words/en.ts'
import { actionScreens } from './registry-actions.ts'
import type { Screen } from './screen.ts'

const titles = words.screens

export const SCREENS: readonly Screen[] = [
  {
    path: 'overview',
    title: titles.overview,
    icon: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
    load: () => import('./overview/overview.tsx'),
  },
  {
    path: 'incidents',
    title: titles.incidents,
    icon: 'M12 3L22 20H2zM12 9v5M12 17v0.500',
    load: () => import('./incidents/incidents.tsx'),
  },
  {
    path: 'gates',
    title: titles.gates,
    icon: 'M4 20V5M20 20V5M4 8h16M4 13h16M9 8v5M15 8v5',
    load: () => import('./gates/gates.tsx'),
  },
  {
    path: 'scanners',
    title: titles.scanners,
    icon: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M4 12h16',
    load: () => import('./scanners/scanners.tsx'),
  },
  {
    path: 'map',
    title: titles.map,
    icon: 'M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14',
    load: () => import('./map/map.tsx'),
  },
  ...actionScreens,
]
