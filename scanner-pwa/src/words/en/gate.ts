/** The sentences of the scanner's core, in English; `en.ts` has those of its screens. A second language is a second file. */
import { speech } from './speech.ts'

const { count, duration } = speech

export const gateWords = {
  invite: {
    notOne: 'This is not a Gatehouse invite. Scan the QR code in the control room, or copy its whole link.',
    elsewhere: (address: string) =>
      `This invite is for another box. Open ${address} on this phone and scan it again there.`,
    otherBox:
      'This invite is for a different event. Check that this phone is on the right network. Do not pair it here.',
    expired: 'This invite has expired. Ask the control room for a new one.',
    unreachable: 'The box does not answer. Join its network, then try again.',
    paired: 'This phone is already paired. Unpair it first.',
    noKeys:
      'This browser cannot store the key of a scanner. Open the invite in another browser, and not in a private window.',
  },
  nameMissing: 'Give this phone a name that the control room will recognise.',
  otherTab: 'The scanner is open in another tab or window. Close that one, then try again.',
  unpairUnsent: (unsent: number) =>
    `${count(unsent, { one: 'One admission has', other: '# admissions have' })} not reached the box yet. Take the phone back to its network first.`,
  noCheckpoint: 'Choose your checkpoint first.',
  waitingUnreachable: 'Not sent: the box does not answer. Try again later, or use the radio.',
  reportUnreachable: 'Not sent: the box does not answer. Use the radio.',
  notPaired: 'This phone is not paired. Open an invite first.',
  ended: {
    device_revoked: 'This scanner was taken out of service. Bring it to the control room.',
    other: 'The box no longer knows this scanner. Ask the control room for a new invite, and pair again.',
    certificate: "This scanner's certificate has expired. Ask the control room for a new invite, and pair again.",
  },
  offline: {
    noList:
      'No ticket list on this phone, and the box does not answer. Use another scanner, or take this one to the network.',
    otherEvent: 'The ticket list on this phone is for another event. Use another scanner, and pair this one again.',
    used: 'Already used; where and when is not known offline. Send to the ticket desk.',
    elsewhere: 'Not for this gate. Ask the control room where to send this ticket.',
    everyGateHeld: 'every gate for this ticket is on hold, as far as this phone knows',
    notValid: 'No longer valid: cancelled, not paid, or moved to another phone. Send to the ticket desk.',
    diskFull:
      'This phone is full and cannot record admissions. Let nobody in with it: free up space, or use another phone.',
  },
  noCode: 'This is not a ticket. Try the code again. If that fails, send to the ticket desk.',
  details: {
    gone: 'No longer open on this phone. Scan the ticket again.',
    unreachable: 'This needs the box, which does not answer. Try again when it is back.',
    wrong: (question: string, problem = 'Answer it again.') => `"${question}": ${problem}`,
    nobody: 'Nobody else on this order can enter here now. Scan their own tickets to see why.',
  },
  lookUp: {
    unreachable: 'Look-up needs the box, which does not answer. Try again when it is back, or send to the ticket desk.',
    who: 'Sign in first, under Shift: each look-up is recorded with a name.',
  },
  overrides: {
    unreachable: 'This needs the box, which does not answer. Try again when it is back.',
    unsent: 'The box does not have this scan yet. Wait until it is sent, then try again.',
    scanner: 'the scanner',
    tooLate: 'The answer came too late. This person was sent away.',
    who: 'Sign in first, under Shift: the record says who decided.',
  },
  preflight: {
    clock: {
      unknown: 'not compared with the box yet',
      off: (ms: number) => `${duration(Math.abs(ms))} ${ms > 0 ? 'behind' : 'ahead of'} the box`,
      fine: 'agrees with the box',
      remedy: "Set this phone's date and time to automatic.",
      measure: 'Join the network of the box to compare the clocks.',
    },
    manifest: {
      none: 'no ticket list',
      is: (tickets: number, version: number, ageMs: number) =>
        `${count(tickets, { one: '# ticket', other: '# tickets' })}, version ${version}, ${ageMs < 60_000 ? 'up to date' : `${duration(ageMs)} old`}`,
      remedy: 'Stay on the network of the box until the ticket list is up to date.',
    },
    certificate: {
      left: (ms: number) => (ms > 0 ? `${duration(ms)} left` : 'expired'),
      remedy: 'Ask the control room for a new invite, and pair again.',
    },
    storage: {
      asking: 'this browser asks you whether it may keep what this app stores',
      kept: 'this phone keeps what it stores',
      notKept:
        'this phone may delete unsent scans: when its space runs out, in a private window, or after a week unused',
      unknown: 'this browser does not say whether it keeps unsent scans',
      small: (mb: number) =>
        `this browser gives this app only ${mb} MB, as a private window does: unsent scans may not fit`,
      smallRemedy: 'Open the app in a normal window, or free up space on this phone.',
      remedy: 'Add this app to the home screen, and open it from there.',
    },
    boxes: {
      ready: (names: string) => `if this box fails, this phone uses ${names}`,
      silent: (names: string) => `no answer from ${names}`,
      silentRemedy: (address: string) =>
        `Open ${address} once in this browser and trust it, as you did with the first box. If it does not open, tell the control room.`,
      later: (names: string) => `${names} joined after this app was opened`,
      laterRemedy: 'Restart this app in Settings so that it can use it.',
    },
    link: {
      reachable: 'the box answers',
      offline: 'the box does not answer',
      remedy: 'Join the network of the box.',
    },
  },
}
