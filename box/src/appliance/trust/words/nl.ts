import type { TrustWords } from './en.ts'

export const nl: TrustWords = {
  title: (event) => `De box vertrouwen · ${event}`,
  heading: 'Vertrouwt dit apparaat de box?',
  lead: 'Scannen kan zodra dit apparaat het certificaat van deze box kent. Dat duurt twee minuten, één keer per apparaat.',
  states: {
    looking: 'Bezig met controleren…',
    yes: 'Ja. Dit apparaat vertrouwt de box.',
    no: 'Nog niet. Begin met stap 1.',
    half: 'Nog niet. Het certificaat is hier gedownload: een van de stappen na de eerste ontbreekt.',
    away: 'De box antwoordt niet. Zit het apparaat in het netwerk van de box? Zet mobiele data uit.',
    elsewhere: 'Deze uitnodiging hoort bij een andere box. Vraag de controlekamer om een nieuwe.',
  },
  again: 'Opnieuw controleren',
  on: 'Verder',
  which: 'Welk apparaat is dit?',
  download: 'Certificaat downloaden',
  devices: {
    iphone: {
      name: 'iPhone, iPad',
      steps: [
        { text: 'Tik in Safari op de knop en dan op ‘Sta toe’.', title: 'Safari', mark: 'Sta toe' },
        {
          text: 'Open Instellingen, tik op ‘Profiel gedownload’ en dan op ‘Installeer’.',
          title: 'Instellingen',
          mark: 'Profiel gedownload',
        },
        {
          text: 'Daarna Algemeen, Info, en onderaan ‘Vertrouwensinstellingen certificaten’: zet het aan. Zonder deze stap verandert er niets.',
          title: 'Vertrouwensinstellingen certificaten',
          mark: 'Gatehouse',
          on: true,
        },
      ],
    },
    android: {
      name: 'Android',
      steps: [
        {
          text: 'Stel een schermvergrendeling in, als die er niet is. Tik dan op de knop.',
          title: 'Chrome',
          mark: 'gatehouse-ca.crt',
        },
        {
          text: 'Instellingen, Beveiliging, ‘Versleuteling en inloggegevens’, ‘Een certificaat installeren’, ‘CA-certificaat’. Niet te vinden? Zoek in de instellingen naar ‘CA-certificaat’.',
          title: 'Een certificaat installeren',
          mark: 'CA-certificaat',
        },
        { text: 'Ga door ondanks de waarschuwing en kies het bestand.', title: 'Downloads', mark: 'gatehouse-ca.crt' },
      ],
    },
    firefox: {
      name: 'Firefox op Android',
      steps: [
        {
          text: 'Firefox gebruikt de certificaten van de telefoon niet vanzelf. Scan de code opnieuw en open de link in Chrome.',
          title: 'Chrome',
          mark: 'gatehouse',
        },
      ],
    },
    other: {
      name: 'Een ander apparaat',
      steps: [
        { text: 'Druk op de knop.' },
        {
          text: 'Windows: open het bestand, ‘Certificaat installeren’, ‘Lokale computer’, ‘Vertrouwde basiscertificeringsinstanties’. Mac: open het bestand en kies in Sleutelhangertoegang ‘Vertrouw altijd’.',
        },
        {
          text: 'Firefox en Linux: zoek in de instellingen van de browser naar ‘certificaten’, dan Organisaties, Importeren, en vertrouw het voor websites. Start de browser opnieuw.',
        },
      ],
    },
  },
  back: 'Kom terug naar deze pagina: die controleert vanzelf.',
  compare: {
    title: 'Is dit het juiste certificaat?',
    text: 'Iemand in dit netwerk kan deze pagina hebben veranderd. Het apparaat toont de vingerafdruk (SHA-256) in de details van het certificaat: die moet gelijk zijn aan die op het geprinte blad, of in de controlekamer onder Instellingen. Deze pagina zegt:',
  },
  noScript:
    'Zonder JavaScript kan deze pagina niet controleren. Doe de stappen voor je apparaat en open dan de uitnodiging opnieuw.',
}
