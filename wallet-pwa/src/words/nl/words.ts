/** Text on every screen, and on the ticket's own, in Dutch. */
import type { words as English } from '../en/words.ts'

export const words: typeof English = {
  title: 'Gatehouse Wallet',
  screens: { ticket: 'Ticket', nearby: 'Dichtbij', news: 'Nieuws', more: 'Meer' },
  screensLabel: 'Schermen',
  yourTickets: 'Je tickets',
  ticketName: (number, tier, whose) => (tier === undefined ? `Ticket ${number}` : whose ? `${tier}, ${whose}` : tier),
  unread: (n) => `${n} ongelezen`,
  close: 'Sluiten',
  cancel: 'Niet nu',
  tryAgain: 'Opnieuw proberen',
  add: 'Ticket toevoegen',
  remove: 'Verwijderen',

  live: 'Online',
  asking: 'Verbinden…',
  offline: 'Offline',
  offlineLong: (age) => `Geen verbinding. Je ziet de stand van ${age}. Je code werkt zonder internet.`,
  forgetful:
    'Deze browser slaat niets op. Houd deze pagina open tot je binnen bent, of open je link in een andere browser.',

  justNow: 'zojuist',

  ticket: {
    heading: 'Je ticket',
    opening: 'Je ticket wordt geopend',
    code: 'Ticketcode, verandert elke 15 seconden. Houd hem voor de scanner; druk om te vergroten.',
    codeLarge: 'Ticketcode',
    bright: 'Zet je scherm op volle helderheid en houd het stil.',
    awake: 'Blijf het scherm aanraken, zodat het niet donker wordt.',
    next: (seconds) => `Nieuwe code over ${seconds} s`,
    enlarge: 'tik om te vergroten',
    making: 'Je code wordt gemaakt',
    holder: 'Naam',
    zones: 'Toegang',
    valid: 'Geldig',
    validFrom: (from) => `vanaf ${from}`,
    validUntil: (until) => `tot ${until}`,
    validBetween: (from, until) => `${from} tot ${until}`,
    early: (from) => `Nog niet geldig: geldig vanaf ${from}.`,
    late: (until) => `Verlopen: ${until}.`,
    revoked: {
      title: 'Geannuleerd',
      text: 'De organisator heeft dit ticket geannuleerd. Vraag het bij de ticketbalie of bij degene die het je verkocht.',
    },
    blocked: 'Geblokkeerd door de organisator. Vraag bij de poort naar een supervisor en toon deze code.',
    pending: 'Nog niet betaald. Betaal waar je het kocht, of toon deze code aan een supervisor bij de poort.',
    unknown:
      'Het evenement kent dit ticket niet meer. Wordt de code geweigerd? Vraag de organisator om een nieuwe link.',
    unsigned:
      'Deze telefoon kon zojuist niet bewijzen dat het ticket erop is vastgezet. Wordt de code geweigerd? Vraag naar een supervisor.',
    slow: (by) =>
      `De klok van deze telefoon loopt ${by} achter. Je code houdt er rekening mee, maar zet de tijd op automatisch.`,
    fast: (by) =>
      `De klok van deze telefoon loopt ${by} voor. Je code houdt er rekening mee, maar zet de tijd op automatisch.`,
  },

  trouble: {
    unreachable: {
      title: 'Geen verbinding',
      text: 'De eerste keer heeft een ticket internet nodig. Gebruik de wifi van het terrein of mobiele data; deze pagina probeert het vanzelf opnieuw.',
    },
    unknown: {
      title: 'Deze link werkt niet',
      text: 'Open de link in het bericht van de organisator zelf, geen kopie. Werkt het nog niet? Vraag de organisator om een nieuwe.',
    },
    elsewhere: {
      title: 'Vastgezet op een andere telefoon',
      text: 'Dit ticket is op een andere telefoon vastgezet en opent alleen daar. Was jij dat niet? Laat het vrijgeven door de organisator of de ticketbalie.',
    },
    keyDeleted: {
      title: 'De sleutel van dit ticket is weg',
      text: 'Deze browser heeft hem gewist en deze telefoon kan het ticket niet meer tonen. Laat het vrijgeven door de organisator of de ticketbalie en open daarna je link opnieuw.',
    },
    busy: {
      title: 'Te veel pogingen op dit netwerk',
      text: 'Op dit netwerk zijn te veel verkeerde links geopend. Wacht een minuut; deze pagina probeert het vanzelf opnieuw.',
    },
    unloaded: {
      title: 'Deze pagina staat nog niet op je telefoon',
      text: 'Daarvoor is één keer internet nodig. Je ticket en de code werken zonder internet. Deze pagina probeert het vanzelf opnieuw.',
    },
    refused: {
      title: 'Dat lukte niet',
      text: 'Sluit deze pagina en open je link opnieuw. Helpt dat niet, ga dan naar de ticketbalie.',
    },
  },

  emergency: 'Noodgeval',

  welcome: {
    heading: 'Je tickets, op deze telefoon',
    text: 'Open de link die de organisator je stuurde, of voeg hem zelf toe.',
  },
}
