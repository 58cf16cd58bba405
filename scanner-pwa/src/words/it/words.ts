/** Text read while scanning, in Italian: the frame of the app, the viewfinder, notices, verdicts, reports. */
import type { words as English } from '../en/words.ts'
import { speech } from './speech.ts'

const { clock, count, number, short: duration } = speech

export const words: typeof English = {
  title: 'Gatehouse Scanner',
  opening: 'Avvio…',
  doesNotOpen: 'Lo scanner non si è aperto su questo telefono. Chiudilo e riaprilo.',
  again: 'Riprova',
  cancel: 'Annulla',
  close: 'Chiudi',
  back: 'Indietro',
  dismiss: 'Chiudi',
  unexpected: 'Non ha funzionato. Riprova.',
  rehearsal: 'Prova: nessuno viene contato',

  nav: {
    label: 'Schermate',
    scan: 'Scansiona',
    recent: 'Ultime',
    shift: 'Turno',
    settings: 'Opzioni',
  },

  link: {
    reachable: 'Online',
    neverHeard: 'Offline',
    away: (box) => `Su ${box}`,
    offline: (ms) => `Offline ${duration(ms)}`,
    unsent: (n) => (n === 0 ? 'Tutto inviato' : `${number(n)} da inviare`),
  },

  camera: {
    viewfinder: 'Immagine della fotocamera',
    opening: 'Apertura della fotocamera.',
    switch: 'Altra fotocamera',
    automatic: 'Fotocamera posteriore',
    numbered: (n) => `Fotocamera ${n}`,
    torchOn: 'Accendi torcia',
    torchOff: 'Spegni torcia',
    open: 'Apri la fotocamera',
    reader: {
      absent: 'Il lettore QR non è ancora su questo telefono. Collegati alla rete del box; intanto digita i codici.',
      stopped: 'Il lettore QR si è fermato e riparte. Se tarda, digita il codice.',
    },
    trouble: {
      denied: {
        what: 'La fotocamera è bloccata.',
        remedy:
          'Autorizzala per questa pagina: tocca il lucchetto o la fotocamera accanto all’indirizzo, o vai nelle impostazioni del browser.',
      },
      absent: {
        what: 'Nessuna fotocamera trovata.',
        remedy: 'Collegane una, usa un lettore manuale o digita il codice.',
      },
      busy: { what: 'Un’altra app usa la fotocamera.', remedy: 'Chiudila, poi apri la fotocamera qui.' },
      lost: { what: 'La fotocamera si è fermata.', remedy: 'Riparte da sola. Se no, premi il pulsante.' },
      insecure: {
        what: 'Questa pagina non può usare la fotocamera.',
        remedy: 'Aprila con https://, come nell’invito.',
      },
      unknown: {
        what: 'La fotocamera non si è aperta.',
        remedy: 'Premi il pulsante. Se non va, riavvia il telefono.',
      },
    },
    wedgeWorks: 'I lettori manuali e i codici digitati funzionano ancora.',
  },

  scan: {
    title: 'Scansiona',
    change: 'Cambia postazione',
    type: 'Digita codice',
    typeTitle: 'Digita il codice',
    typeLabel: 'Codice stampato sul biglietto',
    typeSubmit: 'Controlla il codice',
    lookUp: 'Cerca',
    lookUpLong: 'Cerca un biglietto per nome',
    report: 'Segnala',
    reportLong: 'Fai una segnalazione',
    last: 'Ultima scansione',
    none: 'Ancora nessuna scansione',
    tapForSound: 'Tocca per il suono',
    failed: 'Nessuna risposta per quel codice. Scansiona di nuovo.',
    notices: 'Avvisi',
  },

  notice: {
    hold: (gate) => `Ingressi sospesi: ${gate}`,
    holdUntil: (ms) => `Fino alle ore ${clock(ms)}.`,
    stale: (ms) => `Lista biglietti di ${duration(ms)} fa`,
    staleText: 'Biglietti nuovi e annullamenti recenti qui non si vedono. Riporta il telefono sulla rete.',
    noList: 'Manca la lista dei biglietti',
    noListText: 'Offline il telefono non può controllare i biglietti. Portalo sulla rete.',
    offline: (ms) =>
      ms === null ? 'Offline: decide questo telefono' : `Offline da ${duration(ms)}: decide questo telefono`,
    offlineText: 'Continua a scansionare. Le scansioni partono quando il box torna.',
    away: (box) => `Il tuo box non risponde: ora c’è ${box}`,
    awayText: 'Continua a scansionare. Il telefono torna al tuo box da solo.',
    joined: (box) => `Nuovo box: ${box}`,
    joinedText: 'Quando c’è calma, riavvia l’app in Opzioni: potrà usare questo box se il tuo si ferma.',
    doubles: (n) => count(n, { one: 'Un biglietto usato due volte', other: '# biglietti usati due volte' }),
    doublesText: 'Accettati qui offline, e usati anche altrove.',
    aside: (n) => count(n, { one: 'Il box ha rifiutato un ingresso', other: 'Il box ha rifiutato # ingressi' }),
    asideText: 'Fatti offline e tenuti su questo telefono. Avvisa la centrale.',
    look: 'Apri',
    more: (n) => `+${n}`,
    emergency: (kind, where) => `${kind}: ${where}`,
    emergencyText: 'Segnalazione di un altro scanner.',
    announcement: { info: 'Avviso', warning: 'Attenzione', emergency: 'Emergenza' },
    dismissNamed: (what) => `Chiudi: ${what}`,
  },

  verdict: {
    label: 'Esito',
    next: 'Prossimo',
    waiting: (n) => count(n, { one: 'Un altro in attesa', other: 'Altri # in attesa' }),
    confirmed: 'Confermato dal box',
    confirmedBy: (box) => `Confermato da ${box}`,
    provisional: 'Provvisorio: gli altri box non hanno confermato',
    provisionalSince: (boxes, ms) =>
      ms === null
        ? `Provvisorio: ancora nessun contatto con ${boxes}`
        : `Provvisorio: nessun contatto con ${boxes} da ${duration(ms)}`,
    moreBoxes: (n) => count(n, { one: 'un altro', other: 'altri #' }),
    provisionalBy: (box, why) => `${why}. Ha risposto ${box}`,
    offline: (ms) =>
      ms === undefined ? 'Offline: decide questo telefono' : `Offline da ${duration(ms)}: decide questo telefono`,
    class: {
      admit: 'Entra',
      exit: 'Esce',
      used: 'Già usato',
      elsewhere: 'Altro varco',
      'not-now': 'Non ora',
      stale: 'Codice vecchio',
      invalid: 'Non valido',
      revoked: 'Revocato',
      supervisor: 'Chiama responsabile',
    },
    yours: 'Decidi tu',
    held: 'Ingressi sospesi',
    clockOff: 'Ora del telefono sbagliata',
    undone: 'Ingresso annullato',
    failed: 'Non deciso',
    failedSure: 'Nessun controllo fatto',
    entry: (n) => `Ingresso ${number(n)}`,
    undo: 'Annulla ingresso',
    undoTitle: 'Annulla questo ingresso',
    undoText: 'Il biglietto si potrà usare di nuovo. La centrale vede chi l’ha fatto e perché.',
    undoReasons: ['Scansione per errore', 'Non è entrato', 'Persona sbagliata'],
    admit: 'Fai entrare comunque',
    admitTitle: 'Fai entrare da responsabile',
    admitText: 'Il motivo viene registrato.',
    admitReasons: [
      'Biglietto controllato a mano',
      'Rientra dopo una breve uscita',
      'Telefono o codice danneggiato',
      'Errore precedente dello staff',
    ],
    reason: 'Motivo',
    admitSubmit: 'Fai entrare',
    undoSubmit: 'Annulla ingresso',
  },

  incidents: {
    title: 'Segnala',
    lead: 'Basta un tocco per chiamare la centrale.',
    kinds: {
      crush: 'Calca',
      medical: 'Serve medico',
      need_staff: 'Serve staff',
      fire: 'Incendio',
      security: 'Sicurezza',
      lost_child: 'Bimbo smarrito',
      access: 'Persona disabile',
      equipment: 'Guasto',
    },
    note: 'Nota da allegare (facoltativa)',
    noteHint: 'Dove di preciso, che cosa vedi. Niente nomi. Scrivila prima di premere.',
    sending: 'Invio…',
    notSent: 'NON INVIATA. Usa la radio.',
    notSentText: 'Il telefono continua a provare, e qui dice quando la segnalazione è arrivata.',
    refused: (why) => `Il box l’ha rifiutata: ${why}`,
    received: 'Ricevuta. Non l’ha ancora vista nessuno.',
    receivedText: 'La centrale viene chiamata finché qualcuno non risponde.',
    seen: 'Vista dalla centrale.',
    named: (kind, state) => `${kind}: ${state}`,
    own: 'Le tue segnalazioni',
    ownNone: 'Ancora nessuna segnalazione.',
    addNote: 'Aggiungi nota',
    noteLater: 'Nota per la centrale',
    noNames: 'Dove di preciso, che cosa è cambiato. Niente nomi.',
    sendNote: 'Invia nota',
    withdraw: 'Ritira',
    withdrawTitle: (kind) => `Ritirare «${kind}»?`,
    withdrawText: 'La centrale la vede come falso allarme. Non verrà nessuno.',
    here: 'Segnalate da altri a questo varco',
    elsewhere: 'Emergenze altrove',
    waiting: 'Quante persone sono in fila qui?',
    waitingHint: 'Basta un numero a occhio: aiuta la centrale a mandare la gente dove la fila è più corta.',
    people: (people) => (people === 0 ? 'Nessuno' : `Circa ${number(people)}`),
    waitingSent: (people) => (people === 0 ? 'Inviato: nessuno in fila.' : `Inviato: circa ${number(people)} in fila.`),
    ticks: { pressed: 'Premuta', received: 'Ricevuta', seen: 'Vista' },
    state: (state, assignee, actor) => {
      switch (state) {
        case 'acknowledged':
          return actor ? `Vista da ${actor}.` : 'Vista dalla centrale.'
        case 'assigned':
          return assignee ? `In arrivo: ${assignee}.` : 'Aiuto in arrivo.'
        case 'resolved':
          return 'Risolta.'
        case 'cancelled':
          return 'Chiusa come falso allarme.'
        default:
          return 'Non l’ha ancora vista nessuno.'
      }
    },
    withdrawn: 'Ritirata al varco.',
    reason: (reason) => `«${reason}»`,
    pressedAndReceived: (pressed, received) => `premuta alle ore ${pressed}, ricevuta alle ore ${received}`,
  },
}
