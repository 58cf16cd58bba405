/** Text under the ticket and on the screens beside it, in Italian. */
import type { screenWords as English } from '../en/screens.ts'
import { speech } from './speech.ts'

const { count, number } = speech

export const screenWords: typeof English = {
  claim: {
    title: 'Associalo a questo telefono',
    why: 'Finché non lo fai, chiunque abbia il tuo link ha il tuo biglietto.',
    ask: 'Associa a questo telefono',
    heading: 'Associare questo biglietto a questo telefono?',
    does: [
      'Da ora in poi solo questo telefono può mostrare il biglietto.',
      'I link che hai inoltrato non funzionano più, e anche un codice stampato può smettere di funzionare.',
      'Tu non potrai annullarlo. Se perdi il telefono, l’organizzatore può liberare il biglietto.',
      'Non farlo in una finestra privata: quando si chiude, la chiave va persa.',
    ],
    weak: 'Questa connessione non è sicura: la chiave resta senza protezione in questo browser. Se puoi, apri il tuo link con https.',
    confirm: 'Associa ora',
    working: 'Associazione in corso',
    mine: 'Associato a questo telefono.',
    mineWeak: 'Associato a questo telefono. La chiave è senza protezione in questo browser: meno sicuro che con https.',
    unsure: 'Non ancora confermato. Resta online un momento prima di andare al varco.',
    released:
      'L’organizzatore ha liberato questo biglietto. Il link funziona di nuovo, e puoi riassociare il biglietto.',
    unkept:
      'Questo browser non può conservare chiavi: il biglietto non è stato associato. Apri il link in una finestra normale o in un altro browser.',
  },

  install: {
    title: 'Tienilo a portata di mano',
    text: 'Metti il biglietto nella schermata Home: lo apri senza cercare il messaggio.',
    ios: 'Prima copia il tuo link. Poi in Safari tocca Condividi, quindi «Aggiungi alla schermata Home». Apri la nuova icona e incolla lì il link: non conosce ancora il tuo biglietto. Fallo prima di associare il biglietto a questo telefono.',
    button: 'Aggiungi alla Home',
    dismiss: 'No, grazie',
  },

  nearby: {
    heading: 'Qui vicino',
    from: 'Sono qui',
    lastSeen: 'Il mio ultimo varco',
    firstGate: 'Il mio ingresso',
    stepFree: 'Solo percorsi senza gradini',
    show: 'Mostra',
    everything: 'Tutto',
    list: 'Elenco',
    map: 'Mappa',
    views: 'Vista',
    looking: 'Caricamento',
    none: 'Niente del genere dove puoi andare con il tuo biglietto.',
    noneStepFree: 'Nessun percorso noto senza gradini. Disattiva il filtro per vedere gli altri, o chiedi allo staff.',
    noMap: 'Non c’è ancora una mappa. Chiedi allo staff.',
    failed: 'Serve la rete. Riprova quando sei online.',
    old: (age) => `Nessuna connessione. Dati di ${age}.`,
    minutes: (n) => `${number(n)} min`,
    metres: (n) => `${number(n)} m`,
    via: (names) => `passando da ${names}`,
    stepFreeYes: 'Senza gradini',
    stepFreeNo: 'Con gradini',
    stepFreeUnverified: 'Senza gradini: non verificato',
    to: (name) => `Percorso: ${name}`,
    larger: 'Ingrandisci',
    whole: 'Mappa intera',
    mapTitle: (event) => `Mappa: ${event}`,
    badMap: 'La mappa non è disponibile. Si ricarica quando sei online.',
  },

  more: {
    heading: 'Biglietti e impostazioni',
    licences: 'Licenze di questa app',
    add: 'Aggiungi un biglietto',
    paste: 'Link del biglietto',
    pasteHint: 'Copia il link dal messaggio dell’organizzatore e incollalo qui.',
    addButton: 'Aggiungi biglietto',
    malformed: 'Il link del biglietto non è completo. Copialo tutto dal messaggio dell’organizzatore: contiene #t=.',
    remove: 'Rimuovi',
    removeLabel: (name) => `Rimuovi ${name}`,
    removeHeading: (name) => `Rimuovere ${name} da questo telefono?`,
    removeText: 'Il biglietto resta valido, e il suo link lo riapre.',
    removeMine:
      'Solo questo telefono ha la chiave del biglietto. Senza, nessuno può mostrarlo finché l’organizzatore non lo libera.',
    removeConfirm: 'Rimuovi biglietto',
    link: 'Mostra link',
    linkLabel: (name) => `Mostra il link di ${name}`,
    linkHeading: 'Il link del tuo biglietto',
    linkText: 'Chi ha questo link ha il biglietto. Non mostrarlo a nessuno.',
    linkField: 'Link',
    copy: 'Copia link',
    copied: 'Copiato',
    theme: 'Aspetto',
    language: 'Lingua',
    themes: { auto: 'Come il telefono', light: 'Chiaro', dark: 'Scuro' },
    state: 'Questo telefono',
    savedYes: 'Salvato. Si apre senza rete.',
    savedNo: 'Salvataggio in corso per l’uso senza rete.',
    savedNever:
      'Questa pagina funziona finché è aperta. Per riaprirla serve la rete, perché la connessione non è sicura.',
    updated: (age) => `Biglietto aggiornato ${age}.`,
    clockRight: 'L’orologio è giusto.',
    newer: 'È pronta una nuova versione.',
    restart: 'Aggiorna ora',
  },

  news: {
    heading: 'Dall’organizzatore',
    none: 'Nessun messaggio ora.',
    severity: { info: 'Avviso', warning: 'Attenzione', emergency: 'Emergenza' },
    zones: (names) => `Per ${names}`,
    until: (time) => `Fino a ${time}`,
    checked: 'Firmato dall’organizzatore',
    hidden: (n) =>
      count(n, {
        one: '# messaggio non viene mostrato: non è firmato dall’organizzatore di questo biglietto.',
        other: '# messaggi non vengono mostrati: non sono firmati dall’organizzatore di questo biglietto.',
      }),
    noKey:
      'Manca una parte del tuo link: i messaggi non si possono verificare e non vengono mostrati. Riapri il link completo.',
    all: 'Tutti i messaggi',
  },

  occasion: {
    heading: 'Quando e dove',
    begins: 'Inizio',
    doors: 'Apertura porte',
    place: 'Luogo',
    entrances: 'Ingresso',
  },

  history: {
    admitted: (checkpoint, time) => `Sei dentro: ${checkpoint}, ${time}`,
    heading: 'I tuoi passaggi',
    none: 'Ancora niente. Qui trovi i varchi da cui passi.',
    in: (checkpoint) => `Entrata: ${checkpoint}`,
    out: (checkpoint) => `Uscita: ${checkpoint}`,
  },
}
