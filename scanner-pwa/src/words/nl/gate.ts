/** The sentences of the scanner's core, in Dutch. */
import type { gateWords as English } from '../en/gate.ts'
import { speech } from './speech.ts'

const { count, duration } = speech

export const gateWords: typeof English = {
  invite: {
    notOne: 'Dit is geen Gatehouse-uitnodiging. Scan de QR-code in de controlekamer, of kopieer de hele link.',
    elsewhere: (address) =>
      `Deze uitnodiging is voor een andere box. Open ${address} op deze telefoon en scan hem daar opnieuw.`,
    otherBox:
      'Deze uitnodiging is voor een ander evenement. Controleer of deze telefoon op het juiste netwerk zit. Koppel hem hier niet.',
    expired: 'Deze uitnodiging is verlopen. Vraag de controlekamer om een nieuwe.',
    unreachable: 'De box antwoordt niet. Verbind met het netwerk van de box en probeer het opnieuw.',
    paired: 'Deze telefoon is al gekoppeld. Ontkoppel hem eerst.',
    noKeys:
      'Deze browser kan de sleutel van een scanner niet opslaan. Open de uitnodiging in een andere browser, niet in een privévenster.',
  },
  nameMissing: 'Geef deze telefoon een naam die de controlekamer herkent.',
  otherTab: 'De scanner staat open in een ander tabblad of venster. Sluit dat en probeer het opnieuw.',
  unpairUnsent: (unsent) =>
    `${count(unsent, { one: 'Eén scan heeft', other: '# scans hebben' })} de box nog niet bereikt. Breng de telefoon eerst terug op het netwerk.`,
  noCheckpoint: 'Kies eerst je controlepunt.',
  waitingUnreachable: 'Niet verstuurd: de box antwoordt niet. Probeer het later, of gebruik de portofoon.',
  reportUnreachable: 'Niet verstuurd: de box antwoordt niet. Gebruik de portofoon.',
  notPaired: 'Deze telefoon is niet gekoppeld. Open eerst een uitnodiging.',
  ended: {
    device_revoked: 'Deze scanner is buiten dienst gesteld. Breng hem naar de controlekamer.',
    other: 'De box herkent deze scanner niet meer. Vraag de controlekamer om een nieuwe uitnodiging en koppel opnieuw.',
    certificate:
      'Het certificaat van deze scanner is verlopen. Vraag de controlekamer om een nieuwe uitnodiging en koppel opnieuw.',
  },
  offline: {
    noList:
      'Geen ticketlijst op deze telefoon, en de box antwoordt niet. Gebruik een andere scanner, of breng deze binnen bereik van het netwerk.',
    otherEvent:
      'De ticketlijst op deze telefoon is van een ander evenement. Gebruik een andere scanner en koppel deze opnieuw.',
    used: 'Al gebruikt; waar en wanneer is offline niet bekend. Stuur door naar de ticketbalie.',
    elsewhere: 'Niet voor deze poort. Vraag de controlekamer waar dit ticket heen moet.',
    everyGateHeld: 'de toegang is gestopt bij alle poorten voor dit ticket, voor zover deze telefoon weet',
    notValid:
      'Niet meer geldig: geannuleerd, niet betaald of op een andere telefoon gezet. Stuur door naar de ticketbalie.',
    diskFull:
      'Deze telefoon is vol en kan niets vastleggen. Laat er niemand mee binnen: maak ruimte vrij of gebruik een andere telefoon.',
  },
  noCode: 'Dit is geen ticket. Probeer de code nog eens. Lukt het niet: stuur door naar de ticketbalie.',
  details: {
    gone: 'Niet meer open op deze telefoon. Scan het ticket opnieuw.',
    unreachable: 'Hiervoor is de box nodig, en die antwoordt niet. Probeer het als hij terug is.',
    wrong: (question, problem = 'Antwoord opnieuw.') => `‘${question}’: ${problem}`,
    nobody: 'Niemand anders van deze bestelling mag hier nu naar binnen. Scan hun eigen tickets om te zien waarom.',
  },
  lookUp: {
    unreachable:
      'Voor opzoeken is de box nodig, en die antwoordt niet. Probeer het later, of stuur door naar de ticketbalie.',
    who: 'Meld je eerst aan onder Dienst: elke zoekactie wordt met een naam vastgelegd.',
  },
  overrides: {
    unreachable: 'Hiervoor is de box nodig, en die antwoordt niet. Probeer het als hij terug is.',
    unsent: 'De box heeft deze scan nog niet. Wacht tot hij verstuurd is en probeer het opnieuw.',
    scanner: 'de scanner',
    tooLate: 'Het antwoord kwam te laat. Deze persoon is weggestuurd.',
    who: 'Meld je eerst aan onder Dienst: er wordt vastgelegd wie besliste.',
  },
  preflight: {
    clock: {
      unknown: 'nog niet vergeleken met de box',
      off: (ms) => `${duration(Math.abs(ms))} ${ms > 0 ? 'achter' : 'voor'} op de box`,
      fine: 'gelijk met de box',
      remedy: 'Zet datum en tijd van deze telefoon op automatisch.',
      measure: 'Verbind met het netwerk van de box om de klokken te vergelijken.',
    },
    manifest: {
      none: 'geen ticketlijst',
      is: (tickets, version, ageMs) =>
        `${count(tickets, { one: '# ticket', other: '# tickets' })}, versie ${version}, ${ageMs < 60_000 ? 'actueel' : `${duration(ageMs)} oud`}`,
      remedy: 'Blijf op het netwerk van de box tot de ticketlijst actueel is.',
    },
    certificate: {
      left: (ms) => (ms > 0 ? `nog ${duration(ms)}` : 'verlopen'),
      remedy: 'Vraag de controlekamer om een nieuwe uitnodiging en koppel opnieuw.',
    },
    storage: {
      asking: 'deze browser vraagt of hij gegevens mag bewaren',
      kept: 'deze telefoon bewaart wat is opgeslagen',
      notKept:
        'deze telefoon kan niet-verstuurde scans wissen: als de ruimte opraakt, in een privévenster of na een week zonder gebruik',
      unknown: 'deze browser zegt niet of hij niet-verstuurde scans bewaart',
      small: (mb) =>
        `deze browser geeft de app maar ${mb} MB, zoals een privévenster: niet-verstuurde scans passen er misschien niet in`,
      smallRemedy: 'Open de app in een gewoon venster of maak ruimte vrij op deze telefoon.',
      remedy: 'Zet deze app op het beginscherm en open hem daar.',
    },
    boxes: {
      ready: (names) => `valt deze box uit, dan gebruikt deze telefoon ${names}`,
      silent: (names) => `geen antwoord van ${names}`,
      silentRemedy: (address) =>
        `Open ${address} één keer in deze browser en vertrouw het, zoals bij de eerste box. Gaat het niet open, meld het dan aan de controlekamer.`,
      later: (names) => `erbij gekomen na het openen van deze app: ${names}`,
      laterRemedy: 'Herstart deze app via Opties om die te kunnen gebruiken.',
    },
    link: {
      reachable: 'de box antwoordt',
      offline: 'de box antwoordt niet',
      remedy: 'Verbind met het netwerk van de box.',
    },
  },
}
