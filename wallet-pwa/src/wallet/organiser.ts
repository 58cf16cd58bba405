/** The organiser's announcements and map, as they were last received. */
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Box } from '../box/client.ts'
import { areAnnouncements, type Dated, isDated, isKeptPlan, type Kept, type KeptPlan } from '../store/kept.ts'
import type { Ed25519 } from './ed25519.ts'
import { inForce, type News, readNews } from './news.ts'

export interface Organiser {
  news: ReadonlySignal<News>
  plan: ReadonlySignal<VenuePlan | null>
  /** Verifies the stored announcements again: another ticket is shown, or an announcement may have expired. */
  check(): Promise<void>
  refreshNews(): Promise<void>
  /** Shows those of this list that the event's key has signed. */
  take(list: readonly Announcement[]): Promise<void>
  /** Asks, unless it has asked within the last minutes. */
  refreshPlan(): Promise<void>
}

export interface OrganiserDeps {
  box: Box
  kept: Kept
  engine: () => Promise<Ed25519>
  /** The ticket that is shown. */
  ticket: ReadonlySignal<{ verifierKey: string | null } | null>
  /** Unix ms by the box. */
  now: () => number
  /** Unix ms by this phone. */
  wall: () => number
}

const PLAN_EVERY_MS = 10 * 60_000

export function openOrganiser({ box, kept, engine, ticket, now, wall }: OrganiserDeps): Organiser {
  const news = signal<News>({ signed: [], hidden: 0 })
  const plan = signal<Dated<KeptPlan> | null>(kept.read('plan', isDated(isKeptPlan)) ?? null)
  let announcements: readonly Announcement[] = kept.read('news', isDated(areAnnouncements))?.value ?? []
  const verifierKey = () => ticket.value?.verifierKey ?? null

  async function check(): Promise<void> {
    const key = verifierKey()
    const found = await readNews(inForce(announcements, now()), key, await engine())
    // Another ticket may be shown by now, whose own check follows. What is the same is not drawn, nor read out, again.
    if (key === verifierKey() && JSON.stringify(found) !== JSON.stringify(news.value)) news.value = found
  }

  function take(list: readonly Announcement[]): Promise<void> {
    announcements = list
    kept.write('news', { at: wall(), value: list })
    return check()
  }

  return {
    news,
    plan: computed(() => plan.value?.value.plan ?? null),
    check,
    async refreshNews() {
      const before = announcements
      const answer = await box.announcements()
      // One that the box has sent meanwhile is the newer.
      await (answer.ok && announcements === before ? take(answer.value) : check())
    },
    take,
    async refreshPlan() {
      if (plan.value && Math.abs(wall() - plan.value.at) < PLAN_EVERY_MS) return
      const answer = await box.venue(plan.value?.value.etag ?? null)
      const value = answer.ok ? (answer.value ?? plan.value?.value) : undefined
      if (!value) return
      plan.value = { at: wall(), value }
      kept.write('plan', plan.value)
    },
  }
}
