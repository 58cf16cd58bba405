/** The texts of the setup page, in Dutch. */
import type { SetupWords } from './en.ts'

export const nl: SetupWords = {
  title: (event) => `${event} · Gatehouse-box`,
  lead: 'Dit is een Gatehouse-box. Hij controleert tickets bij de poort.',
  apps: 'Waar moet je zijn?',
  dashboard: {
    name: 'Controlekamer',
    what: 'Voor wie het evenement leidt: cijfers, uitnodigingen, tickets, deze machine',
  },
  scanner: { name: 'Scanner', what: 'Voor de crew bij de poorten; hij opent met een uitnodiging' },
  wallet: { name: 'Tickets', what: 'Voor bezoekers, met de link die ze kregen' },
  warning:
    'Waarschuwt de browser voor een onbekend certificaat? Deze box heeft een eigen certificaat en dit apparaat kent het nog niet. Hieronder staat wat je doet.',
  trust: 'Dit apparaat de box laten vertrouwen',
  check: 'Kijk of het dat al doet, met de stappen in beeld',
  certificate: 'Certificaat downloaden (ca.crt)',
  compare:
    'Het geldt alleen voor dit evenement en voor lokale adressen. Iemand in dit netwerk kan deze pagina hebben veranderd: vergelijk de vingerafdruk met die in de controlekamer onder Instellingen, of met de vingerafdruk die de box bij het starten toonde.',
  systems: [
    [
      'iPhone en iPad',
      'Download het in Safari en sta het profiel toe. Open Instellingen, tik op ‘Profiel gedownload’ en dan op ‘Installeer’. Ga daarna naar Algemeen, Info, ‘Vertrouwensinstellingen certificaten’ en zet het aan: zonder deze tweede stap verandert er niets.',
    ],
    [
      'Android',
      'Stel een schermvergrendeling in. Download het, open Instellingen, Beveiliging, ‘Versleuteling en inloggegevens’, ‘Een certificaat installeren’, ‘CA-certificaat’, ga door ondanks de waarschuwing en kies het bestand. Chrome vertrouwt het dan; Firefox niet vanzelf.',
    ],
    [
      'Windows',
      'Open het bestand, kies ‘Certificaat installeren’, ‘Lokale computer’, ‘Alle certificaten in het onderstaande archief opslaan’, ‘Vertrouwde basiscertificeringsinstanties’. Start de browser opnieuw.',
    ],
    [
      'Mac',
      'Open het bestand: Sleutelhangertoegang neemt het over. Zoek het onder Certificaten, open het en kies bij Vertrouw ‘Vertrouw altijd’.',
    ],
    [
      'Linux, en Firefox overal',
      'Zoek in de instellingen van de browser naar Certificaten, dan Organisaties, Importeren: kies het bestand en vertrouw het voor websites.',
    ],
  ],
  box: 'Deze box',
  boxId: 'Naam',
  time: 'Klok',
  times: {
    synced: 'gelijkgezet door het netwerk',
    unsynced: 'niet gelijkgezet door het netwerk: zet hem gelijk in de controlekamer, of vergelijk hem met een horloge',
  },
  addresses: 'Adressen',
  qr: (url) => `Opent ${url}`,
  problems: (n) => (n === 1 ? 'Eén instelling is niet gebruikt' : `${n} instellingen zijn niet gebruikt`),
  line: 'Regel',
  problemsLead:
    'De box draait. Verbeter gatehouse.toml op de kaart met een computer, zet de kaart terug en zet de box aan.',
}
