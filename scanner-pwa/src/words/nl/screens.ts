/** Text read before and after scanning, in Dutch: pairing, checkpoint, recent scans, shift, settings. */
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { screenWords as English } from '../en/screens.ts'
import { speech } from './speech.ts'

const { clock, count } = speech

const scans = (n: number) => count(n, { one: '# scan', other: '# scans' })

export const screenWords: typeof English = {
  pairing: {
    title: 'Deze telefoon koppelen',
    arrived: 'Eén druk op de knop en deze telefoon is een scanner.',
    none: 'De controlekamer toont een uitnodiging als QR-code. Scan die, of open de link op deze telefoon.',
    deleted:
      'Deze telefoon was gekoppeld, en de browser heeft de gegevens van de app gewist. Vraag de controlekamer om een nieuwe uitnodiging.',
    deletedUnsent: (n) => `Niet verstuurd en kwijt: ${scans(n)}. Meld het aan de controlekamer.`,
    name: 'Naam van deze telefoon',
    nameHint: 'Zichtbaar in de controlekamer, bijvoorbeeld ‘Poort Noord 2’.',
    guess: (platform) => (platform === '' ? 'Telefoon' : `Telefoon ${platform}`),
    pair: 'Deze telefoon koppelen',
    pairing: 'Koppelen…',
    scan: 'Uitnodiging scannen',
    stopCamera: 'Camera stoppen',
    paste: 'Plak de uitnodigingslink',
    use: 'Deze uitnodiging gebruiken',
    noInvite: 'Dit is geen volledige uitnodiging. Dat is een link die met https:// begint en waar #i= in staat.',
    another: 'Andere uitnodiging gebruiken',
    already: (name) => `Deze telefoon is al gekoppeld als ‘${name}’. Ontkoppel hem eerst om opnieuw te koppelen.`,
    keep: 'Gekoppeld laten',
  },

  checkpoint: {
    title: 'Bij welk controlepunt sta je?',
    operator: 'Je naam',
    operatorHint: 'Optioneel. Staat bij je scans op deze telefoon en in de overdracht.',
    in: 'In',
    out: 'Uit',
    none: 'Deze telefoon heeft geen controlepunt. Vraag de controlekamer om een andere uitnodiging.',
  },

  recent: {
    title: 'Laatste scans',
    lead: 'De laatste 50 van deze telefoon.',
    none: 'Nog niets gescand.',
    alone: 'offline',
    sent: 'verstuurd',
    unsent: 'nog niet verstuurd',
    confirmed: 'bevestigd',
    supervised: 'door supervisor binnengelaten',
    undone: 'teruggedraaid',
    double: 'dubbel gebruikt',
    ago: (age) => `${age} geleden`,
    past: 'Eerdere scan',
  },

  doubles: {
    title: 'Dubbel gebruikt',
    lead: 'Deze liet je binnen terwijl deze telefoon offline was, en dezelfde tickets zijn ook elders gebruikt. Niemand wordt naar buiten gestuurd: de controlekamer heeft beide scans.',
    none: 'Geen.',
    yours: 'Hier, met deze telefoon',
    other: 'Elders',
    at: (where, ms) => `${where}, ${clock(ms)}`,
    unknown: 'De controlekamer heeft de andere scan.',
    dismiss: 'Begrepen',
    aside: 'Door de box afgekeurd',
    asideLead: 'Meld het aan de controlekamer: de box heeft deze niet vastgelegd.',
  },

  shift: {
    title: 'Deze dienst',
    since: (ms) => `Sinds ${clock(ms)}`,
    operator: 'Aangemeld',
    signOn: 'Aanmelden',
    signOff: 'Afmelden',
    change: 'Wisselen',
    name: 'Je naam',
    counts: 'Scans',
    total: (n) => `${scans(n)} in totaal`,
    also: 'Verder',
    alone: 'Offline beslist',
    supervised: 'Door supervisor binnengelaten',
    undone: 'Teruggedraaid',
    doubles: 'Dubbel gebruikt',
    unsent: 'Nog niet verstuurd',
    aside: 'Door de box afgekeurd',
    handOver: 'Overdragen',
    handOverTitle: 'Deze telefoon overdragen?',
    handOverText:
      'De tellers gaan op nul. Je wordt afgemeld. Niet-verstuurde scans blijven op de telefoon tot ze verstuurd zijn.',
    handOverUnsent: (n) =>
      `${scans(n)} nog niet verstuurd. Breng de telefoon terug op het netwerk voordat je hem uitzet.`,
    handOverConfirm: 'Overdragen',
    handedOver: 'Overgedragen',
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
    done: 'Klaar',
    summary: (summary, checkpoint, until, classes) =>
      [
        `${checkpoint}: ${summary.operator ?? 'niemand aangemeld'}, ${clock(summary.since)} tot ${clock(until)}.`,
        ...Object.entries(summary.byClass)
          .filter(([, n]) => n > 0)
          .map(([name, n]) => `${classes[name as VerdictClass]}: ${n}`),
        `Offline beslist: ${summary.alone}`,
        `Door supervisor binnengelaten: ${summary.supervised}`,
        `Teruggedraaid: ${summary.undone}`,
        `Dubbel gebruikt: ${summary.doubles}`,
        summary.unsent === 0 ? 'Alle scans zijn verstuurd.' : `Nog niet verstuurd: ${summary.unsent}`,
        ...(summary.aside === 0 ? [] : [`Door de box afgekeurd: ${summary.aside}`]),
      ].join('\n'),
  },

  signOn: {
    title: 'Wie scant er?',
    now: 'Aangemeld:',
    somebodyElse: 'Iemand anders',
    name: 'Naam',
    secret: 'Pincode of wachtwoord',
    wrong: 'Naam of pincode klopt niet. Probeer het opnieuw.',
    wait: 'Te veel pogingen. Wacht even of vraag de controlekamer om een nieuwe pincode.',
    unreachable: 'De box antwoordt niet. Probeer het opnieuw.',
    aloneLocked: 'De box antwoordt niet: tot hij terug is, kan niemand zich aanmelden.',
    aloneAs: (name) =>
      `De box antwoordt niet: ${name} blijft aangemeld en niemand anders kan zich aanmelden tot hij terug is.`,
  },

  settings: {
    title: 'Opties',
    licences: 'Licenties van deze app',
    theme: 'Licht of donker',
    language: 'Taal',
    themes: { auto: 'Zoals de telefoon', light: 'Licht', dark: 'Donker' },
    volume: 'Volume van de uitslag',
    volumeOf: (percent) => `${percent} %`,
    hear: 'Geluiden proberen',
    vibration: 'Trillen',
    camera: 'Camera',
    preflight: 'Controle voor opening',
    checkpoint: 'Ander controlepunt',
    phone: 'Deze telefoon',
    name: 'Naam',
    event: 'Evenement',
    box: 'Box',
    certificate: 'Certificaat verloopt',
    version: 'Versie',
    supervisor: 'Supervisor',
    yes: 'Ja',
    no: 'Nee',
    rehearsal: 'Er loopt een proef: wat deze telefoon scant, telt niet. Komen er mensen binnen, verlaat dan de proef.',
    leaveRehearsal: 'Proef verlaten',
    newer: 'Er is een nieuwere versie.',
    restart: 'Nu herstarten',
    unpair: 'Deze telefoon ontkoppelen',
    unpairTitle: 'Deze telefoon ontkoppelen?',
    unpairText: 'Sleutel en ticketlijst worden gewist. Om weer te scannen is een nieuwe uitnodiging nodig.',
    unpairUnsent: (n) => `Niet verstuurd en straks verloren: ${scans(n)}. De box zal nooit weten wie is binnengelaten.`,
    unpairConfirm: 'Ontkoppelen',
    unpairForce: (n) => `Ontkoppelen, ${scans(n)} kwijt`,
  },

  ended: { title: 'Deze telefoon kan niet meer scannen', pairAgain: 'Ontkoppelen en opnieuw koppelen' },
}
