/** Text on the screen of a verdict, beside its name, in Dutch. */
import type { verdictSays as English } from '../en/verdict.ts'
import { speech } from './speech.ts'

const { ago, clock, duration } = speech

const desk = 'Stuur door naar de ticketbalie.'

export const verdictSays: typeof English = {
  desk,
  orCall: (instruction) => `${instruction} Of roep een supervisor.`,
  orPress: (instruction, button) => `${instruction} Of druk op ‘${button}’.`,
  undone: { fact: 'Deze toegang is teruggedraaid.', next: 'Het ticket kan weer worden gebruikt.' },
  used: {
    at: (gate, seconds) => `Gebruikt bij ${gate}: ${seconds < 1 ? 'zojuist' : ago(seconds * 1000)}.`,
    somewhere: 'Dit ticket is al gebruikt.',
    next: 'Vraag om een ander ticket.',
    detail: (checkpoint, ms) => `${checkpoint}, ${clock(ms)}`,
  },
  redirect: {
    to: (gate) => `Dit ticket is voor ${gate}.`,
    walk: (gate, seconds) =>
      `Dit ticket is voor ${gate}, ${seconds < 60 ? 'minder dan een minuut' : duration(seconds * 1000)} lopen.`,
    next: (gate) => `Stuur door naar ${gate}.`,
    somewhere: 'Dit ticket is voor een andere poort.',
    ask: 'Vraag de controlekamer welke.',
  },
  early: 'Vraag om dan terug te komen.',
  stale: {
    old: (seconds) => `Deze code is ${duration(seconds * 1000)} oud.`,
    outdated: 'Deze code is verouderd.',
    next: 'Laat het ticket opnieuw openen. Geen screenshots.',
    clock: (seconds) =>
      `De klok van die telefoon loopt ${duration(Math.abs(seconds) * 1000)} ${seconds < 0 ? 'voor' : 'achter'}. Het ticket kan goed zijn.`,
    clockNext: 'Laat de tijd op automatisch zetten en dan het ticket opnieuw openen.',
  },
  cancelled: {
    unexplained: 'Dit ticket is geannuleerd.',
    next: `Niet binnenlaten. ${desk}`,
    detail: (ms) => `Geannuleerd om ${clock(ms)}`,
  },
  orderOpen: 'de bestelling is niet betaald',
  byShop: 'geblokkeerd door de ticketshop',
  held: {
    fact: (why) => `${why} Met het ticket is niets mis.`,
    next: 'Hier niemand naar binnen tot de controlekamer het zegt.',
  },
  times: (from, until) =>
    from === null
      ? `Toegang alleen tot ${until}.`
      : until === null
        ? `Toegang pas vanaf ${from}.`
        : `Toegang alleen van ${from} tot ${until}.`,
  letIn: (actor, reason) => `Binnengelaten door ${actor}: ${reason}.`,
  known: {
    blocked: 'Geblokkeerd door de organisator.',
    cancelled: 'Dit ticket is geannuleerd.',
    cancelled_by_organiser: 'Geannuleerd door de organisator.',
    claimed: 'Dit ticket staat op een telefoon. Vraag om de code daarop, niet de geprinte.',
    claimed_elsewhere: 'Dit ticket staat op een andere telefoon. Vraag om de code daarop.',
    code_replaced: 'Deze code is vervangen. Vraag om het nieuwe ticket.',
    every_gate_held: 'De toegang is gestopt bij alle poorten voor dit ticket.',
    no_gate: 'Geen poort hier neemt deze ticketsoort aan.',
    no_order: 'De ticketshop heeft geen bestelling met deze code.',
    not_a_ticket: 'Dit is geen ticket meer.',
    not_approved: 'Niet goedgekeurd door de organisator, en niet betaald.',
    not_paid: 'De bestelling is niet betaald.',
    order_expired: 'De bestelling is niet op tijd betaald en is verlopen.',
    other_date: 'Dit ticket is voor een andere datum.',
    phone_only: 'Alleen toegang met de code op de telefoon, niet met een geprinte.',
    refunded: 'Dit ticket is terugbetaald.',
    reissued: 'Dit ticket is opnieuw uitgegeven bij de ticketbalie. Vraag om de nieuwe code.',
    released: 'Dit ticket staat niet meer op deze telefoon. Laat de ticketlink opnieuw openen.',
  },
  unknown: {
    fact: 'Geen ticket voor dit evenement.',
    alone: 'Niet in de ticketlijst van deze telefoon.',
    next: 'Probeer de code nog één keer. Lukt het niet: stuur door naar de ticketbalie.',
  },
}
