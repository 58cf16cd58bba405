/** Text under the ticket and on the screens beside it, in French. */
import type { screenWords as English } from '../en/screens.ts'

import { speech } from './speech.ts'

const { count } = speech

export const screenWords: typeof English = {
  claim: {
    title: 'Verrouiller sur ce téléphone',
    why: 'En attendant, toute personne qui a votre lien a votre billet.',
    ask: 'Verrouiller ici',
    heading: 'Verrouiller ce billet sur ce téléphone ?',
    does: [
      'Désormais, seul ce téléphone pourra afficher le billet.',
      'Les liens que vous avez transférés ne marcheront plus, et un code imprimé peut aussi cesser de marcher.',
      'Vous ne pouvez pas l’annuler vous-même. Si vous perdez ce téléphone, l’organisateur peut libérer le billet.',
      'Ne le faites pas en navigation privée : la clé est perdue à la fermeture.',
    ],
    weak: 'Cette connexion n’est pas sécurisée : la clé est gardée sans protection dans ce navigateur. Ouvrez votre lien en https si possible.',
    confirm: 'Verrouiller',
    working: 'Verrouillage',
    mine: 'Verrouillé sur ce téléphone.',
    mineWeak:
      'Verrouillé sur ce téléphone. Sa clé est gardée sans protection dans ce navigateur, ce qui est moins sûr qu’en https.',
    unsure: 'Pas encore confirmé. Restez connecté un instant avant d’aller à la porte.',
    released: 'L’organisateur a libéré ce billet. Son lien marche à nouveau, et vous pouvez reverrouiller le billet.',
    unkept:
      'Ce navigateur ne peut pas garder de clés : rien n’a été verrouillé. Ouvrez le lien dans une fenêtre normale, ou dans un autre navigateur.',
  },

  install: {
    title: 'À portée de main',
    text: 'Mettez votre billet sur l’écran d’accueil, pour l’ouvrir sans chercher le message.',
    ios: 'Copiez d’abord votre lien. Puis, dans Safari, touchez Partager, puis « Sur l’écran d’accueil ». Ouvrez la nouvelle icône et collez-y le lien : elle ne connaît pas encore votre billet. Faites tout cela avant de verrouiller le billet sur ce téléphone.',
    button: 'Ajouter à l’écran d’accueil',
    dismiss: 'Non merci',
  },

  nearby: {
    heading: 'Autour de vous',
    from: 'Je suis à',
    lastSeen: 'Ma dernière porte',
    firstGate: 'Mon entrée',
    stepFree: 'Seulement sans marches',
    show: 'Afficher',
    everything: 'Tout',
    list: 'Liste',
    map: 'Plan',
    views: 'Affichage',
    looking: 'Chargement',
    none: 'Rien de ce type là où votre billet donne accès.',
    noneStepFree:
      'Aucun chemin sans marches connu. Désactivez l’option pour voir le reste, ou demandez à un agent d’accueil.',
    noMap: 'Ce lieu n’a pas encore de plan. Demandez à un agent d’accueil.',
    failed: 'Il faut du réseau. Réessayez une fois la connexion revenue.',
    old: (age) => `Pas de connexion. Dernière mise à jour : ${age}.`,
    minutes: (n) => `${n} min`,
    metres: (n) => `${n} m`,
    via: (names) => `par ${names}`,
    stepFreeYes: 'Sans marches',
    stepFreeNo: 'Avec marches',
    stepFreeUnverified: 'Sans marches : non vérifié',
    to: (name) => `Chemin vers : ${name}`,
    larger: 'Agrandir',
    whole: 'Plan entier',
    mapTitle: (event) => `Plan : ${event}`,
    badMap: 'Le plan ne peut pas s’afficher. Il se rechargera quand vous serez en ligne.',
  },

  more: {
    heading: 'Billets et réglages',
    licences: 'Licences de cette appli',
    add: 'Ajouter un billet',
    paste: 'Lien du billet',
    pasteHint: 'Copiez le lien du message de l’organisateur et collez-le ici.',
    addButton: 'Ajouter le billet',
    malformed:
      'Ce lien de billet est incomplet. Copiez-le en entier depuis le message de l’organisateur : il contient #t=.',
    remove: 'Retirer',
    removeLabel: (name) => `Retirer ${name}`,
    removeHeading: (name) => `Retirer ${name} de ce téléphone ?`,
    removeText: 'Le billet reste valable, et son lien l’ouvre à nouveau.',
    removeMine:
      'Ce téléphone a la seule clé de ce billet. Sans elle, personne ne peut afficher le billet tant que l’organisateur ne l’a pas libéré.',
    removeConfirm: 'Retirer le billet',
    link: 'Afficher le lien',
    linkLabel: (name) => `Afficher le lien : ${name}`,
    linkHeading: 'Le lien de votre billet',
    linkText: 'Qui a ce lien a le billet. Ne le montrez à personne.',
    linkField: 'Lien',
    copy: 'Copier le lien',
    copied: 'Copié',
    theme: 'Apparence',
    language: 'Langue',
    themes: { auto: 'Comme le téléphone', light: 'Clair', dark: 'Sombre' },
    state: 'Ce téléphone',
    savedYes: 'Enregistré. S’ouvre sans réseau.',
    savedNo: 'Enregistrement en cours, pour l’usage sans réseau.',
    savedNever:
      'Cette page marche tant qu’elle est ouverte. Pour la rouvrir, il faut du réseau, car la connexion n’est pas sécurisée.',
    updated: (age) => `Billet mis à jour ${age}.`,
    clockRight: 'L’heure est juste.',
    newer: 'Une nouvelle version est prête.',
    restart: 'Mettre à jour',
  },

  news: {
    heading: 'De l’organisateur',
    none: 'Pas de message pour l’instant.',
    severity: { info: 'Info', warning: 'Attention', emergency: 'Urgence' },
    zones: (names) => `Pour ${names}`,
    until: (time) => `Jusqu’au ${time}`,
    checked: 'Signé par l’organisateur',
    hidden: (n) =>
      count(n, {
        one: '# message n’est pas affiché : il n’est pas signé par l’organisateur de ce billet.',
        other: '# messages ne sont pas affichés : ils ne sont pas signés par l’organisateur de ce billet.',
      }),
    noKey:
      'Une partie de votre lien manque : les messages ne peuvent pas être vérifiés et ne sont pas affichés. Rouvrez le lien entier.',
    all: 'Tous les messages',
  },

  occasion: {
    heading: 'Quand et où',
    begins: 'Début',
    doors: 'Ouverture des portes',
    place: 'Lieu',
    entrances: 'Entrée',
  },

  history: {
    admitted: (checkpoint, time) => `Vous êtes à l’intérieur : ${checkpoint}, ${time}`,
    heading: 'Vos passages',
    none: 'Rien pour l’instant. Les portes que vous passez s’affichent ici.',
    in: (checkpoint) => `Entrée : ${checkpoint}`,
    out: (checkpoint) => `Sortie : ${checkpoint}`,
  },
}
