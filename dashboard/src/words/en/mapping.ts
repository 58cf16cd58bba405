/** Sentences about mistakes of `pretix.yaml` and `shop.yaml`, in English. */
import type { BoxWords } from '../said.ts'

export const mappingWords: BoxWords['mapping'] = {
  mapping_tier: '{file}, line {line}: the event has no ticket type “{tier}” ({key}).',
  mapping_checkpoint: '{file}, line {line}: the event has no checkpoint “{checkpoint}” ({key}).',
  mapping_key: '{file}, line {line}: {key} is not known.',
  mapping_missing: '{file}, line {line}: {key} is missing.',
  mapping_other: '{file} has a mistake on line {line} ({what}).',
  mapping_more: { one: 'And # more mistake.', other: 'And # more mistakes.' },
  mapping_unreadable: '{file} cannot be read ({why}).',
}
