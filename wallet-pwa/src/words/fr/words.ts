/** Text on every screen, and on the ticket's own, in French. */
import type { words as English } from '../en/words.ts'
import { speech } from './speech.ts'

const { count } = speech

export const words: typeof English = {
  title: 'Billets Gatehouse',
  screens: { ticket: 'Billet', nearby: 'Autour', news: 'Infos', more: 'Plus' },
  screensLabel: 'Écrans',
  yourTickets: 'Vos billets',
  ticketName: (number, tier, whose) => (tier === undefined ? `Billet ${number}` : whose ? `${tier}, ${whose}` : tier),
  unread: (n) => count(n, { one: '# non lu', other: '# non lus' }),
  close: 'Fermer',
  cancel: 'Pas maintenant',
  tryAgain: 'Réessayer',
  add: 'Ajouter un billet',
  remove: 'Retirer',

  live: 'En ligne',
  asking: 'Connexion',
  offline: 'Hors ligne',
  offlineLong: (age) => `Pas de connexion. Dernière mise à jour : ${age}. Votre code marche sans réseau.`,
  forgetful:
    'Ce navigateur n’enregistre rien. Gardez cette page ouverte jusqu’à votre entrée, ou ouvrez votre lien dans un autre navigateur.',

  justNow: 'à l’instant',

  ticket: {
    heading: 'Votre billet',
    opening: 'Ouverture de votre billet',
    code: 'Code du billet, change toutes les 15 secondes. Présentez-le au scanner ; appuyez pour agrandir.',
    codeLarge: 'Code du billet',
    bright: 'Mettez l’écran en pleine luminosité et ne bougez pas.',
    awake: 'Touchez l’écran de temps en temps pour qu’il ne s’éteigne pas.',
    next: (seconds) => `Nouveau code dans ${seconds} s`,
    enlarge: 'toucher pour agrandir',
    making: 'Création de votre code',
    holder: 'Nom',
    zones: 'Accès',
    valid: 'Valable',
    validFrom: (from) => `à partir du ${from}`,
    validUntil: (until) => `jusqu’au ${until}`,
    validBetween: (from, until) => `du ${from} au ${until}`,
    early: (from) => `Pas encore valable : à partir du ${from}.`,
    late: (until) => `Expiré depuis le ${until}.`,
    revoked: {
      title: 'Annulé',
      text: 'L’organisateur a annulé ce billet. Adressez-vous au guichet, ou à la personne qui vous l’a vendu.',
    },
    blocked: 'Bloqué par l’organisateur. À la porte, demandez un responsable et montrez ce code.',
    pending: 'Pas encore payé. Payez là où vous l’avez acheté, ou montrez ce code à un responsable à la porte.',
    unknown:
      'L’événement ne connaît plus ce billet. Si une porte refuse le code, demandez un nouveau lien à l’organisateur.',
    unsigned:
      'Ce téléphone n’a pas pu prouver à l’instant que le billet est verrouillé sur lui. Si une porte refuse le code, demandez un responsable.',
    slow: (by) =>
      `L’heure de ce téléphone retarde de ${by}. Votre code en tient compte, mais mettez l’heure en automatique.`,
    fast: (by) =>
      `L’heure de ce téléphone avance de ${by}. Votre code en tient compte, mais mettez l’heure en automatique.`,
  },

  trouble: {
    unreachable: {
      title: 'Pas de connexion',
      text: 'La première ouverture d’un billet demande du réseau. Rejoignez le Wi-Fi du lieu ou activez les données mobiles ; cette page réessaie toute seule.',
    },
    unknown: {
      title: 'Ce lien ne marche pas',
      text: 'Ouvrez le lien directement dans le message de l’organisateur, pas une copie. S’il ne marche toujours pas, demandez-en un nouveau à l’organisateur.',
    },
    elsewhere: {
      title: 'Verrouillé sur un autre téléphone',
      text: 'Ce billet a été verrouillé sur un autre téléphone et ne s’ouvre que là. Si ce n’était pas vous, demandez à l’organisateur ou au guichet de le libérer.',
    },
    keyDeleted: {
      title: 'La clé de ce billet a disparu',
      text: 'Ce navigateur l’a effacée, et ce téléphone ne peut plus montrer le billet. Demandez à l’organisateur ou au guichet de le libérer, puis rouvrez votre lien.',
    },
    busy: {
      title: 'Trop d’essais depuis ce réseau',
      text: 'Trop de liens erronés ont été ouverts sur ce réseau. Patientez une minute ; cette page réessaie toute seule.',
    },
    unloaded: {
      title: 'Cette page n’est pas encore sur votre téléphone',
      text: 'Il lui faut du réseau une fois. Votre billet et son code marchent sans réseau. Cette page réessaie toute seule.',
    },
    refused: {
      title: 'Ça n’a pas marché',
      text: 'Fermez cette page et rouvrez votre lien. Si cela ne change rien, adressez-vous au guichet.',
    },
  },

  emergency: 'Urgence',

  welcome: {
    heading: 'Vos billets, sur ce téléphone',
    text: 'Ouvrez le lien que l’organisateur vous a envoyé, ou ajoutez-le à la main.',
  },
}
