/** Texts of the screen Event, in Dutch. */
import type { guideWords as English } from '../en/guide.ts'
import { actionWords } from './actions.ts'
import { speech } from './speech.ts'

const { count } = speech

const tickets = (n: number) => count(n, { one: '# ticket', other: '# tickets' })
const paired = (name: string, n: number) =>
  `‘${name}’ verdwijnt. Daarvoor gekoppeld: ${count(n, { one: '# scanner', other: '# scanners' })}.`

export const guideWords: typeof English = {
  lead: 'Naam, poorten en ticketsoorten. Wat je hier wijzigt, komt in event.json en geldt zodra de box opnieuw is begonnen.',
  greeting: 'Deze box draait het demo-evenement',
  greetingText: 'Maak je eigen in een paar minuten: uit het bestand van je ticketshop, of vanaf nul.',
  greetingOpen: 'Mijn evenement maken',
  again: actionWords.list.again,
  start: {
    title: 'Begin',
    lead: 'Deze box draait de demo. Je eigen evenement begint met een naam.',
    name: 'Naam van het evenement',
    noName: 'Geef het evenement eerst een naam.',
    file: 'Bestand van je ticketshop',
    fileHint: 'Een CSV, als je die hebt. De ticketsoorten komen eruit; de tickets zelf importeer je later.',
    column: 'Kolom met de ticketsoort',
    noColumn: 'Geen: één ticketsoort',
    found: (n) => `${count(n, { one: '# ticketsoort', other: '# ticketsoorten' })} gevonden.`,
    unreadable: 'Dit bestand kan hier niet worden gelezen. Sla het op als CSV.',
    go: 'Evenement maken',
    shop: 'Of verbind pretix',
  },
  basics: {
    title: 'Naam en tijd',
    name: 'Naam',
    timezone: 'Tijdzone',
    starts_at: 'Begint',
    ends_at: 'Eindigt',
    day_starts_at: 'Een dag begint om',
    dayHint: 'Voor tickets die één keer per dag naar binnen mogen.',
  },
  tiers: {
    title: 'Ticketsoorten',
    one: 'Ticketsoort',
    colour: 'Kleur',
    entry: 'Mag naar binnen',
    entries: {
      once: 'Eén keer',
      once_per_day: 'Eén keer per dag',
      reentry: 'Opnieuw na vertrek',
      unlimited: 'Onbeperkt',
    },
  },
  zones: { title: 'Zones', one: 'Zone', capacity: 'Hoogstens personen' },
  gates: { title: 'Poorten', one: 'Poort', hint: 'Een nieuwe poort heeft een weg naar binnen en een naar buiten.' },
  checkpoints: {
    title: 'Controlepunten van de poorten',
    one: 'Controlepunt',
    gate: 'Poort',
    direction: 'Richting',
    directions: { in: 'In', out: 'Uit' },
    from: 'Van',
    to: 'Naar',
    outside: 'Buiten',
    tiers: 'Wie erdoor mag',
  },
  add: (what) => `Toevoegen: ${what}`,
  newName: (what) => `Naam: ${what}`,
  remove: (name) => `${name} verwijderen`,
  preview: {
    title: 'Zo wordt het',
    way: (from, to) => `${from} → ${to}`,
    nobody: 'niemand',
  },
  map: {
    title: 'Kaart',
    lead: 'Ze wijst gasten de weg in hun ticket, en toont de crew wat waar gebeurt.',
    none: 'Er is geen kaart: niemand krijgt de weg te zien.',
    unreadable: 'Het bestand venue.geojson is geen kaart: importeer een andere, of verbeter het met de hand.',
    tooLarge: 'Deze bestanden zijn groter dan 4 MB. Gebruik ‘gatehouse venue import’ op de opdrachtregel.',
    nothing: 'Van deze bestanden is geen kaart te maken.',
    files: 'Bestanden van de kaart',
    filesHint: 'IMDF, GTFS of GeoJSON. Pak het archief uit en kies alle bestanden tegelijk.',
    zone: 'Het hele terrein is',
    noZone: 'Geen zone',
    entrance: (gate) => `${gate} is de ingang`,
    byHand: 'Geen: ik zet hem op de kaart',
    gates: 'Poorten op de kaart',
    gatesHint:
      'Kies een poort en klik waar die staat. Met het toetsenbord: de pijltjes bewegen het kruis, Enter zet de poort neer.',
    drawing: 'Tekening van de kaart',
    placed: (gate) => `${gate} staat op de kaart.`,
    unplaced: '(nog niet op de kaart)',
    save: 'Kaart opslaan',
    discard: 'Wijzigingen ongedaan maken',
    remove: 'Geen kaart gebruiken',
  },
  check: {
    title: 'Controleren en opslaan',
    checking: 'Controleren…',
    good: 'Geen fouten.',
    mistakes: (n) => `${count(n, { one: '# fout', other: '# fouten' })} te verbeteren:`,
    warnings: 'Waarschijnlijk niet de bedoeling:',
    changes: 'Dit verandert wat er al is:',
    accept: 'Ik heb dit gelezen en wil het zo',
    save: 'Evenement opslaan',
    saved: 'Opgeslagen.',
    unchanged: 'Opgeslagen, en de box draait ermee.',
    kept: 'Nog niet opgeslagen. Deze browser bewaart het concept.',
    discard: 'Concept weggooien',
    otherBoxes: (n) =>
      count(n, {
        one: '# andere box heeft een eigen evenementmap: wijzig het daar ook.',
        other: '# andere boxen hebben een eigen evenementmap: wijzig het daar ook.',
      }),
  },
  conflict: {
    text: 'Het bestand is gewijzigd terwijl je dit concept had.',
    file: 'Bestand openen',
    draft: 'Concept houden',
  },
  pending: {
    title: 'Ermee beginnen',
    text: 'Het evenement is opgeslagen, en de box draait nog met het vorige. Hij sluit en opent binnen seconden; intussen beslissen scanners zelf.',
    first: 'De browser vraagt nog één keer naar het certificaat, want je evenement heeft een eigen.',
    apply: 'Nu opnieuw beginnen',
    applying: 'De box begint opnieuw…',
    reload: 'Deze pagina opnieuw openen',
  },
  next: {
    title: 'Hierna',
    tickets: 'Tickets importeren',
    devices: 'Scanners koppelen',
    rehearse: 'Proefdraaien voor de deuren opengaan',
    sheets: 'Voor elke poort een blad printen',
    folder: 'De map van het evenement:',
  },
  change: {
    tier_removed: (name, { tickets: n }) => `Komt nergens meer binnen: ${tickets(n)} ‘${name}’.`,
    tier_entry: (name, { tickets: n }) => `Mag een ander aantal keren naar binnen: ${tickets(n)} ‘${name}’.`,
    tier_elsewhere: (name, { tickets: n }) =>
      `Wordt weggestuurd bij een controlepunt waar het nu door mag: ${tickets(n)} ‘${name}’.`,
    zone_removed: (name, { inside }) =>
      `‘${name}’ verdwijnt. Nu binnen: ${count(inside, { one: '# persoon', other: '# personen' })}.`,
    gate_removed: (name, { scanners }) => paired(name, scanners),
    checkpoint_removed: (name, { scanners }) => paired(name, scanners),
    checkpoint_moved: (name, { scanners }) =>
      `‘${name}’ leidt ergens anders heen. Daar scant: ${count(scanners, { one: '# scanner', other: '# scanners' })}.`,
    days: (_name, { tickets: n }) =>
      `Dagen beginnen op een ander uur voor ${tickets(n)}: een dag kan dubbel gebruikt worden, of helemaal niet.`,
  },
  blank: { tier: 'Ticket', zone: 'Binnen', gate: 'Hoofdpoort' },
}
