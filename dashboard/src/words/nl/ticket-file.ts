/** Sentences about a ticket file of which nothing can be used, or nothing was, in Dutch. */
import type { BoxWords } from '../said.ts'

export const ticketFileWords: BoxWords['file'] = {
  no_header:
    'De eerste regel hoort niet bij een tabel: exporteer de tickets als CSV met een kopregel, of als JSON uit pretix.',
  header_is_ticket: 'De eerste regel lijkt op een ticket: zet er een regel met de namen van de kolommen boven.',
  quote_open:
    'Het aanhalingsteken van de cel op regel {line} wordt nooit gesloten: sluit het of exporteer het bestand opnieuw.',
  quote_inside:
    'In de cel op regel {line} staat een aanhalingsteken: schrijf het dubbel ("") en zet de cel tussen aanhalingstekens, of haal het weg.',
  web_page: 'Dit is een webpagina of XML: log opnieuw in bij de shop en exporteer de tickets als CSV.',
  no_ticket: 'Er staat geen ticket in het bestand: exporteer het opnieuw.',
  json_as_csv:
    'Dit is een JSON-bestand, en {format} wordt als CSV gelezen: kies ‘Herkennen’ als formaat, of het CSV-bestand.',
  json_broken: 'Het bestand begint als JSON maar is kapot, misschien afgekapt: download het opnieuw.',
  other_format: 'Het bestand lijkt niet op {format}, maar op {formats}: kies ‘Herkennen’ als formaat.',
  columns_many:
    'Het bestand heeft {columns} kolommen, en hooguit {most} kunnen worden gekoppeld: haal weg wat geen poort nodig heeft.',
  column_english: 'Deze export van {shop} mist de kolom ‘{column}’: exporteer opnieuw, met {shop} in het Engels.',
  column_absent: 'Deze export van {shop} mist de kolom ‘{column}’: voeg die toe bij {shop} en exporteer opnieuw.',
  column_full_code:
    'De export van alf.io bevat maar de helft van wat de tickets tonen: voeg een kolom ‘{column}’ toe met de volledige tekst van elke QR-code.',
  column_barcode:
    'De kolom ‘{column}’ ontbreekt: voeg die bij Eventbrite toe aan het deelnemersrapport (niet aan dat van de bestellingen) en exporteer in het Engels.',
  column_secret:
    'De kolom ‘{column}’ ontbreekt: exporteer de inchecklijst opnieuw met ‘Include QR-code secret’ aan en pretix in het Engels, of de bestellingen als JSON.',
  column_needed:
    'Het bestand mist de kolom ‘{column}’: voeg die toe. Een ticket heeft minstens ‘code’ en ‘tier’ nodig.',
  no_orders: 'Er staan geen bestellingen in het bestand: haal ze opnieuw op uit pretix.',
  not_an_order:
    'Item {entry} van het JSON-bestand is niet van pretix: haal de bestellingen van het evenement op via de API (.../orders/).',
  tickets_busy:
    'Er is niets geïmporteerd: iets anders bleef deze tickets wijzigen. Wacht tot de andere import of de shop klaar is en probeer het opnieuw.',
  interrupted: 'De import is onderbroken en er is niets geïmporteerd: importeer het bestand opnieuw.',
  tiers_timed_out:
    'Het doorzoeken van dit bestand duurt te lang: begin zonder en importeer het als het evenement er is.',
}
