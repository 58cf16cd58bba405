/** Sentences for problems of a map, which the screen Event shows, in German. */
import type { BoxWords } from '../said.ts'

export const venueWords: BoxWords['map'] = {
  no_paths: 'Auf der Karte ist kein Weg: Niemand kann irgendwohin geschickt werden.',
  nothing_drawn: 'Die Karte ist leer: Wege, Tore und Orte zeichnen.',
  no_gates: 'Kein Tor der Veranstaltung ist auf der Karte: eines setzen, denn dort beginnt jeder Weg.',
  path_far: 'Der nächste Weg ist {metres} m entfernt, höchstens {most} m dürfen es sein: einen Weg dorthin zeichnen.',
  node_far:
    'Sein Knoten ist {metres} m entfernt, höchstens {most} m dürfen es sein: einen näheren nennen oder verschieben.',
  no_path_on_floor: 'Auf Ebene {floor} gibt es keinen Weg: einen zeichnen, der dorthin führt.',
  no_path_here: 'Von keinem Tor führt ein Weg hierher.',
  left_out: 'Auf der Karte fehlt dieser Ort dann.',
  steps_only: 'Jeder Weg hierher hat Stufen, eine Rolltreppe, eine steile oder eine enge Stelle.',
  zone_not_drawn: 'Diese Zone ist nicht gezeichnet: Wege durch sie hindurch werden mit jedem Ticket gezeigt.',
  border_elsewhere:
    'Kein Weg führt im Umkreis von {metres} m um den Kontrollpunkt „{checkpoint}“ von „{from}“ nach „{to}“: dort einen zeichnen.',
  border_elsewhere_in:
    'Kein Weg führt im Umkreis von {metres} m um den Kontrollpunkt „{checkpoint}“ von außen nach „{to}“: dort einen zeichnen.',
  border_elsewhere_out:
    'Kein Weg führt im Umkreis von {metres} m um den Kontrollpunkt „{checkpoint}“ aus „{from}“ hinaus: dort einen zeichnen.',
  open_border: 'Dieser Weg führt von einer Zone in eine andere, wo kein Kontrollpunkt steht: {zones}.',
  open_border_outside: 'Dieser Weg führt von außen nach „{zones}“, wo kein Kontrollpunkt steht.',
  unconnected: 'Dieser Weg hängt nicht mit den anderen zusammen: die Verbindung zeichnen.',
  unconnected_more: 'Das gilt auch für {paths}.',
  no_node: 'Es gibt keinen Knoten „{id}“.',
  node_unused: 'Kein Weg beginnt oder endet hier oder führt vorbei.',
  ambiguous: 'Gleich nah: {between}. Angeben, was gemeint ist, oder verschieben.',
  ambiguous_ends: 'Zwei Enden von {path} liegen gleich nah: angeben, welches gemeint ist, oder verschieben.',
  path_short: 'Dieser Weg ist zu kurz und fällt weg.',
  path_one_point:
    'Beide Enden dieses Wegs sind ein Punkt auf Ebene {floor}, darum fällt er weg: ihre Knoten mit „from“ und „to“ nennen.',
  far_away: 'Das liegt weit weg vom Rest der Karte: Die Länge steht vor der Breite.',
  event_first: 'Erst die Veranstaltung berichtigen.',
}
