/** Text on the screen of a verdict, beside its name: what it rests on, and what to do next. */
import type { KnownDetail } from '@gatehouse/proto/known-details.ts'
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
  /** The times of a ticket or a gate, where the box does not say of which. */
  times: (from: string | null, until: string | null) =>
    from === null
      ? `Entry until ${until}.`
      : until === null
        ? `Entry from ${from}.`
        : `Entry from ${from} until ${until}.`,
  letIn: (actor: string, reason: string) => `Let in by ${actor}: ${reason}.`,
  /** Gatehouse's own words: the codes of `proto/known-details.ts`. */
  known: {
    blocked: 'Blocked by the organiser.',
    cancelled: 'This ticket was cancelled.',
    cancelled_by_organiser: 'Cancelled by the organiser.',
    claimed: 'This ticket is on a phone. Ask for the code there, not the printed one.',
    claimed_elsewhere: 'This ticket is on another phone. Ask for that one.',
    code_replaced: 'This code was replaced. Ask for the new ticket.',
    every_gate_held: 'Every gate for this ticket is on hold.',
    no_gate: 'No gate here takes this ticket type.',
    no_order: 'The shop has no order with this code.',
    not_a_ticket: 'This is no longer a ticket.',
    not_approved: 'Not approved by the organiser, and not paid.',
    not_paid: 'The order is not paid.',
    order_expired: 'The order expired before it was paid.',
    other_date: 'This ticket is for another date.',
    phone_only: 'Entry only with the code on the phone, not a printed one.',
    refunded: 'This ticket was refunded.',
    reissued: 'This ticket was reissued at the ticket desk. Ask for the new code.',
    released: 'This ticket is no longer on this phone. Ask them to open its link again.',
  } satisfies Record<KnownDetail, string>,
  unknown: {
    fact: 'Not a ticket for this event.',
    alone: "Not in this phone's ticket list.",
    next: 'Try the code once more. Then: send to the ticket desk.',
  },
}
