/** Texts of the screen Before doors, in French. */
import type { readyWords as English } from '../en/ready.ts'
import { speech } from './speech.ts'

const { count } = speech
const scanners = (n: number) => count(n, { one: '# scanner', other: '# scanners' })
const left = () => ''

export const readyWords: typeof English = {
  lead: 'Ce qui doit être en ordre avant l’arrivée du public, et une feuille par porte.',
  list: 'Prêt ?',
  standing: { ok: 'En ordre', warn: 'À faire', ask: 'À demander' },
  remedy: (name) => `Ouvrir : ${name}`,
  byAdmin: 'Demandez à un admin.',
  whatIsLeft: 'Ce qui reste avant l’ouverture',
  checks: {
    certificate: {
      name: 'Certificat',
      ok: () => 'Cet appareil fait confiance au boîtier.',
      warn: () =>
        'Cet appareil ne fait pas confiance au boîtier : sans cela, aucune appli ne s’ouvre hors ligne. Installez le certificat.',
      ask: () => 'Ce navigateur ne dit pas s’il fait confiance au boîtier.',
    },
    publicName: {
      name: 'Nom public',
      ok: () => 'Le certificat du nom public reste valable jusqu’après l’événement.',
      warn: () =>
        'Le certificat du nom public manque, est en retard, abîmé, ou expire avant la fin de l’événement : les portes ouvrent quand même, mais les navigateurs afficheront un avertissement.',
      ask: left,
    },
    clock: {
      name: 'Heure',
      ok: () => 'L’heure du boîtier est juste.',
      warn: () =>
        'Rien ne règle l’heure du boîtier : comparez-la à une montre, et laissez la machine prendre l’heure du réseau.',
      ask: left,
    },
    tickets: {
      name: 'Billets',
      ok: (n) => `${count(n, { one: '# billet importé', other: '# billets importés' })}.`,
      warn: () => 'Aucun billet : importez le fichier de votre boutique.',
      ask: left,
    },
    scanners: {
      name: 'Scanners',
      ok: (n) => `${count(n, { one: '# scanner connecté', other: '# scanners connectés' })}.`,
      warn: (n) =>
        `${count(n, { one: '# scanner connecté', other: '# scanners connectés' })}, moins que de portes : associez les autres, et ouvrez l’appli sur chacun.`,
      ask: left,
    },
    battery: {
      name: 'Batteries et heures',
      ok: () => 'Tous les scanners sont chargés et à l’heure.',
      warn: (n) => `${scanners(n)} avec une batterie vide ou une heure fausse.`,
      ask: left,
    },
    map: {
      name: 'Plan',
      ok: () => 'Le plan est là.',
      warn: (n) =>
        `${count(n, { one: '# porte absente', other: '# portes absentes' })} du plan : personne ne voit le chemin pour y aller. À placer à l’écran Événement.`,
      ask: () =>
        'Faut-il montrer le chemin aux visiteurs ? Alors dessinez ou importez un plan à l’écran Événement. Les portes marchent aussi sans.',
    },
    backup: {
      name: 'Sauvegarde',
      ok: (n) =>
        n === 0
          ? 'Sauvegarde faite il y a moins d’une heure.'
          : `Sauvegarde faite il y a ${count(n, { one: '# heure', other: '# heures' })}.`,
      warn: () => 'Pas de sauvegarde depuis 24 heures : faites-en une, et gardez-la ailleurs.',
      ask: left,
    },
    stick: {
      name: 'Clé USB',
      ok: () => 'Une clé est dans le boîtier.',
      warn: () => 'Pas de clé dans le boîtier : les sauvegardes n’ont nulle part où aller.',
      ask: left,
    },
    paper: {
      name: 'Listes papier',
      ok: () => 'Une liste est imprimée pour chaque porte.',
      warn: (n) =>
        `${count(n, { one: '# liste imprimée', other: '# listes imprimées' })} : imprimez-en une par porte, au cas où plus rien ne marcherait.`,
      ask: left,
    },
    links: {
      name: 'Liens des billets',
      ok: left,
      warn: left,
      ask: () =>
        'Les visiteurs montrent-ils leur billet sur le téléphone ? Chacun a alors besoin d’un lien ; les codes de la boutique marchent aussi sans. Cette commande écrit tous les liens dans un fichier (où la taper : box/docs/attendees.md, « Links ») :',
    },
    rehearsal: {
      name: 'Répétition',
      ok: () => 'Une répétition a eu lieu ces sept derniers jours.',
      warn: () => 'Pas encore de répétition : scannez ci-dessous de vrais billets avec les vrais téléphones.',
      ask: left,
    },
  },
  rehearsal: {
    title: 'Répétition',
    lead: 'De vrais téléphones scannent de vrais billets, et personne n’est compté. Le registre dit seulement qu’elle a eu lieu.',
    steps: [
      'Démarrez-la. En 10 secondes, chaque téléphone associé affiche « Répétition ».',
      'Scannez quelques billets, l’un deux fois, un autre à la mauvaise porte.',
      'Coupez le réseau d’un téléphone et continuez : il décide seul.',
      'Terminez-la ici. Ensuite, chaque scan compte.',
    ],
    start: 'Démarrer une répétition',
    startAnyway: 'Aucune porte n’est ouverte : démarrer',
    text: 'Les scanners de ce boîtier répètent : les personnes qu’ils laissent entrer ne sont pas comptées. La répétition se termine d’elle-même au début de l’événement.',
    objections: {
      event_on: 'L’événement a commencé.',
      people_came: 'Des personnes sont entrées dans les 30 dernières minutes.',
    },
    anyway:
      'Qui entre pendant une répétition manque dans tous les chiffres. Ne la démarrez que si aucune porte n’est ouverte.',
    length: 'Durée',
    started: 'La répétition est en cours.',
    end: 'Terminer la répétition',
    ended: (scans, scanners) =>
      `Répétition terminée : ${count(scans, { one: '# code essayé', other: '# codes essayés' })} avec ${count(scanners, { one: '# scanner', other: '# scanners' })}. Désormais, chaque scan compte.`,
    until: 'Fin automatique à',
    scanners: 'Scanners participants',
    scans: 'Codes essayés',
    meanwhile: 'Entrées réelles entre-temps',
    byAdmin: 'Un admin peut en démarrer une.',
    band: (actor) => `Répétition lancée par ${actor} : les scanners ne comptent personne.`,
    left: (time) => `Elle se termine dans ${time}.`,
    real: (n) => `Entrées réelles entre-temps : ${n}, par des scanners qui ne participent pas.`,
  },
  sheets: {
    title: 'Feuilles pour les portes',
    lead: 'Une page par porte, avec un code par téléphone. Qui a la feuille peut associer un téléphone : gardez-la comme une clé.',
    phones: 'Téléphones par porte',
    make: 'Créer les feuilles',
    print: 'Imprimer',
    leave: 'Imprimez-les avant de quitter cet écran : il ne les garde pas. Les feuilles créées avant restent valables.',
    paper: 'Les feuilles telles qu’imprimées',
    heading: (gate) => `Scanner : ${gate}`,
    until: (at) => `Valable jusqu’au ${at}. Chaque code associe un téléphone.`,
    network: (host) => `Connectez le téléphone au réseau du boîtier (${host}).`,
    trust:
      'Pas de bouton « Associer ce téléphone » ? Le téléphone ne fait pas encore confiance au boîtier, et la page montre les étapes en images. En bref :',
    fingerprint: 'Le téléphone montre l’empreinte (SHA-256) du certificat qu’il installe. Ce doit être celle-ci :',
    iphone:
      'iPhone : téléchargez-le dans Safari et autorisez le profil. Réglages, Profil téléchargé, Installer. Puis Général, Informations, Réglages des certificats : activez-le.',
    android:
      'Android : définissez un verrouillage d’écran. Paramètres, Sécurité, Chiffrement et identifiants, Installer un certificat, Certificat CA, et choisissez le fichier.',
    scan: 'Ouvrez l’appareil photo, visez un code que personne n’a utilisé, ouvrez le lien, et appuyez sur « Associer ce téléphone ».',
    phone: (n) => `Téléphone ${n}`,
    label: (gate, n) => `Invitation : ${gate}, téléphone ${n}`,
    fails: 'En cas de problème',
    failing: [
      'La page ne s’ouvre pas : le téléphone est sur un autre réseau, ou en données mobiles. Coupez les données mobiles.',
      'Le navigateur affiche un avertissement : le téléphone ne fait pas encore confiance au boîtier. Scannez de nouveau le code et suivez les étapes de la page.',
      '« Cette invitation a déjà servi » : prenez le code suivant, ou demandez une nouvelle feuille au PC sécurité.',
      'La caméra reste noire : autorisez la caméra pour cette page dans les réglages du navigateur.',
      'Rien n’y fait : scannez avec un autre téléphone, et faites entrer avec la liste papier.',
    ],
  },
}
