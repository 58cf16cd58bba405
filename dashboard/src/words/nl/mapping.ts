/** Sentences about mistakes of `pretix.yaml` and `shop.yaml`, in Dutch. */
import type { BoxWords } from '../said.ts'

export const mappingWords: BoxWords['mapping'] = {
  mapping_tier: '{file}, regel {line}: het evenement heeft geen ticketsoort ‘{tier}’ ({key}).',
  mapping_checkpoint: '{file}, regel {line}: het evenement heeft geen controlepunt ‘{checkpoint}’ ({key}).',
  mapping_key: '{file}, regel {line}: {key} bestaat niet.',
  mapping_missing: '{file}, regel {line}: {key} ontbreekt.',
  mapping_other: '{file} heeft een fout op regel {line} ({what}).',
  mapping_more: { one: 'En nog # fout.', other: 'En nog # fouten.' },
  mapping_unreadable: '{file} is niet te lezen ({why}).',
}
