/** The title of every screen, in Spanish. */
import type { titles as English } from '../en/titles.ts'

export const titles: typeof English = {
  overview: 'Resumen',
  gates: 'Puertas',
  map: 'Mapa',
  scanners: 'Escáneres',
  incidents: 'Incidencias',
  flags: 'Casos',
  desk: 'Taquilla',
  tickets: 'Entradas',
  sales: 'Ventas',
  paper: 'Papel',
  evacuation: 'Evacuación',
  announce: 'Anuncios',
  guide: 'Evento',
  import: 'Importar',
  ready: 'Antes de abrir',
  record: 'Registro',
  boxes: 'Servidores',
  shop: 'Tienda',
  hq: 'Sede',
  log: 'Historial',
  appliance: 'Equipo',
  staff: 'Personal',
  system: 'Sistema',
  settings: 'Ajustes',
}
