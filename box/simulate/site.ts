/** The facts of the event that a simulation needs, read from the box's statistics. */
import type { Stats } from '@gatehouse/proto/wire/stats.ts'

export interface SitePost {
  id: string
  gate: string
  direction: 'in' | 'out'
  from: string | null
  to: string | null
  tiers: readonly string[]
}

export interface SiteTier {
  id: string
  entry: 'once' | 'once_per_day' | 'reentry' | 'unlimited'
}

export interface Site {
  /** Checkpoints that are open now. */
  posts: readonly SitePost[]
  /** Tiers whose printed codes are accepted. */
  tiers: readonly SiteTier[]
}

/** @param now unix ms */
export function siteOf(stats: Stats, now: number): Site {
  const posts = stats.gates.flatMap(({ id: gate, hold, checkpoints }) =>
    checkpoints
      .filter(({ opens_at, closes_at, direction }) => {
        const isOpen = !(now < Date.parse(opens_at ?? '')) && !(now + 2 * 3_600_000 >= Date.parse(closes_at ?? ''))
        return isOpen && (hold === null || direction === 'out')
      })
      .map(({ id, direction, from, to, tiers }) => ({ id, gate, direction, from, to, tiers })),
  )
  const tiers = stats.tiers.filter(({ static_code }) => static_code !== 'never')
  return { posts, tiers: tiers.map(({ id, entry }) => ({ id, entry })) }
}

/** Checkpoints that lead in from the street. */
export function entrances({ posts }: Site): SitePost[] {
  return posts.filter(({ direction, from }) => direction === 'in' && from === null)
}
