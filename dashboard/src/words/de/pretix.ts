/** Sentences about a pretix that cannot be read, told or connected, in German. */
import type { BoxWords } from '../said.ts'

export const pretixWords: BoxWords['pretix'] = {
  says: 'pretix meldet: „{words}“.',
  certificate_name:
    'Das Zertifikat von {host} gilt für einen anderen Namen: die Adresse aus dem Zertifikat nehmen oder das Zertifikat berichtigen.',
  certificate_time:
    'Das Zertifikat von {host} gilt zur jetzigen Zeit nicht ({why}): erneuern oder die Uhr der Box stellen.',
  certificate_unknown:
    'Die Box traut der Stelle nicht, die das Zertifikat von {host} signiert hat ({why}): Ist es eine eigene, beim Verbinden deren PEM-Datei angeben.',
  no_address: '{host} ist nicht zu finden: die Adresse und das DNS der Box prüfen.',
  port_closed: 'Unter {host} antwortet nichts: prüfen, ob pretix läuft und der Port stimmt.',
  no_answer: '{host} ist nicht erreichbar ({why}): das Netz prüfen.',
  timed_out: '{host} hat nach {minutes} Minuten noch nicht alles geschickt: später noch einmal versuchen.',
  token_refused:
    'pretix nimmt das Token nicht an: dort ein neues erstellen und neu verbinden. Was an den Toren geschieht, wartet solange.',
  token_forbidden:
    'Das Token darf {path} nicht benutzen: seinem Team oder Gerät in pretix das Recht geben (Bestellungen ansehen, Check-ins) oder mit einem anderen Token verbinden.',
  token_no_checkins:
    'Das Token darf keine Check-ins eintragen: dem Team das Recht zum Einchecken oder dem Gerät das Profil „full“ geben. Was geschehen ist, wartet solange.',
  token_no_organizer: 'Das Token sieht keinen Veranstalter: seinem Team oder Gerät in pretix Zugriff geben.',
  token_no_event: 'Das Token sieht keine Veranstaltung: seinem Team oder Gerät in pretix Zugriff geben.',
  token_missing: 'Das Token fehlt, und die Box hat keines für diese Adresse: eingeben.',
  token_of_device:
    'pretix kennt dieses Geräte-Token nicht, oder es wurde schon benutzt: in pretix ein neues Gerät anlegen und dessen Token nehmen.',
  busy: 'pretix ist überlastet. Die Box fragt gleich noch einmal.',
  busy_ask_again: 'pretix ist überlastet: in einer Minute noch einmal versuchen.',
  fails: 'pretix hat selbst ein Problem (HTTP {status}). Die Box fragt gleich noch einmal.',
  fails_ask_again: 'pretix hat selbst ein Problem (HTTP {status}): später noch einmal versuchen.',
  redirects: '{host} leitet auf eine andere Adresse weiter: mit dieser verbinden.',
  not_pretix:
    'Unter {host} antwortet etwas anderes als pretix (HTTP {status}): die Adresse prüfen, und ob ein Proxy oder eine Anmeldeseite davorsteht.',
  not_json: 'Eine Antwort kam nicht von pretix (HTTP {status}): prüfen, was vor pretix steht.',
  not_there:
    'In pretix gibt es {path} nicht, oder das Token sieht es nicht: die Namen prüfen, und was sein Team oder Gerät benutzen darf.',
  not_taken: 'pretix nimmt {path} nicht an (HTTP {status}).',
  list_too_long: '{host} hat unter {path} mehr als {most} Einträge: so viele fasst die Box nicht.',
  address_strange: 'Das ist keine Webadresse: als https://pretix.example schreiben.',
  address_more: 'In der Adresse steht zu viel: als https://pretix.example schreiben, ohne Benutzer, ? und #.',
  address_http: 'Mit http wäre das Token im Netz zu sehen: die Adresse mit https schreiben.',
  no_dates: 'Diese Veranstaltung hat keine Termine zur Auswahl.',
  series_empty: 'Die Reihe hat noch keine Termine: erst in pretix anlegen.',
  date_unknown: 'Die Reihe hat keinen Termin {date}. Einen von diesen wählen: {dates}.',
  list_gone:
    'Die Check-in-Liste {list} gibt es in pretix nicht mehr: in pretix.yaml eine andere für ihre Kontrollpunkte wählen.',
  event_gone:
    'pretix kennt diese Veranstaltung nicht mehr: neu verbinden. Was an den Toren geschehen ist, wartet solange.',
  other_shop:
    'Diese Box folgt schon der Datenbank eines Shops (shop.yaml), und mehr als einen Shop nimmt sie nicht: erst diese Datei entfernen oder eine andere Box nehmen.',
  connection_damaged: 'Die Datei der Verbindung ist beschädigt: pretix neu verbinden.',
  authority_unreadable: 'Die Datei der Zertifizierungsstelle ist nicht lesbar ({why}): {path}.',
  authority_missing:
    'In dieser Datei ist kein Zertifikat: die PEM-Datei der Stelle wählen, die das von pretix signiert hat.',
  event_not_proposed:
    'Aus dem, was in pretix steht, wird keine Veranstaltung: erst unter „Veranstaltung“ eine anlegen.',
  box_fails: 'Die Box konnte nicht übernehmen, was pretix schickt: Der Grund steht in ihrer Logdatei.',
  box_cannot_write: 'Die Box kann ihre Dateien nicht schreiben ({why}): ihre Ordner und den Speicher prüfen.',
}
