/** The sentences of the screens for sales, paper lists and evacuation, in French. */
import type { salesWords as English } from '../en/sales.ts'
import { speech } from './speech.ts'

const { count } = speech
const tickets = (n: number) => count(n, { one: '# billet', other: '# billets' })
const guests = (n: number) => count(n, { one: '# invité', other: '# invités' })

export const salesWords: typeof English = {
  print: 'Imprimer',
  save: 'Enregistrer le fichier',
  unreadable: 'La page envoyée par le boîtier ne peut pas s’afficher : vérifiez qu’il est à jour, et réessayez.',

  sales: {
    title: 'Ventes',
    lead: 'Créer un billet pour quelqu’un venu sans, ou pour un invité. Il marche aussitôt aux portes.',
    sell: 'Vendre des billets',
    tier: 'Catégorie',
    tierLeft: (left) => (left === 0 ? 'épuisé' : `reste ${left}`),
    many: 'Billets',
    name: 'Nom (facultatif)',
    note: 'Note pour la porte (facultatif)',
    paid: { label: 'Payé', cash: 'Espèces', card: 'Carte', free: 'Gratuit' },
    price: (currency) => `Prix d’un billet, ${currency}`,
    badPrice: 'Écrivez le prix en chiffres, par exemple 25 ou 25,50.',
    badMany: 'Choisissez entre 1 et 20 billets.',
    noTier: 'Choisissez une catégorie.',
    run: (n, total) => (n === 1 ? `Créer le billet : ${total}` : `Créer ${tickets(n)} : ${total}`),
    lost: 'Le boîtier n’a pas répondu. Appuyez à nouveau : si les billets sont créés, vous recevrez les mêmes.',
    made: (n, receipt) => `${count(n, { one: 'Billet créé', other: '# billets créés' })}. Reçu ${receipt}.`,
    shown: (receipt) => `Reçu ${receipt}`,
    photograph: 'Photographiez ce code, ou ouvrez le lien sur le téléphone.',
    ticketOf: (i, n, tier) => `Billet ${i} sur ${n}, ${tier}`,
    qrLabel: (i) => `QR code du billet ${i}`,
    code: 'Code',
    phoneOnly: 'Cette catégorie n’entre qu’avec le téléphone : le QR code est le lien du billet.',
    slip: 'Feuille A4',
    strip: 'Ticket 80 mm',
    slipLabel: 'Le billet imprimé',
    full: 'Complet. Vendre quand même ?',
    fullSubmit: 'Vendre quand même',
    fullSuggestions: ['Accord de l’organisateur', 'Artiste ou équipe', 'Famille de quelqu’un à l’intérieur'],
    next: 'Vente suivante',
    guests: 'Liste d’invités',
    guestsLead:
      'Collez un invité par ligne : un nom, +2 pour ses accompagnants, et une catégorie si elle est différente.',
    guestsExample: 'Ana Reis, +1\nBo Ek, VIP',
    guestsField: 'Invités',
    guestsTier: 'Catégorie des lignes qui n’en ont pas',
    check: 'Vérifier',
    add: (people, n) => `Ajouter ${guests(people)}, ${tickets(n)}`,
    guestsEmpty: 'Collez au moins un nom.',
    guestsBad: (n) =>
      `${count(n, { one: '# ligne à corriger', other: '# lignes à corriger' })}. Personne n’est ajouté tant que tout n’est pas juste.`,
    guestsFine: 'Toutes les lignes sont justes. Personne n’est encore ajouté.',
    guestsAdded: (people, n) => `${guests(people)} sur la liste, ${tickets(n)}.`,
    guestsColumn: { line: 'Ligne', name: 'Nom', tickets: 'Billets', tier: 'Catégorie', state: 'État' },
    fine: 'OK',
    day: 'Ventes du jour',
    dayLead: 'De tous les boîtiers en contact.',
    csv: 'Enregistrer la journée en CSV',
    refresh: 'Actualiser',
    totals: 'Totaux',
    totalsEmpty: 'Aucune vente aujourd’hui.',
    totalsColumn: { box: 'Boîtier', tier: 'Catégorie', paid: 'Payé', tickets: 'Billets', total: 'Total' },
    list: 'Reçus',
    listColumn: {
      receipt: 'Reçu',
      tickets: 'Billets',
      name: 'Nom',
      total: 'Total',
      by: 'Vendu par',
      state: 'État',
      action: 'Action',
    },
    voided: (by, reason) => `annulée : ${reason} (${by})`,
    inside: (n, of) =>
      n === 0
        ? count(of, { one: 'pas encore utilisé', other: 'pas encore utilisés' })
        : n === of
          ? count(of, { one: 'utilisé', other: 'utilisés' })
          : `${n} sur ${of} utilisés`,
    showShort: 'Voir',
    voidShort: 'Annuler',
    show: (receipt) => `Voir ${receipt}`,
    voidIt: (receipt) => `Annuler ${receipt}`,
    voidTitle: 'Annuler cette vente ?',
    voidText: 'Ses billets ne marchent plus, sur aucun boîtier. Rendez l’argent à la main. Le reçu reste au registre.',
    voidSubmit: 'Annuler la vente',
    voidSuggestions: ['Mauvaise catégorie', 'Payé deux fois', 'A changé d’avis'],
    voidDone: (receipt) => `Le reçu ${receipt} est annulé.`,
    reason: 'Motif',
  },

  paper: {
    title: 'Papier',
    lead: 'Si aucun scanner ne marche : imprimez une liste par porte avant l’ouverture, et saisissez ensuite ce qui a été coché.',
    print: 'Imprimer une liste',
    printLead:
      'Elle nomme toutes les personnes qui ont un billet pour cette porte : veillez dessus comme sur la caisse, et détruisez-la ensuite.',
    gate: 'Porte',
    noGate: 'Choisissez une porte.',
    order: { label: 'Triée par', name: 'Nom', order: 'Commande' },
    run: 'Créer la liste',
    again: 'Créer une autre liste',
    making: 'Création de la liste…',
    listLabel: 'La liste',
    type: 'Saisir une liste',
    typeLead:
      'Le numéro de feuille est en haut de chaque page. Une feuille compte une fois, même saisie plusieurs fois.',
    sheet: 'Numéro de feuille',
    entrance: 'Entrée utilisée',
    noEntrance: 'Choisissez une entrée.',
    from: 'De',
    until: 'À',
    noTimes: 'Indiquez de quand à quand la liste a servi.',
    codes: 'Codes courts des lignes cochées',
    codesHint: 'Un par ligne, ou séparés par des espaces. Huit caractères chacun.',
    noCodes: 'Saisissez au moins un code court.',
    check: 'Vérifier les codes',
    record: (n) => `Enregistrer ${count(n, { one: '# entrée', other: '# entrées' })} sur papier`,
    bad: (n) =>
      `${count(n, { one: '# code à corriger', other: '# codes à corriger' })}. Rien n’est enregistré tant que tout n’est pas juste.`,
    fine: (n) => `Tous les codes sont justes : ${tickets(n)}. Rien n’est encore enregistré.`,
    done: (n, flags) =>
      `${count(n, { one: '# entrée enregistrée', other: '# entrées enregistrées' })}.${flags === 0 ? '' : ` ${count(flags, { one: '# anomalie ouverte', other: '# anomalies ouvertes' })} : voir sous Anomalies.`}`,
    column: { code: 'Code', name: 'Nom', ticket: 'Billet', state: 'État' },
    sameAs: (line) => `identique au code ${line} : compte une fois`,
    known: 'déjà saisi',
    right: 'OK',
    flagged: 'anomalie ouverte',
  },

  evacuation: {
    title: 'Évacuation',
    lead: 'Combien de personnes sont peut-être à l’intérieur, par zone. Gardez cet écran ouvert sur une tablette : il garde la dernière feuille même si le boîtier disparaît.',
    madeAt: (at) => `Établie le ${at}.`,
    stale: (at) => `Le boîtier ne répond pas. Feuille établie le ${at} : enregistrez-la ou imprimez-la maintenant.`,
    none: 'Pas encore de feuille.',
    figures: 'Personnes à l’intérieur',
    column: { zone: 'Zone', inside: 'À l’intérieur', least: 'Au moins', most: 'Au plus', capacity: 'Capacité' },
    together: 'Total',
    notHeard: (names) => `Sans contact : ${names}. Leurs portes ont peut-être laissé entrer plus de monde.`,
    boxes: (names) => `Boîtiers compris dans ces chiffres : ${names}.`,
    notCounted: 'Pourquoi le nombre réel peut différer',
    sheet: 'La feuille',
    sheetLead: (path, at) =>
      at === null
        ? `Le boîtier garde la dernière feuille dans ${path}.`
        : `Le boîtier garde la dernière feuille dans ${path}. La copie qui s’y trouve date du ${at}.`,
    sheetLabel: 'La feuille d’évacuation',
    refresh: 'Actualiser',
  },
}
