/** Sentences about mistakes of `pretix.yaml` and `shop.yaml`, in German. */
import type { BoxWords } from '../said.ts'

export const mappingWords: BoxWords['mapping'] = {
  mapping_tier: '{file}, Zeile {line}: Die Veranstaltung hat keine Ticketart „{tier}“ ({key}).',
  mapping_checkpoint: '{file}, Zeile {line}: Die Veranstaltung hat keinen Kontrollpunkt „{checkpoint}“ ({key}).',
  mapping_key: '{file}, Zeile {line}: {key} gibt es nicht.',
  mapping_missing: '{file}, Zeile {line}: {key} fehlt.',
  mapping_other: '{file} hat in Zeile {line} einen Fehler ({what}).',
  mapping_more: { one: 'Und # weiterer Fehler.', other: 'Und # weitere Fehler.' },
  mapping_unreadable: '{file} ist nicht lesbar ({why}).',
}
