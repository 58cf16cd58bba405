/** Sentences for the codes that the box sends, in Dutch. */
import { settingWords } from '@gatehouse/proto/setting-words/nl.ts'
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
    in_contact: 'De boxen hebben contact.',
    forced: 'De controlekamer heeft dit afgedwongen.',
    votes_unreachable: 'De meeste boxen die beslissen, antwoorden niet.',
    authority_unknown: 'Misschien beslist intussen een andere box.',
    voters_unsynced: 'De boxen die beslissen, bevestigen niet dat ze opslaan voordat ze antwoorden.',
    backfilling: 'De boxen die beslissen, krijgen nu door wie er binnen is.',
    confirming: {
      one: '# binnengelaten ticket wordt nog met de andere boxen bevestigd.',
      other: '# binnengelaten tickets worden nog met de andere boxen bevestigd.',
    },
    arriving: 'Er komen nog gegevens van de andere boxen binnen.',
    settling: 'De boxen hebben weer contact. Deze wacht tien seconden om zeker te zijn.',
    refused: 'Deze box kan niet gebruiken wat {name} stuurt.',
    refused_more: { one: 'Dat geldt ook voor nog # box.', other: 'Dat geldt ook voor nog # boxen.' },
    silent: '{name}: al {for_ms} geen contact.',
    silent_since_start: '{name}: geen contact sinds deze box draait.',
    silent_more: { one: 'Nog # box heeft geen contact.', other: 'Nog # boxen hebben geen contact.' },
    no_server:
      'Op deze box draait geen nats-server: installeer het pakket nats-server of stel GATEHOUSE_NATS_SERVER in.',
    server_fails: 'De nats-server van deze box start niet.',
  },
  peer: {
    not_signed:
      'De berichten zijn niet ondertekend. Heeft die box een oudere versie, werk hem dan bij. Zo niet, dan gebruikt een ander apparaat zijn naam.',
    stranger: 'Een apparaat dat niet op de lijst met boxen staat, antwoordt in zijn plaats: zoek uit welk.',
    forged: 'Een ander apparaat antwoordt in zijn plaats: zoek uit welk.',
    other_key:
      'De berichten zijn versleuteld voor een andere lijst met boxen. Ze zijn te lezen zodra beide dezelfde lijst hebben.',
    misshapen: 'Deze box kan niet lezen wat die stuurt. Verschillen de versies, werk dan de oudste bij.',
    history_changed:
      'Die box heeft regels gewijzigd die al verstuurd waren: bewaar de gegevens en controleer het register.',
    not_applied: 'Deze box kan de regels van de andere niet verwerken. De reden staat in het logbestand van deze box.',
    copy_refused: 'De kopie van zijn register die {name} heeft, wordt geweigerd.',
    seal_unsigned: 'Zijn zegel is niet met zijn sleutel ondertekend.',
    seal_differs: {
      one: 'Het zegel over # regel klopt niet met wat die box stuurde.',
      other: 'Het zegel over # regels klopt niet met wat die box stuurde.',
    },
    two_seals: {
      one: 'Die box heeft twee verschillende zegels over # regel ondertekend.',
      other: 'Die box heeft twee verschillende zegels over # regels ondertekend.',
    },
    other_event: 'Die box heeft een ander evenementbestand: geef beide hetzelfde en herstart die met het oudste.',
  },
  boxes: {
    box_alone: 'Deze box is alleen: er is geen andere.',
    box_unlisted: 'Box {name} staat niet meer in de lijst: bekijk de lijst opnieuw.',
    last_box: 'De laatste box van een evenement kan niet worden verwijderd.',
    box_outdated: '{name} heeft een oudere versie, die niets versleutelt: werk die eerst bij.',
    votes_already: '{name} beslist al mee.',
    in_data_centre: '{name} staat in een datacenter: boxen die beslissen moeten op het terrein zijn.',
    no_vote: '{name} beslist niet mee: er valt niets te vervangen.',
  },
  staff: staffRefusalWords,
  acts: actRefusalWords,
  incident: {
    withdrawn: 'Ingetrokken bij de poort.',
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
    code_missing: 'De rij heeft geen code: vul die in of verwijder de rij.',
    code_rounded: 'Een spreadsheet heeft de code afgerond (1.2E+15): gebruik het bestand zoals de shop het exporteert.',
    code_error:
      'Een spreadsheet heeft de code vervangen door een fout of door ####: gebruik het bestand zoals de shop het exporteert.',
    code_decimals: 'De code eindigt op decimalen (123.0): exporteer hem als tekst.',
    code_is_date:
      'Een spreadsheet heeft van de code een datum gemaakt: gebruik het bestand zoals de shop het exporteert.',
    code_apostrophe:
      'De code begint met een apostrof uit een spreadsheet: haal die weg of exporteer de code als tekst.',
    code_rotating: 'Deze code wisselt om de paar seconden (G1:): importeer de code die de shop heeft afgedrukt.',
    code_lost_characters: 'Bij het opslaan zijn tekens van de code verloren gegaan: exporteer opnieuw als CSV UTF-8.',
    code_invisible: 'In de code zit een onzichtbaar teken: haal het weg.',
    code_too_long: 'De code is langer dan {bytes} bytes, te lang om te scannen: controleer de kolom.',
    code_formula: 'De code stond er als formule (="...") en is zonder gelezen.',
    code_blanks: 'Spaties rond de code zijn weggehaald.',
    code_scanner_marks: 'Wat een scanner aan een code toevoegt (]Q1, stuurtekens) is weggehaald.',
    code_twice: 'Rij {row} heeft dezelfde code: verwijder een van de twee.',
    digits_rounded:
      'Alle lange codes eindigen op nullen, afgerond door een spreadsheet: gebruik het bestand zoals de shop het exporteert.',
    digits_short: 'De code is korter dan de andere en geen begint met 0: vergelijk hem met een afgedrukt ticket.',
    tier_missing: 'De rij noemt geen ticketsoort: vul een van {tiers} in.',
    no_tier: '‘{name}’ past bij geen ticketsoort.',
    date_unreadable: '{column} ‘{text}’ is geen datum: schrijf 2026-07-04 of 2026-07-04 18:00.',
    dates_swapped: 'valid_until ligt voor valid_from: verbeter een van de twee.',
    not_a_date: '{column} is geen datum.',
    status_unknown: 'De status ‘{status}’ bestaat niet: gebruik een van {known}.',
    order_status_unknown: 'De bestelling heeft een onbekende status (‘{status}’): haal die opnieuw op.',
    quantity:
      'Het aantal is ‘{quantity}’, maar een code laat één persoon binnen: exporteer een lijst met een rij per persoon.',
    row_cut_off: 'Het bestand eindigt midden in deze rij: download het opnieuw.',
    cells_many:
      'De rij heeft {cells} cellen en de kop {header}: zet cellen met een scheidingsteken tussen aanhalingstekens.',
    qr_incomplete: 'De code is niet volledig: kopieer de hele tekst van de QR-code.',
    position_broken: 'Dit ticket van een bestelling is onvolledig: haal de bestellingen opnieuw uit pretix.',
    position_no_secret: 'Het ticket kwam zonder code: haal de bestellingen op met een token dat codes mag zien.',
    test_mode: 'De bestelling is in testmodus gemaakt. Met het ticket kom je toch binnen.',
    checked_in: 'Al ingecheckt in de shop. De box weet dat niet en laat het ticket toe.',
    mapping_unused: 'Geen ticket is ‘{product}’: controleer de spelling.',
    left_out_mapped: '‘{name}’ is weggelaten, zoals gekozen.',
    left_out_extra: '‘{name}’ is geen ticket, past bij geen ticketsoort en is weggelaten.',
    text_shortened: 'Een lange tekst is ingekort.',
    answers_left_out: 'De antwoorden zijn te lang en zijn weggelaten.',
    questions_left_out: 'De vragen van een product zijn te lang en zijn weggelaten.',
    products_many: 'Het bestand noemt meer dan {most} producten: de andere hebben alleen hun sleutel als naam.',
    columns_unused: 'Niet gebruikte kolommen: {columns}. Bekend zijn {known}.',
    no_status_column: 'Er is geen kolom ‘{column}’: terugbetaalde tickets tellen als geldig.',
    pretix_list:
      'Een inchecklijst van pretix heeft geen geblokkeerde of geannuleerde tickets en geen geldigheidsperiode: heb je die nodig, importeer dan de bestellingen uit pretix.',
    pretix_export:
      'Deze export van pretix heeft geen geblokkeerde of geannuleerde tickets en geen geldigheidsperiode: heb je die nodig, importeer dan de bestellingen uit pretix.',
    cancelled_left_out: 'Geannuleerde tickets ontbreken in deze export: trek eerder geïmporteerde met de hand in.',
    pages_missing: 'Het bestand is maar één van de pagina’s: haal de andere ook op en importeer ze allemaal.',
    positions_missing:
      'Geannuleerde tickets ontbreken: haal de bestellingen daarmee op, anders blijven eerder geïmporteerde geldig.',
    dates_many: 'De tickets zijn voor {n} datums en gelden hier allemaal: haal de bestellingen van één datum op.',
    list_never_admits:
      'De inchecklijst ‘{list}’ van pretix laat {product} nooit binnen. De box kent die regel niet: geef het product een ticketsoort zonder toegang daar.',
    list_rules:
      'De inchecklijst ‘{list}’ van pretix heeft regels voor {product} die niet worden ondersteund ({asked}). Stel toegangen, tijden en zones van de ticketsoort net zo in.',
    rules_more:
      'Er gelden nog meer regels van inchecklijsten van pretix voor dit product: alleen de eerste duizend zijn genoemd.',
    not_utf8: 'Het bestand is geen UTF-8 en is als Windows-1252 gelezen: controleer namen met accenten.',
    columns_not_kept:
      'De gekozen kolommen zijn niet bewaard voor het volgende bestand: de box kan niet in de evenementmap schrijven.',
    columns_unreadable:
      'De kolommen van eerdere bestanden zijn niet te lezen en zijn niet gebruikt: verbeter of verwijder columns.json in de evenementmap.',
  },
}
