/** Sentences for problems of a map, which the screen Event shows, in Spanish. */
import type { BoxWords } from '../said.ts'

export const venueWords: BoxWords['map'] = {
  no_paths: 'En el mapa no hay ningún camino: no se puede enviar a nadie a ninguna parte.',
  nothing_drawn: 'El mapa está vacío: traza caminos, puertas y lugares.',
  no_gates: 'En el mapa no hay ninguna puerta del evento: pon una, porque ahí empieza todo camino.',
  path_far: 'El camino más cercano está a {metres} m, y el máximo son {most} m: traza un camino que llegue.',
  node_far: 'Su nodo está a {metres} m, y el máximo son {most} m: indica uno más cercano, o muévelo.',
  no_path_on_floor: 'En el nivel {floor} no hay ningún camino: traza uno que llegue.',
  no_path_here: 'Ningún camino llega aquí desde una puerta.',
  left_out: 'Este lugar no saldrá en el mapa.',
  steps_only: 'Todos los caminos hasta aquí tienen escalones, una escalera mecánica, una cuesta o un paso estrecho.',
  zone_not_drawn: 'Esta zona no está trazada: los caminos que la cruzan se muestran con cualquier entrada.',
  border_elsewhere:
    'Ningún camino va de «{from}» a «{to}» a menos de {metres} m del punto de control «{checkpoint}»: traza uno.',
  border_elsewhere_in:
    'Ningún camino entra de fuera en «{to}» a menos de {metres} m del punto de control «{checkpoint}»: traza uno.',
  border_elsewhere_out:
    'Ningún camino sale de «{from}» a menos de {metres} m del punto de control «{checkpoint}»: traza uno.',
  open_border: 'Este camino pasa de una zona a otra por un sitio sin punto de control: {zones}.',
  open_border_outside: 'Este camino entra desde fuera en «{zones}» por un sitio sin punto de control.',
  unconnected: 'Este camino no está unido a los demás: traza la conexión.',
  unconnected_more: 'Lo mismo vale para {paths}.',
  no_node: 'No hay ningún nodo «{id}».',
  node_unused: 'Aquí no empieza, acaba ni pasa ningún camino.',
  ambiguous: 'A la misma distancia: {between}. Di cuál es, o muévelo.',
  ambiguous_ends: 'Dos extremos de {path} están igual de cerca: di cuál es, o muévelo.',
  path_short: 'Este camino es demasiado corto y no se usa.',
  path_one_point:
    'Los dos extremos de este camino son un mismo punto en el nivel {floor}, así que no se usa: nombra sus nodos con «from» y «to».',
  far_away: 'Esto está lejos del resto del mapa: la longitud va primero.',
  event_first: 'Corrige antes el evento.',
}
