/** Sentences for problems of a map, which the screen Event shows, in Portuguese. */
import type { BoxWords } from '../said.ts'

export const venueWords: BoxWords['map'] = {
  no_paths: 'No mapa não há nenhum caminho: não se pode encaminhar ninguém.',
  nothing_drawn: 'O mapa está vazio: trace caminhos, portas e locais.',
  no_gates: 'No mapa não há nenhuma porta do evento: ponha uma, porque todo o caminho começa aí.',
  path_far: 'O caminho mais próximo está a {metres} m, e o máximo são {most} m: trace um caminho que lá chegue.',
  node_far: 'O nó dele está a {metres} m, e o máximo são {most} m: indique um mais próximo, ou mude-o de lugar.',
  no_path_on_floor: 'No piso {floor} não há nenhum caminho: trace um que lá chegue.',
  no_path_here: 'Nenhum caminho chega aqui a partir de uma porta.',
  left_out: 'Este local não aparece no mapa.',
  steps_only: 'Todos os caminhos até aqui têm degraus, uma escada rolante, uma subida ou uma passagem estreita.',
  zone_not_drawn: 'Esta zona não está traçada: os caminhos que a atravessam mostram-se com qualquer bilhete.',
  border_elsewhere:
    'Nenhum caminho vai de «{from}» a «{to}» a menos de {metres} m do ponto de controlo «{checkpoint}»: trace um.',
  border_elsewhere_in:
    'Nenhum caminho entra de fora em «{to}» a menos de {metres} m do ponto de controlo «{checkpoint}»: trace um.',
  border_elsewhere_out:
    'Nenhum caminho sai de «{from}» a menos de {metres} m do ponto de controlo «{checkpoint}»: trace um.',
  open_border: 'Este caminho passa de uma zona para outra num sítio sem ponto de controlo: {zones}.',
  open_border_outside: 'Este caminho entra de fora em «{zones}» num sítio sem ponto de controlo.',
  unconnected: 'Este caminho não está ligado aos outros: trace a ligação.',
  unconnected_more: 'O mesmo vale para {paths}.',
  no_node: 'Não há nenhum nó «{id}».',
  node_unused: 'Aqui não começa, não acaba nem passa nenhum caminho.',
  ambiguous: 'À mesma distância: {between}. Diga qual é, ou mude-o de lugar.',
  ambiguous_ends: 'Duas pontas de {path} estão à mesma distância: diga qual é, ou mude-o de lugar.',
  path_short: 'Este caminho é curto demais e não é usado.',
  path_one_point:
    'As duas pontas deste caminho são um só ponto no piso {floor}, por isso não é usado: indique os nós com «from» e «to».',
  far_away: 'Isto está longe do resto do mapa: a longitude vem primeiro.',
  event_first: 'Corrija primeiro o evento.',
}
