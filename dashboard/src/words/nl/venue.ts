/** Sentences for problems of a map, which the screen Event shows, in Dutch. */
import type { BoxWords } from '../said.ts'

export const venueWords: BoxWords['map'] = {
  no_paths: 'Op de kaart staat geen pad: niemand kan ergens heen worden gestuurd.',
  nothing_drawn: 'De kaart is leeg: teken paden, poorten en plekken.',
  no_gates: 'Er staat geen poort van het evenement op de kaart: zet er een, want daar begint elke route.',
  path_far: 'Het dichtstbijzijnde pad is {metres} m ver, en {most} m is het maximum: teken een pad erheen.',
  node_far:
    'Het knooppunt ligt {metres} m ver, en {most} m is het maximum: noem een knooppunt dichterbij, of verplaats de plek.',
  no_path_on_floor: 'Op verdieping {floor} is geen pad: teken er een dat erheen leidt.',
  no_path_here: 'Vanaf geen enkele poort leidt een pad hierheen.',
  left_out: 'Deze plek komt niet op de kaart.',
  steps_only: 'Elke route hierheen heeft treden, een roltrap, een steil of een smal stuk.',
  zone_not_drawn: 'Deze zone is niet getekend: routes erdoorheen worden bij elk ticket getoond.',
  border_elsewhere:
    'Binnen {metres} m van controlepunt ‘{checkpoint}’ gaat geen pad van ‘{from}’ naar ‘{to}’: teken er een.',
  border_elsewhere_in:
    'Binnen {metres} m van controlepunt ‘{checkpoint}’ gaat geen pad van buiten naar ‘{to}’: teken er een.',
  border_elsewhere_out:
    'Binnen {metres} m van controlepunt ‘{checkpoint}’ gaat geen pad uit ‘{from}’ naar buiten: teken er een.',
  open_border: 'Dit pad gaat van de ene zone naar de andere op een plek zonder controlepunt: {zones}.',
  open_border_outside: 'Dit pad gaat van buiten ‘{zones}’ in op een plek zonder controlepunt.',
  unconnected: 'Dit pad is niet met de andere verbonden: teken de verbinding.',
  unconnected_more: 'Dat geldt ook voor {paths}.',
  no_node: 'Er is geen knooppunt ‘{id}’.',
  node_unused: 'Hier begint, eindigt of passeert geen pad.',
  ambiguous: 'Even dichtbij: {between}. Zeg welke, of verplaats het.',
  ambiguous_ends: 'Twee uiteinden van {path} zijn even dichtbij: zeg welk van de twee, of verplaats de plek.',
  path_short: 'Dit pad is te kort en valt weg.',
  path_one_point:
    'Beide uiteinden van dit pad zijn één punt op verdieping {floor}, dus het valt weg: noem hun knooppunten met ‘from’ en ‘to’.',
  far_away: 'Dit ligt ver van de rest van de kaart: de lengtegraad komt eerst.',
  event_first: 'Verbeter eerst het evenement.',
}
