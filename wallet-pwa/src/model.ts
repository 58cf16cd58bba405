/** What every screen is given. */
import type { Offline } from '@gatehouse/proto/ui/offline.ts'
import type { Theme } from '@gatehouse/proto/ui/theme.ts'
import type { Signal } from '@preact/signals'
import type { Install } from './install.ts'
import type { TicketLink } from './wallet/link.ts'
import type { Wallet } from './wallet/wallet.ts'

export interface Model {
  wallet: Wallet
  /** Opens a ticket and asks the box for it. */
  open(link: TicketLink): void
  /** Asks the box at once, or after the question that is under way. */
  ask(): Promise<void>
  /** The page was opened with a link that is none. */
  malformed: Signal<boolean>
  theme: Signal<Theme>
  offline: Offline
  install: Install
  /** Unix ms by this phone, once a second while the page is looked at. */
  tick: Signal<number>
}
