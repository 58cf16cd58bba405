/** What the organiser tells everybody: announcements and the map, as they were last heard. */
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { VenuePlan } from '@gatehouse/proto/wire/venue.ts'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Box } from './box.ts'
import type { Ed25519 } from './ed25519.ts'
import { areAnnouncements, type Dated, isDated, isKeptPlan, type Kept, type KeptPlan } from './kept.ts'
import { inForce, type News, readNews } from './news.ts'

export interface Organiser {
  news: ReadonlySignal<News>
  plan: ReadonlySignal<VenuePlan | null>
  /** Reads what is kept once more: for another ticket, or because something may have ended. */
  check(): Promise<void>
  refreshNews(): Promise<void>
  /** Asks when it was last asked a while ago. */
  refreshPlan(): Promise<void>
}

export interface OrganiserDeps {
  box: Box
  kept: Kept
  engine: () => Promise<Ed25519>
  /** Of the ticket that is looked at. */
  verifierKey: () => string | null
  /** Unix ms by the box. */
  now: () => number
  /** Unix ms by this phone. */
  wall: () => number
}

const PLAN_EVERY_MS = 10 * 60_000

export function organiser({ box, kept, engine, verifierKey, now, wall }: OrganiserDeps): Organiser {
  const news = signal<News>({ signed: [], hidden: 0 })
  const plan = signal<Dated<KeptPlan> | null>(kept.read('plan', isDated(isKeptPlan)) ?? null)
  let heard: readonly Announcement[] = kept.read('news', isDated(areAnnouncements))?.value ?? []

  async function check(): Promise<void> {
    const key = verifierKey()
    const found = await readNews(inForce(heard, now()), key, await engine())
    // Another ticket was chosen meanwhile, and asks for itself. What is the same is not drawn, nor read out, again.
    if (key === verifierKey() && JSON.stringify(found) !== JSON.stringify(news.value)) news.value = found
  }

  return {
    news,
    plan: computed(() => plan.value?.value.plan ?? null),
    check,
    async refreshNews() {
      const said = await box.announcements()
      if (said.ok) {
        heard = said.value
        kept.write('news', { at: wall(), value: heard })
      }
      await check()
    },
    async refreshPlan() {
      if (plan.value && Math.abs(wall() - plan.value.at) < PLAN_EVERY_MS) return
      const said = await box.venue(plan.value?.value.etag ?? null)
      const value = said.ok ? (said.value ?? plan.value?.value) : undefined
      if (!value) return
      plan.value = { at: wall(), value }
      kept.write('plan', plan.value)
    },
  }
}
