/** Sentences about what the screen Event was refused, in Spanish. */
import type { BoxWords } from '../said.ts'

export const guideRefusalWords: BoxWords['guide'] = {
  event_mistaken: {
    one: 'El evento tiene # error: corrígelo primero.',
    other: 'El evento tiene # errores: corrígelos primero.',
  },
  map_mistaken: {
    one: 'El mapa tiene # error: corrígelo primero.',
    other: 'El mapa tiene # errores: corrígelos primero.',
  },
  no_event_yet: 'Aún no hay evento: guárdalo primero.',
  no_restart: 'Este servidor no puede reiniciarse solo: reinícialo a mano.',
  map_timed_out:
    'Leer este mapa aquí lleva demasiado tiempo: usa una parte más pequeña o un ordenador con «gatehouse venue import».',
  map_changed: 'El mapa ha cambiado entretanto: ábrelo otra vez y repite el cambio.',
  checks_many: 'Se están comprobando otros borradores: inténtalo en un momento.',
}
