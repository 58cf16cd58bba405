/** The sentences of the screen of the machine, in Italian. */
import type { applianceWords as English } from '../en/appliance.ts'
import { actionWords as actions } from './actions.ts'
import { speech } from './speech.ts'

export const applianceWords: typeof English = {
  title: 'Macchina',
  lead: 'La macchina su cui gira il box: impostazioni, orologio, software, backup.',
  none: 'Questo box non gira sull’appliance. Orologio, software e backup sono quelli della macchina su cui gira.',
  loading: 'Chiedo alla macchina…',
  again: 'Riprova',

  settings: 'Impostazioni',
  fine: 'gatehouse.toml è senza errori.',
  problems: (n) =>
    speech.count(n, {
      one: '# riga di gatehouse.toml non è stata usata',
      other: '# righe di gatehouse.toml non sono state usate',
    }),
  line: (n) => `Riga ${n}`,
  correct:
    'Il box gira senza. Correggi il file sulla scheda con un computer qualsiasi, rimetti la scheda e accendi il box.',

  machine: 'Macchina',
  facts: { room: 'Spazio libero', temperature: 'Temperatura', uptime: 'Accesa da', clock: 'Orologio' },
  room: (free, total) => `${actions.import.size(free)} su ${actions.import.size(total)}`,
  roomLow: 'Metti presto una scheda più grande: senza spazio non si scansiona più nessuno.',
  degrees: (celsius) => `${Math.round(celsius)} °C`,
  hot: 'Troppo calda: falle prendere aria.',
  unknown: 'La macchina non lo dice',

  time: 'Orologio',
  synced: (source) => (source === null ? 'Impostato dalla rete.' : `Impostato dalla rete (${source}).`),
  unsynced: 'Non impostato dalla rete. Il box continua a contare e accetta codici vecchi fino a due minuti.',
  boxTime: (at) => `Il box segna ${at}.`,
  differs: (ms) =>
    `È ${ms > 0 ? 'indietro' : 'avanti'} di ${actions.time.duration(ms)} rispetto a questo dispositivo. L’ora di questo dispositivo è giusta?`,
  agrees: 'Questo dispositivo segna lo stesso.',
  setTime: 'Imposta il box sull’ora di questo dispositivo',
  timeSet: 'Orologio impostato.',

  software: 'Software',
  slot: (name) => `Slot ${name}`,
  version: (version) => (version === null ? 'vuoto' : `versione ${version}`),
  running: 'in uso',
  next: 'al prossimo avvio',
  slotBad: 'non si è avviato alla prova',
  none_known: 'La macchina non dice quali versioni ha.',
  states: {
    uploading: (percent) => (percent === null ? 'Invio dell’aggiornamento' : `Invio dell’aggiornamento, ${percent} %`),
    checking: 'Controllo che l’aggiornamento sia autentico e per questa macchina',
    installing: (percent) => `Installazione${percent === null ? '' : `, ${percent} %`}. Le scansioni continuano.`,
    ready: (version) =>
      `${version === null ? 'L’aggiornamento è installato' : `La versione ${version} è installata`}. Parte al riavvio della macchina.`,
  },
  older: (version) => `Installa la versione ${version} anche se è più vecchia`,
  failed: (reason) => `Aggiornamento non installato. ${reason}`,
  choose: 'File di aggiornamento',
  chooseHint: 'Finisce in .update, al massimo 1 GB. Meglio tra un evento e l’altro: l’invio tiene occupata la scheda.',
  notUpdate: 'Non è un aggiornamento. Scegli il file che finisce in .update.',
  tooLarge: 'Questo file supera 1 GB: nessun aggiornamento è così grande.',
  send: 'Invia e installa',
  sending: 'Invio dell’aggiornamento',
  cancel: 'Annulla',
  unanswered: 'Connessione persa prima che arrivasse tutto il file. Nulla è cambiato. Invialo di nuovo.',
  cancelled: 'Annullato. Nulla è cambiato.',
  stick: 'Sulla chiavetta USB',
  install: (name) => `Installa ${name}`,
  restart: 'Riavvia ora',
  restartTitle: 'Riavviare la macchina?',
  restartText: 'Gli scanner lavorano offline per circa un minuto, poi inviano le scansioni.',
  restartUpdate: 'Parte la nuova versione. Se entro tre minuti non funziona, la macchina torna a questa da sola.',
  restarting: 'La macchina si riavvia. Questa pagina torna da sola.',
  rollback: (version) => (version === null ? 'Torna indietro' : `Torna alla versione ${version}`),
  rollbackTitle: 'Tornare alla versione precedente?',
  rollbackText:
    'La macchina si riavvia con quella. Biglietti e scansioni restano come sono. Gli scanner lavorano offline per circa un minuto.',
  unstart: 'Scartala',
  unstartTitle: 'Scartare la nuova versione?',
  unstartText: 'La macchina tiene la versione attuale. Per avere la nuova, installala di nuovo.',
  unstarted: 'Scartata. Resta la versione attuale.',

  backup: 'Backup',
  backupLead:
    'Tutto ciò che è su questo box, in un file. Contiene le chiavi del box: cifralo, così non serve a un ladro. Il box non conserva ciò che scrivi qui.',
  protect: 'Cifratura',
  ways: { passphrase: 'Con una passphrase', recipients: 'Per destinatari age', none: 'Non cifrato' },
  passphrase: 'Passphrase',
  passphraseHint: 'Almeno 12 caratteri. Meglio cinque o più parole a caso.',
  strength: {
    short: 'Troppo corta: almeno 12 caratteri.',
    weak: 'Debole: un ladro con il file può tentare quanto vuole. Aggiungi parole.',
    fair: 'Discreta. Con una o due parole in più è forte.',
    strong: 'Forte, se non viene da un libro o da una canzone.',
  },
  passphraseAgain: 'Ripeti la passphrase',
  passphraseLost: 'Scrivila e tienila lontana dal file. Senza, nessuno può ripristinare questo backup.',
  recipients: 'Destinatari',
  recipientsHint:
    'Uno per riga: age1…, la chiave pubblica mostrata da age-keygen. Chi ha una delle chiavi segrete può ripristinare il backup.',
  worth:
    'Chi ottiene questo file ha le chiavi del box: può far entrare chiunque, spacciarsi per il box e firmare a suo nome. Può leggere nomi ed e-mail di tutti i titolari, e i codici di tutti i biglietti. Custodiscilo come i biglietti.',
  protectionMistakes: {
    short: 'Backup non creato: la passphrase è troppo corta. Servono almeno 12 caratteri.',
    control: 'Backup non creato: la passphrase contiene un tab o un altro carattere che certe tastiere non scrivono.',
    different: 'Backup non creato: le due passphrase non coincidono. Riscrivile entrambe.',
    noRecipient: 'Backup non creato: inserisci un destinatario (age1…), o scegli una passphrase.',
    notRecipient: 'Backup non creato: un destinatario inizia con age1 e sta da solo su una riga. Copialo di nuovo.',
    identity:
      'Backup non creato: questa è una chiave segreta (AGE-SECRET-KEY). Nulla è stato inviato. Usa la chiave pubblica, che inizia con age1.',
    many: 'Backup non creato: un backup può avere al massimo 20 destinatari.',
  },
  download: 'Scarica un backup',
  downloading: (size) => `Ricezione del backup, finora ${size}`,
  downloaded: (name, size) => `Salvato come ${name}, ${size}.`,
  cutShort: 'Il backup era incompleto e non è stato salvato. Scaricalo di nuovo.',
  toStick: 'Scrivi un backup sulla chiavetta USB',
  noStick: 'Nel box non c’è una chiavetta USB. Inseriscine una formattata FAT32.',
  hasStick: 'Nel box c’è una chiavetta USB.',
  making: 'Il box crea il backup. Lascia inserita la chiavetta.',
  copying: (percent) => `Scrittura sulla chiavetta${percent === null ? '' : `, ${percent} %`}. Lasciala inserita.`,
  done: (name) => `Il backup è sulla chiavetta${name === null ? '' : ` come ${name}`}. Ora puoi estrarla.`,
  backupFailed: (reason) => `Nessun backup sulla chiavetta. ${reason}`,

  power: 'Riavvio',
  powerLead: 'Aiuta quando una parte della macchina non risponde. Gli scanner restano offline circa un minuto.',
}
