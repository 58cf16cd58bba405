/** Texts of the screen Before doors, in Italian. */
import type { readyWords as English } from '../en/ready.ts'
import { count } from './actions.ts'

const left = () => ''

export const readyWords: typeof English = {
  lead: 'Che cosa dev’essere a posto prima che arrivi il pubblico, e un foglio per ogni varco.',
  list: 'Tutto pronto?',
  standing: { ok: 'A posto', warn: 'Da fare', ask: 'Chiedi' },
  remedy: (name) => `Apri: ${name}`,
  byAdmin: 'Chiedi a un admin.',
  whatIsLeft: 'Cosa manca prima di aprire',
  checks: {
    certificate: {
      name: 'Certificato',
      ok: () => 'Questo dispositivo riconosce il box.',
      warn: () => 'Questo dispositivo non riconosce il box: così nessuna app si apre offline. Installa il certificato.',
      ask: () => 'Questo browser non dice se riconosce il box.',
    },
    publicName: {
      name: 'Nome pubblico',
      ok: () => 'Il certificato del nome pubblico vale fin dopo l’evento.',
      warn: () =>
        'Il certificato del nome pubblico manca, è in ritardo, è danneggiato o scade prima della fine dell’evento: i varchi aprono lo stesso, ma i browser mostreranno un avviso.',
      ask: left,
    },
    clock: {
      name: 'Orologio',
      ok: () => 'L’orologio del box è giusto.',
      warn: () =>
        'L’orologio del box non viene impostato da nulla: confrontalo con un altro orologio, e fai in modo che la macchina prenda l’ora dalla rete.',
      ask: left,
    },
    tickets: {
      name: 'Biglietti',
      ok: (n) => `${count(n, 'biglietto importato', 'biglietti importati')}.`,
      warn: () => 'Ancora nessun biglietto: importa il file del tuo shop.',
      ask: left,
    },
    scanners: {
      name: 'Scanner',
      ok: (n) => `${count(n, 'scanner collegato', 'scanner collegati')}.`,
      warn: (n) =>
        `${count(n, 'scanner collegato', 'scanner collegati')}, meno dei varchi: abbinane altri, e apri l’app su ciascuno.`,
      ask: left,
    },
    battery: {
      name: 'Batterie e orologi',
      ok: () => 'Ogni scanner è carico e ha l’ora giusta.',
      warn: (n) => `${count(n, 'scanner', 'scanner')} con batteria scarica o orologio sbagliato.`,
      ask: left,
    },
    map: {
      name: 'Mappa',
      ok: () => 'La mappa c’è.',
      warn: (n) =>
        `${count(n, 'varco non è', 'varchi non sono')} sulla mappa: il pubblico non vede come arrivarci. Da mettere sulla mappa nella schermata Evento.`,
      ask: () =>
        'Il pubblico deve vedere i percorsi? Allora disegna o importa una mappa nella schermata Evento. I varchi funzionano anche senza.',
    },
    backup: {
      name: 'Backup',
      ok: (n) => (n === 0 ? 'Backup fatto nell’ultima ora.' : `Backup fatto ${count(n, 'ora', 'ore')} fa.`),
      warn: () => 'Nessun backup nelle ultime 24 ore: fanne uno e tienilo altrove.',
      ask: left,
    },
    stick: {
      name: 'Chiavetta USB',
      ok: () => 'Nel box c’è una chiavetta.',
      warn: () => 'Nel box non c’è una chiavetta: i backup non hanno dove andare.',
      ask: left,
    },
    paper: {
      name: 'Liste su carta',
      ok: () => 'C’è una lista stampata per ogni varco.',
      warn: (n) =>
        `${count(n, 'lista stampata', 'liste stampate')}: stampane una per varco, per quando non funziona più nulla.`,
      ask: left,
    },
    links: {
      name: 'Link dei biglietti',
      ok: left,
      warn: left,
      ask: () =>
        'Il pubblico mostra il biglietto sul telefono? Allora a ciascuno serve un link; i codici dello shop valgono anche senza. Questo comando scrive tutti i link in un file (dove digitarlo: box/docs/attendees.md, «Links»):',
    },
    rehearsal: {
      name: 'Prova',
      ok: () => 'Negli ultimi sette giorni è stata fatta una prova.',
      warn: () => 'Ancora nessuna prova: qui sotto, scansiona biglietti veri con i telefoni veri.',
      ask: left,
    },
  },
  rehearsal: {
    title: 'Prova',
    lead: 'Telefoni veri scansionano biglietti veri e nessuno viene contato. Il registro dice solo che la prova c’è stata.',
    steps: [
      'Avviala. Entro 10 secondi ogni telefono abbinato mostra «Prova».',
      'Scansiona alcuni biglietti, uno due volte e uno al varco sbagliato.',
      'Spegni la rete di un telefono e continua: decide da solo.',
      'Terminala qui. Da quel momento ogni scansione conta.',
    ],
    start: 'Avvia una prova',
    startAnyway: 'Nessun varco è aperto: avvia',
    text: 'Gli scanner di questo box fanno una prova: chi fanno entrare non viene contato. La prova finisce da sola quando comincia l’evento.',
    objections: {
      event_on: 'L’evento è cominciato.',
      people_came: 'Negli ultimi 30 minuti è entrata gente.',
    },
    anyway: 'Chi entra durante una prova manca in tutti i conteggi. Avviala solo se nessun varco è aperto.',
    length: 'Durata',
    started: 'La prova è in corso.',
    end: 'Termina la prova',
    ended: (scans, scanners) =>
      `Prova finita: codici provati ${scans}, scanner ${scanners}. D’ora in poi ogni scansione conta.`,
    until: 'Finisce da sola alle',
    scanners: 'Scanner che partecipano',
    scans: 'Codici provati',
    meanwhile: 'Ingressi veri nel frattempo',
    byAdmin: 'Può avviarla un admin.',
    band: (actor) => `Prova avviata da ${actor}: gli scanner non contano nessuno.`,
    left: (time) => `Finisce tra ${time}.`,
    real: (n) => `Ingressi veri nel frattempo: ${n}, da scanner che non partecipano.`,
  },
  sheets: {
    title: 'Fogli per i varchi',
    lead: 'Una pagina per varco, con un codice per ogni telefono. Chi ha il foglio può abbinare un telefono: custodiscilo come una chiave.',
    phones: 'Telefoni per varco',
    make: 'Crea i fogli',
    print: 'Stampa',
    leave: 'Stampali prima di lasciare questa schermata: non li conserva. Anche i fogli creati prima restano validi.',
    paper: 'I fogli come saranno su carta',
    heading: (gate) => `Scanner: ${gate}`,
    until: (at) => `Valido fino a ${at}. Ogni codice abbina un telefono.`,
    network: (host) => `Collega il telefono alla rete del box (${host}).`,
    trust:
      'Manca il pulsante Abbina? Allora il telefono non riconosce ancora il box, e la pagina mostra i passi con le immagini. In breve:',
    fingerprint: 'Il telefono mostra l’impronta (SHA-256) del certificato che installa. Deve essere questa:',
    iphone:
      'iPhone: scaricalo con Safari e consenti il profilo. Impostazioni, Profilo scaricato, Installa. Poi Generali, Info, Attendibilità certificati: attivalo.',
    android:
      'Android: imposta un blocco schermo. Impostazioni, Sicurezza, Crittografia e credenziali, Installa un certificato, Certificato CA, e scegli il file.',
    scan: 'Apri la fotocamera, inquadra un codice non ancora usato, apri il link e premi Abbina.',
    phone: (n) => `Telefono ${n}`,
    label: (gate, n) => `Invito per ${gate}, telefono ${n}`,
    fails: 'Se non funziona',
    failing: [
      'La pagina non si apre: il telefono è su un’altra rete o usa i dati mobili. Disattiva i dati mobili.',
      'Il browser avvisa: il telefono non riconosce ancora il box. Scansiona di nuovo il codice e segui i passi della pagina.',
      '«Questo invito è già stato usato»: prendi il codice seguente, o chiedi un nuovo foglio alla centrale.',
      'La fotocamera resta nera: autorizzala per questa pagina nelle impostazioni del browser.',
      'Niente funziona: scansiona con un altro telefono, e fai entrare con la lista su carta.',
    ],
  },
}
