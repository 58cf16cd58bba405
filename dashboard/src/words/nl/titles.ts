/** The title of every screen, in Dutch. */
import type { titles as English } from '../en/titles.ts'

export const titles: typeof English = {
  overview: 'Overzicht',
  gates: 'Poorten',
  map: 'Kaart',
  scanners: 'Scanners',
  incidents: 'Incidenten',
  flags: 'Gevallen',
  desk: 'Ticketbalie',
  tickets: 'Tickets',
  sales: 'Verkoop',
  paper: 'Papier',
  evacuation: 'Ontruiming',
  announce: 'Mededelen',
  guide: 'Evenement',
  import: 'Import',
  ready: 'Voor opening',
  record: 'Register',
  boxes: 'Boxen',
  shop: 'Shop',
  hq: 'Hoofdkantoor',
  log: 'Logboek',
  appliance: 'Machine',
  staff: 'Personeel',
  settings: 'Instellingen',
  system: 'Systeem',
}
