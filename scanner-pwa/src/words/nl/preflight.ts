/** The sentences of the check before doors, in Dutch. */
import type { preflightWords as English } from '../en/preflight.ts'

export const preflightWords: typeof English = {
  title: 'Voor opening',
  start: 'Start met scannen',
  startAnyway: 'Toch starten',
  ready: 'Alles is klaar.',
  missing: (names) => `Niet klaar: ${names.join(', ')}.`,
  names: {
    camera: 'Camera',
    storage: 'Opslag',
    clock: 'Klok',
    manifest: 'Ticketlijst',
    certificate: 'Certificaat',
    sound: 'Geluid',
    'wake-lock': 'Scherm blijft aan',
    link: 'Box',
    boxes: 'Andere boxen',
    offline: 'Werkt zonder netwerk',
  },
  states: { ok: 'Klaar', warn: 'Controleer', fail: 'Niet klaar', checking: 'Bezig' },
  checking: 'Wordt gecontroleerd.',
  playSound: 'Geluid afspelen',
  heardIt: 'Ik heb het gehoord',
  tryCamera: 'Camera opnieuw proberen',
  camera: {
    ok: (label, width, height) => `${label || 'Camera'}, ${width} × ${height}.`,
  },
  sound: {
    ok: 'Je hebt het gehoord.',
    muted: 'Het volume in deze app staat op nul.',
    remedy: 'Speel het af en bevestig dat je het hebt gehoord.',
    mutedRemedy: 'Zet het harder in Opties.',
    notPlayed: 'Nog niet gehoord.',
    none: 'Deze browser speelt geen geluid af.',
    noneRemedy: 'Kijk bij elke scan op het scherm, of neem een andere browser.',
  },
  wakeLock: {
    ok: 'Het scherm blijft aan tijdens het scannen.',
    fail: 'Deze telefoon zet het scherm vanzelf uit.',
    remedy: 'Zet de schermtime-out zo lang mogelijk en batterijbesparing uit.',
  },
  offline: {
    ok: 'Alle bestanden staan op deze telefoon. Offline scans worden alleen verstuurd zolang deze app open is.',
    checking: 'Bestanden worden op deze telefoon gezet.',
    fail: 'Nog niet alle bestanden staan op deze telefoon.',
    remedy: 'Houd deze pagina een minuut open op het netwerk van de box.',
  },
}
