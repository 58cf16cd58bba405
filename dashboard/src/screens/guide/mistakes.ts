/** A mistake that the box has found in a draft, in the language of this page. */
import { SAID } from '@gatehouse/proto/said.ts'
import type { EventMistake } from '@gatehouse/proto/wire/guide.ts'
import { saidBy } from '../../words/said.ts'

/** @returns the place in the file, empty where there is none or where the sentence names it, and the sentence */
export function toldOf({ path, message, coded }: EventMistake): { place: string; text: string } {
  const text = saidBy(['event', 'map', 'mapping'], coded, message)
  // The box names a line and a column in English; a mapping has its name in each of its sentences.
  const isPlaced =
    text !== message && coded?.some(({ code }) => code === 'not_json' || Object.hasOwn(SAID.mapping, code))
  return { place: isPlaced ? '' : path, text }
}
