/** The stream of announcements in this page: held while it is seen, and while it has a ticket. */
import { onChange } from '@gatehouse/proto/ui/on-change.ts'
import { computed } from '@preact/signals'
import type { Wallet } from '../wallet/wallet.ts'
import { toldBy } from './told.ts'

export function follow({ tickets, take }: Pick<Wallet, 'tickets' | 'take'>): void {
  const changed = toldBy({
    open: () => new EventSource('/v1/announcements/stream'),
    visible: () => document.visibilityState === 'visible' && tickets.peek().length > 0,
    random: Math.random,
    after(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    take: (list) => void take(list).catch(console.error),
  })
  document.addEventListener('visibilitychange', changed)
  addEventListener('online', changed)
  onChange(
    computed(() => tickets.value.length > 0),
    changed,
  )
}
