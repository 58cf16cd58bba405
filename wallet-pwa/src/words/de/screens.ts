/** Text under the ticket and on the screens beside it, in German. */
import type { screenWords as English } from '../en/screens.ts'

import { speech } from './speech.ts'

const { count } = speech

export const screenWords: typeof English = {
  claim: {
    title: 'An dieses Handy binden',
    why: 'Bis dahin hat jeder, der Ihren Link hat, auch Ihr Ticket.',
    ask: 'An dieses Handy binden',
    heading: 'Ticket an dieses Handy binden?',
    does: [
      'Ab dann kann nur noch dieses Handy das Ticket zeigen.',
      'Weitergeleitete Links funktionieren nicht mehr, ein gedruckter Code vielleicht auch nicht.',
      'Sie können das nicht selbst rückgängig machen. Verlieren Sie dieses Handy, kann der Veranstalter das Ticket davon lösen.',
      'Nicht in einem privaten Fenster: Beim Schließen geht der Schlüssel verloren.',
    ],
    weak: 'Diese Verbindung ist nicht sicher, deshalb liegt der Schlüssel ungeschützt in diesem Browser. Öffnen Sie Ihren Link wenn möglich mit https.',
    confirm: 'Jetzt binden',
    working: 'Wird gebunden',
    mine: 'An dieses Handy gebunden.',
    mineWeak:
      'An dieses Handy gebunden. Der Schlüssel liegt ungeschützt in diesem Browser; das ist schwächer als mit https.',
    unsure: 'Noch nicht bestätigt. Bleiben Sie kurz online, bevor Sie zum Tor gehen.',
    released:
      'Der Veranstalter hat dieses Ticket vom Handy gelöst. Der Link funktioniert wieder, und Sie können es neu binden.',
    unkept:
      'Dieser Browser kann keine Schlüssel speichern, also wurde nichts gebunden. Öffnen Sie den Link in einem normalen Fenster oder einem anderen Browser.',
  },

  install: {
    title: 'Griffbereit halten',
    text: 'Legen Sie Ihr Ticket auf den Startbildschirm. Dann müssen Sie die Nachricht nicht suchen.',
    ios: 'Kopieren Sie zuerst Ihren Link. Tippen Sie in Safari auf „Teilen“, dann „Zum Home-Bildschirm“. Öffnen Sie das neue Symbol und fügen Sie dort den Link ein: Es kennt Ihr Ticket noch nicht. Tun Sie das, bevor Sie das Ticket an dieses Handy binden.',
    button: 'Zum Startbildschirm',
    dismiss: 'Nein danke',
  },

  nearby: {
    heading: 'In der Nähe',
    from: 'Ich bin hier',
    lastSeen: 'Mein letztes Tor',
    firstGate: 'Mein Eingang',
    stepFree: 'Nur stufenfreie Wege',
    show: 'Anzeigen',
    everything: 'Alles',
    list: 'Liste',
    map: 'Karte',
    views: 'Ansicht',
    looking: 'Wird geladen',
    none: 'Nichts davon dort, wo Ihr Ticket gilt.',
    noneStepFree:
      'Kein stufenfreier Weg bekannt. Schalten Sie den Filter aus, um den Rest zu sehen, oder fragen Sie das Personal.',
    noMap: 'Für dieses Gelände gibt es noch keine Karte. Fragen Sie das Personal.',
    failed: 'Dafür ist Netz nötig. Versuchen Sie es wieder, wenn Sie online sind.',
    old: (age) => `Keine Verbindung. Stand: ${age}.`,
    minutes: (n) => `${n} min`,
    metres: (n) => `${n} m`,
    via: (names) => `über ${names}`,
    stepFreeYes: 'Stufenfrei',
    stepFreeNo: 'Mit Stufen',
    stepFreeUnverified: 'Stufenfrei? Nicht geprüft',
    to: (name) => `Weg zu: ${name}`,
    larger: 'Größer',
    whole: 'Ganze Karte',
    mapTitle: (event) => `Karte: ${event}`,
    badMap: 'Die Karte lässt sich nicht zeigen. Sie wird neu geladen, wenn Sie online sind.',
  },

  more: {
    heading: 'Tickets und Einstellungen',
    licences: 'Lizenzen dieser App',
    add: 'Ticket hinzufügen',
    paste: 'Ticketlink',
    pasteHint: 'Kopieren Sie den Link aus der Nachricht des Veranstalters und fügen Sie ihn hier ein.',
    addButton: 'Hinzufügen',
    malformed:
      'Das ist kein vollständiger Ticketlink. Kopieren Sie ihn ganz aus der Nachricht des Veranstalters: Er enthält #t=.',
    remove: 'Entfernen',
    removeLabel: (name) => `${name} entfernen`,
    removeHeading: (name) => `${name} von diesem Handy entfernen?`,
    removeText: 'Das Ticket bleibt gültig, und sein Link öffnet es wieder.',
    removeMine:
      'Dieses Handy hat den einzigen Schlüssel dieses Tickets. Ohne ihn kann niemand das Ticket zeigen, bis der Veranstalter es vom Handy löst.',
    removeConfirm: 'Ticket entfernen',
    link: 'Link zeigen',
    linkLabel: (name) => `Link zeigen: ${name}`,
    linkHeading: 'Der Link Ihres Tickets',
    linkText: 'Wer diesen Link hat, hat das Ticket. Zeigen Sie ihn niemandem.',
    linkField: 'Link',
    copy: 'Link kopieren',
    copied: 'Kopiert',
    theme: 'Darstellung',
    language: 'Sprache',
    themes: { auto: 'Wie das Handy', light: 'Hell', dark: 'Dunkel' },
    state: 'Dieses Handy',
    savedYes: 'Gespeichert. Öffnet ohne Netz.',
    savedNo: 'Wird für die Nutzung ohne Netz gespeichert.',
    savedNever:
      'Diese Seite funktioniert, solange sie offen ist. Zum erneuten Öffnen brauchen Sie Netz, weil die Verbindung nicht sicher ist.',
    updated: (age) => `Ticket, Stand: ${age}.`,
    clockRight: 'Die Uhr geht richtig.',
    newer: 'Eine neue Version ist bereit.',
    restart: 'Jetzt aktualisieren',
  },

  news: {
    heading: 'Vom Veranstalter',
    none: 'Zurzeit keine Mitteilungen.',
    severity: { info: 'Hinweis', warning: 'Warnung', emergency: 'Notfall' },
    zones: (names) => `Für: ${names}`,
    until: (time) => `Bis ${time}`,
    checked: 'Vom Veranstalter signiert',
    hidden: (n) =>
      count(n, {
        one: '# Mitteilung wird nicht gezeigt: Sie ist nicht vom Veranstalter dieses Tickets signiert.',
        other: '# Mitteilungen werden nicht gezeigt: Sie sind nicht vom Veranstalter dieses Tickets signiert.',
      }),
    noKey:
      'Ihrem Link fehlt ein Teil. Mitteilungen lassen sich daher nicht prüfen und werden nicht gezeigt. Öffnen Sie den ganzen Link noch einmal.',
    all: 'Alle Mitteilungen',
  },

  occasion: { heading: 'Wann und wo', begins: 'Beginn', doors: 'Einlass', place: 'Ort', entrances: 'Eingang' },

  history: {
    admitted: (checkpoint, time) => `Sie sind drin: ${checkpoint}, ${time}`,
    heading: 'Wo Sie waren',
    none: 'Noch nichts. Hier stehen die Tore, durch die Sie gehen.',
    in: (checkpoint) => `Eingang: ${checkpoint}`,
    out: (checkpoint) => `Ausgang: ${checkpoint}`,
  },
}
