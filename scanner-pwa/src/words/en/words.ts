/** Text read while scanning: the frame of the app, the viewfinder, notices, verdicts, reports. */
import type { Failure } from '@gatehouse/proto/ui/camera/messages.ts'
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { IncidentState } from '../../gate/model.ts'
import { speech } from './speech.ts'

const { clock, count, short: duration } = speech

export const words = {
  title: 'Gatehouse Scanner',
  opening: 'Opening.',
  doesNotOpen: 'The scanner did not open on this phone. Close it and open it again.',
  again: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  back: 'Back',
  dismiss: 'Dismiss',
  unexpected: 'That did not work. Try again.',
  rehearsal: 'Rehearsal: nobody is counted',

  nav: {
    label: 'Screens',
    scan: 'Scan',
    recent: 'Recent',
    shift: 'Shift',
    settings: 'Settings',
  },

  link: {
    reachable: 'Online',
    neverHeard: 'Offline',
    away: (box: string) => `At ${box}`,
    offline: (ms: number) => `Offline ${duration(ms)}`,
    unsent: (n: number) => (n === 0 ? 'All sent' : `${n} unsent`),
  },

  camera: {
    viewfinder: 'Camera picture',
    opening: 'Opening the camera.',
    switch: 'Other camera',
    automatic: 'Rear camera',
    numbered: (n: number) => `Camera ${n}`,
    torchOn: 'Torch on',
    torchOff: 'Torch off',
    open: 'Open the camera',
    reader: {
      absent: 'The QR reader is not on this phone yet. Join the network of the box, and type codes until then.',
      stopped: 'The QR reader stopped and is restarting. Type the code if it takes long.',
    } satisfies Record<Failure, string>,
    trouble: {
      denied: {
        what: 'The camera is blocked.',
        remedy:
          "Allow it for this page: the lock or camera sign beside the address, or the phone's settings for this browser.",
      },
      absent: { what: 'No camera was found.', remedy: 'Connect one, or use a hand scanner, or type the code.' },
      busy: { what: 'Another app is using the camera.', remedy: 'Close that app, then open the camera here.' },
      lost: { what: 'The camera stopped.', remedy: 'It restarts by itself. If not, press the button.' },
      insecure: {
        what: 'This page may not use a camera.',
        remedy: 'Open it with https://, as the invite does.',
      },
      unknown: { what: 'The camera did not open.', remedy: 'Press the button. If it fails again, restart the phone.' },
    },
    wedgeWorks: 'Hand scanners and typed codes still work.',
  },

  scan: {
    title: 'Scan',
    change: 'Change checkpoint',
    type: 'Type code',
    typeTitle: 'Type the code',
    typeLabel: 'Code as printed on the ticket',
    typeSubmit: 'Check this code',
    lookUp: 'Look up',
    lookUpLong: 'Look up a ticket by name',
    report: 'Report',
    reportLong: 'Report an incident',
    last: 'Last scan',
    none: 'Nothing scanned yet',
    tapForSound: 'Tap for sound',
    failed: 'No answer for that code. Scan it again.',
    notices: 'Notices',
  },

  notice: {
    hold: (gate: string) => `${gate} is on hold`,
    holdUntil: (ms: number) => `Until ${clock(ms)}.`,
    stale: (ms: number) => `Ticket list is ${duration(ms)} old`,
    staleText: 'Newer tickets and cancellations are unknown here. Take this phone back to the network.',
    noList: 'No ticket list on this phone',
    noListText: 'It cannot check tickets offline. Take it to the network.',
    offline: (ms: number | null) =>
      ms === null ? 'Offline: this phone decides' : `Offline for ${duration(ms)}: this phone decides`,
    offlineText: 'Keep scanning. Scans are sent when the box is back.',
    away: (box: string) => `Your box is down: ${box} answers`,
    awayText: 'Keep scanning. This phone switches back by itself.',
    joined: (box: string) => `${box} has joined`,
    joinedText: 'When it is quiet, restart this app in Settings, so that it can use this box if yours fails.',
    doubles: (n: number) => count(n, { one: 'A ticket was used twice', other: '# tickets were used twice' }),
    doublesText: 'Let in here while offline, and used elsewhere too.',
    aside: (n: number) => count(n, { one: 'The box rejected an admission', other: 'The box rejected # admissions' }),
    asideText: 'Made offline, and kept on this phone. Tell the control room.',
    look: 'Open',
    more: (n: number) => `+${n}`,
    emergency: (kind: string, where: string) => `${kind} at ${where}`,
    emergencyText: 'Reported by another scanner.',
    announcement: { info: 'Notice', warning: 'Warning', emergency: 'Emergency' },
    dismissNamed: (what: string) => `Dismiss: ${what}`,
  },

  verdict: {
    label: 'Verdict',
    next: 'Next',
    waiting: (n: number) => `${n} more waiting`,
    confirmed: 'Confirmed by the box',
    confirmedBy: (box: string) => `Confirmed by ${box}`,
    provisional: 'Provisional: not confirmed by the other boxes',
    provisionalSince: (boxes: string, ms: number | null) =>
      ms === null
        ? `Provisional: no contact with ${boxes} yet`
        : `Provisional: no contact with ${boxes} for ${duration(ms)}`,
    moreBoxes: (n: number) => `${n} more`,
    provisionalBy: (box: string, why: string) => `${why}. Answered by ${box}`,
    offline: (ms: number | undefined) =>
      ms === undefined ? 'Offline: this phone decides' : `Offline for ${duration(ms)}: this phone decides`,
    /** The name of a class, in letters as big as fit. */
    class: {
      admit: 'Admit',
      exit: 'Exit',
      used: 'Already used',
      elsewhere: 'Wrong gate',
      'not-now': 'Not now',
      stale: 'Code too old',
      invalid: 'Not valid',
      revoked: 'Revoked',
      supervisor: 'Ask a supervisor',
    } satisfies Record<VerdictClass, string>,
    /** The class `supervisor` at a supervisor's phone. */
    yours: 'You decide',
    held: 'Gate on hold',
    clockOff: 'Phone clock is wrong',
    undone: 'Taken back',
    failed: 'Not decided',
    failedSure: 'Nothing was checked',
    entry: (n: number) => `Entry ${n}`,
    undo: 'Take back',
    undoTitle: 'Take this admission back',
    undoText: 'The ticket can be used again. The control room sees who did it and why.',
    undoReasons: ['Scanned by mistake', 'Did not enter', 'Wrong person'],
    admit: 'Admit anyway',
    admitTitle: 'Admit as supervisor',
    admitText: 'The reason is recorded.',
    admitReasons: [
      'Ticket checked by hand',
      'Came back from a short exit',
      'Phone or code broken',
      'Staff error before',
    ],
    reason: 'Reason',
    admitSubmit: 'Admit',
    undoSubmit: 'Take back',
  },

  incidents: {
    title: 'Report',
    lead: 'One press calls the control room.',
    kinds: {
      crush: 'Crush',
      medical: 'Medical',
      need_staff: 'Need staff',
      fire: 'Fire',
      security: 'Security',
      lost_child: 'Lost child',
      access: 'Access',
      equipment: 'Equipment',
    } satisfies Record<IncidentState['kind'], string>,
    note: 'Note to send with it (optional)',
    noteHint: 'Where exactly, what you see. No names. Write it before you press.',
    sending: 'Sending…',
    notSent: 'NOT SENT. Use the radio.',
    notSentText: 'This phone keeps trying, and says here when the report has arrived.',
    refused: (why: string) => `The box rejected it: ${why}`,
    received: 'Received. Nobody has seen it yet.',
    receivedText: 'The control room is called until somebody answers.',
    seen: 'Seen by the control room.',
    named: (kind: string, state: string) => `${kind}: ${state}`,
    own: 'Your reports',
    ownNone: 'No reports yet.',
    addNote: 'Add a note',
    noteLater: 'Note for the control room',
    noNames: 'Where exactly, what has changed. No names.',
    sendNote: 'Send note',
    withdraw: 'Withdraw',
    withdrawTitle: (kind: string) => `Withdraw "${kind}"?`,
    withdrawText: 'The control room sees it as a false alarm. Nobody comes.',
    here: 'Reported by others at this gate',
    elsewhere: 'Emergencies elsewhere',
    waiting: 'How many people are waiting here?',
    waitingHint: 'A rough number helps the control room send people to a shorter queue.',
    people: (count: number) => (count === 0 ? 'Nobody' : `About ${count}`),
    waitingSent: (count: number) => (count === 0 ? 'Sent: nobody is waiting.' : `Sent: about ${count} are waiting.`),
    ticks: { pressed: 'Pressed', received: 'Received', seen: 'Seen' },
    state: (state: string, assignee: string | undefined, actor: string | undefined) => {
      switch (state) {
        case 'acknowledged':
          return actor ? `Seen by ${actor}.` : 'Seen by the control room.'
        case 'assigned':
          return assignee ? `On the way: ${assignee}.` : 'Help is on the way.'
        case 'resolved':
          return 'Resolved.'
        case 'cancelled':
          return 'Closed as a false alarm.'
        default:
          return 'Nobody has seen it yet.'
      }
    },
    withdrawn: 'Withdrawn at the gate.',
    reason: (reason: string) => `"${reason}"`,
    pressedAndReceived: (pressed: string, received: string) => `pressed ${pressed}, received ${received}`,
  },
}
