/** Kinds of problems of the record, in the language of the screen. */
import { partsOf } from '@gatehouse/proto/record-problems.ts'
import { verificationWords as words } from '../../words/late.ts'

/** A kind of a newer box stays as it came. */
export function kindText(kind: string): string {
  const parts = partsOf(kind)
  if (!parts) return kind.replaceAll('_', ' ')
  if ('place' in parts) return words.places[parts.place]
  return [words.things[parts.thing], words.found[parts.found]].join(words.between)
}
