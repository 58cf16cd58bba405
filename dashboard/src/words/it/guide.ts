/** Texts of the screen Event, in Italian, which leads from a box on the table to an event of its own. */
import type { guideWords as English } from '../en/guide.ts'
import { actionWords, count } from './actions.ts'

const tickets = (n: number) => count(n, 'biglietto', 'biglietti')
const paired = (n: number) => count(n, 'scanner abbinato', 'scanner abbinati')

export const guideWords: typeof English = {
  lead: 'Nome, varchi e categorie di biglietti. Ciò che cambi qui va in event.json, e vale dal riavvio del box.',
  greeting: 'Questo box usa l’evento demo',
  greetingText: 'Crea il tuo in pochi minuti: dal file del tuo shop, o da zero.',
  greetingOpen: 'Crea il mio evento',
  again: actionWords.list.again,
  start: {
    title: 'Inizio',
    lead: 'Questo box usa la demo. Il tuo evento inizia da un nome.',
    name: 'Nome dell’evento',
    noName: 'Prima dai un nome all’evento.',
    file: 'File del tuo shop',
    fileHint: 'Un CSV, se ce l’hai. Se ne ricavano le categorie; i biglietti si importano dopo.',
    column: 'Colonna con la categoria',
    noColumn: 'Nessuna: una sola categoria',
    found: (n) => `${count(n, 'categoria trovata', 'categorie trovate')}.`,
    unreadable: 'Questo file qui non si legge. Salvalo come CSV.',
    go: 'Crea l’evento',
    shop: 'Oppure collega pretix',
  },
  basics: {
    title: 'Nome e orari',
    name: 'Nome',
    timezone: 'Fuso orario',
    starts_at: 'Inizio',
    ends_at: 'Fine',
    day_starts_at: 'Il giorno inizia alle',
    dayHint: 'Per i biglietti che entrano una volta al giorno.',
  },
  tiers: {
    title: 'Categorie',
    one: 'Categoria',
    colour: 'Colore',
    entry: 'Può entrare',
    entries: {
      once: 'Una volta',
      once_per_day: 'Una volta al giorno',
      reentry: 'Di nuovo, dopo l’uscita',
      unlimited: 'Quante volte vuole',
    },
  },
  zones: { title: 'Zone', one: 'Zona', capacity: 'Persone al massimo' },
  gates: { title: 'Varchi', one: 'Varco', hint: 'Un nuovo varco ha un’entrata e un’uscita.' },
  checkpoints: {
    title: 'Postazioni dei varchi',
    one: 'Postazione',
    gate: 'Varco',
    direction: 'Direzione',
    directions: { in: 'Entrata', out: 'Uscita' },
    from: 'Da',
    to: 'A',
    outside: 'Esterno',
    tiers: 'Chi passa',
  },
  add: (what) => `Aggiungi: ${what}`,
  newName: (what) => `Nome: ${what}`,
  remove: (name) => `Togli ${name}`,
  preview: {
    title: 'Come sarà',
    way: (from, to) => `${from} → ${to}`,
    nobody: 'nessuno',
  },
  check: {
    title: 'Controlla e salva',
    checking: 'Controllo…',
    good: 'Nessun errore.',
    mistakes: (n) => `${count(n, 'errore', 'errori')} da correggere:`,
    warnings: 'Forse non voluto:',
    changes: 'Cambia qualcosa che c’è già:',
    accept: 'Ho letto, e va bene così',
    save: 'Salva l’evento',
    saved: 'Salvato.',
    unchanged: 'Salvato, e il box lo usa già.',
    kept: 'Non ancora salvato. La bozza resta in questo browser.',
    discard: 'Butta la bozza',
    otherBoxes: (n) =>
      `${count(n, 'altro box ha la sua cartella dell’evento', 'altri box hanno la loro cartella dell’evento')}: modifica anche lì.`,
  },
  conflict: {
    text: 'Il file è cambiato mentre avevi questa bozza.',
    file: 'Apri il file',
    draft: 'Tieni la bozza',
  },
  pending: {
    title: 'Rendilo attivo',
    text: 'L’evento è salvato, ma il box usa ancora il precedente. Si chiude e si riapre in pochi secondi; intanto gli scanner decidono da soli.',
    first: 'Il browser chiede ancora una volta del certificato, perché il tuo evento ha il suo.',
    apply: 'Riavvia il box ora',
    applying: 'Il box si riavvia…',
    reload: 'Riapri questa pagina',
  },
  next: {
    title: 'Poi',
    tickets: 'Importa i biglietti',
    devices: 'Abbina gli scanner',
    sheets: 'Stampa un foglio per ogni varco',
    folder: 'La cartella dell’evento:',
  },
  change: {
    tier_removed: (name, { tickets: n }) => `${tickets(n)} «${name}»: non si entrerà più da nessuna parte.`,
    tier_entry: (name, { tickets: n }) => `${tickets(n)} «${name}»: cambia quante volte si può entrare.`,
    tier_elsewhere: (name, { tickets: n }) => `${tickets(n)} «${name}»: una postazione che li accettava li rimanderà.`,
    zone_removed: (name, { inside }) => `${count(inside, 'persona è', 'persone sono')} in «${name}», che viene tolta.`,
    gate_removed: (name, { scanners }) => `${paired(scanners)} per «${name}», che viene tolto.`,
    checkpoint_removed: (name, { scanners }) => `${paired(scanners)} per «${name}», che viene tolta.`,
    checkpoint_moved: (name, { scanners }) =>
      `${count(scanners, 'scanner scansiona', 'scanner scansionano')} a «${name}», che ora porta altrove.`,
    days: (_name, { tickets: n }) =>
      `Il giorno inizia a un’altra ora per ${tickets(n)}: un giorno può valere due volte, o mai.`,
  },
  blank: { tier: 'Biglietto', zone: 'Interno', gate: 'Varco principale' },
}
