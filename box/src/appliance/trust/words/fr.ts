import type { TrustWords } from './en.ts'

export const fr: TrustWords = {
  title: (event) => `Faire confiance au boîtier · ${event}`,
  heading: 'Cet appareil fait-il confiance au boîtier ?',
  lead: 'Il pourra scanner dès qu’il connaîtra le certificat de ce boîtier. Deux minutes, une fois par appareil.',
  states: {
    looking: 'Vérification…',
    yes: 'Oui. Cet appareil fait confiance au boîtier.',
    no: 'Pas encore. Commencez par l’étape 1.',
    half: 'Pas encore. Le certificat a été téléchargé ici : il reste une étape à faire après la première.',
    away: 'Le boîtier ne répond pas. L’appareil est-il sur le réseau du boîtier ? Coupez les données mobiles.',
    elsewhere: 'Cette invitation est celle d’un autre boîtier. Demandez-en une nouvelle au PC sécurité.',
  },
  again: 'Vérifier de nouveau',
  on: 'Continuer',
  which: 'Quel est cet appareil ?',
  download: 'Télécharger le certificat',
  devices: {
    iphone: {
      name: 'iPhone, iPad',
      steps: [
        { text: 'Touchez le bouton dans Safari, puis « Autoriser ».', title: 'Safari', mark: 'Autoriser' },
        {
          text: 'Ouvrez Réglages, touchez « Profil téléchargé », puis « Installer ».',
          title: 'Réglages',
          mark: 'Profil téléchargé',
        },
        {
          text: 'Puis Général, Informations, tout en bas « Réglages des certificats » : activez-le. Sans cette étape, rien ne change.',
          title: 'Réglages des certificats',
          mark: 'Gatehouse',
          on: true,
        },
      ],
    },
    android: {
      name: 'Android',
      steps: [
        {
          text: 'Définissez un verrouillage d’écran s’il n’y en a pas. Puis touchez le bouton.',
          title: 'Chrome',
          mark: 'gatehouse-ca.crt',
        },
        {
          text: 'Paramètres, Sécurité, « Chiffrement et identifiants », « Installer un certificat », « Certificat CA ». Introuvable ? Cherchez « certificat CA » dans les paramètres.',
          title: 'Installer un certificat',
          mark: 'Certificat CA',
        },
        {
          text: 'Passez l’avertissement et choisissez le fichier.',
          title: 'Téléchargements',
          mark: 'gatehouse-ca.crt',
        },
      ],
    },
    firefox: {
      name: 'Firefox sur Android',
      steps: [
        {
          text: 'Firefox n’utilise pas de lui-même les certificats du téléphone. Scannez de nouveau le code et ouvrez le lien dans Chrome.',
          title: 'Chrome',
          mark: 'gatehouse',
        },
      ],
    },
    other: {
      name: 'Un autre appareil',
      steps: [
        { text: 'Appuyez sur le bouton.' },
        {
          text: 'Windows : ouvrez le fichier, « Installer un certificat », « Ordinateur local », « Autorités de certification racines de confiance ». Mac : ouvrez le fichier, puis choisissez « Toujours approuver » dans Trousseaux d’accès.',
        },
        {
          text: 'Firefox et Linux : cherchez « certificats » dans les paramètres du navigateur, puis Autorités, Importer, et faites-lui confiance pour les sites web. Redémarrez le navigateur.',
        },
      ],
    },
  },
  back: 'Revenez sur cette page : elle vérifie d’elle-même.',
  compare: {
    title: 'Est-ce le bon certificat ?',
    text: 'Quelqu’un sur ce réseau a pu modifier cette page. L’appareil montre l’empreinte (SHA-256) dans les détails du certificat : ce doit être celle de la feuille imprimée, ou celle du PC sécurité, dans Réglages. Cette page indique :',
  },
  noScript:
    'Sans JavaScript, cette page ne peut pas vérifier. Suivez les étapes de votre appareil, puis rouvrez l’invitation.',
}
