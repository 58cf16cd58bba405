/** Sentences about mistakes of `pretix.yaml` and `shop.yaml`, in Italian. */
import type { BoxWords } from '../said.ts'

export const mappingWords: BoxWords['mapping'] = {
  mapping_tier: '{file}, riga {line}: l’evento non ha la categoria «{tier}» ({key}).',
  mapping_checkpoint: '{file}, riga {line}: l’evento non ha la postazione «{checkpoint}» ({key}).',
  mapping_key: '{file}, riga {line}: {key} non esiste.',
  mapping_missing: '{file}, riga {line}: manca {key}.',
  mapping_other: '{file} ha un errore alla riga {line} ({what}).',
  mapping_more: { one: 'E # altro errore.', other: 'E altri # errori.' },
  mapping_unreadable: '{file} non si legge ({why}).',
}
