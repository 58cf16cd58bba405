/** The title of every screen, in French. */
import type { titles as English } from '../en/titles.ts'

export const titles: typeof English = {
  overview: 'Aperçu',
  gates: 'Portes',
  map: 'Plan',
  scanners: 'Scanners',
  incidents: 'Incidents',
  flags: 'Anomalies',
  desk: 'Guichet',
  tickets: 'Billets',
  sales: 'Ventes',
  paper: 'Papier',
  evacuation: 'Évacuation',
  announce: 'Annonces',
  guide: 'Événement',
  import: 'Import',
  ready: 'Avant l’ouverture',
  record: 'Registre',
  boxes: 'Boîtiers',
  shop: 'Boutique',
  hq: 'Siège',
  log: 'Journal',
  appliance: 'Machine',
  staff: 'Équipe',
  settings: 'Réglages',
  system: 'Système',
}
