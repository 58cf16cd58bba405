/** Sentences for problems of a map, which the screen Event shows, in Italian. */
import type { BoxWords } from '../said.ts'

export const venueWords: BoxWords['map'] = {
  no_paths: 'Sulla mappa non c’è nessun percorso: non si può mandare nessuno da nessuna parte.',
  nothing_drawn: 'La mappa è vuota: traccia percorsi, varchi e luoghi.',
  no_gates: 'Sulla mappa non c’è nessun varco dell’evento: mettine uno, perché ogni percorso inizia lì.',
  path_far: 'Il percorso più vicino è a {metres} m, e il massimo è {most} m: traccia un percorso che ci arrivi.',
  node_far: 'Il suo nodo è a {metres} m, e il massimo è {most} m: indicane uno più vicino, o spostalo.',
  no_path_on_floor: 'Al piano {floor} non c’è nessun percorso: tracciane uno che ci arrivi.',
  no_path_here: 'Nessun percorso arriva qui da un varco.',
  left_out: 'Questo luogo non sarà sulla mappa.',
  steps_only: 'Ogni percorso fin qui ha gradini, una scala mobile, una salita o un passaggio stretto.',
  zone_not_drawn: 'Questa zona non è tracciata: i percorsi che la attraversano si mostrano con ogni biglietto.',
  border_elsewhere:
    'Nessun percorso va da «{from}» a «{to}» entro {metres} m dalla postazione «{checkpoint}»: tracciane uno.',
  border_elsewhere_in:
    'Nessun percorso entra da fuori in «{to}» entro {metres} m dalla postazione «{checkpoint}»: tracciane uno.',
  border_elsewhere_out:
    'Nessun percorso esce da «{from}» entro {metres} m dalla postazione «{checkpoint}»: tracciane uno.',
  open_border: 'Questo percorso passa da una zona a un’altra in un punto senza postazione: {zones}.',
  open_border_outside: 'Questo percorso entra da fuori in «{zones}» in un punto senza postazione.',
  unconnected: 'Questo percorso non è unito agli altri: traccia il collegamento.',
  unconnected_more: 'Lo stesso vale per {paths}.',
  no_node: 'Non c’è nessun nodo «{id}».',
  node_unused: 'Qui non inizia, non finisce e non passa nessun percorso.',
  ambiguous: 'Alla stessa distanza: {between}. Indica quale, o spostalo.',
  ambiguous_ends: 'Due estremi di {path} sono alla stessa distanza: indica quale, o spostalo.',
  path_short: 'Questo percorso è troppo corto e non viene usato.',
  path_one_point:
    'I due estremi di questo percorso sono un solo punto al piano {floor}, quindi non viene usato: indica i nodi con «from» e «to».',
  far_away: 'È lontano dal resto della mappa: la longitudine viene prima.',
  event_first: 'Correggi prima l’evento.',
}
