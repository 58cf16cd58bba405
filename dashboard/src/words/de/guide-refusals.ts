/** Sentences about what the screen Event was refused, in German. */
import type { BoxWords } from '../said.ts'

export const guideRefusalWords: BoxWords['guide'] = {
  event_mistaken: {
    one: 'Die Veranstaltung hat # Fehler: erst berichtigen.',
    other: 'Die Veranstaltung hat # Fehler: erst alle berichtigen.',
  },
  map_mistaken: {
    one: 'Die Karte hat # Fehler: erst berichtigen.',
    other: 'Die Karte hat # Fehler: erst alle berichtigen.',
  },
  no_event_yet: 'Noch gibt es keine Veranstaltung: erst eine speichern.',
  no_restart: 'Diese Box kann sich nicht selbst neu starten: von Hand starten.',
  map_timed_out:
    'Diese Karte zu lesen dauert hier zu lange: einen kleineren Ausschnitt nehmen oder einen Computer mit „gatehouse venue import“.',
  map_changed: 'Die Karte wurde inzwischen geändert: neu öffnen und die Änderung wiederholen.',
  checks_many: 'Gerade werden andere Entwürfe geprüft: gleich noch einmal versuchen.',
}
