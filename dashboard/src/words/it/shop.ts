/** Texts of the screen Shop, in Italian. */
import type { shopWords as English } from '../en/shop.ts'
import { actionWords } from './actions.ts'
import { speech } from './speech.ts'

const { changes, seconds } = actionWords.hq
const { count, number } = speech

export const shopWords: typeof English = {
  lead: 'Il box legge i biglietti dal tuo pretix e gli comunica chi è passato. Nessuna scansione deve aspettare.',
  problem: 'Lo shop configurato non si può seguire.',
  nothing: 'Nessuno shop collegato',
  nothingText:
    'Crea un token in pretix (Organizer → Devices, o Teams) e scrivi questo comando dove è installato il box. Indica il passo successivo e scrive ciò che manca.',
  command: 'gatehouse shop connect https://pretix.example -',
  copy: 'Copia il comando',
  database: 'Il box segue il database di uno shop',
  databaseText: 'A che punto è, e che cosa non si è potuto applicare, è nella schermata HQ.',
  openHq: 'Apri HQ',
  down: 'In arrivo: biglietti',
  up: 'In uscita: passaggi',
  downStates: {
    current: 'Collegato, aggiornato',
    first: 'Prima lettura di tutti gli ordini',
    away: 'Non collegato',
  },
  upStates: {
    begins: 'Inizia dopo la prima lettura di tutti gli ordini',
    current: 'Aggiornato',
    behind: 'In recupero',
    asleep: 'Qualcosa aspetta una persona',
    waiting: 'Ora pretix non è raggiungibile',
    paused: 'Fermo finché qualcuno non interviene',
    other_box: 'Se ne occupa un altro box di questo evento',
  },
  source: 'Shop',
  answered: 'Ultima risposta',
  failing: 'Non risponde da',
  changed: 'Ultima modifica',
  lag: 'Ritardo',
  added: 'Biglietti aggiunti',
  ticketsChanged: 'Biglietti modificati',
  compared: 'Ultima lettura completa degli ordini',
  clocks: 'Differenza tra gli orologi',
  clocksText: (by) => `${seconds(Math.abs(by))}: correggi quello sbagliato.`,
  seconds,
  reading: (page, pages) =>
    `Lettura di tutti gli ordini: pagina ${number(page)}${pages === null ? '' : ` di ${number(pages)}`}.`,
  readingLabel: 'Ordini letti',
  soon: 'Tra un momento si rileggono tutti gli ordini.',
  notApplied: (n) =>
    `${count(n, { one: '# posizione d’ordine non è diventata un biglietto', other: '# posizioni d’ordine non sono diventate biglietti' })}. Correggi in pretix o in pretix.yaml. Il motivo è nella schermata HQ.`,
  compare: 'Confronta ora',
  compareHint: 'Rilegge tutti gli ordini e trova ciò che è stato eliminato in pretix.',
  comparing: 'Il box rilegge tutti gli ordini, senza disturbare i varchi.',
  sent: 'Comunicati dall’avvio del box',
  sentAt: 'Ultima comunicazione',
  waiting: 'In attesa d’invio',
  waits: (waiting, asleep) =>
    asleep === 0 ? changes(waiting) : `${changes(waiting)}, di cui ${number(asleep)} finché qualcuno non riprova`,
  queue: 'Che cosa aspetta',
  queueEmpty: 'Niente in attesa.',
  queueAt: 'Al varco',
  queueTicket: 'Biglietto',
  queueWhy: 'Lo shop dice',
  queueNext: 'Prossimo tentativo',
  queueAsleep: 'Riprova',
  noTicket: 'nessuno',
  notAsked: 'ancora niente',
  retry: 'Riprova',
  retryHint: 'Prima correggi la causa. Poi questo interroga subito pretix e rimanda ciò che aspetta.',
  retried: 'Nuova richiesta a pretix in corso.',
  conflicts: 'Lo shop dice altro',
  noConflicts: 'Nessun caso aperto: pretix ha accettato tutto.',
  someConflicts: (n) =>
    `${count(n, { one: '# caso aperto', other: '# casi aperti' })}: qualcuno è passato, e per pretix non doveva.`,
  openCases: 'Apri i casi',
}
