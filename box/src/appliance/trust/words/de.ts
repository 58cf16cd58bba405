import type { TrustWords } from './en.ts'

export const de: TrustWords = {
  title: (event) => `Dieser Box vertrauen · ${event}`,
  heading: 'Vertraut dieses Gerät der Box?',
  lead: 'Es kann scannen, sobald es das Zertifikat dieser Box kennt. Das dauert zwei Minuten, einmal je Gerät.',
  states: {
    looking: 'Wird geprüft …',
    yes: 'Ja. Dieses Gerät vertraut der Box.',
    no: 'Noch nicht. Mit Schritt 1 beginnen.',
    half: 'Noch nicht. Das Zertifikat wurde hier geladen: Einer der Schritte nach dem ersten fehlt.',
    away: 'Die Box antwortet nicht. Ist das Gerät im Netz der Box? Mobile Daten ausschalten.',
    elsewhere: 'Diese Einladung gehört zu einer anderen Box. Die Leitstelle um eine neue bitten.',
  },
  again: 'Noch einmal prüfen',
  on: 'Weiter',
  which: 'Welches Gerät ist das?',
  download: 'Zertifikat laden',
  devices: {
    iphone: {
      name: 'iPhone, iPad',
      steps: [
        { text: 'In Safari auf den Knopf tippen, dann „Zulassen“.', title: 'Safari', mark: 'Zulassen' },
        {
          text: 'Einstellungen öffnen, „Profil geladen“ antippen, dann „Installieren“.',
          title: 'Einstellungen',
          mark: 'Profil geladen',
        },
        {
          text: 'Dann Allgemein, Info, ganz unten „Zertifikatsvertrauenseinstellungen“: einschalten. Ohne diesen Schritt ändert sich nichts.',
          title: 'Zertifikatsvertrauenseinstellungen',
          mark: 'Gatehouse',
          on: true,
        },
      ],
    },
    android: {
      name: 'Android',
      steps: [
        {
          text: 'Eine Displaysperre einrichten, falls keine da ist. Dann auf den Knopf tippen.',
          title: 'Chrome',
          mark: 'gatehouse-ca.crt',
        },
        {
          text: 'Einstellungen, Sicherheit, „Verschlüsselung und Anmeldedaten“, „Zertifikat installieren“, „CA-Zertifikat“. Nicht da? In den Einstellungen nach „CA-Zertifikat“ suchen.',
          title: 'Zertifikat installieren',
          mark: 'CA-Zertifikat',
        },
        { text: 'Die Warnung bestätigen und die Datei wählen.', title: 'Downloads', mark: 'gatehouse-ca.crt' },
      ],
    },
    firefox: {
      name: 'Firefox auf Android',
      steps: [
        {
          text: 'Firefox nutzt die Zertifikate des Handys nicht von selbst. Den Code noch einmal scannen und den Link in Chrome öffnen.',
          title: 'Chrome',
          mark: 'gatehouse',
        },
      ],
    },
    other: {
      name: 'Ein anderes Gerät',
      steps: [
        { text: 'Auf den Knopf drücken.' },
        {
          text: 'Windows: Datei öffnen, „Zertifikat installieren“, „Lokaler Computer“, „Vertrauenswürdige Stammzertifizierungsstellen“. Mac: Datei öffnen, in der Schlüsselbundverwaltung „Immer vertrauen“ wählen.',
        },
        {
          text: 'Firefox und Linux: in den Einstellungen des Browsers nach „Zertifikate“ suchen, dann Zertifizierungsstellen, Importieren, und für Websites vertrauen. Den Browser neu starten.',
        },
      ],
    },
  },
  back: 'Auf diese Seite zurückkommen: Sie prüft von selbst.',
  compare: {
    title: 'Ist es das richtige Zertifikat?',
    text: 'Jemand in diesem Netz könnte diese Seite verändert haben. Das Gerät zeigt den Fingerabdruck (SHA-256) in den Details des Zertifikats: Er muss der auf dem gedruckten Blatt sein, oder der in der Leitstelle unter „Einstellungen“. Diese Seite sagt:',
  },
  noScript:
    'Ohne JavaScript kann diese Seite nicht prüfen. Die Schritte für das Gerät ausführen, dann die Einladung noch einmal öffnen.',
}
