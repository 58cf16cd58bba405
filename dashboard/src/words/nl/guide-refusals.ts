/** Sentences about what the screen Event was refused, in Dutch. */
import type { BoxWords } from '../said.ts'

export const guideRefusalWords: BoxWords['guide'] = {
  event_mistaken: {
    one: 'Het evenement heeft # fout: verbeter die eerst.',
    other: 'Het evenement heeft # fouten: verbeter die eerst.',
  },
  map_mistaken: {
    one: 'De kaart heeft # fout: verbeter die eerst.',
    other: 'De kaart heeft # fouten: verbeter die eerst.',
  },
  no_event_yet: 'Er is nog geen evenement: sla het eerst op.',
  no_restart: 'Deze box kan zichzelf niet herstarten: start hem met de hand.',
  map_timed_out:
    'Deze kaart lezen duurt hier te lang: neem een kleiner deel, of een computer met ‘gatehouse venue import’.',
  map_changed: 'De kaart is intussen gewijzigd: open die opnieuw en herhaal de wijziging.',
  checks_many: 'Er worden andere concepten gecontroleerd: probeer het zo weer.',
}
