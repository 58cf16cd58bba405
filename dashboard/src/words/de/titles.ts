/** The title of every screen, in German. */
import type { titles as English } from '../en/titles.ts'

export const titles: typeof English = {
  overview: 'Übersicht',
  gates: 'Tore',
  map: 'Karte',
  scanners: 'Scanner',
  incidents: 'Vorfälle',
  flags: 'Klärfälle',
  desk: 'Ticketschalter',
  tickets: 'Tickets',
  sales: 'Verkauf',
  paper: 'Papier',
  evacuation: 'Räumung',
  announce: 'Mitteilen',
  guide: 'Veranstaltung',
  import: 'Import',
  ready: 'Vor dem Einlass',
  record: 'Protokoll',
  boxes: 'Boxen',
  shop: 'Shop',
  hq: 'Zentrale',
  log: 'Logbuch',
  appliance: 'Rechner',
  staff: 'Personal',
  settings: 'Einstellungen',
  system: 'System',
}
