/** The screens where something is decided or written down: `load: () => import('./flags/flags.tsx')`, which exports `Screen`. */
import type { Screen } from './screen.ts'

export const actionScreens: readonly Screen[] = []
