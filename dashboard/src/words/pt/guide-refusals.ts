/** Sentences about what the screen Event was refused, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const guideRefusalWords: BoxWords['guide'] = {
  event_mistaken: {
    one: 'O evento tem # erro: corrija-o primeiro.',
    other: 'O evento tem # erros: corrija-os primeiro.',
  },
  map_mistaken: { one: 'O mapa tem # erro: corrija-o primeiro.', other: 'O mapa tem # erros: corrija-os primeiro.' },
  no_event_yet: 'Ainda não há evento: guarde-o primeiro.',
  no_restart: 'Esta box não se reinicia sozinha: reinicie-a à mão.',
  map_timed_out:
    'Ler este mapa aqui demora demasiado: use uma parte mais pequena ou um computador com «gatehouse venue import».',
  map_changed: 'O mapa mudou entretanto: abra-o de novo e repita a alteração.',
  checks_many: 'Há outros rascunhos a ser verificados: tente daqui a pouco.',
}
