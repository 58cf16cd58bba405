/** The texts of the setup page, in Italian. */
import type { SetupWords } from './en.ts'

export const it: SetupWords = {
  title: (event) => `${event} · Box Gatehouse`,
  lead: 'Questo è un box Gatehouse. Controlla i biglietti all’ingresso.',
  apps: 'Dove andare',
  dashboard: { name: 'Centrale', what: 'Per chi gestisce l’evento: numeri, inviti, biglietti, questa macchina' },
  scanner: { name: 'Scanner', what: 'Per lo staff ai varchi; si apre con un invito' },
  wallet: { name: 'Biglietti', what: 'Per il pubblico, con il link ricevuto' },
  warning:
    'Se il browser avvisa di un certificato sconosciuto: questo box ha creato il suo, e questo dispositivo non lo conosce ancora. La parte seguente dice che cosa fare.',
  trust: 'Far riconoscere il box a questo dispositivo',
  check: 'Verifica se è già così, con i passi illustrati',
  certificate: 'Scarica il certificato (ca.crt)',
  compare:
    'Vale solo per questo evento e per indirizzi locali. Qualcuno in questa rete potrebbe aver modificato questa pagina: confronta l’impronta con quella che la centrale mostra in Impostazioni, o che il box ha mostrato all’avvio.',
  systems: [
    [
      'iPhone e iPad',
      'Scaricalo in Safari e consenti il profilo. Apri Impostazioni, tocca «Profilo scaricato», poi «Installa». Poi vai in Generali, Info, «Attendibilità certificati» e attivala: senza questo secondo passo non cambia nulla.',
    ],
    [
      'Android',
      'Imposta un blocco schermo. Scaricalo, poi apri Impostazioni, Sicurezza, «Crittografia e credenziali», «Installa un certificato», «Certificato CA», supera l’avviso e scegli il file. Chrome allora lo riconosce; Firefox da solo no.',
    ],
    [
      'Windows',
      'Apri il file, scegli «Installa certificato», «Computer locale», «Colloca tutti i certificati nel seguente archivio», «Autorità di certificazione radice attendibili». Riavvia il browser.',
    ],
    [
      'Mac',
      'Apri il file: lo prende Accesso Portachiavi. Trovalo in Certificati, aprilo e in Attendibilità scegli «Fidati sempre».',
    ],
    [
      'Linux, e Firefox ovunque',
      'Nelle impostazioni del browser cerca Certificati, poi Autorità, Importa: scegli il file e fidati per i siti web.',
    ],
  ],
  box: 'Questo box',
  boxId: 'Nome',
  time: 'Orologio',
  times: {
    synced: 'impostato dalla rete',
    unsynced: 'non impostato dalla rete: impostalo dalla centrale, o confrontalo con un altro orologio',
  },
  addresses: 'Indirizzi',
  qr: (url) => `Apre ${url}`,
  problems: (n) => (n === 1 ? 'Un’impostazione non è stata usata' : `${n} impostazioni non sono state usate`),
  line: 'Riga',
  problemsLead:
    'Il box è in funzione. Correggi gatehouse.toml sulla sua scheda con un computer, rimetti la scheda e riaccendi il box.',
}
