/** Amenities near a ticket's holder: the box's answer, or the last one to the same question while the box is away. */
import type { NearbyAmenity } from '@gatehouse/proto/wire/venue.ts'
import type { Answer, Box, NearbyQuestion } from '../box/client.ts'
import { type Dated, isDated, isFields, isListOf, isNumber, isText, isTextOrNull, type Kept } from '../store/kept.ts'
import type { KeyRing } from '../store/key-ring.ts'
import type { Claims } from './claims.ts'

export interface NearbyDeps {
  box: Box
  claims: Claims
  kept: Kept
  keys: KeyRing
  /** Unix ms by this phone. */
  wall: () => number
}

export type NearbyAnswer = Answer<Dated<NearbyAmenity[]>>

/** @returns an answer whose `at` is in the past when the box could not be asked */
export async function askNearby(
  id: string,
  question: NearbyQuestion,
  { box, claims, kept, keys, wall }: NearbyDeps,
): Promise<NearbyAnswer> {
  const name = `nearby:${id}`
  const asked = JSON.stringify(question)
  const answer = await box.nearby(id, question, await claims.confirmedKey(await keys.of(id)))
  if (answer.ok) {
    // The page of a captive portal, for example.
    if (!areAmenities(answer.value)) return { ok: false, trouble: 'unreachable' }
    const value = { at: wall(), value: answer.value }
    kept.write(name, { asked, answer: value })
    return { ok: true, value }
  }
  const last = kept.read(name, isKeptNearby)
  return last?.asked === asked && answer.trouble === 'unreachable' ? { ok: true, value: last.answer } : answer
}

function isKeptNearby(value: unknown): value is { asked: string; answer: Dated<NearbyAmenity[]> } {
  const { asked, answer } = (value ?? {}) as { asked?: unknown; answer?: unknown }
  return typeof asked === 'string' && isDated(areAmenities)(answer)
}

function isAmenity(value: unknown): value is NearbyAmenity {
  return (
    isFields(value) &&
    [value.id, value.name, value.category].every(isText) &&
    isTextOrNull(value.zone) &&
    [value.walking_seconds, value.metres].every(isNumber) &&
    [true, false, 'unverified'].includes(value.step_free as boolean | string) &&
    Array.isArray(value.via) &&
    value.via.every(isText) &&
    Array.isArray(value.route) &&
    value.route.every(isNumber)
  )
}
export const areAmenities = isListOf(isAmenity)
