/** Texts of the screen Event, in German. */
import type { guideWords as English } from '../en/guide.ts'
import { actionWords } from './actions.ts'
import { speech } from './speech.ts'

const { count } = speech

const tickets = (n: number) => count(n, { one: '# Ticket', other: '# Tickets' })
const paired = (n: number) => count(n, { one: '# gekoppelter Scanner', other: '# gekoppelte Scanner' })

export const guideWords: typeof English = {
  lead: 'Name, Tore und Ticketarten. Änderungen stehen dann in event.json und gelten nach dem Neustart der Box.',
  greeting: 'Auf dieser Box läuft die Demo',
  greetingText: 'In wenigen Minuten zur eigenen Veranstaltung: aus der Datei des Ticketshops oder ganz neu.',
  greetingOpen: 'Veranstaltung anlegen',
  again: actionWords.list.again,
  start: {
    title: 'Anfangen',
    lead: 'Auf dieser Box läuft die Demo. Die eigene Veranstaltung beginnt mit einem Namen.',
    name: 'Name der Veranstaltung',
    noName: 'Erst einen Namen eingeben.',
    file: 'Datei des Ticketshops',
    fileHint: 'Eine CSV, falls vorhanden. Daraus kommen die Ticketarten; die Tickets selbst werden später importiert.',
    column: 'Spalte mit der Ticketart',
    noColumn: 'Keine: eine einzige Ticketart',
    found: (n) => `${count(n, { one: '# Ticketart', other: '# Ticketarten' })} gefunden.`,
    unreadable: 'Diese Datei lässt sich hier nicht lesen. Als CSV speichern.',
    go: 'Veranstaltung anlegen',
    shop: 'Oder pretix verbinden',
  },
  basics: {
    title: 'Name und Zeit',
    name: 'Name',
    timezone: 'Zeitzone',
    starts_at: 'Beginn',
    ends_at: 'Ende',
    day_starts_at: 'Ein Tag beginnt um',
    dayHint: 'Für Tickets, die einmal am Tag gelten.',
  },
  tiers: {
    title: 'Ticketarten',
    one: 'Ticketart',
    colour: 'Farbe',
    entry: 'Darf hinein',
    entries: {
      once: 'Einmal',
      once_per_day: 'Einmal am Tag',
      reentry: 'Nach dem Verlassen wieder',
      unlimited: 'Beliebig oft',
    },
  },
  zones: { title: 'Zonen', one: 'Zone', capacity: 'Personen höchstens' },
  gates: { title: 'Tore', one: 'Tor', hint: 'Ein neues Tor hat einen Eingang und einen Ausgang.' },
  checkpoints: {
    title: 'Kontrollpunkte an den Toren',
    one: 'Kontrollpunkt',
    gate: 'Tor',
    direction: 'Richtung',
    directions: { in: 'Hinein', out: 'Hinaus' },
    from: 'Von',
    to: 'Nach',
    outside: 'Draußen',
    tiers: 'Wer durchdarf',
  },
  add: (what) => `Hinzufügen: ${what}`,
  newName: (what) => `Name: ${what}`,
  remove: (name) => `${name} entfernen`,
  preview: {
    title: 'So wird es',
    way: (from, to) => `${from} → ${to}`,
    nobody: 'niemand',
  },
  map: {
    title: 'Karte',
    lead: 'Sie zeigt Gästen in der Wallet den Weg und dem Team, wo etwas passiert.',
    none: 'Es gibt keine Karte: Niemandem wird der Weg gezeigt.',
    unreadable: 'Die Datei venue.geojson ist keine Karte: eine andere importieren oder von Hand berichtigen.',
    tooLarge: 'Diese Dateien sind größer als 4 MB. Auf der Befehlszeile geht es mit „gatehouse venue import“.',
    nothing: 'Aus diesen Dateien wird keine Karte.',
    files: 'Dateien der Karte',
    filesHint: 'IMDF, GTFS oder GeoJSON. Das Archiv entpacken und alle Dateien auf einmal wählen.',
    zone: 'Das ganze Gelände ist',
    noZone: 'Keine Zone',
    entrance: (gate) => `${gate} ist der Eingang`,
    byHand: 'Keiner: von Hand auf die Karte',
    gates: 'Tore auf der Karte',
    gatesHint:
      'Ein Tor wählen und dorthin klicken, wo es steht. Mit der Tastatur: Pfeiltasten bewegen das Kreuz, Enter setzt das Tor.',
    drawing: 'Zeichnung der Karte',
    placed: (gate) => `${gate} ist auf der Karte.`,
    unplaced: '(noch nicht auf der Karte)',
    save: 'Karte speichern',
    discard: 'Änderungen verwerfen',
    remove: 'Keine Karte verwenden',
  },
  check: {
    title: 'Prüfen und speichern',
    checking: 'Wird geprüft …',
    good: 'Kein Fehler.',
    mistakes: (n) => `${count(n, { one: '# Fehler', other: '# Fehler' })} zu berichtigen:`,
    warnings: 'Vermutlich nicht gewollt:',
    changes: 'Das ändert, was es schon gibt:',
    accept: 'Gelesen und so gewollt',
    save: 'Veranstaltung speichern',
    saved: 'Gespeichert.',
    unchanged: 'Gespeichert, und die Box läuft damit.',
    kept: 'Noch nicht gespeichert. Dieser Browser behält den Entwurf.',
    discard: 'Entwurf verwerfen',
    otherBoxes: (n) =>
      `${count(n, { one: '# andere Box hat ihren', other: '# andere Boxen haben ihren' })} eigenen Ordner der Veranstaltung: auch dort ändern.`,
  },
  conflict: {
    text: 'Die Datei wurde geändert, während dieser Entwurf offen war.',
    file: 'Datei öffnen',
    draft: 'Entwurf behalten',
  },
  pending: {
    title: 'Damit starten',
    text: 'Die Veranstaltung ist gespeichert, aber die Box läuft noch mit der vorigen. Sie schließt und öffnet in wenigen Sekunden; die Scanner entscheiden solange allein.',
    first: 'Der Browser fragt noch einmal nach dem Zertifikat, weil die Veranstaltung ein eigenes hat.',
    apply: 'Jetzt neu starten',
    applying: 'Die Box startet neu …',
    reload: 'Diese Seite neu öffnen',
  },
  next: {
    title: 'Als Nächstes',
    tickets: 'Tickets importieren',
    devices: 'Scanner koppeln',
    rehearse: 'Vor dem Einlass proben',
    sheets: 'Für jedes Tor ein Blatt drucken',
    folder: 'Ordner der Veranstaltung:',
  },
  change: {
    tier_removed: (name, { tickets: n }) => `„${name}“ gilt dann nirgends mehr: ${tickets(n)} betroffen.`,
    tier_entry: (name, { tickets: n }) => `„${name}“: Für ${tickets(n)} ändert sich, wie oft man hineindarf.`,
    tier_elsewhere: (name, { tickets: n }) =>
      `„${name}“: Mit ${tickets(n)} kommt man an einem bisherigen Kontrollpunkt nicht mehr durch.`,
    zone_removed: (name, { inside }) =>
      `„${name}“ fällt weg: noch ${count(inside, { one: '# Person', other: '# Personen' })} darin.`,
    gate_removed: (name, { scanners }) => `„${name}“ fällt weg: ${paired(scanners)} dafür.`,
    checkpoint_removed: (name, { scanners }) => `„${name}“ fällt weg: ${paired(scanners)} dafür.`,
    checkpoint_moved: (name, { scanners }) => `„${name}“ führt woandershin: ${paired(scanners)} dort.`,
    days: (_name, { tickets: n }) =>
      `Für ${tickets(n)} beginnt der Tag zu einer anderen Stunde: Ein Tag gilt dann vielleicht doppelt oder gar nicht.`,
  },
  blank: { tier: 'Ticket', zone: 'Drinnen', gate: 'Haupttor' },
}
