/** The sentences of the screen of the machine, in German. */
import type { applianceWords as English } from '../en/appliance.ts'
import { actionWords as actions } from './actions.ts'
import { speech } from './speech.ts'

export const applianceWords: typeof English = {
  title: 'Rechner',
  lead: 'Der Rechner, auf dem die Box läuft: Einstellungen, Uhr, Software, Sicherungen.',
  none: 'Diese Box läuft nicht auf einem Gatehouse-Rechner. Uhr, Software und Sicherungen sind die des Rechners, auf dem sie läuft.',
  loading: 'Der Rechner wird gefragt …',
  again: 'Noch einmal',

  settings: 'Einstellungen',
  fine: 'gatehouse.toml ist in Ordnung.',
  problems: (n) => `${speech.count(n, { one: '# Zeile', other: '# Zeilen' })} in gatehouse.toml nicht verwendet`,
  line: (n) => `Zeile ${n}`,
  correct:
    'Die Box läuft ohne sie. Die Datei auf der Karte an irgendeinem Computer berichtigen, Karte zurückstecken, Box einschalten.',

  machine: 'Rechner',
  facts: { room: 'Freier Platz', temperature: 'Temperatur', uptime: 'Laufzeit', clock: 'Uhr' },
  room: (free, total) => `${actions.import.size(free)} von ${actions.import.size(total)}`,
  roomLow: 'Bald eine größere Karte einsetzen: Ohne Platz kann niemand gescannt werden.',
  degrees: (celsius) => `${Math.round(celsius)} °C`,
  hot: 'Zu heiß: für Luft sorgen.',
  unknown: 'Der Rechner sagt es nicht',

  time: 'Uhr',
  synced: (source) => (source === null ? 'Vom Netz gestellt.' : `Vom Netz gestellt (${source}).`),
  unsynced: 'Nicht vom Netz gestellt. Die Box zählt weiter und nimmt Codes an, die bis zu zwei Minuten alt sind.',
  boxTime: (at) => `Die Box zeigt ${at}.`,
  differs: (ms) =>
    `Sie geht gegenüber diesem Gerät ${actions.time.duration(ms)} ${ms > 0 ? 'nach' : 'vor'}. Geht dieses Gerät richtig?`,
  agrees: 'Dieses Gerät zeigt dasselbe.',
  setTime: 'Uhr der Box nach diesem Gerät stellen',
  timeSet: 'Die Uhr ist gestellt.',

  software: 'Software',
  slot: (name) => `Platz ${name}`,
  version: (version) => (version === null ? 'leer' : `Version ${version}`),
  running: 'läuft jetzt',
  next: 'startet als Nächstes',
  slotBad: 'startete beim Versuch nicht',
  none_known: 'Der Rechner sagt nicht, welche Versionen er hat.',
  states: {
    uploading: (percent) => (percent === null ? 'Update wird gesendet' : `Update wird gesendet, ${percent} %`),
    checking: 'Wird geprüft, ob das Update echt und für diesen Rechner ist',
    installing: (percent) => `Wird installiert${percent === null ? '' : `, ${percent} %`}. Scannen geht weiter.`,
    ready: (version) =>
      `Installiert: ${version === null ? 'das Update' : `Version ${version}`}. Läuft nach dem Neustart des Rechners.`,
  },
  older: (version) => `Version ${version} installieren, obwohl sie älter ist`,
  failed: (reason) => `Das Update wurde nicht installiert. ${reason}`,
  choose: 'Update-Datei',
  chooseHint:
    'Endet auf .update, höchstens 1 GB. Am besten zwischen zwei Veranstaltungen: Das Senden belastet die Karte.',
  notUpdate: 'Das ist kein Update. Die Datei wählen, die auf .update endet.',
  tooLarge: 'Diese Datei ist größer als 1 GB; so groß ist kein Update.',
  send: 'Senden und installieren',
  sending: 'Update wird gesendet',
  cancel: 'Abbrechen',
  unanswered: 'Die Verbindung brach ab, bevor die ganze Datei da war. Nichts wurde geändert. Noch einmal senden.',
  cancelled: 'Abgebrochen. Nichts wurde geändert.',
  stick: 'Auf dem USB-Stick',
  install: (name) => `${name} installieren`,
  restart: 'Jetzt neu starten',
  restartTitle: 'Rechner neu starten?',
  restartText: 'Die Scanner arbeiten etwa eine Minute offline und senden ihre Scans danach.',
  restartUpdate:
    'Die neue Version startet. Läuft sie nicht binnen drei Minuten, kehrt der Rechner von selbst zu dieser zurück.',
  restarting: 'Der Rechner startet neu. Diese Seite kommt von selbst zurück.',
  rollback: (version) => (version === null ? 'Zurückkehren' : `Zurück zu Version ${version}`),
  rollbackTitle: 'Zur vorigen Version zurück?',
  rollbackText:
    'Der Rechner startet damit neu. Tickets und Scans bleiben, wie sie sind. Die Scanner arbeiten etwa eine Minute offline.',
  unstart: 'Verwerfen',
  unstartTitle: 'Neue Version verwerfen?',
  unstartText: 'Der Rechner behält die jetzige Version. Für die neue ist eine neue Installation nötig.',
  unstarted: 'Verworfen. Die jetzige Version bleibt.',

  backup: 'Sicherung',
  backupLead:
    'Alles auf dieser Box, in einer Datei. Sie enthält die Schlüssel der Box, also verschlüsseln: Dann nützt sie einem Dieb nichts. Was hier eingegeben wird, behält die Box nicht.',
  protect: 'Verschlüsselung',
  ways: { passphrase: 'Mit Passphrase', recipients: 'Für age-Empfänger', none: 'Nicht verschlüsselt' },
  passphrase: 'Passphrase',
  passphraseHint: 'Mindestens 12 Zeichen. Am besten fünf oder mehr zufällige Wörter.',
  strength: {
    short: 'Zu kurz: mindestens 12 Zeichen.',
    weak: 'Schwach: Ein Dieb mit der Datei kann beliebig lange raten. Wörter ergänzen.',
    fair: 'Mittel. Ein oder zwei Wörter mehr machen sie stark.',
    strong: 'Stark, außer sie stammt aus einem Buch oder Lied.',
  },
  passphraseAgain: 'Passphrase wiederholen',
  passphraseLost:
    'Aufschreiben und getrennt von der Datei aufbewahren. Ohne sie kann niemand diese Sicherung einspielen.',
  recipients: 'Empfänger',
  recipientsHint:
    'Einer je Zeile: age1…, der öffentliche Schlüssel, den age-keygen ausgibt. Wer einen der geheimen Schlüssel hat, kann die Sicherung einspielen.',
  worth:
    'Wer diese Datei bekommt, hat die Schlüssel der Box: Er kann jeden einlassen, sich als die Box ausgeben und in ihrem Namen signieren, und Namen, E-Mail-Adressen und Codes aller Tickets lesen. So sicher aufbewahren wie die Tickets.',
  protectionMistakes: {
    short: 'Keine Sicherung: Die Passphrase ist zu kurz. Sie braucht mindestens 12 Zeichen.',
    control: 'Keine Sicherung: Die Passphrase enthält ein Zeichen, das manche Tastaturen nicht haben, etwa einen Tab.',
    different: 'Keine Sicherung: Die beiden Passphrasen sind verschieden. Beide neu eingeben.',
    noRecipient: 'Keine Sicherung: einen Empfänger (age1…) eingeben oder eine Passphrase wählen.',
    notRecipient: 'Keine Sicherung: Ein Empfänger beginnt mit age1 und hat eine eigene Zeile. Neu kopieren.',
    identity:
      'Keine Sicherung: Das ist ein geheimer Schlüssel (AGE-SECRET-KEY). Nichts wurde gesendet. Den öffentlichen nehmen; er beginnt mit age1.',
    many: 'Keine Sicherung: höchstens 20 Empfänger.',
  },
  download: 'Sicherung herunterladen',
  downloading: (size) => `Sicherung wird geladen, bisher ${size}`,
  downloaded: (name, size) => `Gespeichert als ${name}, ${size}.`,
  cutShort: 'Die Sicherung war unvollständig und wurde nicht gespeichert. Noch einmal herunterladen.',
  toStick: 'Sicherung auf den USB-Stick schreiben',
  noStick: 'In der Box steckt kein USB-Stick. Einen einstecken, der mit FAT32 formatiert ist.',
  hasStick: 'In der Box steckt ein USB-Stick.',
  making: 'Die Box macht die Sicherung. Stick stecken lassen.',
  copying: (percent) => `Wird auf den Stick geschrieben${percent === null ? '' : `, ${percent} %`}. Stecken lassen.`,
  done: (name) => `Die Sicherung ist auf dem Stick${name === null ? '' : `: ${name}`}. Er kann jetzt abgezogen werden.`,
  backupFailed: (reason) => `Auf dem Stick ist keine Sicherung. ${reason}`,

  power: 'Neustart',
  powerLead: 'Hilft, wenn ein Teil des Rechners nicht antwortet. Die Scanner sind etwa eine Minute offline.',
}
