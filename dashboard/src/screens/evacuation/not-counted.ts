/** Groups of people that the figures of the evacuation sheet leave out, in the language of the screen. */
import type { EvacuationSheet } from '@gatehouse/proto/wire/evacuation.ts'
import { saidBy } from '../../words/said.ts'

export function notCounted({
  not_counted,
  not_counted_coded,
}: Pick<EvacuationSheet, 'not_counted' | 'not_counted_coded'>): string[] {
  return not_counted.map((sentence, i) => saidBy('evacuation', not_counted_coded?.[i], sentence))
}
