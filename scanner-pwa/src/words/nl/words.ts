/** Text read while scanning, in Dutch: the frame of the app, the viewfinder, notices, verdicts, reports. */
import type { words as English } from '../en/words.ts'
import { speech } from './speech.ts'

const { clock, count, short: duration } = speech

export const words: typeof English = {
  title: 'Gatehouse Scanner',
  opening: 'Openen…',
  doesNotOpen: 'De scanner start niet op deze telefoon. Sluit hem en open hem opnieuw.',
  again: 'Opnieuw proberen',
  cancel: 'Annuleren',
  close: 'Sluiten',
  back: 'Terug',
  dismiss: 'Verbergen',
  unexpected: 'Dat lukte niet. Probeer het opnieuw.',
  rehearsal: 'Proef: niemand wordt geteld',

  nav: { label: 'Schermen', scan: 'Scan', recent: 'Laatste', shift: 'Dienst', settings: 'Opties' },

  link: {
    reachable: 'Online',
    neverHeard: 'Offline',
    away: (box) => `Bij ${box}`,
    offline: (ms) => `Offline ${duration(ms)}`,
    unsent: (n) => (n === 0 ? 'Alles verstuurd' : `${n} niet verstuurd`),
  },

  camera: {
    viewfinder: 'Camerabeeld',
    opening: 'Camera wordt geopend.',
    switch: 'Andere camera',
    automatic: 'Achtercamera',
    numbered: (n) => `Camera ${n}`,
    torchOn: 'Lamp aan',
    torchOff: 'Lamp uit',
    open: 'Camera openen',
    reader: {
      absent: 'De QR-lezer staat nog niet op deze telefoon. Verbind met het netwerk van de box, en typ codes tot dan.',
      stopped: 'De QR-lezer is gestopt en herstart. Typ de code als het lang duurt.',
    },
    trouble: {
      denied: {
        what: 'De camera is geblokkeerd.',
        remedy:
          'Sta hem toe voor deze pagina: via het slot of de camera naast het adres, of in de instellingen van de telefoon voor deze browser.',
      },
      absent: { what: 'Geen camera gevonden.', remedy: 'Sluit er een aan, gebruik een handscanner of typ de code.' },
      busy: { what: 'Een andere app gebruikt de camera.', remedy: 'Sluit die app en open de camera hier.' },
      lost: { what: 'De camera is gestopt.', remedy: 'Hij start vanzelf weer. Zo niet, druk dan op de knop.' },
      insecure: {
        what: 'Deze pagina mag geen camera gebruiken.',
        remedy: 'Open die met https://, zoals in de uitnodiging.',
      },
      unknown: {
        what: 'De camera kan niet worden geopend.',
        remedy: 'Druk op de knop. Lukt het weer niet, herstart dan de telefoon.',
      },
    },
    wedgeWorks: 'Handscanners en getypte codes werken nog.',
  },

  scan: {
    title: 'Scannen',
    change: 'Ander controlepunt',
    type: 'Code typen',
    typeTitle: 'Typ de code',
    typeLabel: 'Code zoals op het ticket',
    typeSubmit: 'Code controleren',
    lookUp: 'Opzoeken',
    lookUpLong: 'Ticket op naam opzoeken',
    report: 'Melden',
    reportLong: 'Incident melden',
    last: 'Laatste scan',
    none: 'Nog niets gescand',
    tapForSound: 'Tik voor geluid',
    failed: 'Geen antwoord op die code. Scan opnieuw.',
    notices: 'Berichten',
  },

  notice: {
    hold: (gate) => `${gate}: toegang gestopt`,
    holdUntil: (ms) => `Tot ${clock(ms)}.`,
    stale: (ms) => `Ticketlijst is ${duration(ms)} oud`,
    staleText: 'Nieuwere tickets en annuleringen zijn hier onbekend. Breng deze telefoon terug op het netwerk.',
    noList: 'Geen ticketlijst op deze telefoon',
    noListText: 'Offline kan hij geen tickets controleren. Breng hem binnen bereik van het netwerk.',
    offline: (ms) =>
      ms === null ? 'Offline: deze telefoon beslist' : `${duration(ms)} offline: deze telefoon beslist`,
    offlineText: 'Blijf scannen. Scans worden verstuurd als de box terug is.',
    away: (box) => `Je box ligt eruit: ${box} antwoordt`,
    awayText: 'Blijf scannen. Deze telefoon schakelt vanzelf terug.',
    joined: (box) => `Nieuwe box: ${box}`,
    joinedText:
      'Herstart deze app op een rustig moment via Opties. Dan kan hij deze box gebruiken als de jouwe uitvalt.',
    doubles: (n) => count(n, { one: 'Een ticket is dubbel gebruikt', other: '# tickets zijn dubbel gebruikt' }),
    doublesText: 'Hier offline binnengelaten, en ook elders gebruikt.',
    aside: (n) => count(n, { one: 'De box keurde een scan af', other: 'De box keurde # scans af' }),
    asideText: 'Offline binnengelaten, op deze telefoon bewaard. Meld het aan de controlekamer.',
    look: 'Openen',
    more: (n) => `+${n}`,
    emergency: (kind, where) => `${kind} bij ${where}`,
    emergencyText: 'Gemeld door een andere scanner.',
    announcement: { info: 'Bericht', warning: 'Waarschuwing', emergency: 'Noodgeval' },
    dismissNamed: (what) => `Verbergen: ${what}`,
  },

  verdict: {
    label: 'Uitslag',
    next: 'Volgende',
    waiting: (n) => `nog ${n} wachtend`,
    confirmed: 'Bevestigd door de box',
    confirmedBy: (box) => `Bevestigd door ${box}`,
    provisional: 'Voorlopig: niet bevestigd door de andere boxen',
    provisionalSince: (boxes, ms) =>
      ms === null
        ? `Voorlopig: nog geen contact met ${boxes}`
        : `Voorlopig: al ${duration(ms)} geen contact met ${boxes}`,
    moreBoxes: (n) => `nog ${n}`,
    provisionalBy: (box, why) => `${why}. Antwoord van ${box}`,
    offline: (ms) =>
      ms === undefined ? 'Offline: deze telefoon beslist' : `${duration(ms)} offline: deze telefoon beslist`,
    class: {
      admit: 'Naar binnen',
      exit: 'Vertrek',
      used: 'Al gebruikt',
      elsewhere: 'Andere poort',
      'not-now': 'Niet nu',
      stale: 'Code te oud',
      invalid: 'Ongeldig',
      revoked: 'Ingetrokken',
      supervisor: 'Vraag supervisor',
    },
    yours: 'Jij beslist',
    held: 'Toegang gestopt',
    clockOff: 'Telefoonklok klopt niet',
    undone: 'Teruggedraaid',
    failed: 'Niet beslist',
    failedSure: 'Niets gecontroleerd',
    entry: (n) => `${n}e keer`,
    undo: 'Terugdraaien',
    undoTitle: 'Deze toegang terugdraaien',
    undoText: 'Het ticket kan weer worden gebruikt. De controlekamer ziet wie het deed en waarom.',
    undoReasons: ['Per ongeluk gescand', 'Niet naar binnen gegaan', 'Verkeerde persoon'],
    admit: 'Toch binnenlaten',
    admitTitle: 'Binnenlaten als supervisor',
    admitText: 'De reden wordt vastgelegd.',
    admitReasons: [
      'Ticket met de hand gecontroleerd',
      'Was even naar buiten',
      'Telefoon of code kapot',
      'Eerdere fout van medewerker',
    ],
    reason: 'Reden',
    admitSubmit: 'Binnenlaten',
    undoSubmit: 'Terugdraaien',
  },

  incidents: {
    title: 'Melden',
    lead: 'Druk één keer: de controlekamer wordt opgeroepen.',
    kinds: {
      crush: 'Gedrang',
      medical: 'EHBO',
      need_staff: 'Crew nodig',
      fire: 'Brand',
      security: 'Beveiliging',
      lost_child: 'Kind kwijt',
      access: 'Rolstoel',
      equipment: 'Techniek',
    },
    note: 'Notitie erbij (optioneel)',
    noteHint: 'Waar precies, wat je ziet. Geen namen. Schrijf het voordat je drukt.',
    sending: 'Versturen…',
    notSent: 'NIET VERSTUURD. Gebruik de portofoon.',
    notSentText: 'Deze telefoon blijft het proberen en zegt hier wanneer de melding is aangekomen.',
    refused: (why) => `De box nam het niet aan: ${why}`,
    received: 'Ontvangen. Nog door niemand gezien.',
    receivedText: 'De controlekamer wordt opgeroepen tot iemand antwoordt.',
    seen: 'Gezien door de controlekamer.',
    named: (kind, state) => `${kind}: ${state}`,
    own: 'Jouw meldingen',
    ownNone: 'Nog geen meldingen.',
    addNote: 'Notitie toevoegen',
    noteLater: 'Notitie voor de controlekamer',
    noNames: 'Waar precies, wat er veranderd is. Geen namen.',
    sendNote: 'Notitie versturen',
    withdraw: 'Intrekken',
    withdrawTitle: (kind) => `‘${kind}’ intrekken?`,
    withdrawText: 'De controlekamer ziet een vals alarm. Er komt niemand.',
    here: 'Door anderen gemeld bij deze poort',
    elsewhere: 'Noodgevallen elders',
    waiting: 'Hoeveel mensen wachten hier?',
    waitingHint: 'Een ruwe schatting helpt de controlekamer om mensen naar een kortere rij te sturen.',
    people: (count) => (count === 0 ? 'Niemand' : `Ongeveer ${count}`),
    waitingSent: (count) => (count === 0 ? 'Verstuurd: er wacht niemand.' : `Verstuurd: ongeveer ${count} wachtenden.`),
    ticks: { pressed: 'Gedrukt', received: 'Ontvangen', seen: 'Gezien' },
    state: (state, assignee, actor) => {
      switch (state) {
        case 'acknowledged':
          return actor ? `Gezien door ${actor}.` : 'Gezien door de controlekamer.'
        case 'assigned':
          return assignee ? `Onderweg: ${assignee}.` : 'Hulp is onderweg.'
        case 'resolved':
          return 'Opgelost.'
        case 'cancelled':
          return 'Gesloten als vals alarm.'
        default:
          return 'Nog door niemand gezien.'
      }
    },
    withdrawn: 'Ingetrokken bij de poort.',
    reason: (reason) => `‘${reason}’`,
    pressedAndReceived: (pressed, received) => `gedrukt ${pressed}, ontvangen ${received}`,
  },
}
