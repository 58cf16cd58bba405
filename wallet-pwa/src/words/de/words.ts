/** Text on every screen, and on the ticket's own, in German. */
import type { words as English } from '../en/words.ts'

export const words: typeof English = {
  title: 'Gatehouse Wallet',
  screens: { ticket: 'Ticket', nearby: 'Nähe', news: 'News', more: 'Mehr' },
  screensLabel: 'Ansichten',
  yourTickets: 'Ihre Tickets',
  ticketName: (number, tier, whose) => (tier === undefined ? `Ticket ${number}` : whose ? `${tier}, ${whose}` : tier),
  unread: (n) => `${n} ungelesen`,
  close: 'Schließen',
  cancel: 'Nicht jetzt',
  tryAgain: 'Noch einmal versuchen',
  add: 'Ticket hinzufügen',
  remove: 'Entfernen',

  live: 'Live',
  asking: 'Verbinden …',
  offline: 'Offline',
  offlineLong: (age) => `Keine Verbindung. Stand: ${age}. Ihr Code funktioniert auch ohne Netz.`,
  forgetful:
    'Dieser Browser speichert nichts. Lassen Sie die Seite offen, bis Sie drin sind, oder öffnen Sie Ihren Link in einem anderen Browser.',

  justNow: 'gerade eben',

  ticket: {
    heading: 'Ihr Ticket',
    opening: 'Ihr Ticket wird geöffnet',
    code: 'Ticketcode, wechselt alle 15 Sekunden. Halten Sie ihn an den Scanner; zum Vergrößern drücken.',
    codeLarge: 'Ticketcode',
    bright: 'Stellen Sie den Bildschirm ganz hell und halten Sie ihn ruhig.',
    awake: 'Berühren Sie den Bildschirm immer wieder, damit er nicht ausgeht.',
    next: (seconds) => `Neuer Code in ${seconds} s`,
    enlarge: 'zum Vergrößern tippen',
    making: 'Ihr Code wird erstellt',
    holder: 'Name',
    zones: 'Zutritt',
    valid: 'Gültig',
    validFrom: (from) => `ab ${from}`,
    validUntil: (until) => `bis ${until}`,
    validBetween: (from, until) => `${from} bis ${until}`,
    early: (from) => `Noch nicht gültig: gilt ab ${from}.`,
    late: (until) => `Abgelaufen: ${until}.`,
    revoked: {
      title: 'Storniert',
      text: 'Der Veranstalter hat dieses Ticket storniert. Fragen Sie am Ticketschalter oder dort, wo Sie es gekauft haben.',
    },
    blocked: 'Vom Veranstalter gesperrt. Fragen Sie am Tor nach der Teamleitung und zeigen Sie diesen Code.',
    pending:
      'Noch nicht bezahlt. Zahlen Sie dort, wo Sie gekauft haben, oder zeigen Sie diesen Code am Tor der Teamleitung.',
    unknown:
      'Die Veranstaltung kennt dieses Ticket nicht mehr. Wird der Code am Tor abgelehnt, bitten Sie den Veranstalter um einen neuen Link.',
    unsigned:
      'Dieses Handy konnte gerade nicht nachweisen, dass das Ticket daran gebunden ist. Wird der Code am Tor abgelehnt, fragen Sie nach der Teamleitung.',
    slow: (by) =>
      `Die Uhr dieses Handys geht ${by} nach. Ihr Code berücksichtigt das, aber stellen Sie die Uhr bitte auf automatisch.`,
    fast: (by) =>
      `Die Uhr dieses Handys geht ${by} vor. Ihr Code berücksichtigt das, aber stellen Sie die Uhr bitte auf automatisch.`,
  },

  trouble: {
    unreachable: {
      title: 'Keine Verbindung',
      text: 'Beim ersten Öffnen braucht ein Ticket Netz. Verbinden Sie sich mit dem WLAN vor Ort oder schalten Sie mobile Daten ein; diese Seite versucht es von selbst weiter.',
    },
    unknown: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Öffnen Sie den Link direkt in der Nachricht des Veranstalters, keine Kopie. Geht es dann noch nicht, bitten Sie den Veranstalter um einen neuen.',
    },
    elsewhere: {
      title: 'An ein anderes Handy gebunden',
      text: 'Dieses Ticket wurde an ein anderes Handy gebunden und öffnet nur dort. Waren Sie das nicht, lassen Sie die Bindung vom Veranstalter oder am Ticketschalter aufheben.',
    },
    keyDeleted: {
      title: 'Der Schlüssel dieses Tickets ist weg',
      text: 'Dieser Browser hat ihn gelöscht, und dieses Handy kann das Ticket nicht mehr zeigen. Lassen Sie die Bindung vom Veranstalter oder am Ticketschalter aufheben, und öffnen Sie dann Ihren Link noch einmal.',
    },
    busy: {
      title: 'Zu viele Versuche in diesem Netz',
      text: 'In diesem Netz wurden zu viele falsche Links geöffnet. Warten Sie eine Minute; diese Seite versucht es von selbst weiter.',
    },
    unloaded: {
      title: 'Diese Seite ist noch nicht auf Ihrem Handy',
      text: 'Sie braucht einmal Netz. Ihr Ticket und sein Code funktionieren ohne Netz. Diese Seite versucht es von selbst weiter.',
    },
    refused: {
      title: 'Das hat nicht geklappt',
      text: 'Schließen Sie diese Seite und öffnen Sie Ihren Link neu. Hilft das nicht, fragen Sie am Ticketschalter.',
    },
  },

  emergency: 'Notfall',

  welcome: {
    heading: 'Ihre Tickets auf diesem Handy',
    text: 'Öffnen Sie den Link, den der Veranstalter geschickt hat, oder fügen Sie ihn von Hand hinzu.',
  },
}
