/** Text on every screen, and on the ticket's own, in Italian. */
import type { words as English } from '../en/words.ts'
import { speech } from './speech.ts'

const { number } = speech

export const words: typeof English = {
  title: 'Gatehouse Wallet',
  screens: { ticket: 'Biglietto', nearby: 'Vicino', news: 'Avvisi', more: 'Altro' },
  screensLabel: 'Schermate',
  yourTickets: 'I tuoi biglietti',
  ticketName: (n, tier, whose) => (tier === undefined ? `Biglietto ${n}` : whose ? `${tier}, ${whose}` : tier),
  unread: (n) => `${number(n)} da leggere`,
  close: 'Chiudi',
  cancel: 'Non ora',
  tryAgain: 'Riprova',
  add: 'Aggiungi un biglietto',
  remove: 'Rimuovi',

  live: 'Online',
  asking: 'Connessione',
  offline: 'Offline',
  offlineLong: (age) => `Nessuna connessione. Quello che vedi è di ${age}. Il tuo codice funziona senza rete.`,
  forgetful:
    'Questo browser non salva nulla. Tieni aperta questa pagina finché non sei dentro, o apri il link in un altro browser.',

  justNow: 'poco fa',

  ticket: {
    heading: 'Il tuo biglietto',
    opening: 'Apertura del biglietto',
    code: 'Codice del biglietto, cambia ogni 15 secondi. Mostralo allo scanner; premi per ingrandirlo.',
    codeLarge: 'Codice del biglietto',
    bright: 'Alza al massimo la luminosità e tieni fermo lo schermo.',
    awake: 'Tocca ogni tanto lo schermo, così non si spegne.',
    next: (seconds) => `Nuovo codice tra ${seconds} s`,
    enlarge: 'tocca per ingrandire',
    making: 'Creazione del codice',
    holder: 'Nome',
    zones: 'Accesso',
    valid: 'Validità',
    validFrom: (from) => `da ${from}`,
    validUntil: (until) => `fino a ${until}`,
    validBetween: (from, until) => `da ${from} a ${until}`,
    early: (from) => `Non ancora valido: vale da ${from}.`,
    late: (until) => `Scaduto: ${until}.`,
    revoked: {
      title: 'Annullato',
      text: 'L’organizzatore ha annullato questo biglietto. Chiedi in biglietteria, o a chi te l’ha venduto.',
    },
    blocked: 'Bloccato dall’organizzatore. Al varco chiedi di un responsabile e mostra questo codice.',
    pending: 'Non ancora pagato. Paga dove l’hai acquistato, o mostra questo codice a un responsabile al varco.',
    unknown:
      'L’evento non riconosce più questo biglietto. Se al varco rifiutano il codice, chiedi un nuovo link all’organizzatore.',
    unsigned:
      'In questo momento il telefono non riesce a dimostrare che il biglietto gli è associato. Se al varco rifiutano il codice, chiedi di un responsabile.',
    slow: (by) =>
      `L’orologio di questo telefono è indietro di ${by}. Il codice ne tiene conto, ma imposta l’ora automatica.`,
    fast: (by) =>
      `L’orologio di questo telefono è avanti di ${by}. Il codice ne tiene conto, ma imposta l’ora automatica.`,
  },

  trouble: {
    unreachable: {
      title: 'Nessuna connessione',
      text: 'La prima volta il biglietto si apre solo con la rete. Collegati al Wi-Fi dell’evento o attiva i dati mobili; questa pagina riprova da sola.',
    },
    unknown: {
      title: 'Questo link non funziona',
      text: 'Apri il link direttamente dal messaggio dell’organizzatore, non da una copia. Se ancora non funziona, chiedine uno nuovo.',
    },
    elsewhere: {
      title: 'Associato a un altro telefono',
      text: 'Questo biglietto è associato a un altro telefono e si apre solo lì. Se non l’hai fatto tu, chiedi all’organizzatore o in biglietteria di liberarlo.',
    },
    keyDeleted: {
      title: 'La chiave di questo biglietto non c’è più',
      text: 'Questo browser l’ha cancellata e questo telefono non può più mostrare il biglietto. Chiedi all’organizzatore o in biglietteria di liberarlo, poi riapri il tuo link.',
    },
    busy: {
      title: 'Troppi tentativi da questa rete',
      text: 'Da questa rete sono stati aperti troppi link sbagliati. Aspetta un minuto; questa pagina riprova da sola.',
    },
    unloaded: {
      title: 'Questa pagina non è ancora sul telefono',
      text: 'Serve la rete una volta. Il biglietto e il codice funzionano anche senza rete. Questa pagina riprova da sola.',
    },
    refused: {
      title: 'Non ha funzionato',
      text: 'Chiudi questa pagina e riapri il tuo link. Se non basta, chiedi in biglietteria.',
    },
  },

  emergency: 'Emergenza',

  welcome: {
    heading: 'I tuoi biglietti, su questo telefono',
    text: 'Apri il link che ti ha mandato l’organizzatore, o aggiungilo a mano.',
  },
}
