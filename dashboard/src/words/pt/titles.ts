/** The title of every screen, in Portuguese. */
import type { titles as English } from '../en/titles.ts'

export const titles: typeof English = {
  overview: 'Visão geral',
  gates: 'Portas',
  map: 'Mapa',
  scanners: 'Leitores',
  incidents: 'Ocorrências',
  flags: 'Casos',
  desk: 'Bilheteira',
  tickets: 'Bilhetes',
  sales: 'Vendas',
  paper: 'Papel',
  evacuation: 'Evacuação',
  announce: 'Avisos',
  guide: 'Evento',
  import: 'Importar',
  ready: 'Antes de abrir',
  record: 'Registo',
  boxes: 'Boxes',
  shop: 'Loja',
  hq: 'Sede',
  log: 'Diário',
  appliance: 'Máquina',
  staff: 'Equipa',
  settings: 'Definições',
  system: 'Sistema',
}
