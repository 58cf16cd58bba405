/** Texts of the screen Before doors, in Dutch. */
import type { readyWords as English } from '../en/ready.ts'
import { speech } from './speech.ts'

const { count } = speech

const left = () => ''
const scanners = (n: number) => count(n, { one: '# scanner', other: '# scanners' })

export const readyWords: typeof English = {
  lead: 'Wat in orde moet zijn voordat er mensen komen, en een blad voor elke poort.',
  list: 'Klaar?',
  standing: { ok: 'In orde', warn: 'Te doen', ask: 'Vraag na' },
  remedy: (name) => `Openen: ${name}`,
  byAdmin: 'Vraag een admin.',
  whatIsLeft: 'Wat nog moet gebeuren vóór de opening',
  checks: {
    certificate: {
      name: 'Certificaat',
      ok: () => 'Dit apparaat vertrouwt de box.',
      warn: () => 'Dit apparaat vertrouwt de box niet: dan opent geen app offline. Installeer het certificaat.',
      ask: () => 'Deze browser zegt niet of hij de box vertrouwt.',
    },
    publicName: {
      name: 'Openbare naam',
      ok: () => 'Het certificaat voor de openbare naam geldt tot na het evenement.',
      warn: () =>
        'Het certificaat voor de openbare naam ontbreekt, is te laat, beschadigd of verloopt vóór het einde van het evenement: de poorten gaan toch open, maar browsers zullen waarschuwen.',
      ask: left,
    },
    clock: {
      name: 'Klok',
      ok: () => 'De klok van de box klopt.',
      warn: () =>
        'Niets zet de klok van de box gelijk: vergelijk hem met een horloge, en laat de computer de tijd van het netwerk halen.',
      ask: left,
    },
    tickets: {
      name: 'Tickets',
      ok: (n) => `${count(n, { one: '# ticket', other: '# tickets' })} geïmporteerd.`,
      warn: () => 'Nog geen tickets: importeer het bestand van je shop.',
      ask: left,
    },
    scanners: {
      name: 'Scanners',
      ok: (n) => `${scanners(n)} verbonden.`,
      warn: (n) => `${scanners(n)} verbonden, minder dan poorten: koppel ze en open de app op elk.`,
      ask: left,
    },
    battery: {
      name: 'Batterijen en klokken',
      ok: () => 'Elke scanner heeft stroom en de juiste tijd.',
      warn: (n) => `${scanners(n)} met een lege batterij of een verkeerde klok.`,
      ask: left,
    },
    map: {
      name: 'Kaart',
      ok: () => 'De kaart is er.',
      warn: (n) =>
        `${count(n, { one: '# poort staat', other: '# poorten staan' })} niet op de kaart: niemand krijgt de weg ernaartoe te zien. Doe dat op het scherm Evenement.`,
      ask: () =>
        'Moeten mensen de weg te zien krijgen? Teken of importeer dan een kaart op het scherm Evenement. De poorten werken ook zonder.',
    },
    backup: {
      name: 'Back-up',
      ok: (n) =>
        n === 0
          ? 'Back-up gemaakt in het afgelopen uur.'
          : `Back-up gemaakt: ${count(n, { one: '# uur', other: '# uur' })} geleden.`,
      warn: () => 'Geen back-up in de laatste 24 uur: maak er een en bewaar die elders.',
      ask: left,
    },
    stick: {
      name: 'USB-stick',
      ok: () => 'Er zit een stick in de box.',
      warn: () => 'Geen stick in de box: back-ups kunnen nergens heen.',
      ask: left,
    },
    paper: {
      name: 'Papieren lijsten',
      ok: () => 'Voor elke poort is een lijst geprint.',
      warn: (n) =>
        `${count(n, { one: '# lijst', other: '# lijsten' })} geprint: print er een per poort, voor als niets meer werkt.`,
      ask: left,
    },
    links: {
      name: 'Ticketlinks',
      ok: left,
      warn: left,
      ask: () =>
        'Tonen gasten hun ticket op hun telefoon? Dan heeft ieder een link nodig; de codes van de shop werken ook zonder. Deze opdracht schrijft alle links naar een bestand (waar je hem typt: box/docs/attendees.md, ‘Links’):',
    },
    rehearsal: {
      name: 'Proef',
      ok: () => 'De afgelopen zeven dagen is er proefgedraaid.',
      warn: () => 'Nog geen proef: scan hieronder echte tickets met de echte telefoons.',
      ask: left,
    },
  },
  rehearsal: {
    title: 'Proef',
    lead: 'Echte telefoons scannen echte tickets, en niemand wordt geteld. In het register staat alleen dat er een proef was.',
    steps: [
      'Start de proef. Binnen 10 seconden staat op elke gekoppelde telefoon ‘Proef’.',
      'Scan een paar tickets, één daarvan twee keer en één bij de verkeerde poort.',
      'Zet bij een telefoon het netwerk uit en scan door: hij beslist zelf.',
      'Beëindig de proef hier. Daarna telt elke scan.',
    ],
    start: 'Proef starten',
    startAnyway: 'Geen poort is open: starten',
    text: 'De scanners van deze box draaien proef: wie ze binnenlaten, wordt niet geteld. De proef eindigt vanzelf als het evenement begint.',
    objections: {
      event_on: 'Het evenement is begonnen.',
      people_came: 'In de afgelopen 30 minuten zijn er mensen binnengekomen.',
    },
    anyway: 'Wie tijdens een proef binnenkomt, ontbreekt in alle cijfers. Start hem alleen als er geen poort open is.',
    length: 'Duur',
    started: 'De proef loopt.',
    end: 'Proef beëindigen',
    ended: (scans, scanners) =>
      `Proef voorbij: ${count(scans, { one: '# code', other: '# codes' })} gescand met ${count(scanners, { one: '# scanner', other: '# scanners' })}. Vanaf nu telt elke scan.`,
    until: 'Eindigt vanzelf om',
    scanners: 'Scanners die meedoen',
    scans: 'Gescande codes',
    meanwhile: 'Intussen echt binnengelaten',
    byAdmin: 'Een admin kan hem starten.',
    band: (actor) => `Proef, gestart door ${actor}: de scanners tellen niemand.`,
    left: (time) => `Hij eindigt over ${time}.`,
    real: (n) => `${n} intussen echt binnengelaten, door scanners die niet meedoen.`,
  },
  sheets: {
    title: 'Bladen voor de poorten',
    lead: 'Eén pagina per poort, met een code per telefoon. Wie het blad heeft, kan een telefoon koppelen: bewaar het als een sleutel.',
    phones: 'Telefoons per poort',
    make: 'Bladen maken',
    print: 'Printen',
    leave: 'Print ze voordat je dit scherm verlaat: het bewaart ze niet. Eerder gemaakte bladen blijven ook geldig.',
    paper: 'De bladen zoals ze op papier komen',
    heading: (gate) => `Scanner voor ${gate}`,
    until: (at) => `Geldig tot ${at}. Elke code koppelt één telefoon.`,
    network: (host) => `Verbind de telefoon met het netwerk van de box (${host}).`,
    trust:
      'Geen knop Koppelen? Dan vertrouwt de telefoon de box nog niet, en toont de pagina de stappen met plaatjes. Kort gezegd:',
    fingerprint:
      'De telefoon toont de vingerafdruk (SHA-256) van het certificaat dat hij installeert. Het moet deze zijn:',
    iphone:
      'iPhone: download het in Safari en sta het profiel toe. Instellingen, Profiel gedownload, Installeer. Daarna Algemeen, Info, Vertrouwensinstellingen certificaten: zet het aan.',
    android:
      'Android: stel een schermvergrendeling in. Instellingen, Beveiliging, Versleuteling en inloggegevens, Een certificaat installeren, CA-certificaat, en kies het bestand.',
    scan: 'Open de camera, richt op een ongebruikte code, open de link en druk op Koppelen.',
    phone: (n) => `Telefoon ${n}`,
    label: (gate, n) => `Uitnodiging voor ${gate}, telefoon ${n}`,
    fails: 'Als het niet lukt',
    failing: [
      'De pagina opent niet: de telefoon zit op een ander netwerk of gebruikt mobiele data. Zet mobiele data uit.',
      'De browser waarschuwt: de telefoon vertrouwt de box nog niet. Scan de code opnieuw en doe de stappen op de pagina.',
      'De uitnodiging is al gebruikt: neem de volgende code, of vraag de controlekamer om een nieuw blad.',
      'De camera blijft zwart: sta de camera voor deze pagina toe in de instellingen van de browser.',
      'Niets helpt: scan met een andere telefoon, en laat mensen binnen met de papieren lijst.',
    ],
  },
}
