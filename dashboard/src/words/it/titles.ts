/** The title of every screen, in Italian. */
import type { titles as English } from '../en/titles.ts'

export const titles: typeof English = {
  overview: 'Panoramica',
  gates: 'Varchi',
  map: 'Mappa',
  scanners: 'Scanner',
  incidents: 'Segnalazioni',
  flags: 'Anomalie',
  desk: 'Biglietteria',
  tickets: 'Biglietti',
  sales: 'Vendite',
  paper: 'Su carta',
  evacuation: 'Evacuazione',
  announce: 'Annunci',
  guide: 'Evento',
  import: 'Importa',
  ready: 'Prima dell’apertura',
  record: 'Registro',
  boxes: 'Box',
  shop: 'Shop',
  hq: 'HQ',
  log: 'Log',
  appliance: 'Macchina',
  staff: 'Staff',
  settings: 'Impostazioni',
  system: 'Sistema',
}
