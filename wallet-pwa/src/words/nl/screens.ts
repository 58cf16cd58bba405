/** Text under the ticket and on the screens beside it, in Dutch. */
import type { screenWords as English } from '../en/screens.ts'
import { speech } from './speech.ts'

const { count } = speech

export const screenWords: typeof English = {
  claim: {
    title: 'Zet het vast op deze telefoon',
    why: 'Tot dan heeft iedereen met je link ook je ticket.',
    ask: 'Vastzetten op deze telefoon',
    heading: 'Ticket vastzetten op deze telefoon?',
    does: [
      'Vanaf nu kan alleen deze telefoon het ticket tonen.',
      'Doorgestuurde links werken niet meer, en een geprinte code misschien ook niet.',
      'Je kunt dit niet zelf ongedaan maken. Telefoon kwijt? De organisator kan het ticket vrijgeven.',
      'Doe dit niet in een privévenster: de sleutel verdwijnt als je het sluit.',
    ],
    weak: 'Deze verbinding is niet beveiligd, dus de sleutel staat onbeschermd in deze browser. Open je link via https als dat kan.',
    confirm: 'Nu vastzetten',
    working: 'Bezig met vastzetten',
    mine: 'Vastgezet op deze telefoon.',
    mineWeak: 'Vastgezet op deze telefoon. De sleutel staat onbeschermd in deze browser; via https is dat veiliger.',
    unsure: 'Nog niet bevestigd. Blijf even online voordat je naar de poort gaat.',
    released: 'De organisator heeft dit ticket vrijgegeven. De link werkt weer, en je kunt het opnieuw vastzetten.',
    unkept:
      'Deze browser kan geen sleutels bewaren, dus er is niets vastgezet. Open de link in een gewoon venster of in een andere browser.',
  },

  install: {
    title: 'Houd het bij de hand',
    text: 'Zet je ticket op het beginscherm, dan hoef je het bericht niet te zoeken.',
    ios: 'Kopieer eerst je link. Tik dan in Safari op Deel en op ‘Zet op beginscherm’. Open het nieuwe icoon en plak de link daar: het kent je ticket nog niet. Doe dit voordat je het ticket op deze telefoon vastzet.',
    button: 'Zet op beginscherm',
    dismiss: 'Nee, bedankt',
  },

  nearby: {
    heading: 'Dichtbij',
    from: 'Ik ben bij',
    lastSeen: 'Mijn laatste poort',
    firstGate: 'Mijn ingang',
    stepFree: 'Alleen drempelvrije routes',
    show: 'Toon',
    everything: 'Alles',
    list: 'Lijst',
    map: 'Kaart',
    views: 'Weergave',
    looking: 'Laden…',
    none: 'Niets gevonden waar je met je ticket mag komen.',
    noneStepFree: 'Geen drempelvrije route bekend. Zet de schakelaar uit om de rest te zien, of vraag een medewerker.',
    noMap: 'Er is nog geen kaart van dit terrein. Vraag een medewerker.',
    failed: 'Hiervoor is internet nodig. Probeer het opnieuw als je weer online bent.',
    old: (age) => `Geen verbinding. Stand van ${age}.`,
    minutes: (n) => `${n} min`,
    metres: (n) => `${n} m`,
    via: (names) => `via ${names}`,
    stepFreeYes: 'Drempelvrij',
    stepFreeNo: 'Met trappen',
    stepFreeUnverified: 'Drempelvrij: niet gecontroleerd',
    to: (name) => `Route naar ${name}`,
    larger: 'Groter',
    whole: 'Hele kaart',
    mapTitle: (event) => `Kaart van ${event}`,
    badMap: 'De kaart kan niet worden getoond. Hij laadt opnieuw als je online bent.',
  },

  more: {
    heading: 'Tickets en instellingen',
    licences: 'Licenties van deze app',
    add: 'Ticket toevoegen',
    paste: 'Ticketlink',
    pasteHint: 'Kopieer de link uit het bericht van de organisator en plak hem hier.',
    addButton: 'Ticket toevoegen',
    malformed: 'Dit is geen volledige ticketlink. Kopieer alles uit het bericht van de organisator: er staat #t= in.',
    remove: 'Verwijderen',
    removeLabel: (name) => `${name} verwijderen`,
    removeHeading: (name) => `${name} van deze telefoon verwijderen?`,
    removeText: 'Het ticket blijft geldig, en je opent het weer met de link.',
    removeMine:
      'Alleen deze telefoon heeft de sleutel van dit ticket. Zonder die sleutel kan niemand het tonen tot de organisator het vrijgeeft.',
    removeConfirm: 'Ticket verwijderen',
    link: 'Link tonen',
    linkLabel: (name) => `Link van ${name} tonen`,
    linkHeading: 'De link van je ticket',
    linkText: 'Wie deze link heeft, heeft het ticket. Laat hem aan niemand zien.',
    linkField: 'Link',
    copy: 'Link kopiëren',
    copied: 'Gekopieerd',
    theme: 'Weergave',
    language: 'Taal',
    themes: { auto: 'Zoals de telefoon', light: 'Licht', dark: 'Donker' },
    state: 'Deze telefoon',
    savedYes: 'Opgeslagen. Opent zonder internet.',
    savedNo: 'Wordt opgeslagen voor gebruik zonder internet.',
    savedNever:
      'Deze pagina werkt zolang hij open is. Opnieuw openen kan alleen met internet, omdat de verbinding niet beveiligd is.',
    updated: (age) => `Ticket bijgewerkt: ${age}.`,
    clockRight: 'De klok klopt.',
    newer: 'Er is een nieuwe versie.',
    restart: 'Nu bijwerken',
  },

  news: {
    heading: 'Van de organisator',
    none: 'Nu geen berichten.',
    severity: { info: 'Bericht', warning: 'Waarschuwing', emergency: 'Noodgeval' },
    zones: (names) => `Voor ${names}`,
    until: (time) => `Tot ${time}`,
    checked: 'Ondertekend door de organisator',
    hidden: (n) =>
      count(n, {
        one: '# bericht wordt niet getoond: het is niet ondertekend door de organisator van dit ticket.',
        other: '# berichten worden niet getoond: ze zijn niet ondertekend door de organisator van dit ticket.',
      }),
    noKey:
      'Een deel van je link ontbreekt. Berichten kunnen niet worden gecontroleerd en worden niet getoond. Open de hele link opnieuw.',
    all: 'Alle berichten',
  },

  occasion: {
    heading: 'Wanneer en waar',
    begins: 'Begin',
    doors: 'Deuren open',
    place: 'Locatie',
    entrances: 'Ingang',
  },

  history: {
    admitted: (checkpoint, time) => `Je bent binnen: ${checkpoint}, ${time}`,
    heading: 'Waar je geweest bent',
    none: 'Nog niets. Hier staan straks de poorten waar je doorheen gaat.',
    in: (checkpoint) => `In: ${checkpoint}`,
    out: (checkpoint) => `Uit: ${checkpoint}`,
  },
}
