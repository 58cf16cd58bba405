/** The sentences of the check before doors, in French. */
import type { preflightWords as English } from '../en/preflight.ts'

export const preflightWords: typeof English = {
  title: 'Avant l’ouverture',
  start: 'Commencer à scanner',
  startAnyway: 'Scanner quand même',
  ready: 'Tout est prêt.',
  missing: (names) => `Pas prêt : ${names.join(', ')}.`,
  names: {
    camera: 'Caméra',
    storage: 'Stockage',
    clock: 'Heure',
    manifest: 'Liste de billets',
    certificate: 'Certificat',
    sound: 'Son',
    'wake-lock': 'Écran toujours allumé',
    link: 'Boîtier',
    boxes: 'Autres boîtiers',
    offline: 'Marche sans réseau',
  },
  states: { ok: 'Prêt', warn: 'À vérifier', fail: 'Pas prêt', checking: 'Vérification' },
  checking: 'Vérification.',
  playSound: 'Jouer un son',
  heardIt: 'Je l’ai entendu',
  tryCamera: 'Réessayer la caméra',
  camera: {
    ok: (label, width, height) => `${label || 'Caméra'}, ${width} × ${height}.`,
  },
  sound: {
    ok: 'Vous l’avez entendu.',
    muted: 'Le volume de cette appli est à zéro.',
    remedy: 'Jouez le son, puis confirmez que vous l’entendez.',
    mutedRemedy: 'Montez-le dans Réglages.',
    notPlayed: 'Pas encore entendu.',
    none: 'Ce navigateur ne joue aucun son.',
    noneRemedy: 'Regardez l’écran à chaque scan, ou prenez un autre navigateur.',
  },
  wakeLock: {
    ok: 'L’écran reste allumé pendant les scans.',
    fail: 'Ce téléphone éteint son écran tout seul.',
    remedy: 'Réglez la mise en veille au plus long et coupez l’économie d’énergie.',
  },
  offline: {
    ok: 'Tous les fichiers sont sur ce téléphone. Les scans hors ligne ne partent que si l’appli est ouverte.',
    checking: 'Enregistrement des fichiers sur ce téléphone.',
    fail: 'Il manque encore des fichiers sur ce téléphone.',
    remedy: 'Gardez cette page ouverte une minute sur le réseau du boîtier.',
  },
}
