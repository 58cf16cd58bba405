/** Sentences about a pretix that cannot be read, told or connected, in Dutch. */
import type { BoxWords } from '../said.ts'

export const pretixWords: BoxWords['pretix'] = {
  says: 'pretix zegt: ‘{words}’.',
  certificate_name:
    'Het certificaat van {host} is voor een andere naam: gebruik het adres dat erin staat, of verbeter het.',
  certificate_time:
    'Het certificaat van {host} is nu niet geldig ({why}): vernieuw het, of zet de klok van de box goed.',
  certificate_unknown:
    'De box vertrouwt de instantie niet die het certificaat van {host} ondertekende ({why}): is het een eigen instantie, geef dan bij het verbinden haar PEM-bestand.',
  no_address: '{host} is niet te vinden: controleer het adres en de DNS van de box.',
  port_closed: 'Op {host} antwoordt niets: controleer of pretix draait, en de poort.',
  no_answer: '{host} is niet bereikbaar ({why}): controleer het netwerk.',
  timed_out: '{host} had na {minutes} minuten nog niet alles gestuurd: probeer het later opnieuw.',
  token_refused:
    'pretix accepteert het token niet: maak daar een nieuw en verbind opnieuw. Wat bij de poorten gebeurt, wacht zolang.',
  token_forbidden:
    'Het token mag {path} niet gebruiken: geef het team of apparaat dat recht in pretix (bestellingen inzien, check-ins), of verbind met een ander token.',
  token_no_checkins:
    'Het token mag geen check-ins schrijven: geef het team het recht om in te checken, of het apparaat het profiel ‘full’. Wat gebeurd is, wacht zolang.',
  token_no_organizer: 'Het token ziet geen organisator: geef het team of apparaat toegang in pretix.',
  token_no_event: 'Het token ziet geen evenement: geef het team of apparaat toegang in pretix.',
  token_missing: 'Het token ontbreekt, en de box heeft er geen voor dit adres: vul het in.',
  token_of_device:
    'pretix kent dit apparaattoken niet, of het is al gebruikt: maak in pretix een nieuw apparaat en gebruik dat token.',
  busy: 'pretix is overbelast. De box vraagt het zo opnieuw.',
  busy_ask_again: 'pretix is overbelast: probeer het over een minuut opnieuw.',
  fails: 'pretix heeft zelf een probleem (HTTP {status}). De box vraagt het zo opnieuw.',
  fails_ask_again: 'pretix heeft zelf een probleem (HTTP {status}): probeer het later opnieuw.',
  redirects: '{host} leidt naar een ander adres: verbind met dat adres.',
  not_pretix:
    'Op {host} antwoordt iets anders dan pretix (HTTP {status}): controleer het adres, en of er een proxy of inlogpagina voor staat.',
  not_json: 'Een antwoord kwam niet van pretix (HTTP {status}): kijk wat er voor pretix staat.',
  not_there:
    'pretix heeft geen {path}, of het token ziet het niet: controleer de namen en wat het team of apparaat mag gebruiken.',
  not_taken: 'pretix neemt {path} niet aan (HTTP {status}).',
  list_too_long: '{host} heeft onder {path} meer dan {most} regels: zoveel kan de box niet aan.',
  address_strange: 'Dit is geen webadres: schrijf het als https://pretix.example.',
  address_more: 'Er staat te veel in het adres: schrijf het als https://pretix.example, zonder gebruiker, ? en #.',
  address_http: 'Met http kan het netwerk het token zien: schrijf het adres met https.',
  no_dates: 'Dit evenement heeft geen datums om uit te kiezen.',
  series_empty: 'De reeks heeft nog geen datums: voeg ze eerst toe in pretix.',
  date_unknown: 'De reeks heeft geen datum {date}. Kies een van deze: {dates}.',
  list_gone:
    'De inchecklijst {list} bestaat niet meer in pretix: kies in pretix.yaml een andere voor de controlepunten.',
  event_gone: 'pretix kent dit evenement niet meer: verbind het opnieuw. Wat bij de poorten gebeurd is, wacht zolang.',
  other_shop:
    'Deze box volgt al de database van een shop (shop.yaml) en neemt er maar één: verwijder eerst dat bestand, of gebruik een andere box.',
  connection_damaged: 'Het bestand van de verbinding is beschadigd: verbind pretix opnieuw.',
  authority_unreadable: 'Het bestand van de instantie is niet te lezen ({why}): {path}.',
  authority_missing:
    'In dit bestand zit geen certificaat: kies het PEM-bestand van de instantie die dat van pretix ondertekende.',
  event_not_proposed: 'Met wat er in pretix staat, lukt geen evenement: maak het eerst op het scherm Evenement.',
  box_fails: 'De box kon niet overnemen wat pretix stuurt: de reden staat in zijn logbestand.',
  box_cannot_write: 'De box kan zijn bestanden niet schrijven ({why}): kijk naar zijn mappen en schijf.',
}
