/** Every sentence that a person reads in the shell and on the live screens, in French. */
import type { words as English } from '../en/words.ts'
import { titles } from './titles.ts'

export const words: typeof English = {
  title: 'Gatehouse PC sécurité',

  screens: titles,

  session: {
    heading: 'PC sécurité',
    intro: 'Saisissez le jeton admin de ce boîtier. Il est gardé jusqu’à la fermeture de cet onglet.',
    label: 'Jeton admin',
    where:
      'Le boîtier l’affiche à son premier démarrage, et le garde dans le fichier admin-token de son dossier de données. Sur la machine Gatehouse, mettez show_admin_token = true dans gatehouse.toml : au démarrage suivant, il est dans admin-token.txt sur la carte.',
    submit: 'Ouvrir',
    checking: 'Vérification…',
    noToken: 'Ce n’est pas un jeton : copiez toute la ligne que le boîtier a affichée.',
    wrongToken: 'Ce n’est pas le jeton de ce boîtier. Copiez celui du fichier admin-token.',
    tokenRefused: 'Le boîtier n’accepte plus votre jeton. Saisissez l’actuel.',
    unreachable: 'Le boîtier ne répond pas. Vérifiez qu’il est allumé et que cet appareil est sur son réseau.',
    strange: (status) => `Cette page ne comprend pas la réponse du boîtier (HTTP ${status}). Rechargez-la.`,
    unexpected: 'Un problème est survenu sur cette page. Rechargez-la : rien n’est perdu sur le boîtier.',
    signOut: 'Se déconnecter',
    person: {
      intro: 'Connectez-vous avec votre nom. Tout ce que vous faites est enregistré à ce nom.',
      name: 'Nom',
      secret: 'Code PIN ou mot de passe',
      submit: 'Se connecter',
      known: 'Personnes sur cet appareil',
      forget: 'Oublier ces noms',
      withName: 'Se connecter avec nom et PIN',
      withToken: 'Utiliser le jeton admin',
      locked: 'Écran verrouillé après dix minutes sans activité. Reconnectez-vous.',
    },
    actor: {
      title: 'Qui êtes-vous ?',
      text: 'Chaque action est enregistrée avec ce nom.',
      label: 'Votre nom',
      submit: 'C’est moi',
      empty: 'Saisissez d’abord votre nom.',
      unknown: 'Qui êtes-vous ?',
      change: (name) => `Vous êtes ${name}. Changer`,
    },
  },

  shell: {
    skip: 'Aller au contenu',
    navigation: 'Écrans',
    more: 'Plus',
    loading: 'Chargement…',
    failed: 'Cet écran n’a pas pu être chargé. Vérifiez que le boîtier est allumé.',
    again: 'Réessayer',
    newer: 'Une version plus récente de cette page est prête.',
    restart: 'Recharger',
    connecting: 'Connexion…',
    live: 'En direct',
    old: (age) => `vieux de ${age}`,
    retry: (seconds) => `prochain essai dans ${seconds} s`,
    staleTitle: (age) => `Ces chiffres datent de ${age}.`,
    staleText: 'Le boîtier ne répond pas. Rien ici n’est à jour en attendant. Les portes continuent.',
    staleSpoken: 'Les chiffres sont anciens : le boîtier ne répond pas.',
    unreadable: 'Cette page est trop ancienne pour le boîtier. Rechargez-la.',
    glassTitle: 'Quelqu’un a utilisé le jeton admin.',
    glassText: (age, address) =>
      `Il y a ${age}, depuis ${address}. Si ce n’était pas l’un de vous, remplacez-le dans Équipe.`,
    glassLog: 'Ouvrir le journal',
    glassSeen: 'Vu',
    emergencies: 'Urgences',
    emergencyAt: (kind, gate) => `${kind} : ${gate}`,
    moreEmergencies: (more) => `et ${more} de plus`,
    nobody: 'pas encore de réponse',
    sealTitle: 'Le registre n’est plus scellé.',
    sealText: 'Ne touchez pas au registre, et lancez une vérification.',
    soundBlocked: 'Le navigateur bloque le son d’alarme.',
    allowSound: 'Autoriser le son',
    waiting: (n) => `${n} en attente`,
    sound: {
      on: 'Son d’alarme activé. Couper',
      off: 'Son d’alarme coupé. Activer',
      blocked: 'Le navigateur bloque le son d’alarme. Autoriser',
    },
    mode: {
      change: (mode) => `Mode ${mode}. Changer`,
      why: (mode, reason, age) => `Mode ${mode} depuis ${age} : ${reason} Changer`,
      cutOff: 'Autres portes incertaines',
      degradedFor: (age) => `DEGRADED depuis ${age}.`,
      goesOn: 'Les portes continuent ; les doubles passages deviennent ensuite des anomalies.',
      boxes: 'Voir les boîtiers',
    },
  },

  widgets: {
    close: 'Fermer',
    closeNotice: 'Fermer cet avis',
    cancel: 'Retour',
    reason: 'Motif',
    recordedAs: (name) => `Enregistré au nom de ${name}.`,
  },

  incidentKinds: {
    crush: 'Mouvement de foule',
    medical: 'Médical',
    fire: 'Incendie',
    need_staff: 'Renfort',
    security: 'Sécurité',
    lost_child: 'Enfant perdu',
    access: 'Accès PMR',
    equipment: 'Matériel',
  },

  incidentStates: {
    open: 'Sans réponse',
    acknowledged: 'Vu',
    assigned: 'Équipe envoyée',
    resolved: 'Réglé',
    cancelled: 'Fausse alerte',
  },

  sealRefusal: {
    entries_changed: 'Des lignes scellées ont été modifiées.',
    entries_missing: 'Des lignes scellées manquent.',
    seal_changed: 'Le dernier sceau a été modifié.',
    seal_missing: 'Un sceau manque.',
  },
}
