/** What the screen of a verdict says beside its name, in Dutch. */
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
    to: (gate) => `Ingang: ${gate}.`,
    walk: (gate, seconds) =>
      `Ingang: ${gate}, ${seconds < 60 ? 'minder dan een minuut' : duration(seconds * 1000)} lopen.`,
    next: (gate) => `Stuur door naar ${gate}.`,
    somewhere: 'Dit ticket is voor een andere poort.',
    ask: 'Vraag de controlekamer welke.',
  },
  early: 'Laat dan terugkomen.',
  stale: {
    old: (seconds) => `Deze code is ${duration(seconds * 1000)} oud.`,
    outdated: 'Deze code is verouderd.',
    next: 'Laat het ticket opnieuw openen. Geen screenshots.',
    clock: (seconds) =>
      `De klok van die telefoon loopt ${duration(Math.abs(seconds) * 1000)} ${seconds < 0 ? 'voor' : 'achter'}. Het ticket kan goed zijn.`,
    clockNext: 'Laat de tijd op automatisch zetten en het ticket opnieuw openen.',
  },
  cancelled: {
    unexplained: 'Dit ticket is geannuleerd.',
    next: `Niet binnenlaten. ${desk}`,
    detail: (ms) => `Geannuleerd om ${clock(ms)}`,
  },
  orderOpen: 'de bestelling staat open',
  byShop: 'geblokkeerd door de ticketshop',
  held: {
    fact: (why) => `${why} Met het ticket is niets mis.`,
    next: 'Hier niemand naar binnen tot de controlekamer het zegt.',
  },
  unknown: {
    fact: 'Geen ticket voor dit evenement.',
    alone: 'Niet in de ticketlijst van deze telefoon.',
    next: 'Probeer de code nog één keer. Daarna: stuur door naar de ticketbalie.',
  },
}
