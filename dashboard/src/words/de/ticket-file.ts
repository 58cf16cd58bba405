/** Sentences about a ticket file of which nothing can be used, or nothing was, in German. */
import type { BoxWords } from '../said.ts'

export const ticketFileWords: BoxWords['file'] = {
  no_header:
    'Die erste Zeile ist keine Tabellenzeile: die Tickets als CSV mit Kopfzeile exportieren, oder aus pretix als JSON.',
  header_is_ticket: 'Die erste Zeile sieht aus wie ein Ticket: darüber eine Zeile mit den Namen der Spalten einfügen.',
  quote_open:
    'Das Anführungszeichen der Zelle in Zeile {line} wird nie geschlossen: schließen oder die Datei noch einmal exportieren.',
  quote_inside:
    'In der Zelle in Zeile {line} steht ein Anführungszeichen: verdoppeln ("") und die Zelle in Anführungszeichen setzen, oder entfernen.',
  web_page: 'Das ist eine Webseite oder XML: im Shop neu anmelden und die Tickets als CSV exportieren.',
  no_ticket: 'In der Datei ist kein Ticket: noch einmal exportieren.',
  json_as_csv:
    'Das ist eine JSON-Datei, und {format} wird als CSV gelesen: als Format „Erkennen“ wählen, oder die CSV-Datei.',
  json_broken: 'Die Datei beginnt wie JSON, ist aber kaputt, vielleicht abgeschnitten: noch einmal herunterladen.',
  other_format: 'Die Datei sieht nicht nach {format} aus, sondern nach {formats}: als Format „Erkennen“ wählen.',
  columns_many:
    'Die Datei hat {columns} Spalten, und höchstens {most} lassen sich zuordnen: die entfernen, die kein Tor braucht.',
  column_english:
    'Diesem Export von {shop} fehlt die Spalte „{column}“: noch einmal exportieren, mit {shop} auf Englisch.',
  column_absent:
    'Diesem Export von {shop} fehlt die Spalte „{column}“: bei {shop} dazunehmen und noch einmal exportieren.',
  column_full_code:
    'alf.io exportiert nur die Hälfte dessen, was auf den Tickets steht: eine Spalte „{column}“ mit dem vollen Text jedes QR-Codes hinzufügen.',
  column_barcode:
    'Die Spalte „{column}“ fehlt: bei Eventbrite in den Teilnehmerbericht aufnehmen (nicht in den Bestellbericht) und auf Englisch exportieren.',
  column_secret:
    'Die Spalte „{column}“ fehlt: die Check-in-Liste noch einmal mit „Include QR-code secret“ und pretix auf Englisch exportieren, oder die Bestellungen als JSON.',
  column_needed: 'Der Datei fehlt die Spalte „{column}“: hinzufügen. Ein Ticket braucht mindestens „code“ und „tier“.',
  no_orders: 'In der Datei sind keine Bestellungen: noch einmal aus pretix abrufen.',
  not_an_order:
    'Eintrag {entry} der JSON-Datei stammt nicht von pretix: die Bestellungen der Veranstaltung aus dessen API abrufen (.../orders/).',
  tickets_busy:
    'Nichts importiert: Etwas anderes hat diese Tickets ständig geändert. Warten, bis der andere Import oder der Shop fertig ist, dann noch einmal versuchen.',
  interrupted: 'Der Import wurde unterbrochen, nichts wurde importiert: die Datei noch einmal importieren.',
  tiers_timed_out:
    'Die Datei durchzusehen dauert zu lange: ohne sie beginnen und sie importieren, wenn die Veranstaltung angelegt ist.',
}
