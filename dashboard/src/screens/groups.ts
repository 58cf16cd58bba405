/** The navigation: few enough entries that a tablet shows all of them; each opens its first screen, with tabs to the others. */
import { titles } from '../words/words.ts'

/** `icon`: one path in a box of 24 by 24, drawn as a line. */
export const GROUPS = [
  { id: 'overview', title: titles.overview, icon: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z' },
  { id: 'incidents', title: titles.incidents, icon: 'M12 3L22 20H2zM12 9v5M12 17v0.500' },
  { id: 'gates', title: titles.gates, icon: 'M4 20V5M20 20V5M4 8h16M4 13h16M9 8v5M15 8v5' },
  { id: 'scanners', title: titles.scanners, icon: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M4 12h16' },
  { id: 'flags', title: titles.flags, icon: 'M6 21V4h11l-2 4 2 4H6' },
  { id: 'tickets', title: titles.tickets, icon: 'M3 7h18v3a2 2 0 0 0 0 4v3H3v-3a2 2 0 0 0 0-4zM14 7v10' },
  { id: 'announce', title: titles.announce, icon: 'M4 10v4h3l9 5V5l-9 5zM19 9v6' },
  { id: 'record', title: titles.record, icon: 'M6 3h9l4 4v14H6zM9 14l2.500 2.500L16 11' },
  { id: 'system', title: titles.system, icon: 'M4 4h7v6H4zM13 14h7v6h-7zM7.500 10v7h5.500M16.500 14V7H11' },
] as const

export type GroupId = (typeof GROUPS)[number]['id']
