/** Text read before and after scanning, in Italian: pairing, checkpoint, recent scans, shift, settings. */
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { screenWords as English } from '../en/screens.ts'
import { speech } from './speech.ts'

const { clock, count, number } = speech

const scans = (n: number) => count(n, { one: '# scansione', other: '# scansioni' })

export const screenWords: typeof English = {
  pairing: {
    title: 'Abbina questo telefono',
    arrived: 'Premi una volta per fare di questo telefono uno scanner.',
    none: 'La centrale mostra un invito come codice QR. Scansionalo, o apri il suo link su questo telefono.',
    deleted:
      'Questo telefono era abbinato e il suo browser ha cancellato i dati dell’app. Chiedi un nuovo invito alla centrale.',
    deletedUnsent: (n) => `Non inviate e perse: ${scans(n)}. Avvisa la centrale.`,
    name: 'Nome di questo telefono',
    nameHint: 'Lo vede la centrale, per esempio «Varco Nord 2».',
    guess: (platform) => (platform === '' ? 'Telefono' : `Telefono ${platform}`),
    pair: 'Abbina questo telefono',
    pairing: 'Abbinamento',
    scan: 'Scansiona l’invito',
    stopCamera: 'Ferma la fotocamera',
    paste: 'Incolla il link dell’invito',
    use: 'Usa questo invito',
    noInvite: 'Non è un invito completo. Un invito è un link che inizia con https:// e contiene #i=.',
    another: 'Usa un altro invito',
    already: (name) => `Questo telefono è già abbinato come «${name}». Per riabbinarlo, prima scollegalo.`,
    keep: 'Mantieni l’abbinamento',
  },

  checkpoint: {
    title: 'A quale postazione sei?',
    operator: 'Il tuo nome',
    operatorHint: 'Facoltativo. Resta con le tue scansioni su questo telefono e appare nel cambio turno.',
    in: 'Entrata',
    out: 'Uscita',
    none: 'Questo telefono non ha postazioni. Chiedi un altro invito alla centrale.',
  },

  recent: {
    title: 'Ultime scansioni',
    lead: 'Le ultime 50 di questo telefono.',
    none: 'Ancora nessuna scansione.',
    alone: 'offline',
    sent: 'inviata',
    unsent: 'non ancora inviata',
    confirmed: 'confermata',
    supervised: 'ammesso dal responsabile',
    undone: 'ingresso annullato',
    double: 'usato due volte',
    ago: (age) => `${age} fa`,
    past: 'Scansione precedente',
  },

  doubles: {
    title: 'Usati due volte',
    lead: 'Li hai fatti entrare mentre il telefono era offline, e gli stessi biglietti sono stati usati anche altrove. Chi è dentro resta dentro: la centrale ha entrambe le registrazioni.',
    none: 'Nessuno.',
    yours: 'Qui, con questo telefono',
    other: 'Altrove',
    at: (where, ms) => `${where}, ${clock(ms)}`,
    unknown: 'L’altra registrazione è in centrale.',
    dismiss: 'Ho capito',
    aside: 'Rifiutati dal box',
    asideLead: 'Avvisa la centrale: il box non li ha registrati.',
  },

  shift: {
    title: 'Questo turno',
    since: (ms) => `Dalle ore ${clock(ms)}`,
    operator: 'In turno',
    signOn: 'Accedi',
    signOff: 'Esci',
    change: 'Cambia',
    name: 'Il tuo nome',
    counts: 'Scansioni',
    total: (n) => `${scans(n)} in tutto`,
    also: 'Inoltre',
    alone: 'Decise offline',
    supervised: 'Ammessi dal responsabile',
    undone: 'Ingressi annullati',
    doubles: 'Usati due volte',
    unsent: 'Non ancora inviate',
    aside: 'Rifiutati dal box',
    handOver: 'Cambio turno',
    handOverTitle: 'Passare il telefono ad altri?',
    handOverText:
      'I conteggi si azzerano e il tuo accesso si chiude. Le scansioni non inviate restano sul telefono fino all’invio.',
    handOverUnsent: (n) => `Non ancora inviate: ${scans(n)}. Riporta il telefono sulla rete prima di spegnerlo.`,
    handOverConfirm: 'Passa il telefono',
    handedOver: 'Turno chiuso',
    copy: 'Copia',
    copied: 'Copiato',
    done: 'Fatto',
    summary: (summary, checkpoint, until, classes) =>
      [
        `${checkpoint}: ${summary.operator ?? 'senza nome'}, ${clock(summary.since)}–${clock(until)}.`,
        ...Object.entries(summary.byClass)
          .filter(([, n]) => n > 0)
          .map(([name, n]) => `${classes[name as VerdictClass]}: ${number(n)}`),
        `Decise offline: ${number(summary.alone)}`,
        `Ammessi dal responsabile: ${number(summary.supervised)}`,
        `Ingressi annullati: ${number(summary.undone)}`,
        `Usati due volte: ${number(summary.doubles)}`,
        summary.unsent === 0 ? 'Tutte le scansioni sono inviate.' : `Non ancora inviate: ${number(summary.unsent)}`,
        ...(summary.aside === 0 ? [] : [`Rifiutati dal box: ${number(summary.aside)}`]),
      ].join('\n'),
  },

  signOn: {
    title: 'Chi scansiona?',
    now: 'In turno:',
    somebodyElse: 'Un’altra persona',
    name: 'Nome',
    secret: 'PIN o password',
    wrong: 'Nome o PIN sbagliato. Riprova.',
    wait: 'Troppi tentativi. Aspetta un momento o chiedi un nuovo PIN alla centrale.',
    unreachable: 'Il box non risponde. Riprova.',
    aloneLocked: 'Il box non risponde: nessuno può accedere finché non torna.',
    aloneAs: (name) => `Il box non risponde: resta ${name} e nessun altro può accedere finché non torna.`,
  },

  settings: {
    title: 'Opzioni',
    licences: 'Licenze di questa app',
    theme: 'Chiaro o scuro',
    language: 'Lingua',
    themes: { auto: 'Come il telefono', light: 'Chiaro', dark: 'Scuro' },
    volume: 'Volume degli esiti',
    volumeOf: (percent) => `${percent} %`,
    hear: 'Prova i suoni',
    vibration: 'Vibrazione',
    camera: 'Fotocamera',
    preflight: 'Controllo prima dell’apertura',
    checkpoint: 'Cambia postazione',
    phone: 'Questo telefono',
    name: 'Nome',
    event: 'Evento',
    box: 'Box',
    certificate: 'Scadenza certificato',
    version: 'Versione',
    supervisor: 'Responsabile',
    yes: 'Sì',
    no: 'No',
    rehearsal: 'È in corso una prova: ciò che questo telefono scansiona non conta. Se entra gente, esci dalla prova.',
    leaveRehearsal: 'Esci dalla prova',
    newer: 'È pronta una versione più recente.',
    restart: 'Riavvia ora',
    unpair: 'Scollega questo telefono',
    unpairTitle: 'Scollegare questo telefono?',
    unpairText:
      'La sua chiave e la lista dei biglietti vengono cancellate. Per scansionare ancora serve un nuovo invito.',
    unpairUnsent: (n) => `Perderai ${scans(n)} ancora da inviare: il box non saprà mai chi è entrato.`,
    unpairConfirm: 'Scollega',
    unpairForce: (n) => `Scollega e perdi ${scans(n)}`,
  },

  ended: { title: 'Questo telefono non può più scansionare', pairAgain: 'Scollega e riabbina' },
}
