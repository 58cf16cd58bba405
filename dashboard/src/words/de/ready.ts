/** Texts of the screen Before doors, in German. */
import type { readyWords as English } from '../en/ready.ts'
import { speech } from './speech.ts'

const { count } = speech
const scanners = { one: '# Scanner', other: '# Scanner' }
const left = () => ''

export const readyWords: typeof English = {
  lead: 'Was stimmen muss, bevor Gäste kommen, und ein Blatt für jedes Tor.',
  list: 'Bereit?',
  standing: { ok: 'In Ordnung', warn: 'Zu tun', ask: 'Frage' },
  remedy: (name) => `Öffnen: ${name}`,
  byAdmin: 'Das kann nur ein Admin.',
  whatIsLeft: 'Was vor dem Einlass noch fehlt',
  checks: {
    certificate: {
      name: 'Zertifikat',
      ok: () => 'Dieses Gerät vertraut der Box.',
      warn: () => 'Dieses Gerät vertraut der Box nicht: So öffnet keine App offline. Das Zertifikat installieren.',
      ask: () => 'Dieser Browser sagt nicht, ob er der Box vertraut.',
    },
    publicName: {
      name: 'Öffentlicher Name',
      ok: () => 'Das Zertifikat für den öffentlichen Namen gilt über die Veranstaltung hinaus.',
      warn: () =>
        'Das Zertifikat für den öffentlichen Namen fehlt, ist überfällig, beschädigt oder endet vor der Veranstaltung: Die Tore öffnen trotzdem, aber Browser werden warnen.',
      ask: left,
    },
    clock: {
      name: 'Uhr',
      ok: () => 'Die Uhr der Box geht richtig.',
      warn: () =>
        'Nichts stellt die Uhr der Box: mit einer anderen Uhr vergleichen und den Rechner die Zeit aus dem Netz holen lassen.',
      ask: left,
    },
    tickets: {
      name: 'Tickets',
      ok: (n) => `${count(n, { one: '# Ticket', other: '# Tickets' })} importiert.`,
      warn: () => 'Noch kein Ticket: die Datei des Shops importieren.',
      ask: left,
    },
    scanners: {
      name: 'Scanner',
      ok: (n) => `${count(n, scanners)} verbunden.`,
      warn: (n) => `${count(n, scanners)} verbunden, weniger als Tore: koppeln und auf jedem die App öffnen.`,
      ask: left,
    },
    battery: {
      name: 'Akkus und Uhren',
      ok: () => 'Jeder Scanner hat Strom und die richtige Zeit.',
      warn: (n) => `${count(n, scanners)} mit leerem Akku oder falscher Uhr.`,
      ask: left,
    },
    map: {
      name: 'Karte',
      ok: () => 'Die Karte ist da.',
      warn: (n) =>
        `${count(n, { one: '# Tor', other: '# Tore' })} nicht auf der Karte: Dorthin bekommt niemand den Weg gezeigt. Auf der Seite „Veranstaltung“ eintragen.`,
      ask: () =>
        'Soll den Gästen der Weg gezeigt werden? Dann auf der Seite „Veranstaltung“ eine Karte zeichnen oder importieren. Der Einlass geht auch ohne.',
    },
    backup: {
      name: 'Sicherung',
      ok: (n) =>
        n === 0
          ? 'Letzte Sicherung: vor weniger als einer Stunde.'
          : `Letzte Sicherung: vor ${count(n, { one: '# Stunde', other: '# Stunden' })}.`,
      warn: () => 'Keine Sicherung in den letzten 24 Stunden: eine machen und anderswo aufbewahren.',
      ask: left,
    },
    stick: {
      name: 'USB-Stick',
      ok: () => 'In der Box steckt ein Stick.',
      warn: () => 'Kein Stick in der Box: Für Sicherungen gibt es kein Ziel.',
      ask: left,
    },
    paper: {
      name: 'Papierlisten',
      ok: () => 'Für jedes Tor ist eine Liste gedruckt.',
      warn: (n) =>
        `${count(n, { one: '# Liste', other: '# Listen' })} gedruckt: schon jetzt eine je Tor drucken, für den Fall, dass nichts mehr geht.`,
      ask: left,
    },
    links: {
      name: 'Ticketlinks',
      ok: left,
      warn: left,
      ask: () =>
        'Zeigen die Gäste ihr Ticket auf dem Handy? Dann braucht jeder einen Link; die Codes aus dem Shop gelten auch ohne. Dieser Befehl schreibt alle Links in eine Datei (wo man ihn eingibt: box/docs/attendees.md, „Links“):',
    },
    rehearsal: {
      name: 'Probe',
      ok: () => 'In den letzten sieben Tagen wurde geprobt.',
      warn: () => 'Noch keine Probe: unten mit den echten Handys einige echte Tickets scannen.',
      ask: left,
    },
  },
  rehearsal: {
    title: 'Probe',
    lead: 'Echte Handys scannen echte Tickets, und niemand wird gezählt. Im Protokoll steht nur, dass geprobt wurde.',
    steps: [
      'Die Probe starten. Nach spätestens 10 Sekunden steht auf jedem gekoppelten Handy „Probe“.',
      'Einige Tickets scannen, eines davon zweimal und eines am falschen Tor.',
      'Bei einem Handy das Netz ausschalten und weiterscannen: Es entscheidet allein.',
      'Die Probe hier beenden. Danach zählt jeder Scan.',
    ],
    start: 'Probe starten',
    startAnyway: 'Kein Tor ist offen: starten',
    text: 'Die Scanner dieser Box proben: Wen sie einlassen, der wird nicht gezählt. Die Probe endet von selbst, wenn die Veranstaltung beginnt.',
    objections: {
      event_on: 'Die Veranstaltung hat begonnen.',
      people_came: 'In den letzten 30 Minuten sind Gäste hereingekommen.',
    },
    anyway: 'Wer während einer Probe hereinkommt, fehlt in allen Zahlen. Nur starten, wenn kein Tor offen ist.',
    length: 'Dauer',
    started: 'Die Probe läuft.',
    end: 'Probe beenden',
    ended: (scans, scanners) =>
      `Probe beendet: ${count(scans, { one: '# Code', other: '# Codes' })} mit ${count(scanners, { one: '# Scanner', other: '# Scannern' })} gescannt. Ab jetzt zählt jeder Scan.`,
    until: 'Endet von selbst um',
    scanners: 'Beteiligte Scanner',
    scans: 'Gescannte Codes',
    meanwhile: 'Inzwischen wirklich eingelassen',
    byAdmin: 'Ein Admin kann sie starten.',
    band: (actor) => `Probe, gestartet von ${actor}: Die Scanner zählen niemanden.`,
    left: (time) => `Sie endet in ${time}.`,
    real: (n) => `${n} inzwischen wirklich eingelassen, mit Scannern, die nicht mitproben.`,
  },
  sheets: {
    title: 'Blätter für die Tore',
    lead: 'Eine Seite je Tor, mit einem Code für jedes Handy. Wer das Blatt hat, kann ein Handy koppeln: wie einen Schlüssel aufbewahren.',
    phones: 'Handys je Tor',
    make: 'Blätter erstellen',
    print: 'Drucken',
    leave:
      'Vor dem Verlassen dieser Seite drucken: Sie behält die Blätter nicht. Früher erstellte Blätter gelten weiter.',
    paper: 'Die Blätter, wie sie auf Papier aussehen',
    heading: (gate) => `Scanner: ${gate}`,
    until: (at) => `Gilt bis ${at}. Jeder Code koppelt ein Handy.`,
    network: (host) => `Das Handy mit dem Netz der Box verbinden (${host}).`,
    trust:
      'Kein Knopf „Handy koppeln“? Dann vertraut das Handy der Box noch nicht, und die Seite zeigt die Schritte mit Bildern. Kurz gesagt:',
    fingerprint: 'Das Handy zeigt den Fingerabdruck (SHA-256) des Zertifikats, das es installiert. Er muss so lauten:',
    iphone:
      'iPhone: in Safari laden und das Profil zulassen. Einstellungen, „Profil geladen“, „Installieren“. Dann Allgemein, Info, Zertifikatsvertrauenseinstellungen: einschalten.',
    android:
      'Android: eine Displaysperre einrichten. Einstellungen, Sicherheit, „Verschlüsselung und Anmeldedaten“, „Zertifikat installieren“, „CA-Zertifikat“, dann die Datei wählen.',
    scan: 'Kamera öffnen, auf einen unbenutzten Code richten, Link öffnen und „Handy koppeln“ drücken.',
    phone: (n) => `Handy ${n}`,
    label: (gate, n) => `Einladung: ${gate}, Handy ${n}`,
    fails: 'Wenn es nicht klappt',
    failing: [
      'Die Seite öffnet sich nicht: Das Handy ist in einem anderen Netz oder nutzt mobile Daten. Mobile Daten ausschalten.',
      'Der Browser warnt: Das Handy vertraut der Box noch nicht. Den Code noch einmal scannen und die Schritte der Seite ausführen.',
      '„Diese Einladung ist schon benutzt“: den nächsten Code nehmen oder in der Leitstelle ein neues Blatt holen.',
      'Die Kamera bleibt schwarz: in den Browsereinstellungen die Kamera für diese Seite erlauben.',
      'Nichts hilft: mit einem anderen Handy scannen und nach der Papierliste einlassen.',
    ],
  },
}
