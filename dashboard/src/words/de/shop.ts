/** Texts of the screen Shop, in German. */
import type { shopWords as English } from '../en/shop.ts'
import { actionWords } from './actions.ts'
import { speech } from './speech.ts'

const { changes, seconds } = actionWords.hq

export const shopWords: typeof English = {
  lead: 'Die Box liest die Tickets aus pretix und meldet zurück, wer durchgegangen ist. Kein Scan wartet darauf.',
  problem: 'Dem eingerichteten Shop kann die Box nicht folgen.',
  nothing: 'Kein Shop verbunden',
  nothingText:
    'In pretix ein Token erstellen (Veranstalter → Geräte, oder Teams) und dies dort eingeben, wo die Box installiert ist. Sie nennt den nächsten Schritt und schreibt, was fehlt.',
  command: 'gatehouse shop connect https://pretix.example -',
  copy: 'Befehl kopieren',
  database: 'Die Box folgt der Datenbank eines Shops',
  databaseText: 'Wie weit sie ist und was nicht übernommen wurde, steht unter „Zentrale“.',
  openHq: 'Zentrale öffnen',
  down: 'Herunter: Tickets',
  up: 'Hinauf: Durchgänge',
  downStates: {
    current: 'Verbunden, aktuell',
    first: 'Liest zum ersten Mal alle Bestellungen',
    away: 'Nicht verbunden',
  },
  upStates: {
    begins: 'Beginnt, wenn alle Bestellungen gelesen sind',
    current: 'Aktuell',
    behind: 'Holt auf',
    asleep: 'Etwas wartet auf einen Menschen',
    waiting: 'pretix ist gerade nicht erreichbar',
    paused: 'Angehalten, bis jemand etwas ändert',
    other_box: 'Eine andere Box dieser Veranstaltung meldet an pretix',
  },
  source: 'Shop',
  answered: 'Letzte Antwort',
  failing: 'Gestört seit',
  changed: 'Letzte Änderung',
  lag: 'Rückstand',
  added: 'Neue Tickets',
  ticketsChanged: 'Geänderte Tickets',
  compared: 'Zuletzt alles gelesen',
  clocks: 'Uhren weichen ab um',
  clocksText: (by) => `${seconds(Math.abs(by))}: die falsche stellen.`,
  seconds,
  reading: (page, pages) => `Liest alle Bestellungen: Seite ${page}${pages === null ? '' : ` von ${pages}`}.`,
  readingLabel: 'Gelesene Bestellungen',
  soon: 'Gleich werden alle Bestellungen neu gelesen.',
  notApplied: (n) =>
    `${speech.count(n, { one: '# Position einer Bestellung wurde', other: '# Positionen von Bestellungen wurden' })} nicht zum Ticket. In pretix oder in pretix.yaml berichtigen. Warum, steht unter „Zentrale“.`,
  compare: 'Jetzt vergleichen',
  compareHint: 'Liest alle Bestellungen neu und findet, was in pretix gelöscht wurde.',
  comparing: 'Die Box liest alle Bestellungen neu; die Tore arbeiten weiter.',
  sent: 'Gemeldet seit Start der Box',
  sentAt: 'Zuletzt gemeldet',
  waiting: 'Noch zu melden',
  waits: (waiting, asleep) =>
    asleep === 0 ? changes(waiting) : `${changes(waiting)}, davon ${asleep}, bis es jemand neu versucht`,
  queue: 'Was wartet',
  queueEmpty: 'Nichts wartet.',
  queueAt: 'Am Tor',
  queueTicket: 'Ticket',
  queueWhy: 'Der Shop sagt',
  queueNext: 'Nächster Versuch',
  queueAsleep: 'Neu versuchen',
  noTicket: 'keins',
  notAsked: 'noch nichts',
  retry: 'Neu versuchen',
  retryHint: 'Erst die Ursache beheben. Dann fragt dies pretix sofort und sendet noch einmal, was wartet.',
  retried: 'pretix wird jetzt wieder gefragt.',
  conflicts: 'Der Shop widerspricht',
  noConflicts: 'Kein offener Fall: pretix hat alles so angenommen.',
  someConflicts: (n) =>
    `${speech.count(n, { one: '# offener Fall', other: '# offene Fälle' })}: Jemand ging durch, und pretix war anderer Meinung.`,
  openCases: 'Klärfälle öffnen',
}
