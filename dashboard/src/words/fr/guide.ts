/** Texts of the screen Event, in French. */
import type { guideWords as English } from '../en/guide.ts'
import { actionWords } from './actions.ts'
import { speech } from './speech.ts'

const { count } = speech
const tickets = (n: number) => count(n, { one: '# billet', other: '# billets' })
const paired = (n: number) => count(n, { one: '# scanner est associé', other: '# scanners sont associés' })

export const guideWords: typeof English = {
  lead: 'Nom, portes et catégories de billets. Vos changements sont écrits dans event.json, et comptent après un redémarrage du boîtier.',
  greeting: 'Ce boîtier tourne avec l’événement de démonstration',
  greetingText: 'Créez le vôtre en quelques minutes : à partir du fichier de votre boutique, ou de rien.',
  greetingOpen: 'Créer mon événement',
  again: actionWords.list.again,
  start: {
    title: 'Commencer',
    lead: 'Ce boîtier tourne avec la démonstration. Votre événement commence par un nom.',
    name: 'Nom de l’événement',
    noName: 'Donnez d’abord un nom à l’événement.',
    file: 'Fichier de votre boutique',
    fileHint:
      'Un CSV, si vous en avez un. On y prend les catégories de billets ; les billets eux-mêmes s’importent plus tard.',
    column: 'Colonne de la catégorie de billet',
    noColumn: 'Aucune : une seule catégorie',
    found: (n) => `${count(n, { one: '# catégorie de billets trouvée', other: '# catégories de billets trouvées' })}.`,
    unreadable: 'Ce fichier ne peut pas être lu ici. Enregistrez-le en CSV.',
    go: 'Créer l’événement',
    shop: 'Ou connecter pretix',
  },
  basics: {
    title: 'Nom et horaires',
    name: 'Nom',
    timezone: 'Fuseau horaire',
    starts_at: 'Début',
    ends_at: 'Fin',
    day_starts_at: 'Une journée commence à',
    dayHint: 'Pour les billets qui entrent une fois par jour.',
  },
  tiers: {
    title: 'Catégories de billets',
    one: 'Catégorie de billet',
    colour: 'Couleur',
    entry: 'Peut entrer',
    entries: {
      once: 'Une fois',
      once_per_day: 'Une fois par jour',
      reentry: 'À nouveau après une sortie',
      unlimited: 'Sans limite',
    },
  },
  zones: { title: 'Zones', one: 'Zone', capacity: 'Personnes au plus' },
  gates: { title: 'Portes', one: 'Porte', hint: 'Une nouvelle porte a une entrée et une sortie.' },
  checkpoints: {
    title: 'Passages par les portes',
    one: 'Passage',
    gate: 'Porte',
    direction: 'Sens',
    directions: { in: 'Entrée', out: 'Sortie' },
    from: 'De',
    to: 'Vers',
    outside: 'Extérieur',
    tiers: 'Qui passe',
  },
  add: (what) => `Ajouter : ${what}`,
  newName: (what) => `Nom : ${what}`,
  remove: (name) => `Retirer ${name}`,
  preview: {
    title: 'Le résultat',
    way: (from, to) => `${from} → ${to}`,
    nobody: 'personne',
  },
  map: {
    title: 'Plan',
    lead: 'Il montre le chemin aux visiteurs dans leur billet, et à l’équipe ce qui se passe où.',
    none: 'Il n’y a pas de plan : personne ne voit le chemin.',
    unreadable: 'Le fichier venue.geojson n’est pas un plan : importez-en un autre, ou corrigez-le à la main.',
    tooLarge: 'Ces fichiers dépassent 4 Mo. Utilisez « gatehouse venue import » en ligne de commande.',
    nothing: 'Rien dans ces fichiers ne peut former un plan.',
    files: 'Fichiers du plan',
    filesHint: 'IMDF, GTFS ou GeoJSON. Décompressez l’archive et choisissez tous ses fichiers à la fois.',
    zone: 'Tout le site est',
    noZone: 'Aucune zone',
    entrance: (gate) => `${gate} est l’entrée`,
    byHand: 'Aucune : je la place sur le plan',
    gates: 'Portes sur le plan',
    gatesHint:
      'Choisissez une porte, puis cliquez où elle se trouve. Au clavier : les flèches déplacent la croix, Entrée y place la porte.',
    drawing: 'Dessin du plan',
    placed: (gate) => `${gate} est sur le plan.`,
    unplaced: '(pas encore sur le plan)',
    save: 'Enregistrer le plan',
    discard: 'Annuler les changements',
    remove: 'Ne pas utiliser de plan',
  },
  check: {
    title: 'Vérifier et enregistrer',
    checking: 'Vérification…',
    good: 'Aucune erreur.',
    mistakes: (n) => `${count(n, { one: '# erreur', other: '# erreurs' })} à corriger :`,
    warnings: 'Sans doute pas voulu :',
    changes: 'Ceci change ce qui existe déjà :',
    accept: 'J’ai lu, et c’est voulu',
    save: 'Enregistrer l’événement',
    saved: 'Enregistré.',
    unchanged: 'Enregistré, et le boîtier tourne avec.',
    kept: 'Pas encore enregistré. Ce navigateur garde le brouillon.',
    discard: 'Jeter le brouillon',
    otherBoxes: (n) =>
      `${count(n, { one: '# autre boîtier a son propre dossier d’événement', other: '# autres boîtiers ont leur propre dossier d’événement' })} : à modifier là-bas aussi.`,
  },
  conflict: {
    text: 'Le fichier a été modifié pendant que vous aviez ce brouillon.',
    file: 'Ouvrir le fichier',
    draft: 'Garder le brouillon',
  },
  pending: {
    title: 'Passer dessus',
    text: 'L’événement est enregistré, et le boîtier tourne encore avec l’ancien. Il s’arrête et repart en quelques secondes ; entre-temps, les scanners décident seuls.',
    first: 'Le navigateur redemandera une fois pour le certificat, car votre événement a le sien.',
    apply: 'Redémarrer maintenant',
    applying: 'Le boîtier redémarre…',
    reload: 'Rouvrir cette page',
  },
  next: {
    title: 'Ensuite',
    tickets: 'Importer les billets',
    devices: 'Associer les scanners',
    rehearse: 'Répéter avant l’ouverture',
    sheets: 'Imprimer une feuille par porte',
    folder: 'Le dossier de l’événement :',
  },
  change: {
    tier_removed: (name, { tickets: n }) => `« ${name} » : ${tickets(n)} n’entreront plus nulle part.`,
    tier_entry: (name, { tickets: n }) => `« ${name} » : le nombre d’entrées permises change pour ${tickets(n)}.`,
    tier_elsewhere: (name, { tickets: n }) => `« ${name} » : ${tickets(n)} ne passeront plus là où c’était possible.`,
    zone_removed: (name, { inside }) =>
      `« ${name} », qui disparaît : ${count(inside, { one: '# personne s’y trouve', other: '# personnes s’y trouvent' })}.`,
    gate_removed: (name, { scanners }) => `« ${name} », qui disparaît : ${paired(scanners)}.`,
    checkpoint_removed: (name, { scanners }) => `« ${name} », qui disparaît : ${paired(scanners)}.`,
    checkpoint_moved: (name, { scanners }) =>
      `« ${name} », qui mène ailleurs : ${count(scanners, { one: '# scanner y scanne', other: '# scanners y scannent' })}.`,
    days: (_name, { tickets: n }) =>
      `Pour ${tickets(n)}, la journée commence à une autre heure : un jour peut servir deux fois, ou pas du tout.`,
  },
  blank: { tier: 'Billet', zone: 'Intérieur', gate: 'Porte principale' },
}
