/** Text read before and after scanning, in German: pairing, checkpoint, recent scans, shift, settings. */
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { screenWords as English } from '../en/screens.ts'
import { speech } from './speech.ts'

const { clock, count } = speech

const scans = (n: number) => count(n, { one: '# Scan', other: '# Scans' })

export const screenWords: typeof English = {
  pairing: {
    title: 'Dieses Handy koppeln',
    arrived: 'Einmal drücken, und dieses Handy ist ein Scanner.',
    none: 'Die Leitstelle zeigt eine Einladung als QR-Code. Diesen scannen oder den Link auf diesem Handy öffnen.',
    deleted:
      'Dieses Handy war gekoppelt, und sein Browser hat alles Gespeicherte gelöscht. Neue Einladung in der Leitstelle holen.',
    deletedUnsent: (n) => `Nicht gesendet und verloren: ${scans(n)}. Der Leitstelle melden.`,
    name: 'Name dieses Handys',
    nameHint: 'Die Leitstelle sieht ihn, zum Beispiel „Tor Nord 2“.',
    guess: (platform) => (platform === '' ? 'Handy' : `${platform}-Handy`),
    pair: 'Handy koppeln',
    pairing: 'Wird gekoppelt',
    scan: 'Einladung scannen',
    stopCamera: 'Kamera schließen',
    paste: 'Link der Einladung einfügen',
    use: 'Diese Einladung verwenden',
    noInvite: 'Die Einladung ist nicht vollständig. Sie ist ein Link, der mit https:// beginnt und #i= enthält.',
    another: 'Andere Einladung verwenden',
    already: (name) =>
      `Dieses Handy ist schon gekoppelt als „${name}“. Um es neu zu koppeln, erst die Kopplung aufheben.`,
    keep: 'Kopplung behalten',
  },

  checkpoint: {
    title: 'An welchem Kontrollpunkt?',
    operator: 'Eigener Name',
    operatorHint: 'Freiwillig. Steht auf diesem Handy bei den Scans und bei der Übergabe.',
    in: 'Eingang',
    out: 'Ausgang',
    none: 'Dieses Handy hat keinen Kontrollpunkt. Andere Einladung in der Leitstelle holen.',
  },

  recent: {
    title: 'Letzte Scans',
    lead: 'Die letzten 50 dieses Handys.',
    none: 'Noch nichts gescannt.',
    alone: 'offline',
    sent: 'gesendet',
    unsent: 'noch nicht gesendet',
    confirmed: 'bestätigt',
    supervised: 'von Teamleitung eingelassen',
    undone: 'zurückgenommen',
    double: 'doppelt benutzt',
    ago: (age) => `${age} her`,
    past: 'Früherer Scan',
  },

  doubles: {
    title: 'Doppelt benutzt',
    lead: 'Hier eingelassen, als dieses Handy offline war, und anderswo auch benutzt. Niemand wird hinausgeschickt: Die Leitstelle hat beide Einträge.',
    none: 'Keine.',
    yours: 'Hier, mit diesem Handy',
    other: 'Anderswo',
    at: (where, ms) => `${where}, ${clock(ms)}`,
    unknown: 'Den anderen Eintrag hat die Leitstelle.',
    dismiss: 'Verstanden',
    aside: 'Von der Box abgelehnt',
    asideLead: 'Der Leitstelle melden: Die Box hat diese Einlässe nicht gespeichert.',
  },

  shift: {
    title: 'Diese Schicht',
    since: (ms) => `Seit ${clock(ms)}`,
    operator: 'Angemeldet',
    signOn: 'Anmelden',
    signOff: 'Abmelden',
    change: 'Wechseln',
    name: 'Eigener Name',
    counts: 'Scans',
    total: (n) => `${scans(n)} insgesamt`,
    also: 'Außerdem',
    alone: 'Offline entschieden',
    supervised: 'Von Teamleitung eingelassen',
    undone: 'Zurückgenommen',
    doubles: 'Doppelt benutzt',
    unsent: 'Noch nicht gesendet',
    aside: 'Von der Box abgelehnt',
    handOver: 'Übergeben',
    handOverTitle: 'Dieses Handy übergeben?',
    handOverText:
      'Die Zähler beginnen bei null, und die Anmeldung endet. Nicht gesendete Scans bleiben auf dem Handy, bis sie gesendet sind.',
    handOverUnsent: (n) => `Noch nicht gesendet: ${scans(n)}. Handy ins Netz bringen, bevor es ausgeschaltet wird.`,
    handOverConfirm: 'Übergeben',
    handedOver: 'Übergeben',
    copy: 'Kopieren',
    copied: 'Kopiert',
    done: 'Fertig',
    summary: (summary, checkpoint, until, classes) =>
      [
        `${checkpoint}: ${summary.operator ?? 'niemand angemeldet'}, ${clock(summary.since)} bis ${clock(until)}.`,
        ...Object.entries(summary.byClass)
          .filter(([, n]) => n > 0)
          .map(([name, n]) => `${classes[name as VerdictClass]}: ${n}`),
        `Offline entschieden: ${summary.alone}`,
        `Von Teamleitung eingelassen: ${summary.supervised}`,
        `Zurückgenommen: ${summary.undone}`,
        `Doppelt benutzt: ${summary.doubles}`,
        summary.unsent === 0 ? 'Alle Scans sind gesendet.' : `Noch nicht gesendet: ${summary.unsent}`,
        ...(summary.aside === 0 ? [] : [`Von der Box abgelehnt: ${summary.aside}`]),
      ].join('\n'),
  },

  signOn: {
    title: 'Wer scannt?',
    now: 'Angemeldet:',
    somebodyElse: 'Jemand anderes',
    name: 'Name',
    secret: 'PIN oder Passwort',
    wrong: 'Name oder PIN ist falsch. Noch einmal versuchen.',
    wait: 'Zu viele Versuche. Kurz warten oder die Leitstelle um eine neue PIN bitten.',
    unreachable: 'Die Box antwortet nicht. Noch einmal versuchen.',
    aloneLocked: 'Die Box antwortet nicht: Bis sie wieder da ist, kann sich niemand anmelden.',
    aloneAs: (name) =>
      `Die Box antwortet nicht: ${name} bleibt angemeldet. Bis sie wieder da ist, kann sich niemand sonst anmelden.`,
  },

  settings: {
    title: 'Optionen',
    licences: 'Lizenzen dieser App',
    theme: 'Hell oder dunkel',
    language: 'Sprache',
    themes: { auto: 'Wie das Handy', light: 'Hell', dark: 'Dunkel' },
    volume: 'Lautstärke der Signale',
    volumeOf: (percent) => `${percent} %`,
    hear: 'Töne anhören',
    vibration: 'Vibrieren',
    camera: 'Kamera',
    preflight: 'Prüfung vor dem Einlass',
    checkpoint: 'Kontrollpunkt wechseln',
    phone: 'Dieses Handy',
    name: 'Name',
    event: 'Veranstaltung',
    box: 'Box',
    certificate: 'Zertifikat gültig bis',
    version: 'Version',
    supervisor: 'Teamleitung',
    yes: 'Ja',
    no: 'Nein',
    rehearsal: 'Es läuft eine Probe: Was dieses Handy scannt, zählt nicht. Wenn Gäste kommen, die Probe verlassen.',
    leaveRehearsal: 'Probe verlassen',
    newer: 'Eine neuere Version ist bereit.',
    restart: 'Jetzt neu starten',
    unpair: 'Kopplung aufheben',
    unpairTitle: 'Kopplung dieses Handys aufheben?',
    unpairText: 'Schlüssel und Ticketliste werden gelöscht. Zum Scannen ist dann eine neue Einladung nötig.',
    unpairUnsent: (n) => `Nicht gesendet und dann verloren: ${scans(n)}. Die Box erfährt nie, wer eingelassen wurde.`,
    unpairConfirm: 'Aufheben',
    unpairForce: (n) => `Aufheben, ${scans(n)} verlieren`,
  },

  ended: { title: 'Dieses Handy kann nicht mehr scannen', pairAgain: 'Aufheben und neu koppeln' },
}
