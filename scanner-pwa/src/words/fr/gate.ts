/** The sentences of the scanner's core, in French. */
import type { gateWords as English } from '../en/gate.ts'
import { speech } from './speech.ts'

const { count, duration } = speech

export const gateWords: typeof English = {
  invite: {
    notOne:
      'Ce n’est pas une invitation Gatehouse. Scannez le QR code affiché au PC sécurité, ou copiez le lien entier.',
    elsewhere: (address) =>
      `Cette invitation est pour un autre boîtier. Ouvrez ${address} sur ce téléphone et scannez-la depuis cette page.`,
    otherBox:
      'Cette invitation est pour un autre événement. Vérifiez que ce téléphone est sur le bon réseau. Ne l’associez pas ici.',
    expired: 'Cette invitation a expiré. Demandez-en une nouvelle au PC sécurité.',
    unreachable: 'Le boîtier ne répond pas. Rejoignez son réseau, puis réessayez.',
    paired: 'Ce téléphone est déjà associé. Dissociez-le d’abord.',
    noKeys:
      'Ce navigateur ne peut pas enregistrer la clé d’un scanner. Ouvrez l’invitation dans un autre navigateur, hors navigation privée.',
  },
  nameMissing: 'Donnez à ce téléphone un nom que le PC sécurité reconnaîtra.',
  otherTab: 'Le scanner est ouvert dans un autre onglet ou une autre fenêtre. Fermez-le, puis réessayez.',
  unpairUnsent: (unsent) =>
    `${count(unsent, { one: '# entrée n’est pas encore arrivée', other: '# entrées ne sont pas encore arrivées' })} au boîtier. Ramenez d’abord le téléphone sur son réseau.`,
  noCheckpoint: 'Choisissez d’abord votre point de contrôle.',
  waitingUnreachable: 'Non envoyé : le boîtier ne répond pas. Réessayez plus tard, ou utilisez la radio.',
  reportUnreachable: 'Non envoyé : le boîtier ne répond pas. Utilisez la radio.',
  notPaired: 'Ce téléphone n’est pas associé. Ouvrez d’abord une invitation.',
  ended: {
    device_revoked: 'Ce scanner a été mis hors service. Rapportez-le au PC sécurité.',
    other:
      'Le boîtier ne connaît plus ce scanner. Demandez une nouvelle invitation au PC sécurité et associez-le à nouveau.',
    certificate:
      'Le certificat de ce scanner a expiré. Demandez une nouvelle invitation au PC sécurité et associez-le à nouveau.',
  },
  offline: {
    noList:
      'Pas de liste de billets sur ce téléphone, et le boîtier ne répond pas. Prenez un autre scanner, ou ramenez celui-ci sur le réseau.',
    otherEvent:
      'La liste de billets de ce téléphone est celle d’un autre événement. Prenez un autre scanner et associez à nouveau celui-ci.',
    used: 'Déjà utilisé ; hors ligne, on ne sait ni où ni quand. Envoyer au guichet.',
    elsewhere: 'Pas pour cette porte. Demander au PC sécurité où envoyer la personne.',
    everyGateHeld: 'entrées suspendues à toutes les portes de ce billet, d’après ce téléphone',
    notValid: 'Plus valable : annulé, non payé ou passé sur un autre téléphone. Envoyer au guichet.',
    diskFull:
      'Ce téléphone est plein et ne peut plus enregistrer d’entrées. Ne laissez entrer personne avec ce téléphone : libérez de la place, ou prenez-en un autre.',
  },
  noCode: 'Ce n’est pas un billet. Réessayer le code, sinon envoyer au guichet.',
  details: {
    gone: 'Ce billet n’est plus ouvert sur ce téléphone. Scannez-le à nouveau.',
    unreachable: 'Il faut le boîtier, et il ne répond pas. Réessayez quand il sera revenu.',
    wrong: (question, problem = 'Répondez à nouveau.') => `« ${question} » : ${problem}`,
    nobody:
      'Personne d’autre de cette commande ne peut entrer ici maintenant. Scannez leurs billets pour savoir pourquoi.',
  },
  lookUp: {
    unreachable:
      'La recherche a besoin du boîtier, et il ne répond pas. Réessayez quand il sera revenu, ou envoyez au guichet.',
    who: 'Identifiez-vous d’abord, sous Service : chaque recherche est enregistrée avec un nom.',
  },
  overrides: {
    unreachable: 'Il faut le boîtier, et il ne répond pas. Réessayez quand il sera revenu.',
    unsent: 'Le boîtier n’a pas encore ce scan. Attendez qu’il soit envoyé, puis réessayez.',
    scanner: 'le scanner',
    tooLate: 'La réponse est arrivée trop tard. Cette personne a été refusée.',
    who: 'Identifiez-vous d’abord, sous Service : on enregistre qui a décidé.',
  },
  preflight: {
    clock: {
      unknown: 'pas encore comparée à celle du boîtier',
      off: (ms) => `${duration(Math.abs(ms))} ${ms > 0 ? 'de retard' : 'd’avance'} sur le boîtier`,
      fine: 'la même que celle du boîtier',
      remedy: 'Mettez la date et l’heure de ce téléphone en automatique.',
      measure: 'Rejoignez le réseau du boîtier pour comparer les heures.',
    },
    manifest: {
      none: 'pas de liste de billets',
      is: (tickets, version, ageMs) =>
        `${count(tickets, { one: '# billet', other: '# billets' })}, version ${version}, ${ageMs < 60_000 ? 'à jour' : `vieille de ${duration(ageMs)}`}`,
      remedy: 'Restez sur le réseau du boîtier jusqu’à ce que la liste soit à jour.',
    },
    certificate: {
      left: (ms) => (ms > 0 ? `expire dans ${duration(ms)}` : 'expiré'),
      remedy: 'Demandez une nouvelle invitation au PC sécurité et associez à nouveau.',
    },
    storage: {
      asking: 'ce navigateur vous demande s’il peut garder les données',
      kept: 'ce téléphone garde ses données',
      notKept:
        'ce téléphone peut effacer des scans non envoyés : si la place manque, en navigation privée ou après une semaine sans usage',
      unknown: 'ce navigateur ne dit pas s’il garde les scans non envoyés',
      small: (mb) =>
        `ce navigateur ne donne que ${mb} Mo à l’appli, comme en navigation privée : les scans non envoyés peuvent manquer de place`,
      smallRemedy: 'Ouvrez l’appli dans une fenêtre normale, ou libérez de la place sur ce téléphone.',
      remedy: 'Ajoutez l’appli à l’écran d’accueil, et ouvrez-la de là.',
    },
    boxes: {
      ready: (names) => `si ce boîtier tombe en panne, ce téléphone passe sur ${names}`,
      silent: (names) => `pas de réponse : ${names}`,
      silentRemedy: (address) =>
        `Ouvrez ${address} une fois dans ce navigateur et faites-lui confiance, comme pour le premier boîtier. S’il ne s’ouvre pas, prévenez le PC sécurité.`,
      later: (names) => `ajouté après l’ouverture de l’appli : ${names}`,
      laterRemedy: 'Redémarrez l’appli dans Réglages pour qu’elle puisse l’utiliser.',
    },
    link: {
      reachable: 'le boîtier répond',
      offline: 'le boîtier ne répond pas',
      remedy: 'Rejoignez le réseau du boîtier.',
    },
  },
}
