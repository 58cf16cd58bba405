/** The texts of the setup page, in French. */
import type { SetupWords } from './en.ts'

export const fr: SetupWords = {
  title: (event) => `${event} · Boîtier Gatehouse`,
  lead: 'Ceci est un boîtier Gatehouse. Il contrôle les billets à l’entrée.',
  apps: 'Où aller',
  dashboard: {
    name: 'PC sécurité',
    what: 'Pour ceux qui dirigent l’événement : chiffres, invitations, billets, cette machine',
  },
  scanner: { name: 'Scanner', what: 'Pour l’équipe aux portes ; il s’ouvre avec une invitation' },
  wallet: { name: 'Billets', what: 'Pour le public, avec le lien reçu' },
  warning:
    'Si le navigateur signale un certificat inconnu : ce boîtier a créé le sien, et cet appareil ne le connaît pas encore. La partie suivante dit quoi faire.',
  trust: 'Faire confiance au boîtier sur cet appareil',
  check: 'Vérifier si c’est déjà le cas, avec les étapes en images',
  certificate: 'Télécharger le certificat (ca.crt)',
  compare:
    'Il ne vaut que pour cet événement et pour des adresses locales. Quelqu’un sur ce réseau a pu modifier cette page : comparez l’empreinte avec celle que le PC sécurité affiche dans Réglages, ou que le boîtier a affichée à son démarrage.',
  systems: [
    [
      'iPhone et iPad',
      'Téléchargez-le dans Safari et autorisez le profil. Ouvrez Réglages, touchez « Profil téléchargé », puis « Installer ». Allez ensuite dans Général, Informations, « Réglages des certificats » et activez-le : sans cette seconde étape, rien ne change.',
    ],
    [
      'Android',
      'Définissez un verrouillage d’écran. Téléchargez-le, puis ouvrez Paramètres, Sécurité, « Chiffrement et identifiants », « Installer un certificat », « Certificat CA », passez l’avertissement et choisissez le fichier. Chrome lui fait alors confiance ; Firefox, pas de lui-même.',
    ],
    [
      'Windows',
      'Ouvrez le fichier, choisissez « Installer un certificat », « Ordinateur local », « Placer tous les certificats dans le magasin suivant », « Autorités de certification racines de confiance ». Relancez le navigateur.',
    ],
    [
      'Mac',
      'Ouvrez le fichier : Trousseaux d’accès le reprend. Trouvez-le dans Certificats, ouvrez-le et, sous Se fier, choisissez « Toujours approuver ».',
    ],
    [
      'Linux, et Firefox partout',
      'Dans les réglages du navigateur, cherchez Certificats, puis Autorités, Importer : choisissez le fichier et faites-lui confiance pour les sites web.',
    ],
  ],
  box: 'Ce boîtier',
  boxId: 'Nom',
  time: 'Heure',
  times: {
    synced: 'réglée par le réseau',
    unsynced: 'pas réglée par le réseau : réglez-la au PC sécurité, ou comparez-la avec une montre',
  },
  addresses: 'Adresses',
  qr: (url) => `Ouvre ${url}`,
  problems: (n) => (n === 1 ? 'Un réglage n’a pas été pris en compte' : `${n} réglages n’ont pas été pris en compte`),
  line: 'Ligne',
  problemsLead:
    'Le boîtier fonctionne. Corrigez gatehouse.toml sur sa carte avec un ordinateur, remettez la carte et rallumez le boîtier.',
}
