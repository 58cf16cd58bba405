/** Sentences about what the screen Event was refused, in Italian. */
import type { BoxWords } from '../said.ts'

export const guideRefusalWords: BoxWords['guide'] = {
  event_mistaken: { one: 'L’evento ha # errore: correggilo prima.', other: 'L’evento ha # errori: correggili prima.' },
  map_mistaken: { one: 'La mappa ha # errore: correggilo prima.', other: 'La mappa ha # errori: correggili prima.' },
  no_event_yet: 'Non c’è ancora un evento: salvalo prima.',
  no_restart: 'Questo box non si riavvia da solo: riavvialo a mano.',
  map_timed_out:
    'Leggere questa mappa qui richiede troppo tempo: usa una parte più piccola o un computer con «gatehouse venue import».',
  map_changed: 'La mappa è cambiata nel frattempo: riaprila e ripeti la modifica.',
  checks_many: 'Si stanno controllando altre bozze: riprova tra un momento.',
}
