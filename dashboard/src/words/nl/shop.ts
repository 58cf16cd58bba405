/** Texts of the screen Shop, in Dutch. */
import type { shopWords as English } from '../en/shop.ts'
import { actionWords } from './actions.ts'
import { speech } from './speech.ts'

const { count } = speech
const { changes, seconds } = actionWords.hq

export const shopWords: typeof English = {
  lead: 'De box leest de tickets van je pretix en meldt daar wie binnenkwam. Geen scan wacht daarop.',
  problem: 'De ingestelde shop kan niet worden gevolgd.',
  nothing: 'Geen shop verbonden',
  nothingText:
    'Maak een token in pretix (Organizer → Devices, of Teams) en typ dit waar de box is geïnstalleerd. Hij noemt de volgende stap en schrijft wat ontbreekt.',
  command: 'gatehouse shop connect https://pretix.example -',
  copy: 'Opdracht kopiëren',
  database: 'De box volgt de database van een shop',
  databaseText: 'Hoe ver hij is, en wat niet verwerkt kon worden, staat op het scherm Hoofdkantoor.',
  openHq: 'Hoofdkantoor openen',
  down: 'Omlaag: tickets',
  up: 'Omhoog: passages',
  downStates: {
    current: 'Verbonden, actueel',
    first: 'Leest voor het eerst elke bestelling',
    away: 'Niet verbonden',
  },
  upStates: {
    begins: 'Begint als elke bestelling één keer gelezen is',
    current: 'Actueel',
    behind: 'Loopt in',
    asleep: 'Er wacht iets op een mens',
    waiting: 'pretix is nu niet bereikbaar',
    paused: 'Gestopt tot iemand iets verandert',
    other_box: 'Een andere box van dit evenement meldt aan pretix',
  },
  source: 'Shop',
  answered: 'Laatste antwoord',
  failing: 'Mislukt sinds',
  changed: 'Laatste wijziging',
  lag: 'Achterstand',
  added: 'Tickets toegevoegd',
  ticketsChanged: 'Tickets gewijzigd',
  compared: 'Alle bestellingen gelezen',
  clocks: 'Klokverschil',
  clocksText: (by) => `${seconds(Math.abs(by))}: zet de verkeerde klok goed.`,
  seconds,
  reading: (page, pages) => `Elke bestelling wordt gelezen: pagina ${page}${pages === null ? '' : ` van ${pages}`}.`,
  readingLabel: 'Gelezen bestellingen',
  soon: 'Zo meteen wordt elke bestelling opnieuw gelezen.',
  notApplied: (n) =>
    `Geen ticket geworden: ${count(n, { one: '# positie', other: '# posities' })} van bestellingen. Corrigeer dit in pretix of in pretix.yaml. Waarom staat op het scherm Hoofdkantoor.`,
  compare: 'Nu vergelijken',
  compareHint: 'Leest elke bestelling opnieuw en vindt wat in pretix is verwijderd.',
  comparing: 'De box leest elke bestelling opnieuw, naast het werk aan de poorten.',
  sent: 'Gemeld sinds de start van de box',
  sentAt: 'Laatst gemeld',
  waiting: 'Nog te melden',
  waits: (waiting, asleep) =>
    asleep === 0 ? changes(waiting) : `${changes(waiting)}, waarvan ${asleep} tot iemand het opnieuw probeert`,
  queue: 'Wat wacht',
  queueEmpty: 'Er wacht niets.',
  queueAt: 'Bij de poort',
  queueTicket: 'Ticket',
  queueWhy: 'De shop zegt',
  queueNext: 'Volgende poging',
  queueAsleep: 'Probeer opnieuw',
  noTicket: 'geen',
  notAsked: 'nog niets',
  retry: 'Opnieuw proberen',
  retryHint: 'Neem eerst de oorzaak weg. Dit vraagt pretix dan meteen en verstuurt nog eens wat wacht.',
  retried: 'pretix wordt nu opnieuw gevraagd.',
  conflicts: 'De shop zegt iets anders',
  noConflicts: 'Geen open geval: pretix nam alles over zoals het was.',
  someConflicts: (n) =>
    `${count(n, { one: '# open geval', other: '# open gevallen' })}: iemand ging erdoor, en pretix dacht er anders over.`,
  openCases: 'Gevallen openen',
}
