/** The sentences of the screen of the machine, in Dutch. */
import type { applianceWords as English } from '../en/appliance.ts'
import { actionWords as actions } from './actions.ts'
import { speech } from './speech.ts'

export const applianceWords: typeof English = {
  title: 'Machine',
  lead: 'De machine waarop de box draait: instellingen, klok, software, back-ups.',
  none: 'Deze box draait niet op de appliance. Klok, software en back-ups zijn die van de machine waarop hij draait.',
  loading: 'Wachten op de machine…',
  again: 'Opnieuw proberen',

  settings: 'Instellingen',
  fine: 'gatehouse.toml heeft geen problemen.',
  problems: (n) =>
    speech.count(n, {
      one: '# regel van gatehouse.toml is niet gebruikt',
      other: '# regels van gatehouse.toml zijn niet gebruikt',
    }),
  line: (n) => `Regel ${n}`,
  correct:
    'De box draait zonder. Corrigeer het bestand op de kaart met een computer, zet de kaart terug en zet de box aan.',

  machine: 'Machine',
  facts: { room: 'Vrije ruimte', temperature: 'Temperatuur', uptime: 'Draait al', clock: 'Klok' },
  room: (free, total) => `${actions.import.size(free)} van ${actions.import.size(total)}`,
  roomLow: 'Neem snel een grotere kaart: zonder ruimte kan niemand worden gescand.',
  degrees: (celsius) => `${Math.round(celsius)} °C`,
  hot: 'Te heet: geef hem lucht.',
  unknown: 'De machine zegt het niet',

  time: 'Klok',
  synced: (source) => (source === null ? 'Gelijkgezet door het netwerk.' : `Gelijkgezet door het netwerk (${source}).`),
  unsynced: 'Niet gelijkgezet door het netwerk. De box telt door en accepteert codes tot twee minuten oud.',
  boxTime: (at) => `De box toont ${at}.`,
  differs: (ms) =>
    `Dat loopt ${actions.time.duration(ms)} ${ms > 0 ? 'achter' : 'voor'} op dit apparaat. Klopt de tijd van dit apparaat?`,
  agrees: 'Dit apparaat toont hetzelfde.',
  setTime: 'Klok van de box gelijkzetten met dit apparaat',
  timeSet: 'De klok is gelijkgezet.',

  software: 'Software',
  slot: (name) => `Slot ${name}`,
  version: (version) => (version === null ? 'leeg' : `versie ${version}`),
  running: 'draait nu',
  next: 'start hierna',
  slotBad: 'startte niet bij de poging',
  none_known: 'De machine zegt niet welke versies hij heeft.',
  states: {
    uploading: (percent) => (percent === null ? 'Update versturen' : `Update versturen, ${percent} %`),
    checking: 'Controleren of de update echt is en voor deze machine',
    installing: (percent) => `Installeren${percent === null ? '' : `, ${percent} %`}. Het scannen gaat door.`,
    ready: (version) =>
      `${version === null ? 'De update' : `Versie ${version}`} is geïnstalleerd en start bij de volgende herstart van de machine.`,
  },
  older: (version) => `Versie ${version} installeren, ook al is die ouder`,
  failed: (reason) => `De update is niet geïnstalleerd. ${reason}`,
  choose: 'Updatebestand',
  chooseHint: 'Eindigt op .update, hoogstens 1 GB. Liefst tussen twee evenementen: versturen houdt de kaart bezig.',
  notUpdate: 'Dit is geen update. Kies het bestand dat eindigt op .update.',
  tooLarge: 'Dit bestand is groter dan 1 GB; zo groot is geen update.',
  send: 'Versturen en installeren',
  sending: 'Update versturen',
  cancel: 'Annuleren',
  unanswered: 'De verbinding viel weg voordat het hele bestand er was. Er is niets veranderd. Verstuur het opnieuw.',
  cancelled: 'Geannuleerd. Er is niets veranderd.',
  stick: 'Op de USB-stick',
  install: (name) => `${name} installeren`,
  restart: 'Nu herstarten',
  restartTitle: 'De machine herstarten?',
  restartText: 'Scanners werken ongeveer een minuut offline en versturen hun scans daarna.',
  restartUpdate: 'De nieuwe versie start. Werkt die niet binnen drie minuten, dan gaat de machine vanzelf terug.',
  restarting: 'De machine herstart. Deze pagina komt vanzelf terug.',
  rollback: (version) => (version === null ? 'Teruggaan' : `Terug naar versie ${version}`),
  rollbackTitle: 'Terug naar de vorige versie?',
  rollbackText:
    'De machine herstart ermee. Tickets en scans blijven zoals ze zijn. Scanners werken ongeveer een minuut offline.',
  unstart: 'Weggooien',
  unstartTitle: 'De nieuwe versie weggooien?',
  unstartText: 'De machine houdt de huidige versie. Installeer de nieuwe opnieuw als je die wilt.',
  unstarted: 'Weggegooid. De huidige versie blijft.',

  backup: 'Back-up',
  backupLead:
    'Alles op deze box, in één bestand. De sleutels van de box zitten erin, dus versleutel het: dan heeft een dief er niets aan. De box bewaart niet wat je hier typt.',
  protect: 'Versleuteling',
  ways: { passphrase: 'Met een wachtzin', recipients: 'Voor age-ontvangers', none: 'Niet versleuteld' },
  passphrase: 'Wachtzin',
  passphraseHint: 'Minstens 12 tekens. Het best zijn vijf of meer willekeurige woorden.',
  strength: {
    short: 'Te kort: minstens 12 tekens.',
    weak: 'Zwak: een dief met het bestand kan blijven raden. Voeg woorden toe.',
    fair: 'Redelijk. Met nog een of twee woorden is hij sterk.',
    strong: 'Sterk, tenzij hij uit een boek of lied komt.',
  },
  passphraseAgain: 'Wachtzin nogmaals',
  passphraseLost: 'Schrijf hem op en bewaar hem apart van het bestand. Zonder kan niemand deze back-up terugzetten.',
  recipients: 'Ontvangers',
  recipientsHint:
    'Eén per regel: age1…, de publieke sleutel die age-keygen toont. Wie een van de geheime sleutels heeft, kan de back-up terugzetten.',
  worth:
    'Wie dit bestand krijgt, heeft de sleutels van de box: die kan iedereen binnenlaten, zich als de box voordoen en in zijn naam ondertekenen. Ook de namen en e-mailadressen van alle tickethouders en de codes van alle tickets zijn leesbaar. Bewaar het zo veilig als de tickets.',
  protectionMistakes: {
    short: 'Geen back-up gemaakt: de wachtzin is te kort. Minstens 12 tekens.',
    control:
      'Geen back-up gemaakt: de wachtzin bevat een tab of een ander teken dat sommige toetsenborden niet kunnen typen.',
    different: 'Geen back-up gemaakt: de wachtzinnen zijn niet gelijk. Typ beide opnieuw.',
    noRecipient: 'Geen back-up gemaakt: vul een ontvanger in (age1…), of kies een wachtzin.',
    notRecipient: 'Geen back-up gemaakt: een ontvanger begint met age1 en heeft een eigen regel. Kopieer hem opnieuw.',
    identity:
      'Geen back-up gemaakt: dit is een geheime sleutel (AGE-SECRET-KEY). Er is niets verstuurd. Gebruik de publieke sleutel, die begint met age1.',
    many: 'Geen back-up gemaakt: een back-up heeft hoogstens 20 ontvangers.',
  },
  download: 'Back-up downloaden',
  downloading: (size) => `Back-up ontvangen, tot nu ${size}`,
  downloaded: (name, size) => `Opgeslagen als ${name}, ${size}.`,
  cutShort: 'De back-up was onvolledig en is niet opgeslagen. Download opnieuw.',
  toStick: 'Back-up op de USB-stick zetten',
  noStick: 'Er zit geen USB-stick in de box. Steek er een in, geformatteerd als FAT32.',
  hasStick: 'Er zit een USB-stick in de box.',
  making: 'De box maakt de back-up. Laat de stick zitten.',
  copying: (percent) => `Naar de stick schrijven${percent === null ? '' : `, ${percent} %`}. Laat hem zitten.`,
  done: (name) => `De back-up staat op de stick${name === null ? '' : ` als ${name}`}. Je kunt hem er nu uithalen.`,
  backupFailed: (reason) => `Er staat geen back-up op de stick. ${reason}`,

  power: 'Herstarten',
  powerLead: 'Helpt als een deel van de machine niet antwoordt. Scanners zijn ongeveer een minuut offline.',
}
