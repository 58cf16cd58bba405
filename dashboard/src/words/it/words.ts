/** Every sentence that a person reads in the shell and on the live screens, in Italian. */
import type { words as English } from '../en/words.ts'
import { speech } from './speech.ts'
import { titles } from './titles.ts'

export const words: typeof English = {
  title: 'Gatehouse Centrale',

  screens: titles,

  session: {
    heading: 'Centrale',
    intro: 'Inserisci il token admin di questo box. Resta finché non chiudi questa scheda.',
    label: 'Token admin',
    where:
      'Il box lo mostra al primo avvio e lo tiene nel file admin-token della sua cartella dati. Sull’appliance imposta show_admin_token = true in gatehouse.toml: dal prossimo avvio è in admin-token.txt sulla scheda.',
    submit: 'Apri',
    checking: 'Chiedo al box…',
    noToken: 'Non è un token: copia l’intera riga mostrata dal box.',
    wrongToken: 'Non è il token di questo box. Copia quello del file admin-token.',
    tokenRefused: 'Il box non accetta più il tuo token. Inserisci quello attuale.',
    unreachable: 'Il box non risponde. Controlla che sia acceso e che questo dispositivo sia sulla sua rete.',
    strange: (status) => `Questa pagina non capisce la risposta del box (HTTP ${status}). Ricarica la pagina.`,
    unexpected: 'Errore in questa pagina. Ricaricala: sul box non si perde nulla.',
    signOut: 'Esci',
    person: {
      intro: 'Accedi con il tuo nome. Tutto ciò che fai è registrato con il tuo nome.',
      name: 'Nome',
      secret: 'PIN o password',
      submit: 'Accedi',
      known: 'Persone su questo dispositivo',
      forget: 'Dimentica questi nomi',
      withName: 'Accedi con nome e PIN',
      withToken: 'Usa il token admin',
      locked: 'Schermata bloccata dopo dieci minuti senza attività. Accedi di nuovo.',
    },
    actor: {
      title: 'Chi sei?',
      text: 'Ogni azione è registrata con questo nome.',
      label: 'Il tuo nome',
      submit: 'Sono io',
      empty: 'Prima scrivi il tuo nome.',
      unknown: 'Chi sei?',
      change: (name) => `Tu: ${name}. Cambia`,
    },
  },

  shell: {
    skip: 'Vai al contenuto',
    navigation: 'Schermate',
    more: 'Altro',
    loading: 'Caricamento…',
    failed: 'Schermata non caricata. Controlla che il box sia acceso.',
    again: 'Riprova',
    newer: 'È pronta una versione più recente.',
    restart: 'Ricarica ora',
    connecting: 'Connessione…',
    live: 'Online',
    old: (age) => `di ${age} fa`,
    retry: (seconds) => `nuovo tentativo tra ${seconds} s`,
    staleTitle: (age) => `Questi dati sono di ${age} fa.`,
    staleText: 'Il box non risponde: finché non torna, questi dati restano fermi. I varchi continuano a lavorare.',
    staleSpoken: 'Dati vecchi: il box non risponde.',
    unreadable: 'Questa pagina è troppo vecchia per il box. Ricaricala.',
    glassTitle: 'Qualcuno ha usato il token admin.',
    glassText: (age, address) =>
      `${age} fa, da ${address}. Se non è stata una persona dello staff, sostituiscilo nella schermata Staff.`,
    glassLog: 'Apri il log',
    glassSeen: 'Ho visto',
    emergencies: 'Emergenze',
    emergencyAt: (kind, gate) => `${kind}: ${gate}`,
    moreEmergencies: (more) => speech.count(more, { one: 'e un’altra', other: 'e altre #' }),
    nobody: 'ancora senza risposta',
    sealTitle: 'Il registro non viene più sigillato.',
    sealText: 'Lascia il registro com’è e avvia una verifica.',
    soundBlocked: 'Il browser blocca il suono d’allarme.',
    allowSound: 'Consenti il suono',
    waiting: (n) => `${n} in attesa`,
    sound: {
      on: 'Suono d’allarme attivo. Disattiva',
      off: 'Suono d’allarme spento. Attiva',
      blocked: 'Il browser blocca il suono d’allarme. Consenti',
    },
    mode: {
      change: (mode) => `Modalità ${mode}. Cambia`,
      why: (mode, reason, age) => `Modalità ${mode} da ${age}: ${reason} Cambia`,
      cutOff: 'Altri varchi incerti',
      degradedFor: (age) => `DEGRADED da ${age}.`,
      goesOn: 'I varchi continuano a lavorare; i doppi usi diventano anomalie.',
      boxes: 'Vedi i box',
    },
  },

  widgets: {
    close: 'Chiudi',
    closeNotice: 'Chiudi questo avviso',
    cancel: 'Annulla',
    reason: 'Motivo',
    recordedAs: (name) => `Registrato come ${name}.`,
  },

  incidentKinds: {
    crush: 'Calca',
    medical: 'Serve medico',
    fire: 'Incendio',
    need_staff: 'Serve staff',
    security: 'Sicurezza',
    lost_child: 'Bimbo smarrito',
    access: 'Persona disabile',
    equipment: 'Guasto',
  },

  incidentStates: {
    open: 'Senza risposta',
    acknowledged: 'Vista',
    assigned: 'Squadra inviata',
    resolved: 'Risolta',
    cancelled: 'Falso allarme',
  },

  sealRefusal: {
    entries_changed: 'Alcune voci già sigillate sono state modificate.',
    entries_missing: 'Mancano voci già sigillate.',
    seal_changed: 'L’ultimo sigillo è stato modificato.',
    seal_missing: 'Manca un sigillo.',
  },
}
