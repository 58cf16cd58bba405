/** Every sentence that a person reads in the shell and on the live screens, in German. */
import type { words as English } from '../en/words.ts'
import { speech } from './speech.ts'
import { titles } from './titles.ts'

export const words: typeof English = {
  title: 'Gatehouse Leitstelle',

  screens: titles,

  session: {
    heading: 'Leitstelle',
    intro: 'Admin-Token dieser Box eingeben.',
    label: 'Admin-Token',
    where:
      'Die Box zeigt es beim ersten Start und speichert es in der Datei admin-token in ihrem Datenordner. Auf dem Gatehouse-Rechner show_admin_token = true in gatehouse.toml setzen: Nach dem nächsten Start steht es in admin-token.txt auf der Karte.',
    submit: 'Öffnen',
    checking: 'Box wird gefragt …',
    noToken: 'Das ist kein Token: die ganze Zeile kopieren, die die Box zeigt.',
    wrongToken: 'Das ist nicht das Token dieser Box. Das aus der Datei admin-token kopieren.',
    tokenRefused: 'Die Box nimmt dieses Token nicht mehr an. Das aktuelle eingeben.',
    unreachable: 'Die Box antwortet nicht. Läuft sie, und ist dieses Gerät in ihrem Netz?',
    strange: (status) => `Diese Seite versteht die Antwort der Box nicht (HTTP ${status}). Seite neu laden.`,
    unexpected: 'Auf dieser Seite ging etwas schief. Neu laden: Auf der Box ist nichts verloren.',
    signOut: 'Abmelden',
    person: {
      intro: 'Mit dem eigenen Namen anmelden. Damit wird alles gespeichert, was hier geschieht.',
      name: 'Name',
      secret: 'PIN oder Passwort',
      submit: 'Anmelden',
      known: 'Wer sich hier schon angemeldet hat',
      forget: 'Diese Namen vergessen',
      withName: 'Mit Name und PIN anmelden',
      withToken: 'Admin-Token verwenden',
      locked: 'Nach zehn Minuten ohne Nutzung gesperrt. Neu anmelden.',
    },
    actor: {
      title: 'Wer arbeitet hier?',
      text: 'Jede Aktion wird mit diesem Namen gespeichert.',
      label: 'Eigener Name',
      submit: 'Das bin ich',
      empty: 'Erst den Namen eingeben.',
      unknown: 'Wer arbeitet hier?',
      change: (name) => `Hier arbeitet ${name}. Ändern`,
    },
  },

  shell: {
    skip: 'Zum Inhalt springen',
    navigation: 'Ansichten',
    more: 'Mehr',
    loading: 'Wird geladen …',
    failed: 'Diese Ansicht lässt sich nicht laden. Läuft die Box?',
    again: 'Noch einmal',
    newer: 'Eine neuere Version dieser Seite ist bereit.',
    restart: 'Jetzt neu laden',
    connecting: 'Verbinden …',
    live: 'Live',
    old: (age) => `${age} alt`,
    retry: (seconds) => `nächster Versuch in ${seconds} s`,
    staleTitle: (age) => `Diese Zahlen sind ${age} alt.`,
    staleText: 'Die Box antwortet nicht. Bis dahin ist hier nichts live. Die Tore arbeiten weiter.',
    staleSpoken: 'Die Zahlen sind alt: Die Box antwortet nicht.',
    unreadable: 'Diese Seite ist zu alt für die Box. Neu laden.',
    glassTitle: 'Jemand hat das Admin-Token benutzt.',
    glassText: (age, address) =>
      `Von ${address}, ${age} her. War das niemand aus dem Team: das Token unter „Personal“ ersetzen.`,
    glassLog: 'Logbuch öffnen',
    glassSeen: 'Zur Kenntnis genommen',
    emergencies: 'Notfälle',
    emergencyAt: (kind, gate) => `${kind}: ${gate}`,
    moreEmergencies: (more) => speech.count(more, { one: 'und # weiterer', other: 'und # weitere' }),
    nobody: 'noch keine Antwort',
    sealTitle: 'Das Protokoll wird nicht mehr versiegelt.',
    sealText: 'Die Daten der Box lassen, wie sie sind, und das Protokoll prüfen.',
    soundBlocked: 'Der Browser blockiert den Alarmton.',
    allowSound: 'Ton erlauben',
    waiting: (n) => speech.count(n, { one: '# wartet', other: '# warten' }),
    sound: {
      on: 'Alarmton ist an. Ausschalten',
      off: 'Alarmton ist aus. Einschalten',
      blocked: 'Der Browser blockiert den Alarmton. Erlauben',
    },
    mode: {
      change: (mode) => `Modus ${mode}. Ändern`,
      why: (mode, reason, age) => `Modus ${mode} (${age}): ${reason} Ändern`,
      cutOff: 'Andere Tore unklar',
      degradedFor: (age) => `DEGRADED: ${age}.`,
      goesOn: 'Die Tore arbeiten weiter; doppelte Nutzung wird danach ein Klärfall.',
      boxes: 'Boxen ansehen',
    },
  },

  widgets: {
    close: 'Schließen',
    closeNotice: 'Diesen Hinweis schließen',
    cancel: 'Abbrechen',
    reason: 'Grund',
    recordedAs: (name) => `Wird gespeichert als ${name}.`,
  },

  incidentKinds: {
    crush: 'Gedränge',
    medical: 'Sanitäter',
    fire: 'Feuer',
    need_staff: 'Personal nötig',
    security: 'Sicherheit',
    lost_child: 'Kind vermisst',
    access: 'Rollstuhl',
    equipment: 'Technik',
  },

  incidentStates: {
    open: 'Unbeantwortet',
    acknowledged: 'Gesehen',
    assigned: 'Team geschickt',
    resolved: 'Erledigt',
    cancelled: 'Fehlalarm',
  },

  sealRefusal: {
    entries_changed: 'Versiegelte Einträge wurden geändert.',
    entries_missing: 'Versiegelte Einträge fehlen.',
    seal_changed: 'Das neueste Siegel wurde geändert.',
    seal_missing: 'Ein Siegel fehlt.',
  },
}
