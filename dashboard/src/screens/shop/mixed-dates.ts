/** Dates of a series that this box would have, and whose tickets it could not tell apart by time. Pure. */
import { overlapping } from '@gatehouse/proto/overlapping.ts'
import type { ShopFound } from '@gatehouse/proto/wire/shop.ts'

type ShopDate = ShopFound['dates'][number]

/** @param chosen ids; empty for all dates */
export function mixedDates(dates: readonly ShopDate[], chosen: ReadonlySet<number>): { name: string }[] {
  const taken = chosen.size === 0 ? dates : dates.filter(({ id }) => chosen.has(id))
  return overlapping(taken.flatMap(({ name, admits }) => (admits ? [{ name, ...admits }] : [])))
}
