/** The sentences of the scanner's core, in English; `en.ts` has those of its screens. A second language is a second file. */
import { duration } from '@gatehouse/proto/verdict-words.ts'

export const gateWords = {
  invite: {
    notOne: 'This is not an invite of Gatehouse: scan the QR code that the control room shows, or copy its whole link.',
    elsewhere: (address: string) =>
      `This invite is for another box: open ${address} on this phone, and scan it again there.`,
    otherBox:
      'This invite is of another event than the box at this address: check which network this phone is on, and do not pair here.',
    expired: 'This invite has expired: ask the control room for a new one.',
    unreachable: 'The box does not answer: join its network, then try again.',
    paired: 'This scanner is paired already: unpair it first.',
  },
  nameMissing: 'Give this scanner a name that the control room will recognise.',
  otherTab: 'The scanner is open in another tab or window of this phone: close that one, then try again.',
  unpairUnsent: (unsent: number) =>
    `${unsent === 1 ? 'One admission has' : `${unsent} admissions have`} not reached the box yet: bring the phone to its network first.`,
  noCheckpoint: 'Choose where this scanner stands first.',
  waitingUnreachable: 'The box does not answer: try again when it is back, or call on the radio.',
  notPaired: 'This scanner is not paired: open an invite first.',
  ended: {
    device_revoked: 'This scanner was taken out of service: bring it to the control room.',
    other: 'The box no longer knows this scanner: ask the control room for a new invite, and pair again.',
    certificate: "This scanner's certificate has ended: ask the control room for a new invite, and pair again.",
  },
  offline: {
    noList: 'No ticket list on this scanner yet, and the box does not answer: ask a supervisor.',
    otherEvent: 'The ticket list on this scanner is of another event: ask a supervisor, and pair the scanner again.',
    used: 'Used before; where and when, only the box knows. Send to the ticket desk.',
    elsewhere: 'Not for this gate: ask the control room where to send this ticket.',
    everyGateHeld: 'every gate for this ticket that this scanner knows of is on hold',
    notValid: 'No longer valid: cancelled, not paid, or moved to another phone. Send to the ticket desk.',
    diskFull:
      'This phone cannot store the admission: let nobody in with it. Make room on the phone, or use another one.',
  },
  noCode: 'That is not a ticket. Try the code again, then send to the ticket desk.',
  details: {
    gone: 'That is no longer open on this phone: scan the ticket again.',
    unreachable: 'Only the box can do that, and it does not answer: try again when it is back.',
    wrong: (question: string, problem = 'Answer it again.') => `"${question}": ${problem}`,
    nobody: 'Nobody else of this order may enter here now: scan their own tickets to see why.',
  },
  lookUp: {
    unreachable:
      'Only the box has the names, and it does not answer: try again when it is back, or send to the ticket desk.',
    who: 'Sign on first, under Shift: each look-up is recorded with a name.',
  },
  overrides: {
    unreachable: 'Only the box can do that, and it does not answer: try again when it is back.',
    unsent: 'The box does not know of this scan yet: wait until it has been sent, then try again.',
    scanner: 'the scanner',
    tooLate: 'The answer came too late: this person was sent away.',
    who: 'Sign on first: the box wants to know who decides.',
  },
  preflight: {
    clock: {
      unknown: 'not compared with the box yet',
      off: (ms: number) => `${duration(Math.abs(ms))} ${ms > 0 ? 'behind' : 'ahead of'} the box`,
      fine: 'agrees with the box',
      remedy: "Set this phone's date and time to automatic.",
      measure: 'Join the network of the box, so that the clocks can be compared.',
    },
    manifest: {
      none: 'no ticket list',
      is: (tickets: number, version: number, ageMs: number) =>
        `${tickets.toLocaleString('en')} tickets, version ${version}, ${ageMs < 60_000 ? 'up to date' : `heard ${duration(ageMs)} ago`}`,
      remedy: 'Stay on the network of the box until the ticket list is up to date.',
    },
    certificate: {
      left: (ms: number) => (ms > 0 ? `${duration(ms)} left` : 'ended'),
      remedy: 'Ask the control room for a new invite, and pair again.',
    },
    storage: {
      kept: 'this phone keeps what it stores',
      notKept: 'this phone may delete what it stores when space runs out',
      unknown: 'this browser does not say whether it keeps what it stores',
      remedy: 'Add this app to the home screen, and open it from there.',
    },
    boxes: {
      ready: (names: string) => `if this box is gone, this phone goes on at ${names}`,
      silent: (names: string) => `no answer from ${names}`,
      silentRemedy: (address: string) =>
        `Open ${address} once in this browser and trust it, as you did with the first box. If it does not open, tell the control room.`,
      later: (names: string) => `${names} joined after this app was opened`,
      laterRemedy: 'Restart this app in Settings: only then can it go on there.',
    },
    link: {
      reachable: 'the box answers',
      offline: 'the box does not answer',
      remedy: 'Join the network of the box.',
    },
  },
} as const
