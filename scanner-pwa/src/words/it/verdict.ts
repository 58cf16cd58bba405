/** Text on the screen of a verdict, beside its name, in Italian: what it rests on, and what to do next. */
import type { verdictSays as English } from '../en/verdict.ts'
import { speech } from './speech.ts'

const { ago, clock, duration } = speech

const desk = 'Manda in biglietteria.'

export const verdictSays: typeof English = {
  desk,
  orCall: (instruction) => `${instruction} Oppure chiama un responsabile.`,
  orPress: (instruction, button) => `${instruction} Oppure premi «${button}».`,
  undone: { fact: 'Questo ingresso è stato annullato.', next: 'Il biglietto si può usare di nuovo.' },
  used: {
    at: (gate, seconds) => `Già usato: ${gate}, ${seconds < 1 ? 'un attimo fa' : ago(seconds * 1000)}.`,
    somewhere: 'Questo biglietto è già stato usato.',
    next: 'Chiedi un altro biglietto.',
    detail: (checkpoint, ms) => `${checkpoint}, ${clock(ms)}`,
  },
  redirect: {
    to: (gate) => `Deve entrare da: ${gate}.`,
    walk: (gate, seconds) =>
      `Deve entrare da: ${gate}, ${seconds < 60 ? 'meno di un minuto' : duration(seconds * 1000)} a piedi.`,
    next: (gate) => `Manda a ${gate}.`,
    somewhere: 'Questo biglietto entra da un altro varco.',
    ask: 'Chiedi alla centrale quale.',
  },
  early: 'Deve tornare a quell’ora.',
  stale: {
    old: (seconds) => `Codice vecchio di ${duration(seconds * 1000)}.`,
    outdated: 'Codice scaduto.',
    next: 'Fai riaprire il biglietto. Niente screenshot.',
    clock: (seconds) =>
      `L’orologio di quel telefono è ${seconds < 0 ? 'avanti' : 'indietro'} di ${duration(Math.abs(seconds) * 1000)}. Il biglietto potrebbe essere valido.`,
    clockNext: 'Fai impostare l’ora automatica e riaprire il biglietto.',
  },
  cancelled: {
    unexplained: 'Questo biglietto è stato annullato.',
    next: `Non far entrare. ${desk}`,
    detail: (ms) => `Annullato alle ore ${clock(ms)}`,
  },
  orderOpen: 'l’ordine non è pagato',
  byShop: 'bloccato dallo shop',
  held: {
    fact: (why) => `${why} Il biglietto è a posto.`,
    next: 'Qui non entra nessuno finché la centrale non dà il via.',
  },
  times: (from, until) =>
    from === null
      ? `Si entra solo fino a ${until}.`
      : until === null
        ? `Si entra solo da ${from}.`
        : `Si entra solo da ${from} a ${until}.`,
  letIn: (actor, reason) => `Fatto entrare da ${actor}: ${reason}.`,
  known: {
    blocked: 'Bloccato dall’organizzatore.',
    cancelled: 'Questo biglietto è stato annullato.',
    cancelled_by_organiser: 'Annullato dall’organizzatore.',
    claimed: 'Questo biglietto è su un telefono. Chiedi il codice sul telefono, non quello stampato.',
    claimed_elsewhere: 'Questo biglietto è su un altro telefono. Chiedi di vedere quello.',
    code_replaced: 'Questo codice è stato sostituito. Chiedi il biglietto nuovo.',
    every_gate_held: 'Ingressi sospesi a tutti i varchi di questo biglietto.',
    no_gate: 'Nessun varco qui accetta questa categoria di biglietto.',
    no_order: 'Lo shop non ha ordini con questo codice.',
    not_a_ticket: 'Questo non è più un biglietto.',
    not_approved: 'Non approvato dall’organizzatore, e non pagato.',
    not_paid: 'L’ordine non è pagato.',
    order_expired: 'L’ordine è scaduto prima del pagamento.',
    other_date: 'Questo biglietto è per un’altra data.',
    phone_only: 'Si entra solo con il codice sul telefono, non con uno stampato.',
    refunded: 'Questo biglietto è stato rimborsato.',
    reissued: 'Questo biglietto è stato riemesso in biglietteria. Chiedi il codice nuovo.',
    released: 'Questo biglietto non è più su quel telefono. Fai riaprire il link del biglietto.',
  },
  unknown: {
    fact: 'Non è un biglietto di questo evento.',
    alone: 'Non è nella lista di questo telefono.',
    next: 'Riprova il codice una volta. Se non va, manda in biglietteria.',
  },
}
