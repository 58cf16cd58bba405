/** Every screen, in the order of the navigation. */
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
  ...actionScreens,
]
