/** Asks the box for everything that is due: its time, the tickets, the announcements and the map. */
import { signal } from '@preact/signals'
import type { BoxClock } from '../box/box-clock.ts'
import type { Box, Trouble } from '../box/client.ts'
import type { KeyRing } from '../store/key-ring.ts'
import { type Claims, claimOf, isWeak } from './claims.ts'
import type { Organiser } from './organiser.ts'
import { type Tickets, withoutSecret } from './tickets.ts'

/** For the tickets that are not shown. */
const OTHERS_EVERY_MS = 5 * 60_000

export interface RefreshDeps {
  box: Box
  boxClock: BoxClock
  claims: Claims
  keys: KeyRing
  organiser: Organiser
  tickets: Tickets
  /** Unix ms by this phone. */
  wall: () => number
}

export function refresher({ box, boxClock, claims, keys, organiser, tickets, wall }: RefreshDeps) {
  /** True when the last question was answered; null before the first. */
  const reachable = signal<boolean | null>(null)

  async function refreshTicket(id: string): Promise<Trouble | null> {
    let held = await keys.of(id)
    if (held && !held.confirmed && (await claims.send(id, held)) === null) held = await keys.of(id)
    const key = await claims.confirmedKey(held)
    let answer = await box.ticket(id, key)
    if (!answer.ok && answer.trouble === 'elsewhere' && key) {
      // A signature is valid for a minute either way: with a clock that is off, it looks like another phone's claim.
      await boxClock.measure(box)
      answer = await box.ticket(id, key)
    }
    if (!answer.ok) {
      const view = tickets.find(id)?.view
      // A link that never opened anything must not stay in the list as a ticket. Whoever has opened it still reads why.
      if (answer.trouble === 'unknown' && !view) tickets.unlist(id)
      const isDead = answer.trouble === 'elsewhere' && !held && view
      tickets.change(id, {
        trouble: answer.trouble,
        ...(isDead && { view: withoutSecret(view), claim: 'none' }),
      })
      return answer.trouble
    }
    const view = answer.value
    const released = held?.confirmed === true && !view.claimed
    if (released) await keys.drop(id)
    tickets.change(id, {
      view,
      seenAt: wall(),
      trouble: null,
      lost: false,
      claim: released ? 'none' : claimOf(held),
      weak: isWeak(held),
      ...(released && { released }),
    })
    return null
  }

  const isDue = (seenAt: number | null) => seenAt === null || Math.abs(wall() - seenAt) > OTHERS_EVERY_MS

  /** False when the box did not answer. */
  async function refresh(): Promise<boolean> {
    if (boxClock.isDue()) {
      reachable.value = await boxClock.measure(box)
      // Signed requests and announcements wait for the clock; without network there is nothing to wait for.
      if (!reachable.value) {
        await organiser.check()
        for (const { id, seenAt } of tickets.all.peek())
          if (seenAt === null) tickets.change(id, { trouble: 'unreachable' })
        return false
      }
    }
    const shown = tickets.current.value?.id
    const due = tickets.all.peek().filter(({ id, seenAt }) => id === shown || isDue(seenAt))
    const troubles = await Promise.all(due.map(({ id }) => refreshTicket(id)))
    reachable.value = troubles.length === 0 || troubles.some((trouble) => trouble !== 'unreachable')
    if (tickets.all.peek().length > 0) await organiser.refreshNews()
    await organiser.refreshPlan()
    return reachable.value && !troubles.includes('busy')
  }

  return { reachable, refresh }
}
