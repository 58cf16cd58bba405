/** The sentences of the scanner's core, in Italian. */
import type { gateWords as English } from '../en/gate.ts'
import { speech } from './speech.ts'

const { count, duration, number } = speech

export const gateWords: typeof English = {
  invite: {
    notOne: 'Non è un invito Gatehouse. Scansiona il codice QR in centrale, o copia il link per intero.',
    elsewhere: (address) =>
      `Questo invito è di un altro box. Apri ${address} su questo telefono e scansionalo di nuovo lì.`,
    otherBox: 'Questo invito è di un altro evento. Controlla che il telefono sia sulla rete giusta. Non abbinarlo qui.',
    expired: 'Invito scaduto. Chiedine uno nuovo alla centrale.',
    unreachable: 'Il box non risponde. Collegati alla sua rete e riprova.',
    paired: 'Questo telefono è già abbinato. Prima scollegalo.',
    noKeys:
      'Questo browser non può salvare la chiave di uno scanner. Apri l’invito in un altro browser, non in una finestra privata.',
  },
  nameMissing: 'Dai a questo telefono un nome che la centrale riconosca.',
  otherTab: 'Lo scanner è aperto in un’altra scheda o finestra. Chiudila e riprova.',
  unpairUnsent: (unsent) =>
    `${count(unsent, { one: '# ingresso non è ancora arrivato', other: '# ingressi non sono ancora arrivati' })} al box. Prima riporta il telefono sulla sua rete.`,
  noCheckpoint: 'Prima scegli la postazione.',
  waitingUnreachable: 'Non inviato: il box non risponde. Riprova più tardi o usa la radio.',
  reportUnreachable: 'Non inviata: il box non risponde. Usa la radio.',
  notPaired: 'Questo telefono non è abbinato. Prima apri un invito.',
  ended: {
    device_revoked: 'Questo scanner è stato messo fuori servizio. Portalo in centrale.',
    other: 'Il box non riconosce più questo scanner. Chiedi un nuovo invito alla centrale e abbinalo di nuovo.',
    certificate:
      'Il certificato di questo scanner è scaduto. Chiedi un nuovo invito alla centrale e abbinalo di nuovo.',
  },
  offline: {
    noList:
      'Su questo telefono non c’è la lista dei biglietti e il box non risponde. Usa un altro scanner, o porta questo sulla rete.',
    otherEvent:
      'La lista dei biglietti di questo telefono è di un altro evento. Usa un altro scanner e abbina di nuovo questo.',
    used: 'Già usato; offline non si sa dove e quando. Manda in biglietteria.',
    elsewhere: 'Non per questo varco. Chiedi alla centrale dove mandare questo biglietto.',
    everyGateHeld: 'ingressi sospesi a tutti i varchi di questo biglietto, per quanto sa questo telefono',
    notValid: 'Non più valido: annullato, non pagato o passato a un altro telefono. Manda in biglietteria.',
    diskFull:
      'Questo telefono è pieno e non può registrare ingressi. Non far entrare nessuno con questo: libera spazio o usa un altro telefono.',
  },
  noCode: 'Non è un biglietto. Riprova il codice. Se non va, manda in biglietteria.',
  details: {
    gone: 'Non più aperto su questo telefono. Scansiona di nuovo il biglietto.',
    unreachable: 'Serve il box, che non risponde. Riprova quando torna.',
    wrong: (question, problem = 'Rispondi di nuovo.') => `«${question}»: ${problem}`,
    nobody: 'Nessun altro di questo ordine può entrare qui ora. Scansiona i singoli biglietti per sapere perché.',
  },
  lookUp: {
    unreachable: 'Per cercare serve il box, che non risponde. Riprova quando torna, o manda in biglietteria.',
    who: 'Prima accedi, in Turno: ogni ricerca è registrata con un nome.',
  },
  overrides: {
    unreachable: 'Serve il box, che non risponde. Riprova quando torna.',
    unsent: 'Il box non ha ancora questa scansione. Aspetta che sia inviata e riprova.',
    scanner: 'lo scanner',
    tooLate: 'La risposta è arrivata troppo tardi: la persona è stata mandata via.',
    who: 'Prima accedi, in Turno: si registra chi ha deciso.',
  },
  preflight: {
    clock: {
      unknown: 'non ancora confrontato con il box',
      off: (ms) => `${ms > 0 ? 'indietro' : 'avanti'} di ${duration(Math.abs(ms))} rispetto al box`,
      fine: 'uguale a quello del box',
      remedy: 'Imposta data e ora automatiche su questo telefono.',
      measure: 'Collegati alla rete del box per confrontare gli orologi.',
    },
    manifest: {
      none: 'nessuna lista dei biglietti',
      is: (tickets, version, ageMs) =>
        `${count(tickets, { one: '# biglietto', other: '# biglietti' })}, versione ${number(version)}, ${ageMs < 60_000 ? 'aggiornata' : `vecchia di ${duration(ageMs)}`}`,
      remedy: 'Resta sulla rete del box finché la lista dei biglietti non è aggiornata.',
    },
    certificate: {
      left: (ms) => (ms > 0 ? `vale ancora ${duration(ms)}` : 'scaduto'),
      remedy: 'Chiedi un nuovo invito alla centrale e abbina di nuovo.',
    },
    storage: {
      asking: 'questo browser chiede se può conservare i dati',
      kept: 'questo telefono conserva i dati salvati',
      notKept:
        'questo telefono può cancellare scansioni non inviate: se manca spazio, in una finestra privata o dopo una settimana senza uso',
      unknown: 'questo browser non dice se conserva le scansioni non inviate',
      small: (mb) =>
        `questo browser dà all’app solo ${mb} MB, come una finestra privata: le scansioni non inviate potrebbero non starci`,
      smallRemedy: 'Apri l’app in una finestra normale o libera spazio su questo telefono.',
      remedy: 'Aggiungi questa app alla schermata Home e aprila da lì.',
    },
    boxes: {
      ready: (names) => `se questo box si ferma, il telefono usa ${names}`,
      silent: (names) => `nessuna risposta da ${names}`,
      silentRemedy: (address) =>
        `Apri una volta ${address} in questo browser e autorizzalo, come per il primo box. Se non si apre, avvisa la centrale.`,
      later: (names) => `aggiunti dopo l’apertura dell’app: ${names}`,
      laterRemedy: 'Riavvia questa app in Opzioni per poterli usare.',
    },
    link: {
      reachable: 'il box risponde',
      offline: 'il box non risponde',
      remedy: 'Collegati alla rete del box.',
    },
  },
}
