/** The sentences of the check before doors, in German. */
import type { preflightWords as English } from '../en/preflight.ts'

export const preflightWords: typeof English = {
  title: 'Vor dem Einlass',
  start: 'Scannen beginnen',
  startAnyway: 'Trotzdem beginnen',
  ready: 'Alles bereit.',
  missing: (names) => `Nicht bereit: ${names.join(', ')}.`,
  names: {
    camera: 'Kamera',
    storage: 'Speicher',
    clock: 'Uhr',
    manifest: 'Ticketliste',
    certificate: 'Zertifikat',
    sound: 'Ton',
    'wake-lock': 'Bildschirm bleibt an',
    link: 'Box',
    boxes: 'Andere Boxen',
    offline: 'Läuft ohne Netz',
  },
  states: { ok: 'Bereit', warn: 'Prüfen', fail: 'Nicht bereit', checking: 'Wird geprüft' },
  checking: 'Wird geprüft.',
  playSound: 'Ton abspielen',
  heardIt: 'Ton gehört',
  tryCamera: 'Kamera noch einmal versuchen',
  camera: {
    ok: (label, width, height) => `${label || 'Kamera'}, ${width} × ${height}.`,
  },
  sound: {
    ok: 'Ton gehört.',
    muted: 'Die Lautstärke in dieser App ist null.',
    remedy: 'Abspielen, dann bestätigen, dass er zu hören war.',
    mutedRemedy: 'Unter „Optionen“ lauter stellen.',
    notPlayed: 'Noch nicht gehört.',
    none: 'Dieser Browser spielt keine Töne ab.',
    noneRemedy: 'Bei jedem Scan auf den Bildschirm schauen oder einen anderen Browser nehmen.',
  },
  wakeLock: {
    ok: 'Der Bildschirm bleibt beim Scannen an.',
    fail: 'Dieses Handy schaltet den Bildschirm von selbst aus.',
    remedy: 'Automatische Sperre so spät wie möglich einstellen und Energiesparen ausschalten.',
  },
  offline: {
    ok: 'Alle Dateien sind auf diesem Handy. Offline-Scans werden nur gesendet, solange diese App offen ist.',
    checking: 'Die Dateien werden gespeichert.',
    fail: 'Einige Dateien fehlen noch auf diesem Handy.',
    remedy: 'Diese Seite eine Minute lang im Netz der Box offen lassen.',
  },
}
