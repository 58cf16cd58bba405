/** The sentences of the screen of the machine, in French. */
import type { applianceWords as English } from '../en/appliance.ts'
import { actionWords as actions } from './actions.ts'
import { speech } from './speech.ts'

const { count } = speech

export const applianceWords: typeof English = {
  title: 'Machine',
  lead: 'La machine qui fait tourner le boîtier : ses réglages, son heure, son logiciel, ses sauvegardes.',
  none: 'Ce boîtier ne tourne pas sur une machine Gatehouse. Son heure, son logiciel et ses sauvegardes sont ceux de l’ordinateur qui le fait tourner.',
  loading: 'Attente de la machine…',
  again: 'Réessayer',

  settings: 'Réglages',
  fine: 'gatehouse.toml est correct.',
  problems: (n) =>
    count(n, {
      one: '# ligne de gatehouse.toml n’a pas été utilisée',
      other: '# lignes de gatehouse.toml n’ont pas été utilisées',
    }),
  line: (n) => `Ligne ${n}`,
  correct:
    'Le boîtier tourne sans elles. Corrigez le fichier sur la carte avec un ordinateur, remettez la carte, et allumez le boîtier.',

  machine: 'Machine',
  facts: { room: 'Espace libre', temperature: 'Température', uptime: 'Allumée depuis', clock: 'Heure' },
  room: (free, total) => `${actions.import.size(free)} sur ${actions.import.size(total)}`,
  roomLow: 'Prenez bientôt une carte plus grande : sans espace, aucun billet ne peut être scanné.',
  degrees: (celsius) => `${Math.round(celsius)} °C`,
  hot: 'Trop chaude : donnez-lui de l’air.',
  unknown: 'La machine ne le dit pas',

  time: 'Heure',
  synced: (source) => (source === null ? 'Réglée par le réseau.' : `Réglée par le réseau (${source}).`),
  unsynced: 'Pas réglée par le réseau. Le boîtier continue, et accepte des codes vieux de deux minutes au plus.',
  boxTime: (at) => `Le boîtier affiche ${at}.`,
  differs: (ms) =>
    `Il a ${actions.time.duration(ms)} ${ms > 0 ? 'de retard' : 'd’avance'} sur cet appareil. L’heure de cet appareil est-elle juste ?`,
  agrees: 'Cet appareil affiche la même.',
  setTime: 'Mettre le boîtier à l’heure de cet appareil',
  timeSet: 'L’heure est réglée.',

  software: 'Logiciel',
  slot: (name) => `Emplacement ${name}`,
  version: (version) => (version === null ? 'vide' : `version ${version}`),
  running: 'en cours',
  next: 'au prochain démarrage',
  slotBad: 'n’a pas démarré à l’essai',
  none_known: 'La machine ne dit pas quelles versions elle a.',
  states: {
    uploading: (percent) => (percent === null ? 'Envoi de la mise à jour' : `Envoi de la mise à jour, ${percent} %`),
    checking: 'Vérification : mise à jour authentique et faite pour cette machine',
    installing: (percent) => `Installation${percent === null ? '' : `, ${percent} %`}. Les scans continuent.`,
    ready: (version) =>
      `${version === null ? 'Mise à jour installée' : `Version ${version} installée`}. Elle démarre au redémarrage de la machine.`,
  },
  older: (version) => `Installer la version ${version}, bien que plus ancienne`,
  failed: (reason) => `La mise à jour n’a pas été installée. ${reason}`,
  choose: 'Fichier de mise à jour',
  chooseHint: 'Se termine par .update, 1 Go au plus. De préférence entre deux événements : l’envoi occupe la carte.',
  notUpdate: 'Ce n’est pas une mise à jour. Choisissez le fichier qui se termine par .update.',
  tooLarge: 'Ce fichier dépasse 1 Go : aucune mise à jour n’est si grande.',
  send: 'Envoyer et installer',
  sending: 'Envoi de la mise à jour',
  cancel: 'Annuler',
  unanswered: 'Connexion perdue avant l’arrivée du fichier entier. Rien n’a changé. Envoyez-le à nouveau.',
  cancelled: 'Annulé. Rien n’a changé.',
  stick: 'Sur la clé USB',
  install: (name) => `Installer ${name}`,
  restart: 'Redémarrer',
  restartTitle: 'Redémarrer la machine ?',
  restartText: 'Les scanners marchent hors ligne environ une minute, et envoient leurs scans ensuite.',
  restartUpdate:
    'La nouvelle version démarre. Si elle ne marche pas en trois minutes, la machine revient toute seule à celle-ci.',
  restarting: 'La machine redémarre. Cette page revient toute seule.',
  rollback: (version) => (version === null ? 'Revenir en arrière' : `Revenir à la version ${version}`),
  rollbackTitle: 'Revenir à la version d’avant ?',
  rollbackText:
    'La machine redémarre avec elle. Billets et scans restent tels quels. Les scanners marchent hors ligne environ une minute.',
  unstart: 'L’abandonner',
  unstartTitle: 'Abandonner la nouvelle version ?',
  unstartText: 'La machine garde sa version actuelle. Pour avoir la nouvelle, installez-la à nouveau.',
  unstarted: 'Abandonnée. La version actuelle reste.',

  backup: 'Sauvegarde',
  backupLead:
    'Tout ce qui est sur ce boîtier, en un fichier. Il contient les clés du boîtier : chiffrez-le, il sera inutile à un voleur. Le boîtier ne garde pas ce que vous tapez ici.',
  protect: 'Chiffrement',
  ways: {
    passphrase: 'Avec une phrase secrète',
    recipients: 'Pour des destinataires age',
    none: 'Non chiffrée',
  },
  passphrase: 'Phrase secrète',
  passphraseHint: 'Au moins 12 caractères. L’idéal : cinq mots au hasard ou plus.',
  strength: {
    short: 'Trop courte : au moins 12 caractères.',
    weak: 'Faible : un voleur du fichier peut essayer aussi longtemps qu’il veut. Ajoutez des mots.',
    fair: 'Moyenne. Un ou deux mots de plus la rendent forte.',
    strong: 'Forte, sauf si elle vient d’un livre ou d’une chanson.',
  },
  passphraseAgain: 'Phrase secrète, à nouveau',
  passphraseLost: 'Notez-la et gardez-la à part du fichier. Sans elle, personne ne peut restaurer cette sauvegarde.',
  recipients: 'Destinataires',
  recipientsHint:
    'Un par ligne : age1…, la clé publique qu’affiche age-keygen. Qui a l’une des clés secrètes peut restaurer la sauvegarde.',
  worth:
    'Qui obtient ce fichier a les clés du boîtier : il peut faire entrer n’importe qui, se faire passer pour le boîtier et signer en son nom. Il peut lire les noms et e-mails de tous les titulaires, et les codes de tous les billets. Gardez-le aussi précieusement que les billets.',
  protectionMistakes: {
    short: 'Pas de sauvegarde : la phrase secrète est trop courte. Il faut au moins 12 caractères.',
    control:
      'Pas de sauvegarde : la phrase secrète contient une tabulation ou un autre caractère que certains claviers ne savent pas taper.',
    different: 'Pas de sauvegarde : les deux phrases secrètes diffèrent. Retapez-les.',
    noRecipient: 'Pas de sauvegarde : indiquez un destinataire (age1…), ou choisissez une phrase secrète.',
    notRecipient: 'Pas de sauvegarde : un destinataire commence par age1 et occupe une ligne. Copiez-le à nouveau.',
    identity:
      'Pas de sauvegarde : c’est une clé secrète (AGE-SECRET-KEY). Rien n’a été envoyé. Utilisez la clé publique, qui commence par age1.',
    many: 'Pas de sauvegarde : 20 destinataires au plus.',
  },
  download: 'Télécharger une sauvegarde',
  downloading: (size) => `Réception de la sauvegarde, ${size} reçus`,
  downloaded: (name, size) => `Enregistré sous ${name}, ${size}.`,
  cutShort: 'La sauvegarde était incomplète et n’a pas été enregistrée. Téléchargez-la à nouveau.',
  toStick: 'Écrire une sauvegarde sur la clé USB',
  noStick: 'Pas de clé USB dans le boîtier. Mettez-en une, formatée en FAT32.',
  hasStick: 'Une clé USB est dans le boîtier.',
  making: 'Le boîtier prépare la sauvegarde. Laissez la clé.',
  copying: (percent) => `Écriture sur la clé${percent === null ? '' : `, ${percent} %`}. Laissez-la en place.`,
  done: (name) =>
    `La sauvegarde est sur la clé${name === null ? '' : ` : ${name}`}. Vous pouvez la retirer maintenant.`,
  backupFailed: (reason) => `Pas de sauvegarde sur la clé. ${reason}`,

  power: 'Redémarrage',
  powerLead: 'Utile quand une partie de la machine ne répond pas. Les scanners sont hors ligne environ une minute.',
}
