/** Text read while scanning, in German. */
import type { words as English } from '../en/words.ts'
import { speech } from './speech.ts'

const { clock, count, short: duration } = speech

export const words: typeof English = {
  title: 'Gatehouse Scanner',
  opening: 'Wird geöffnet.',
  doesNotOpen: 'Der Scanner startet auf diesem Handy nicht. Schließen und neu öffnen.',
  again: 'Noch einmal',
  cancel: 'Abbrechen',
  close: 'Schließen',
  back: 'Zurück',
  dismiss: 'Ausblenden',
  unexpected: 'Das hat nicht geklappt. Noch einmal versuchen.',
  rehearsal: 'Probe: Niemand wird gezählt',

  nav: {
    label: 'Ansichten',
    scan: 'Scan',
    recent: 'Letzte',
    shift: 'Schicht',
    settings: 'Optionen',
  },

  link: {
    reachable: 'Online',
    neverHeard: 'Offline',
    away: (box) => `Bei ${box}`,
    offline: (ms) => `Offline ${duration(ms)}`,
    unsent: (n) => (n === 0 ? 'Alles gesendet' : `${n} zu senden`),
  },

  camera: {
    viewfinder: 'Kamerabild',
    opening: 'Kamera wird geöffnet.',
    switch: 'Andere Kamera',
    automatic: 'Rückkamera',
    numbered: (n) => `Kamera ${n}`,
    torchOn: 'Licht an',
    torchOff: 'Licht aus',
    open: 'Kamera öffnen',
    reader: {
      absent: 'Der QR-Leser ist noch nicht auf diesem Handy. Ins Netz der Box gehen, bis dahin Codes eintippen.',
      stopped: 'Der QR-Leser startet neu. Dauert es lange: Code eintippen.',
    },
    trouble: {
      denied: {
        what: 'Die Kamera ist blockiert.',
        remedy:
          'Für diese Seite erlauben: beim Schloss oder Kamerazeichen neben der Adresse, oder in den Einstellungen des Browsers.',
      },
      absent: { what: 'Keine Kamera gefunden.', remedy: 'Eine anschließen, Handscanner nehmen oder Code eintippen.' },
      busy: { what: 'Eine andere App benutzt die Kamera.', remedy: 'Diese App schließen, dann hier Kamera öffnen.' },
      lost: { what: 'Die Kamera ist ausgefallen.', remedy: 'Sie startet von selbst neu. Sonst den Knopf drücken.' },
      insecure: {
        what: 'Diese Seite darf keine Kamera benutzen.',
        remedy: 'Mit https:// öffnen, wie in der Einladung.',
      },
      unknown: {
        what: 'Die Kamera lässt sich nicht öffnen.',
        remedy: 'Knopf drücken. Hilft das nicht: Handy neu starten.',
      },
    },
    wedgeWorks: 'Handscanner und Eintippen funktionieren weiter.',
  },

  scan: {
    title: 'Scannen',
    change: 'Kontrollpunkt wechseln',
    type: 'Eintippen',
    typeTitle: 'Code eintippen',
    typeLabel: 'Code, wie auf dem Ticket gedruckt',
    typeSubmit: 'Code prüfen',
    lookUp: 'Suchen',
    lookUpLong: 'Ticket nach Namen suchen',
    report: 'Melden',
    reportLong: 'Vorfall melden',
    last: 'Letzter Scan',
    none: 'Noch nichts gescannt',
    tapForSound: 'Für Ton tippen',
    failed: 'Keine Antwort zu diesem Code. Noch einmal scannen.',
    notices: 'Hinweise',
  },

  notice: {
    hold: (gate) => `${gate}: Einlassstopp`,
    holdUntil: (ms) => `Bis ${clock(ms)}.`,
    stale: (ms) => `Ticketliste ist ${duration(ms)} alt`,
    staleText: 'Neue Tickets und Stornos fehlen hier. Handy zurück ins Netz bringen.',
    noList: 'Keine Ticketliste auf diesem Handy',
    noListText: 'Offline kann es nichts prüfen. Ins Netz bringen.',
    offline: (ms) =>
      ms === null ? 'Offline: Dieses Handy entscheidet' : `Offline (${duration(ms)}): Dieses Handy entscheidet`,
    offlineText: 'Weiter scannen. Die Scans werden gesendet, wenn die Box wieder da ist.',
    away: (box) => `Eigene Box ausgefallen: ${box} antwortet`,
    awayText: 'Weiter scannen. Dieses Handy wechselt von selbst zurück.',
    joined: (box) => `Neue Box: ${box}`,
    joinedText:
      'Wenn es ruhig ist, diese App unter „Optionen“ neu starten. Dann kann sie diese Box nutzen, wenn die eigene ausfällt.',
    doubles: (n) => count(n, { one: '# Ticket doppelt benutzt', other: '# Tickets doppelt benutzt' }),
    doublesText: 'Hier offline eingelassen und auch anderswo benutzt.',
    aside: (n) => count(n, { one: 'Die Box hat einen Einlass abgelehnt', other: 'Die Box hat # Einlässe abgelehnt' }),
    asideText: 'Offline eingelassen, auf diesem Handy gespeichert. Der Leitstelle melden.',
    look: 'Öffnen',
    more: (n) => `+${n}`,
    emergency: (kind, where) => `${kind}: ${where}`,
    emergencyText: 'Von einem anderen Scanner gemeldet.',
    announcement: { info: 'Hinweis', warning: 'Warnung', emergency: 'Notfall' },
    dismissNamed: (what) => `Ausblenden: ${what}`,
  },

  verdict: {
    label: 'Ergebnis',
    next: 'Weiter',
    waiting: (n) => count(n, { one: 'Noch # wartet', other: 'Noch # warten' }),
    confirmed: 'Von der Box bestätigt',
    confirmedBy: (box) => `Bestätigt von ${box}`,
    provisional: 'Vorläufig: von den anderen Boxen nicht bestätigt',
    provisionalSince: (boxes, ms) =>
      ms === null
        ? `Vorläufig: noch kein Kontakt zu ${boxes}`
        : `Vorläufig: kein Kontakt zu ${boxes} (${duration(ms)})`,
    moreBoxes: (n) => `${n} weitere`,
    provisionalBy: (box, why) => `${why}. Antwort von ${box}`,
    offline: (ms) =>
      ms === undefined ? 'Offline: Dieses Handy entscheidet' : `Offline (${duration(ms)}): Dieses Handy entscheidet`,
    class: {
      admit: 'Einlassen',
      exit: 'Ausgang',
      used: 'Schon benutzt',
      elsewhere: 'Falsches Tor',
      'not-now': 'Nicht jetzt',
      stale: 'Code zu alt',
      invalid: 'Ungültig',
      revoked: 'Storniert',
      supervisor: 'Teamleitung fragen',
    },
    yours: 'Selbst entscheiden',
    held: 'Einlassstopp',
    clockOff: 'Handyuhr falsch',
    undone: 'Zurückgenommen',
    failed: 'Nicht entschieden',
    failedSure: 'Nichts wurde geprüft',
    entry: (n) => `Einlass Nr. ${n}`,
    undo: 'Zurücknehmen',
    undoTitle: 'Diesen Einlass zurücknehmen',
    undoText: 'Das Ticket kann wieder benutzt werden. Die Leitstelle sieht, wer es war und warum.',
    undoReasons: ['Versehentlich gescannt', 'Nicht hineingegangen', 'Falsche Person'],
    admit: 'Trotzdem einlassen',
    admitTitle: 'Als Teamleitung einlassen',
    admitText: 'Der Grund wird gespeichert.',
    admitReasons: ['Ticket von Hand geprüft', 'War nur kurz draußen', 'Handy oder Code defekt', 'Fehler des Personals'],
    reason: 'Grund',
    admitSubmit: 'Einlassen',
    undoSubmit: 'Zurücknehmen',
  },

  incidents: {
    title: 'Melden',
    lead: 'Einmal drücken ruft die Leitstelle.',
    kinds: {
      crush: 'Gedränge',
      medical: 'Sanitäter',
      need_staff: 'Personal nötig',
      fire: 'Feuer',
      security: 'Sicherheit',
      lost_child: 'Kind vermisst',
      access: 'Rollstuhl',
      equipment: 'Technik',
    },
    note: 'Notiz dazu (freiwillig)',
    noteHint: 'Wo genau, was ist zu sehen. Keine Namen. Vor dem Drücken schreiben.',
    sending: 'Wird gesendet …',
    notSent: 'NICHT GESENDET. Per Funk melden!',
    notSentText: 'Dieses Handy versucht es weiter und zeigt hier, wenn die Meldung angekommen ist.',
    refused: (why) => `Von der Box abgelehnt: ${why}`,
    received: 'Angekommen. Noch von niemandem gesehen.',
    receivedText: 'Die Leitstelle wird gerufen, bis jemand antwortet.',
    seen: 'Von der Leitstelle gesehen.',
    named: (kind, state) => `${kind}: ${state}`,
    own: 'Eigene Meldungen',
    ownNone: 'Noch keine Meldungen.',
    addNote: 'Notiz hinzufügen',
    noteLater: 'Notiz für die Leitstelle',
    noNames: 'Wo genau, was hat sich geändert. Keine Namen.',
    sendNote: 'Notiz senden',
    withdraw: 'Zurückziehen',
    withdrawTitle: (kind) => `„${kind}“ zurückziehen?`,
    withdrawText: 'Die Leitstelle sieht es als Fehlalarm. Niemand kommt.',
    here: 'Von anderen an diesem Tor gemeldet',
    elsewhere: 'Notfälle anderswo',
    waiting: 'Wie viele warten hier?',
    waitingHint: 'Eine grobe Zahl hilft der Leitstelle, Leute zu kürzeren Schlangen zu schicken.',
    people: (n) => (n === 0 ? 'Niemand' : `Etwa ${n}`),
    waitingSent: (n) => (n === 0 ? 'Gesendet: Niemand wartet.' : `Gesendet: Etwa ${n} warten.`),
    ticks: { pressed: 'Gedrückt', received: 'Angekommen', seen: 'Gesehen' },
    state: (state, assignee, actor) => {
      switch (state) {
        case 'acknowledged':
          return actor ? `Gesehen von ${actor}.` : 'Von der Leitstelle gesehen.'
        case 'assigned':
          return assignee ? `Unterwegs: ${assignee}.` : 'Hilfe ist unterwegs.'
        case 'resolved':
          return 'Erledigt.'
        case 'cancelled':
          return 'Als Fehlalarm geschlossen.'
        default:
          return 'Noch von niemandem gesehen.'
      }
    },
    withdrawn: 'Am Tor zurückgezogen.',
    reason: (reason) => `„${reason}“`,
    pressedAndReceived: (pressed, received) => `gedrückt ${pressed}, angekommen ${received}`,
  },
}
