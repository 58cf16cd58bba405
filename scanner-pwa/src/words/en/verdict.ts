/** What the screen of a verdict says beside its name: what it rests on, and what to do next. */
import { speech } from './speech.ts'

const { ago, clock, duration } = speech

const desk = 'Send to the ticket desk.'

export const verdictSays = {
  desk,
  orCall: (instruction: string) => `${instruction} Or call a supervisor.`,
  orPress: (instruction: string, button: string) => `${instruction} Or press "${button}".`,
  undone: { fact: 'This admission was taken back.', next: 'The ticket can be used again.' },
  used: {
    at: (gate: string, seconds: number) => `Used at ${gate} ${seconds < 1 ? 'just now' : ago(seconds * 1000)}.`,
    somewhere: 'This ticket was used before.',
    next: 'Ask for another ticket.',
    detail: (checkpoint: string, ms: number) => `${checkpoint}, ${clock(ms)}`,
  },
  redirect: {
    to: (gate: string) => `Enters at ${gate}.`,
    walk: (gate: string, seconds: number) =>
      `Enters at ${gate}, ${seconds < 60 ? 'less than a minute' : duration(seconds * 1000)} on foot.`,
    next: (gate: string) => `Send to ${gate}.`,
    somewhere: 'This ticket enters at another gate.',
    ask: 'Ask the control room which one.',
  },
  early: 'Ask them to come back then.',
  stale: {
    old: (seconds: number) => `This code is ${duration(seconds * 1000)} old.`,
    outdated: 'This code is out of date.',
    next: 'Ask them to open the ticket again. No screenshots.',
    /** @param seconds that its code is old: negative where it is ahead */
    clock: (seconds: number) =>
      `That phone's clock is ${duration(Math.abs(seconds) * 1000)} ${seconds < 0 ? 'ahead' : 'behind'}. The ticket may be fine.`,
    clockNext: 'Ask them to set its time to automatic, and to open the ticket again.',
  },
  cancelled: {
    unexplained: 'This ticket was cancelled.',
    next: `Do not let them in. ${desk}`,
    detail: (ms: number) => `Cancelled at ${clock(ms)}`,
  },
  orderOpen: 'the order is open',
  byShop: 'blocked by the ticket shop',
  held: {
    fact: (why: string) => `${why} Nothing is wrong with the ticket.`,
    next: 'Nobody enters here until the control room says so.',
  },
  unknown: {
    fact: 'Not a ticket for this event.',
    alone: "Not in this phone's ticket list.",
    next: 'Try the code once more. Then: send to the ticket desk.',
  },
}
