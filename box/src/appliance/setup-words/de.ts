/** The texts of the setup page, in German. */
import type { SetupWords } from './en.ts'

export const de: SetupWords = {
  title: (event) => `${event} · Gatehouse-Box`,
  lead: 'Das ist eine Gatehouse-Box. Sie prüft Tickets am Einlass.',
  apps: 'Wohin?',
  dashboard: {
    name: 'Leitstelle',
    what: 'Für alle, die die Veranstaltung leiten: Zahlen, Einladungen, Tickets, dieser Rechner',
  },
  scanner: { name: 'Scanner', what: 'Für das Personal an den Toren; er öffnet sich mit einer Einladung' },
  wallet: { name: 'Tickets', what: 'Für Gäste, mit dem Link, den sie bekommen haben' },
  warning:
    'Warnt der Browser vor einem unbekannten Zertifikat? Diese Box hat ihr eigenes, und dieses Gerät kennt es noch nicht. Der nächste Abschnitt sagt, was zu tun ist.',
  trust: 'Der Box auf diesem Gerät vertrauen',
  check: 'Nachsehen, ob es das schon tut, mit Bildern zu jedem Schritt',
  certificate: 'Zertifikat laden (ca.crt)',
  compare:
    'Es gilt nur für diese Veranstaltung und für Adressen im lokalen Netz. Jemand in diesem Netz könnte diese Seite verändert haben: Den Fingerabdruck mit dem vergleichen, den die Leitstelle unter „Einstellungen“ zeigt oder den die Box beim Start ausgegeben hat.',
  systems: [
    [
      'iPhone und iPad',
      'In Safari laden und das Profil zulassen. Einstellungen öffnen, „Profil geladen“ antippen, dann „Installieren“. Danach zu Allgemein, Info, „Zertifikatsvertrauenseinstellungen“ gehen und es einschalten: Ohne diesen zweiten Schritt ändert sich nichts.',
    ],
    [
      'Android',
      'Eine Displaysperre einrichten. Laden, dann Einstellungen, Sicherheit, „Verschlüsselung und Anmeldedaten“, „Zertifikat installieren“, „CA-Zertifikat“ öffnen, die Warnung bestätigen und die Datei wählen. Chrome vertraut ihm dann, Firefox nicht von selbst.',
    ],
    [
      'Windows',
      'Datei öffnen, „Zertifikat installieren“, „Lokaler Computer“, dann „Alle Zertifikate in folgendem Speicher speichern“ und „Vertrauenswürdige Stammzertifizierungsstellen“ wählen. Den Browser neu starten.',
    ],
    [
      'Mac',
      'Datei öffnen: Die Schlüsselbundverwaltung übernimmt sie. Unter „Zertifikate“ suchen, öffnen und bei „Vertrauen“ auf „Immer vertrauen“ stellen.',
    ],
    [
      'Linux, und Firefox überall',
      'In den Einstellungen des Browsers nach „Zertifikate“ suchen, dann Zertifizierungsstellen, Importieren: die Datei wählen und für Websites vertrauen.',
    ],
  ],
  box: 'Diese Box',
  boxId: 'Name',
  time: 'Uhr',
  times: {
    synced: 'vom Netz gestellt',
    unsynced: 'nicht vom Netz gestellt: in der Leitstelle stellen oder mit einer anderen Uhr vergleichen',
  },
  addresses: 'Adressen',
  qr: (url) => `Öffnet ${url}`,
  problems: (n) => (n === 1 ? 'Eine Einstellung wurde nicht übernommen' : `${n} Einstellungen wurden nicht übernommen`),
  line: 'Zeile',
  problemsLead:
    'Die Box läuft. gatehouse.toml auf ihrer Karte an einem Computer korrigieren, die Karte wieder einsetzen und die Box einschalten.',
}
