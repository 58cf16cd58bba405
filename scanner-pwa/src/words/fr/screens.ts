/** Text read before and after scanning, in French: pairing, checkpoint, recent scans, shift, settings. */
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { screenWords as English } from '../en/screens.ts'
import { speech } from './speech.ts'

const { clock, count } = speech

const scans = (n: number) => count(n, { one: '# scan', other: '# scans' })
const unsent = (n: number) => count(n, { one: '# scan pas encore envoyé', other: '# scans pas encore envoyés' })

export const screenWords: typeof English = {
  pairing: {
    title: 'Associer ce téléphone',
    arrived: 'Un appui, et ce téléphone devient un scanner.',
    none: 'Le PC sécurité affiche une invitation en QR code. Scannez-la, ou ouvrez son lien sur ce téléphone.',
    deleted:
      'Ce téléphone était associé, et son navigateur a effacé les données de l’appli. Demandez une nouvelle invitation au PC sécurité.',
    deletedUnsent: (n) => `Non envoyé et perdu : ${scans(n)}. Prévenez le PC sécurité.`,
    name: 'Nom de ce téléphone',
    nameHint: 'Visible au PC sécurité, par exemple « Porte Nord 2 ».',
    guess: (platform) => (platform === '' ? 'Téléphone' : `Téléphone ${platform}`),
    pair: 'Associer ce téléphone',
    pairing: 'Association',
    scan: 'Scanner l’invitation',
    stopCamera: 'Arrêter la caméra',
    paste: 'Coller le lien d’invitation',
    use: 'Utiliser cette invitation',
    noInvite: 'Ce lien d’invitation est incomplet. Il doit commencer par https:// et contenir #i=.',
    another: 'Utiliser une autre invitation',
    already: (name) =>
      `Ce téléphone est déjà associé sous le nom « ${name} ». Pour l’associer à nouveau, dissociez-le d’abord.`,
    keep: 'Garder cette association',
  },

  checkpoint: {
    title: 'À quel point de contrôle êtes-vous ?',
    operator: 'Votre nom',
    operatorHint: 'Facultatif. Il est gardé avec vos scans sur ce téléphone, et figure dans la relève.',
    in: 'Entrée',
    out: 'Sortie',
    none: 'Ce téléphone n’a pas de point de contrôle. Demandez une autre invitation au PC sécurité.',
  },

  recent: {
    title: 'Derniers scans',
    lead: 'Les 50 derniers de ce téléphone.',
    none: 'Rien de scanné pour l’instant.',
    alone: 'hors ligne',
    sent: 'envoyé',
    unsent: 'pas encore envoyé',
    confirmed: 'confirmé',
    supervised: 'admis par un responsable',
    undone: 'entrée annulée',
    double: 'utilisé deux fois',
    ago: (age) => `il y a ${age}`,
    past: 'Scan précédent',
  },

  doubles: {
    title: 'Utilisés deux fois',
    lead: 'Vous les avez laissés entrer pendant que ce téléphone était hors ligne, et les mêmes billets ont aussi servi ailleurs. Personne n’est mis dehors : le PC sécurité a les deux passages.',
    none: 'Aucun.',
    yours: 'Ici, avec ce téléphone',
    other: 'Ailleurs',
    at: (where, ms) => `${where}, ${clock(ms)}`,
    unknown: 'Le PC sécurité a l’autre passage.',
    dismiss: 'Compris',
    aside: 'Refusés par le boîtier',
    asideLead: 'Prévenez le PC sécurité : le boîtier n’en a aucune trace.',
  },

  shift: {
    title: 'Ce service',
    since: (ms) => `Depuis ${clock(ms)}`,
    operator: 'Identifié',
    signOn: 'S’identifier',
    signOff: 'Se déconnecter',
    change: 'Changer',
    name: 'Votre nom',
    counts: 'Scans',
    total: (n) => `${scans(n)} en tout`,
    also: 'Aussi',
    alone: 'Décidé hors ligne',
    supervised: 'Admis par un responsable',
    undone: 'Entrées annulées',
    doubles: 'Utilisés deux fois',
    unsent: 'Pas encore envoyés',
    aside: 'Refusés par le boîtier',
    handOver: 'Passer la relève',
    handOverTitle: 'Passer la relève de ce téléphone ?',
    handOverText:
      'Les compteurs repartent de zéro et vous êtes déconnecté. Les scans non envoyés restent sur le téléphone jusqu’à leur envoi.',
    handOverUnsent: (n) => `${unsent(n)}. Ramenez le téléphone sur le réseau avant de l’éteindre.`,
    handOverConfirm: 'Passer la relève',
    handedOver: 'Relève passée',
    copy: 'Copier',
    copied: 'Copié',
    done: 'Terminé',
    summary: (summary, checkpoint, until, classes) =>
      [
        `${checkpoint} : ${summary.operator ?? 'sans nom'}, ${clock(summary.since)} – ${clock(until)}.`,
        ...Object.entries(summary.byClass)
          .filter(([, n]) => n > 0)
          .map(([name, n]) => `${classes[name as VerdictClass]} : ${n}`),
        `Décidé hors ligne : ${summary.alone}`,
        `Admis par un responsable : ${summary.supervised}`,
        `Entrées annulées : ${summary.undone}`,
        `Utilisés deux fois : ${summary.doubles}`,
        summary.unsent === 0 ? 'Tous les scans sont envoyés.' : `Pas encore envoyés : ${summary.unsent}`,
        ...(summary.aside === 0 ? [] : [`Refusés par le boîtier : ${summary.aside}`]),
      ].join('\n'),
  },

  signOn: {
    title: 'Qui scanne ?',
    now: 'Identifié :',
    somebodyElse: 'Une autre personne',
    name: 'Nom',
    secret: 'PIN ou mot de passe',
    wrong: 'Nom ou PIN incorrect. Réessayez.',
    wait: 'Trop d’essais. Patientez un instant, ou demandez un nouveau PIN au PC sécurité.',
    unreachable: 'Le boîtier ne répond pas. Réessayez.',
    aloneLocked: 'Le boîtier ne répond pas : personne ne peut s’identifier avant son retour.',
    aloneAs: (name) =>
      `Le boîtier ne répond pas : l’appareil reste au nom de ${name}, et personne d’autre ne peut s’identifier avant son retour.`,
  },

  settings: {
    title: 'Réglages',
    licences: 'Licences de cette appli',
    theme: 'Clair ou sombre',
    language: 'Langue',
    themes: { auto: 'Comme le téléphone', light: 'Clair', dark: 'Sombre' },
    volume: 'Volume des sons',
    volumeOf: (percent) => `${percent} %`,
    hear: 'Essayer les sons',
    vibration: 'Vibrer',
    camera: 'Caméra',
    preflight: 'Vérifier avant l’ouverture',
    checkpoint: 'Changer de point de contrôle',
    phone: 'Ce téléphone',
    name: 'Nom',
    event: 'Événement',
    box: 'Boîtier',
    certificate: 'Certificat valable jusqu’au',
    version: 'Version',
    supervisor: 'Responsable',
    yes: 'Oui',
    no: 'Non',
    rehearsal:
      'Une répétition est en cours : ce que ce téléphone scanne ne compte pas. Si des gens entrent, quittez la répétition.',
    leaveRehearsal: 'Quitter la répétition',
    newer: 'Une nouvelle version est prête.',
    restart: 'Redémarrer',
    unpair: 'Dissocier ce téléphone',
    unpairTitle: 'Dissocier ce téléphone ?',
    unpairText:
      'Sa clé et sa liste de billets sont effacées. Pour scanner à nouveau, il faudra une nouvelle invitation.',
    unpairUnsent: (n) => `${unsent(n)}. Tout sera perdu : le boîtier ne saura jamais qui est entré.`,
    unpairConfirm: 'Dissocier',
    unpairForce: (n) => `Dissocier et perdre ${scans(n)}`,
  },

  ended: { title: 'Ce téléphone ne peut plus scanner', pairAgain: 'Dissocier et associer à nouveau' },
}
