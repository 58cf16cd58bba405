/** The sentences of the screens for sales, paper lists and evacuation, in Italian. */
import type { salesWords as English } from '../en/sales.ts'
import { speech } from './speech.ts'

const { count } = speech

const tickets = (n: number) => count(n, { one: '# biglietto', other: '# biglietti' })
const guests = (n: number) => count(n, { one: '# ospite', other: '# ospiti' })
const admissions = (n: number) => count(n, { one: '# ingresso', other: '# ingressi' })

export const salesWords: typeof English = {
  print: 'Stampa',
  save: 'Salva in un file',
  unreadable: 'Il box ha inviato una pagina che non si può mostrare: controlla che sia aggiornato e riprova.',

  sales: {
    title: 'Vendite',
    lead: 'Crea un biglietto per chi è venuto senza, o per un ospite. Vale subito ai varchi.',
    sell: 'Vendi biglietti',
    tier: 'Categoria',
    tierLeft: (left) => (left === 0 ? 'esaurita' : count(left, { one: '# disponibile', other: '# disponibili' })),
    many: 'Biglietti',
    name: 'Nome (facoltativo)',
    note: 'Nota per il varco (facoltativa)',
    paid: { label: 'Pagamento', cash: 'Contanti', card: 'Carta', free: 'Gratis' },
    price: (currency) => `Prezzo di un biglietto, ${currency}`,
    badPrice: 'Scrivi il prezzo in cifre, per esempio 25 o 25.50.',
    badMany: 'Scegli da 1 a 20 biglietti.',
    noTier: 'Scegli una categoria.',
    run: (n, total) => (n === 1 ? `Crea il biglietto: ${total}` : `Crea ${tickets(n)}: ${total}`),
    lost: 'Il box non ha risposto. Premi di nuovo: se i biglietti erano già creati, ricevi gli stessi.',
    made: (n, receipt) => `${count(n, { one: 'Biglietto creato', other: '# biglietti creati' })}. Ricevuta ${receipt}.`,
    shown: (receipt) => `Ricevuta ${receipt}`,
    photograph: 'Fai fotografare questo codice, o apri il link sul telefono.',
    ticketOf: (i, n, tier) => `Biglietto ${i} di ${n}, ${tier}`,
    qrLabel: (i) => `Codice QR del biglietto ${i}`,
    code: 'Codice',
    phoneOnly: 'Questa categoria entra solo con il telefono: il codice QR è il link del biglietto.',
    slip: 'Foglio A4',
    strip: 'Scontrino 80 mm',
    slipLabel: 'La stampa',
    full: 'Al completo. Vendere comunque?',
    fullSubmit: 'Vendi comunque',
    fullSuggestions: ['L’organizzatore è d’accordo', 'Artista o staff', 'Familiare di chi è dentro'],
    next: 'Prossima vendita',
    guests: 'Lista ospiti',
    guestsLead: 'Incolla un ospite per riga: un nome, +2 per gli accompagnatori, e la categoria se è diversa.',
    guestsExample: 'Anna Rossi, +1\nLuca Bianchi, VIP',
    guestsField: 'Ospiti',
    guestsTier: 'Categoria per le righe senza',
    check: 'Controlla',
    add: (people, n) => `Aggiungi ${guests(people)}, ${tickets(n)}`,
    guestsEmpty: 'Incolla almeno un nome.',
    guestsBad: (n) =>
      `${count(n, { one: '# riga ha un problema', other: '# righe hanno un problema' })}. Non si aggiunge nessuno finché non sono tutte giuste.`,
    guestsFine: 'Tutte le righe sono giuste. Ancora nessuno aggiunto.',
    guestsAdded: (people, n) => `In lista: ${guests(people)}, ${tickets(n)}.`,
    guestsColumn: { line: 'Riga', name: 'Nome', tickets: 'Biglietti', tier: 'Categoria', state: 'Stato' },
    fine: 'OK',
    day: 'Vendite di oggi',
    dayLead: 'Da tutti i box in contatto.',
    csv: 'Salva la giornata in CSV',
    refresh: 'Aggiorna',
    totals: 'Totali',
    totalsEmpty: 'Oggi nessuna vendita.',
    totalsColumn: { box: 'Box', tier: 'Categoria', paid: 'Pagamento', tickets: 'Biglietti', total: 'Totale' },
    list: 'Ricevute',
    listColumn: {
      receipt: 'Ricevuta',
      tickets: 'Biglietti',
      name: 'Nome',
      total: 'Totale',
      by: 'Venduto da',
      state: 'Stato',
      action: 'Azione',
    },
    voided: (by, reason) => `stornata: ${reason} (${by})`,
    inside: (n, of) =>
      n === 0
        ? count(of, { one: 'non ancora usato', other: 'non ancora usati' })
        : n === of
          ? count(of, { one: 'usato', other: 'usati' })
          : `usati ${n} su ${of}`,
    showShort: 'Mostra',
    voidShort: 'Storna',
    show: (receipt) => `Mostra ${receipt}`,
    voidIt: (receipt) => `Storna ${receipt}`,
    voidTitle: 'Stornare questa vendita?',
    voidText: 'I suoi biglietti smettono di valere su ogni box. Restituisci tu i soldi. La ricevuta resta registrata.',
    voidSubmit: 'Storna la vendita',
    voidSuggestions: ['Categoria sbagliata', 'Pagato due volte', 'Ci ha ripensato'],
    voidDone: (receipt) => `Ricevuta ${receipt} stornata.`,
    reason: 'Motivo',
  },

  paper: {
    title: 'Su carta',
    lead: 'Se nessuno scanner funziona: stampa una lista per varco prima dell’apertura, e poi inserisci ciò che è stato spuntato.',
    print: 'Stampa una lista',
    printLead: 'Contiene i nomi di chi ha un biglietto per quel varco: custodiscila come contanti, e poi distruggila.',
    gate: 'Varco',
    noGate: 'Scegli un varco.',
    order: { label: 'Ordina per', name: 'Nome', order: 'Ordine' },
    run: 'Crea la lista',
    again: 'Crea un’altra lista',
    making: 'Creazione della lista…',
    listLabel: 'La lista',
    type: 'Inserisci una lista',
    typeLead:
      'Il numero del foglio è in cima a ogni pagina. Ogni foglio conta una volta, anche se lo inserisci di nuovo.',
    sheet: 'Numero del foglio',
    entrance: 'Dove si è entrati',
    noEntrance: 'Scegli un’entrata.',
    from: 'Da',
    until: 'Fino a',
    noTimes: 'Indica da quando a quando si è usata la lista.',
    codes: 'Codici brevi delle righe spuntate',
    codesHint: 'Uno per riga, o separati da spazi. Otto caratteri ciascuno.',
    noCodes: 'Scrivi almeno un codice breve.',
    check: 'Controlla i codici',
    record: (n) => `Registra ${admissions(n)} su carta`,
    bad: (n) =>
      `${count(n, { one: '# codice ha un problema', other: '# codici hanno un problema' })}. Non si registra nulla finché non sono tutti giusti.`,
    fine: (n) => `Tutti i codici sono giusti: ${tickets(n)}. Ancora niente di registrato.`,
    done: (n, flags) =>
      `${count(n, { one: '# ingresso registrato', other: '# ingressi registrati' })}.${flags === 0 ? '' : ` ${count(flags, { one: 'Aperta # anomalia: vedi Anomalie.', other: 'Aperte # anomalie: vedi Anomalie.' })}`}`,
    column: { code: 'Codice', name: 'Nome', ticket: 'Biglietto', state: 'Stato' },
    sameAs: (line) => `uguale al codice ${line}: conta una volta`,
    known: 'già inserito',
    right: 'OK',
    flagged: 'anomalia aperta',
  },

  evacuation: {
    title: 'Evacuazione',
    lead: 'Chi potrebbe essere dentro, per zona. Tieni aperta questa schermata su un tablet: conserva l’ultimo foglio anche senza il box.',
    madeAt: (at) => `Creato: ${at}.`,
    stale: (at) => `Il box non risponde. Ultimo foglio: ${at}. Salvalo o stampalo ora.`,
    none: 'Ancora nessun foglio.',
    figures: 'Persone dentro',
    column: { zone: 'Zona', inside: 'Dentro', least: 'Almeno', most: 'Al massimo', capacity: 'Capienza' },
    together: 'Totale',
    notHeard: (names) => `Nessun contatto: ${names}. Dai loro varchi può essere entrata altra gente.`,
    boxes: (names) => `Box in questi dati: ${names}.`,
    notCounted: 'Perché il numero reale può essere diverso',
    sheet: 'Il foglio',
    sheetLead: (path, at) =>
      at === null
        ? `Il box conserva l’ultimo foglio in ${path}.`
        : `Il box conserva l’ultimo foglio in ${path}. Data della copia: ${at}.`,
    sheetLabel: 'Il foglio di evacuazione',
    refresh: 'Aggiorna ora',
  },
}
