/** The sentences of the scanner's core, in German. */
import type { gateWords as English } from '../en/gate.ts'
import { speech } from './speech.ts'

const { count, duration } = speech

export const gateWords: typeof English = {
  invite: {
    notOne: 'Das ist keine Gatehouse-Einladung. QR-Code in der Leitstelle scannen oder den ganzen Link kopieren.',
    elsewhere: (address) =>
      `Diese Einladung ist für eine andere Box. ${address} auf diesem Handy öffnen und dort noch einmal scannen.`,
    otherBox: 'Diese Einladung ist für eine andere Veranstaltung. Ist das Handy im richtigen Netz? Hier nicht koppeln.',
    expired: 'Diese Einladung ist abgelaufen. Neue in der Leitstelle holen.',
    unreachable: 'Die Box antwortet nicht. Mit ihrem Netz verbinden, dann noch einmal versuchen.',
    paired: 'Dieses Handy ist schon gekoppelt. Erst die Kopplung aufheben.',
    noKeys:
      'Dieser Browser kann den Schlüssel eines Scanners nicht speichern. Die Einladung in einem anderen Browser öffnen, nicht in einem privaten Fenster.',
  },
  nameMissing: 'Einen Namen eingeben, den die Leitstelle erkennt.',
  otherTab: 'Der Scanner ist in einem anderen Tab oder Fenster offen. Dort schließen, dann noch einmal versuchen.',
  unpairUnsent: (unsent) =>
    `${count(unsent, { one: '# Einlass ist', other: '# Einlässe sind' })} noch nicht bei der Box. Handy erst wieder in ihr Netz bringen.`,
  noCheckpoint: 'Erst den Kontrollpunkt wählen.',
  waitingUnreachable: 'Nicht gesendet: Die Box antwortet nicht. Später noch einmal versuchen oder per Funk melden.',
  reportUnreachable: 'Nicht gesendet: Die Box antwortet nicht. Per Funk melden!',
  notPaired: 'Dieses Handy ist nicht gekoppelt. Erst eine Einladung öffnen.',
  ended: {
    device_revoked: 'Dieser Scanner wurde außer Betrieb genommen. In die Leitstelle bringen.',
    other: 'Die Box kennt diesen Scanner nicht mehr. Neue Einladung in der Leitstelle holen und neu koppeln.',
    certificate:
      'Das Zertifikat dieses Scanners ist abgelaufen. Neue Einladung in der Leitstelle holen und neu koppeln.',
  },
  offline: {
    noList:
      'Keine Ticketliste auf diesem Handy, und die Box antwortet nicht. Anderen Scanner nehmen oder diesen ins Netz bringen.',
    otherEvent:
      'Die Ticketliste auf diesem Handy gehört zu einer anderen Veranstaltung. Anderen Scanner nehmen und diesen neu koppeln.',
    used: 'Schon benutzt. Wo und wann, ist offline nicht bekannt. Zum Ticketschalter schicken.',
    elsewhere: 'Nicht für dieses Tor. Leitstelle fragen, wohin mit diesem Ticket.',
    everyGateHeld: 'an jedem Tor für dieses Ticket ist Einlassstopp, soweit dieses Handy weiß',
    notValid: 'Nicht mehr gültig: storniert, nicht bezahlt oder auf einem anderen Handy. Zum Ticketschalter schicken.',
    diskFull:
      'Dieses Handy ist voll und kann keinen Einlass speichern. Damit niemanden einlassen: Platz schaffen oder anderes Handy nehmen.',
  },
  noCode: 'Das ist kein Ticket. Code noch einmal versuchen. Hilft das nicht: zum Ticketschalter schicken.',
  details: {
    gone: 'Auf diesem Handy nicht mehr offen. Ticket noch einmal scannen.',
    unreachable: 'Dafür ist die Box nötig, und sie antwortet nicht. Noch einmal versuchen, wenn sie wieder da ist.',
    wrong: (question, problem = 'Noch einmal beantworten.') => `„${question}“: ${problem}`,
    nobody: 'Von dieser Bestellung kann jetzt sonst niemand hier hinein. Warum, zeigt ein Scan der einzelnen Tickets.',
  },
  lookUp: {
    unreachable:
      'Zum Suchen ist die Box nötig, und sie antwortet nicht. Später noch einmal versuchen oder zum Ticketschalter schicken.',
    who: 'Erst unter „Schicht“ anmelden: Jede Suche wird mit Namen gespeichert.',
  },
  overrides: {
    unreachable: 'Dafür ist die Box nötig, und sie antwortet nicht. Noch einmal versuchen, wenn sie wieder da ist.',
    unsent: 'Die Box hat diesen Scan noch nicht. Warten, bis er gesendet ist, dann noch einmal versuchen.',
    scanner: 'der Scanner',
    tooLate: 'Die Antwort kam zu spät. Der Gast wurde abgewiesen.',
    who: 'Erst unter „Schicht“ anmelden: Es wird gespeichert, wer entschieden hat.',
  },
  preflight: {
    clock: {
      unknown: 'noch nicht mit der Box verglichen',
      off: (ms) => `geht gegenüber der Box ${duration(Math.abs(ms))} ${ms > 0 ? 'nach' : 'vor'}`,
      fine: 'stimmt mit der Box überein',
      remedy: 'Datum und Uhrzeit dieses Handys auf automatisch stellen.',
      measure: 'Mit dem Netz der Box verbinden, um die Uhren zu vergleichen.',
    },
    manifest: {
      none: 'keine Ticketliste',
      is: (tickets, version, ageMs) =>
        `${count(tickets, { one: '# Ticket', other: '# Tickets' })}, Version ${version}, ${ageMs < 60_000 ? 'aktuell' : `${duration(ageMs)} alt`}`,
      remedy: 'Im Netz der Box bleiben, bis die Ticketliste aktuell ist.',
    },
    certificate: {
      left: (ms) => (ms > 0 ? `noch ${duration(ms)} gültig` : 'abgelaufen'),
      remedy: 'Neue Einladung in der Leitstelle holen und neu koppeln.',
    },
    storage: {
      asking: 'dieser Browser fragt gerade, ob er Daten behalten darf',
      kept: 'dieses Handy behält, was es speichert',
      notKept:
        'dieses Handy löscht vielleicht nicht gesendete Scans: bei wenig Platz, im privaten Fenster oder nach einer Woche ohne Nutzung',
      unknown: 'dieser Browser sagt nicht, ob er nicht gesendete Scans behält',
      small: (mb) =>
        `dieser Browser gibt der App nur ${mb} MB, wie ein privates Fenster: nicht gesendete Scans passen vielleicht nicht hinein`,
      smallRemedy: 'Die App in einem normalen Fenster öffnen oder Platz auf dem Handy schaffen.',
      remedy: 'Diese App zum Startbildschirm hinzufügen und dort öffnen.',
    },
    boxes: {
      ready: (names) => `fällt diese Box aus, geht es weiter mit: ${names}`,
      silent: (names) => `keine Antwort: ${names}`,
      silentRemedy: (address) =>
        `${address} einmal in diesem Browser öffnen und dieser Box vertrauen wie der ersten. Wenn das nicht geht: Leitstelle informieren.`,
      later: (names) => `neu, seit diese App geöffnet wurde: ${names}`,
      laterRemedy: 'Diese App unter „Optionen“ neu starten, damit sie die Box nutzen kann.',
    },
    link: {
      reachable: 'die Box antwortet',
      offline: 'die Box antwortet nicht',
      remedy: 'Mit dem Netz der Box verbinden.',
    },
  },
}
