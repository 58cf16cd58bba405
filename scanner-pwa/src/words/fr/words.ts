/** Text read while scanning, in French: the frame of the app, the viewfinder, notices, verdicts, reports. */
import type { words as English } from '../en/words.ts'
import { speech } from './speech.ts'

const { clock, count, short: duration } = speech

const people = (n: number) => count(n, { one: 'environ # personne', other: 'environ # personnes' })

export const words: typeof English = {
  title: 'Scanner Gatehouse',
  opening: 'Ouverture.',
  doesNotOpen: 'Le scanner ne s’est pas ouvert sur ce téléphone. Fermez-le et rouvrez-le.',
  again: 'Réessayer',
  cancel: 'Retour',
  close: 'Fermer',
  back: 'Retour',
  dismiss: 'Masquer',
  unexpected: 'Ça n’a pas marché. Réessayez.',
  rehearsal: 'Répétition : personne n’est compté',

  nav: {
    label: 'Écrans',
    scan: 'Scan',
    recent: 'Récents',
    shift: 'Service',
    settings: 'Réglages',
  },

  link: {
    reachable: 'En ligne',
    neverHeard: 'Hors ligne',
    away: (box) => `Sur ${box}`,
    offline: (ms) => `Hors ligne ${duration(ms)}`,
    unsent: (n) => (n === 0 ? 'Tout envoyé' : `${n} à envoyer`),
  },

  camera: {
    viewfinder: 'Image de la caméra',
    opening: 'Ouverture de la caméra.',
    switch: 'Autre caméra',
    automatic: 'Caméra arrière',
    numbered: (n) => `Caméra ${n}`,
    torchOn: 'Allumer la lampe',
    torchOff: 'Éteindre la lampe',
    open: 'Ouvrir la caméra',
    reader: {
      absent:
        'Le lecteur de QR codes n’est pas encore sur ce téléphone. Rejoignez le réseau du boîtier, et tapez les codes en attendant.',
      stopped: 'Le lecteur de QR codes s’est arrêté et redémarre. Tapez le code si c’est long.',
    },
    trouble: {
      denied: {
        what: 'La caméra est bloquée.',
        remedy:
          'Autorisez-la pour cette page : le cadenas ou la caméra à côté de l’adresse, ou les réglages du téléphone pour ce navigateur.',
      },
      absent: {
        what: 'Aucune caméra trouvée.',
        remedy: 'Branchez-en une, prenez une douchette, ou tapez le code.',
      },
      busy: {
        what: 'Une autre appli utilise la caméra.',
        remedy: 'Fermez-la, puis ouvrez la caméra ici.',
      },
      lost: { what: 'La caméra s’est arrêtée.', remedy: 'Elle redémarre toute seule. Sinon, appuyez sur le bouton.' },
      insecure: {
        what: 'Cette page n’a pas le droit d’utiliser la caméra.',
        remedy: 'Ouvrez-la en https://, comme dans l’invitation.',
      },
      unknown: {
        what: 'La caméra ne s’est pas ouverte.',
        remedy: 'Appuyez sur le bouton. Si rien n’y fait, redémarrez le téléphone.',
      },
    },
    wedgeWorks: 'La douchette et la saisie des codes marchent toujours.',
  },

  scan: {
    title: 'Scan',
    change: 'Changer de point de contrôle',
    type: 'Taper un code',
    typeTitle: 'Taper le code',
    typeLabel: 'Code imprimé sur le billet',
    typeSubmit: 'Vérifier ce code',
    lookUp: 'Chercher',
    lookUpLong: 'Chercher un billet par nom',
    report: 'Signaler',
    reportLong: 'Signaler un incident',
    last: 'Dernier scan',
    none: 'Rien de scanné',
    tapForSound: 'Toucher pour le son',
    failed: 'Pas de réponse pour ce code. Scannez-le à nouveau.',
    notices: 'Avis',
  },

  notice: {
    hold: (gate) => `${gate} : entrées suspendues`,
    holdUntil: (ms) => `Jusqu’à ${clock(ms)}.`,
    stale: (ms) => `Liste de billets vieille de ${duration(ms)}`,
    staleText: 'Les nouveaux billets et les annulations sont inconnus ici. Ramenez ce téléphone sur le réseau.',
    noList: 'Pas de liste de billets',
    noListText: 'Ce téléphone ne peut rien vérifier hors ligne. Emmenez-le sur le réseau.',
    offline: (ms) =>
      ms === null ? 'Hors ligne : ce téléphone décide' : `Hors ligne depuis ${duration(ms)} : ce téléphone décide`,
    offlineText: 'Continuez à scanner. Les scans partiront au retour du boîtier.',
    away: (box) => `Votre boîtier est en panne : ${box} le remplace`,
    awayText: 'Continuez à scanner. Ce téléphone reviendra tout seul.',
    joined: (box) => `Nouveau boîtier : ${box}`,
    joinedText:
      'Quand c’est calme, redémarrez l’appli dans Réglages, pour qu’elle puisse passer sur ce boîtier si le vôtre tombe en panne.',
    doubles: (n) => count(n, { one: 'Un billet a servi deux fois', other: '# billets ont servi deux fois' }),
    doublesText: 'Accepté ici hors ligne, et utilisé aussi ailleurs.',
    aside: (n) => count(n, { one: 'Le boîtier a refusé une entrée', other: 'Le boîtier a refusé # entrées' }),
    asideText: 'Décidé hors ligne, et gardé sur ce téléphone. Prévenez le PC sécurité.',
    look: 'Ouvrir',
    more: (n) => `+${n}`,
    emergency: (kind, where) => `${kind} : ${where}`,
    emergencyText: 'Signalé par un autre scanner.',
    announcement: { info: 'Info', warning: 'Attention', emergency: 'Urgence' },
    dismissNamed: (what) => `Masquer : ${what}`,
  },

  verdict: {
    label: 'Résultat',
    next: 'Suivant',
    waiting: (n) => `encore ${n} en attente`,
    confirmed: 'Confirmé par le boîtier',
    confirmedBy: (box) => `Confirmé par ${box}`,
    provisional: 'Provisoire : non confirmé par les autres boîtiers',
    provisionalSince: (boxes, ms) =>
      ms === null
        ? `Provisoire : pas encore de contact avec ${boxes}`
        : `Provisoire : pas de contact avec ${boxes} depuis ${duration(ms)}`,
    moreBoxes: (n) => `${n} de plus`,
    provisionalBy: (box, why) => `${why}. Réponse de ${box}`,
    offline: (ms) =>
      ms === undefined ? 'Hors ligne : ce téléphone décide' : `Hors ligne depuis ${duration(ms)} : ce téléphone décide`,
    class: {
      admit: 'Entrée OK',
      exit: 'Sortie',
      used: 'Déjà utilisé',
      elsewhere: 'Autre porte',
      'not-now': 'Pas maintenant',
      stale: 'Code périmé',
      invalid: 'Non valable',
      revoked: 'Annulé',
      supervisor: 'Voir responsable',
    },
    yours: 'À vous de décider',
    held: 'Entrées suspendues',
    clockOff: 'Heure du téléphone fausse',
    undone: 'Entrée annulée',
    failed: 'Non décidé',
    failedSure: 'Rien n’a été vérifié',
    entry: (n) => `Entrée n° ${n}`,
    undo: 'Annuler l’entrée',
    undoTitle: 'Annuler cette entrée',
    undoText: 'Le billet pourra resservir. Le PC sécurité voit qui l’a fait et pourquoi.',
    undoReasons: ['Scanné par erreur', 'N’est pas entré', 'Mauvaise personne'],
    admit: 'Accepter quand même',
    admitTitle: 'Laisser entrer (responsable)',
    admitText: 'Le motif est enregistré.',
    admitReasons: [
      'Billet vérifié à la main',
      'Revient d’une courte sortie',
      'Téléphone ou code abîmé',
      'Erreur précédente de l’équipe',
    ],
    reason: 'Motif',
    admitSubmit: 'Laisser entrer',
    undoSubmit: 'Annuler l’entrée',
  },

  incidents: {
    title: 'Signaler',
    lead: 'Un seul appui prévient le PC sécurité.',
    kinds: {
      crush: 'Mouvement de foule',
      medical: 'Médical',
      need_staff: 'Renfort',
      fire: 'Incendie',
      security: 'Sécurité',
      lost_child: 'Enfant perdu',
      access: 'Accès PMR',
      equipment: 'Matériel',
    },
    note: 'Note à joindre (facultatif)',
    noteHint: 'Où exactement, ce que vous voyez. Pas de noms. À écrire avant d’appuyer.',
    sending: 'Envoi…',
    notSent: 'NON ENVOYÉ. Utilisez la radio.',
    notSentText: 'Ce téléphone réessaie sans cesse, et affichera ici l’arrivée du signalement.',
    refused: (why) => `Refusé par le boîtier : ${why}`,
    received: 'Reçu. Personne ne l’a encore vu.',
    receivedText: 'Le PC sécurité est appelé jusqu’à ce que quelqu’un réponde.',
    seen: 'Vu par le PC sécurité.',
    named: (kind, state) => `${kind} : ${state}`,
    own: 'Vos signalements',
    ownNone: 'Aucun signalement.',
    addNote: 'Ajouter une note',
    noteLater: 'Note pour le PC sécurité',
    noNames: 'Où exactement, ce qui a changé. Pas de noms.',
    sendNote: 'Envoyer la note',
    withdraw: 'Retirer',
    withdrawTitle: (kind) => `Retirer « ${kind} » ?`,
    withdrawText: 'Le PC sécurité y verra une fausse alerte. Personne ne viendra.',
    here: 'Signalé par d’autres à cette porte',
    elsewhere: 'Urgences ailleurs',
    waiting: 'Combien de personnes attendent ici ?',
    waitingHint: 'Un ordre de grandeur aide le PC sécurité à envoyer les gens vers une file plus courte.',
    people: (n) => (n === 0 ? 'Personne' : `Environ ${n}`),
    waitingSent: (n) => (n === 0 ? 'Envoyé : personne n’attend.' : `Envoyé : ${people(n)} en attente.`),
    ticks: { pressed: 'Appuyé', received: 'Reçu', seen: 'Vu' },
    state: (state, assignee, actor) => {
      switch (state) {
        case 'acknowledged':
          return actor ? `Vu par ${actor}.` : 'Vu par le PC sécurité.'
        case 'assigned':
          return assignee ? `En route : ${assignee}.` : 'Une équipe est en route.'
        case 'resolved':
          return 'Réglé.'
        case 'cancelled':
          return 'Clos : fausse alerte.'
        default:
          return 'Personne ne l’a encore vu.'
      }
    },
    withdrawn: 'Retiré à la porte.',
    reason: (reason) => `« ${reason} »`,
    pressedAndReceived: (pressed, received) => `appuyé ${pressed}, reçu ${received}`,
  },
}
