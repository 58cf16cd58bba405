import type { TrustWords } from './en.ts'

export const it: TrustWords = {
  title: (event) => `Far riconoscere il box · ${event}`,
  heading: 'Questo dispositivo riconosce il box?',
  lead: 'Per scansionare deve conoscere il certificato di questo box. Servono due minuti, una volta per dispositivo.',
  states: {
    looking: 'Verifica in corso…',
    yes: 'Sì. Questo dispositivo riconosce il box.',
    no: 'Non ancora. Comincia dal passo 1.',
    half: 'Non ancora. Il certificato è stato scaricato qui: manca uno dei passi dopo il primo.',
    away: 'Il box non risponde. Il dispositivo è nella rete del box? Disattiva i dati mobili.',
    elsewhere: 'Questo invito è di un altro box. Chiedine uno nuovo alla centrale.',
  },
  again: 'Verifica di nuovo',
  on: 'Continua',
  which: 'Che dispositivo è?',
  download: 'Scarica il certificato',
  devices: {
    iphone: {
      name: 'iPhone, iPad',
      steps: [
        { text: 'Tocca il pulsante in Safari, poi «Consenti».', title: 'Safari', mark: 'Consenti' },
        {
          text: 'Apri Impostazioni, tocca «Profilo scaricato», poi «Installa».',
          title: 'Impostazioni',
          mark: 'Profilo scaricato',
        },
        {
          text: 'Poi Generali, Info e, in fondo, «Attendibilità certificati»: attivalo. Senza questo passo non cambia nulla.',
          title: 'Attendibilità certificati',
          mark: 'Gatehouse',
          on: true,
        },
      ],
    },
    android: {
      name: 'Android',
      steps: [
        {
          text: 'Imposta un blocco schermo, se non c’è. Poi tocca il pulsante.',
          title: 'Chrome',
          mark: 'gatehouse-ca.crt',
        },
        {
          text: 'Impostazioni, Sicurezza, «Crittografia e credenziali», «Installa un certificato», «Certificato CA». Non c’è? Cerca «certificato CA» nelle impostazioni.',
          title: 'Installa un certificato',
          mark: 'Certificato CA',
        },
        { text: 'Conferma l’avviso e scegli il file.', title: 'Download', mark: 'gatehouse-ca.crt' },
      ],
    },
    firefox: {
      name: 'Firefox su Android',
      steps: [
        {
          text: 'Firefox non usa da solo i certificati del telefono. Scansiona di nuovo il codice e apri il link in Chrome.',
          title: 'Chrome',
          mark: 'gatehouse',
        },
      ],
    },
    other: {
      name: 'Un altro dispositivo',
      steps: [
        { text: 'Premi il pulsante.' },
        {
          text: 'Windows: apri il file, «Installa certificato», «Computer locale», «Autorità di certificazione radice attendibili». Mac: apri il file e in Accesso Portachiavi scegli «Fidati sempre».',
        },
        {
          text: 'Firefox e Linux: cerca «certificati» nelle impostazioni del browser, poi Autorità, Importa, e autorizzalo per i siti web. Riavvia il browser.',
        },
      ],
    },
  },
  back: 'Torna a questa pagina: verifica da sola.',
  compare: {
    title: 'È il certificato giusto?',
    text: 'Qualcuno in questa rete potrebbe aver modificato questa pagina. Il dispositivo mostra l’impronta (SHA-256) nei dettagli del certificato: deve essere quella del foglio stampato, o quella della centrale, in Impostazioni. Questa pagina dice:',
  },
  noScript:
    'Senza JavaScript questa pagina non può verificare. Segui i passi del tuo dispositivo, poi riapri l’invito.',
}
