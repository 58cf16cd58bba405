/** Sentences for the codes that the box sends, in German. */
import { settingWords } from '@gatehouse/proto/setting-words/de.ts'
import type { BoxWords } from '../said.ts'
import { actRefusalWords } from './act-refusals.ts'
import { certificateWords } from './certificate.ts'
import { evacuationSheetWords } from './evacuation-sheet.ts'
import { eventFileWords } from './event-file.ts'
import { guestListWords } from './guest-list.ts'
import { guideRefusalWords } from './guide-refusals.ts'
import { linkWords } from './link.ts'
import { machineWords } from './machine.ts'
import { mappingWords } from './mapping.ts'
import { paperListWords } from './paper-list.ts'
import { pretixWords } from './pretix.ts'
import { staffRefusalWords } from './staff-refusals.ts'
import { ticketFileWords } from './ticket-file.ts'
import { venueWords } from './venue.ts'

export const boxWords: BoxWords = {
  mode: {
    in_contact: 'Die Boxen haben Kontakt.',
    forced: 'Die Leitstelle hat es erzwungen.',
    votes_unreachable: 'Die meisten Boxen, die entscheiden, antworten nicht.',
    authority_unknown: 'Womöglich entscheidet inzwischen eine andere Box.',
    voters_unsynced: 'Die Boxen, die entscheiden, bestätigen nicht, dass sie vor der Antwort speichern.',
    backfilling: 'Die Boxen, die entscheiden, erfahren gerade, wer drin ist.',
    confirming: {
      one: '# Einlass wird noch mit den anderen Boxen abgeglichen.',
      other: '# Einlässe werden noch mit den anderen Boxen abgeglichen.',
    },
    arriving: 'Es treffen noch Daten von den anderen Boxen ein.',
    settling: 'Die Boxen haben wieder Kontakt. Diese wartet zehn Sekunden, um sicher zu sein.',
    refused: 'Was {name} sendet, kann diese Box nicht verwenden.',
    refused_more: { one: 'Das gilt auch für # weitere Box.', other: 'Das gilt auch für # weitere Boxen.' },
    silent: '{name}: kein Kontakt seit {for_ms}.',
    silent_since_start: '{name}: kein Kontakt, seit diese Box läuft.',
    silent_more: { one: '# weitere Box ist ohne Kontakt.', other: '# weitere Boxen sind ohne Kontakt.' },
    no_server:
      'Auf dieser Box läuft kein nats-server: das Paket nats-server installieren oder GATEHOUSE_NATS_SERVER setzen.',
    server_fails: 'Der nats-server dieser Box startet nicht.',
  },
  peer: {
    not_signed:
      'Ihre Nachrichten sind nicht signiert. Hat sie eine ältere Version: aktualisieren. Sonst benutzt ein anderes Gerät ihren Namen.',
    stranger: 'Ein Gerät, das nicht auf der Liste der Boxen steht, antwortet an ihrer Stelle: herausfinden, welches.',
    forged: 'Ein anderes Gerät antwortet an ihrer Stelle: herausfinden, welches.',
    other_key:
      'Ihre Nachrichten sind für eine andere Liste der Boxen verschlüsselt. Lesbar sind sie, sobald beide dieselbe Liste haben.',
    misshapen:
      'Was sie sendet, kann diese Box nicht lesen. Haben beide verschiedene Versionen: die ältere aktualisieren.',
    history_changed:
      'Sie hat Einträge geändert, die sie schon gesendet hatte: ihre Daten aufheben und ihr Protokoll prüfen.',
    not_applied: 'Ihre Einträge kann diese Box nicht verarbeiten. Der Grund steht in der Logdatei dieser Box.',
    copy_refused: 'Die Kopie ihres Protokolls bei {name} wird abgelehnt.',
    seal_unsigned: 'Ihr Siegel ist nicht mit ihrem Schlüssel signiert.',
    seal_differs: {
      one: 'Ihr Siegel über # Eintrag passt nicht zu dem, was sie gesendet hat.',
      other: 'Ihr Siegel über # Einträge passt nicht zu dem, was sie gesendet hat.',
    },
    two_seals: {
      one: 'Sie hat zwei verschiedene Siegel über # Eintrag signiert.',
      other: 'Sie hat zwei verschiedene Siegel über # Einträge signiert.',
    },
    other_event:
      'Sie läuft mit einer anderen event.json: beiden dieselbe geben und die Box mit der älteren neu starten.',
  },
  boxes: {
    box_alone: 'Diese Box ist allein: Es gibt keine andere.',
    box_unlisted: 'Die Box {name} steht nicht mehr in der Liste: noch einmal in die Liste sehen.',
    last_box: 'Die letzte Box einer Veranstaltung lässt sich nicht entfernen.',
    box_outdated: '{name} hat eine ältere Version, die nichts verschlüsselt: zuerst aktualisieren.',
    votes_already: '{name} entscheidet schon mit.',
    in_data_centre: '{name} steht in einem Rechenzentrum: Boxen, die entscheiden, müssen vor Ort sein.',
    no_vote: '{name} entscheidet nicht mit: Da ist nichts zu übernehmen.',
  },
  staff: staffRefusalWords,
  acts: actRefusalWords,
  incident: {
    withdrawn: 'Am Tor zurückgezogen.',
  },
  event: eventFileWords,
  map: venueWords,
  pretix: pretixWords,
  mapping: mappingWords,
  machine: machineWords,
  certificate: certificateWords,
  link: linkWords,
  paper: paperListWords,
  evacuation: evacuationSheetWords,
  guide: guideRefusalWords,
  setting: settingWords,
  file: ticketFileWords,
  sale: guestListWords,
  import: {
    code_missing: 'Die Zeile hat keinen Code: eintragen oder die Zeile löschen.',
    code_rounded:
      'Eine Tabellenkalkulation hat den Code gerundet (1.2E+15): die Datei so nehmen, wie der Shop sie exportiert.',
    code_error:
      'Eine Tabellenkalkulation hat den Code durch einen Fehler oder #### ersetzt: die Datei so nehmen, wie der Shop sie exportiert.',
    code_decimals: 'Der Code endet mit Nachkommastellen (123.0): als Text exportieren.',
    code_is_date:
      'Eine Tabellenkalkulation hat aus dem Code ein Datum gemacht: die Datei so nehmen, wie der Shop sie exportiert.',
    code_apostrophe:
      'Der Code beginnt mit einem Apostroph aus einer Tabellenkalkulation: entfernen oder als Text exportieren.',
    code_rotating: 'Dieser Code wechselt alle paar Sekunden (G1:): den Code importieren, den der Shop gedruckt hat.',
    code_lost_characters: 'Beim Speichern gingen Zeichen des Codes verloren: noch einmal als CSV UTF-8 exportieren.',
    code_invisible: 'Im Code steckt ein unsichtbares Zeichen: entfernen.',
    code_too_long: 'Der Code ist länger als {bytes} Byte, zu lang zum Scannen: die Spalte prüfen.',
    code_formula: 'Der Code stand als Formel da (="...") und wurde ohne sie gelesen.',
    code_blanks: 'Leerzeichen um den Code wurden entfernt.',
    code_scanner_marks: 'Zeichen, die ein Scanner an den Code hängt (]Q1, Steuerzeichen), wurden entfernt.',
    code_twice: 'Zeile {row} hat denselben Code: eine der beiden löschen.',
    digits_rounded:
      'Alle langen Codes enden auf Nullen: Eine Tabellenkalkulation hat sie gerundet. Die Datei so nehmen, wie der Shop sie exportiert.',
    digits_short:
      'Der Code ist kürzer als die anderen, und keiner beginnt mit 0: mit einem gedruckten Ticket vergleichen.',
    tier_missing: 'In der Zeile steht keine Ticketart: eine von {tiers} eintragen.',
    no_tier: '„{name}“ passt zu keiner Ticketart.',
    date_unreadable: '{column} „{text}“ ist kein Datum: 2026-07-04 oder 2026-07-04 18:00 schreiben.',
    dates_swapped: 'valid_until liegt vor valid_from: eines der beiden berichtigen.',
    not_a_date: '{column} ist kein Datum.',
    status_unknown: 'Den Status „{status}“ gibt es nicht: einen von {known} nehmen.',
    order_status_unknown: 'Die Bestellung hat einen unbekannten Status („{status}“): noch einmal abrufen.',
    quantity:
      'Die Anzahl ist „{quantity}“, aber ein Code lässt eine Person ein: eine Liste mit einer Zeile je Person exportieren.',
    row_cut_off: 'Die Datei endet mitten in dieser Zeile: noch einmal herunterladen.',
    cells_many:
      'Die Zeile hat {cells} Zellen, die Kopfzeile {header}: Zellen mit einem Trennzeichen in Anführungszeichen setzen.',
    qr_incomplete: 'Der Code ist nicht vollständig: den ganzen Text des QR-Codes kopieren.',
    position_broken:
      'Dieses Ticket einer Bestellung ist unvollständig: die Bestellungen noch einmal aus pretix abrufen.',
    position_no_secret: 'Das Ticket kam ohne Code: die Bestellungen mit einem Token abrufen, das Codes sehen darf.',
    test_mode: 'Die Bestellung ist aus dem Testmodus. Mit dem Ticket kommt man trotzdem hinein.',
    checked_in: 'Im Shop schon eingecheckt. Das weiß die Box nicht: Mit dem Ticket kommt man noch einmal hinein.',
    mapping_unused: 'Kein Ticket ist „{product}“: die Schreibweise prüfen.',
    left_out_mapped: '„{name}“ wurde ausgelassen, wie gewählt.',
    left_out_extra: '„{name}“ ist kein Ticket, passt zu keiner Ticketart und wurde ausgelassen.',
    text_shortened: 'Ein langer Text wurde gekürzt.',
    answers_left_out: 'Die Antworten sind zu lang und wurden ausgelassen.',
    questions_left_out: 'Die Fragen eines Produkts sind zu lang und wurden ausgelassen.',
    products_many: 'Die Datei nennt mehr als {most} Produkte: Die übrigen haben nur ihren Schlüssel als Namen.',
    columns_unused: 'Nicht benutzte Spalten: {columns}. Bekannt sind {known}.',
    no_status_column: 'Es gibt keine Spalte „{column}“: Erstattete Tickets zählen als gültig.',
    pretix_list:
      'Eine Check-in-Liste von pretix enthält keine gesperrten und stornierten Tickets und keine Gültigkeit: die Bestellungen aus pretix importieren, wenn es darauf ankommt.',
    pretix_export:
      'Dieser Export von pretix enthält keine gesperrten und stornierten Tickets und keine Gültigkeit: die Bestellungen aus pretix importieren, wenn es darauf ankommt.',
    cancelled_left_out: 'Stornierte Tickets fehlen in diesem Export: früher importierte von Hand stornieren.',
    pages_missing: 'Die Datei ist eine Seite von mehreren: auch die anderen abrufen und jede importieren.',
    positions_missing:
      'Stornierte Tickets fehlen: die Bestellungen mit ihnen abrufen, sonst bleiben früher importierte gültig.',
    dates_many:
      'Die Tickets sind für {n} Termine, und alle würden hier einlassen: die Bestellungen eines Termins abrufen.',
    list_never_admits:
      'Die Check-in-Liste „{list}“ in pretix lässt {product} nie ein. Die Box kennt diese Regel nicht: dem Produkt eine Ticketart geben, die dort nicht gilt.',
    list_rules:
      'Die Check-in-Liste „{list}“ in pretix hat Regeln für {product}, die nicht unterstützt werden ({asked}). Einlässe, Zeiten und Zonen der Ticketart genauso einstellen.',
    rules_more:
      'Für dieses Produkt gelten noch mehr Regeln von Check-in-Listen in pretix: Genannt sind nur die ersten tausend.',
    not_utf8: 'Die Datei ist nicht UTF-8 und wurde als Windows-1252 gelesen: Namen mit Umlauten prüfen.',
    columns_not_kept:
      'Die Zuordnung der Spalten wurde nicht für die nächste Datei gespeichert: Die Box kann nicht in ihren Veranstaltungsordner schreiben.',
    columns_unreadable:
      'Die Zuordnungen früherer Dateien sind nicht lesbar und wurden nicht benutzt: columns.json im Veranstaltungsordner berichtigen oder löschen.',
  },
}
