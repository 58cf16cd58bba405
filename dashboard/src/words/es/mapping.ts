/** Sentences about mistakes of `pretix.yaml` and `shop.yaml`, in Spanish. */
import type { BoxWords } from '../said.ts'

export const mappingWords: BoxWords['mapping'] = {
  mapping_tier: '{file}, línea {line}: el evento no tiene ningún tipo «{tier}» ({key}).',
  mapping_checkpoint: '{file}, línea {line}: el evento no tiene ningún punto de control «{checkpoint}» ({key}).',
  mapping_key: '{file}, línea {line}: {key} no existe.',
  mapping_missing: '{file}, línea {line}: falta {key}.',
  mapping_other: '{file} tiene un error en la línea {line} ({what}).',
  mapping_more: { one: 'Y # error más.', other: 'Y # errores más.' },
  mapping_unreadable: '{file} no se puede leer ({why}).',
}
