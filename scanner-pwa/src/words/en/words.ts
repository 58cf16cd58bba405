/** Every sentence that a person reads in this app, in English. A second language is a second file with the same keys. */

import type { Failure } from '@gatehouse/proto/ui/camera/messages.ts'
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { IncidentState, ShiftSummary } from '../../gate/model.ts'

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

  pairing: {
    title: 'Pair this phone',
    arrived: 'Press once to make this phone a scanner.',
    none: 'The control room shows an invite as a QR code. Scan it, or open its link on this phone.',
    name: 'Name of this phone',
    nameHint: 'The control room sees it, for example "Gate North 2".',
    guess: (platform: string) => (platform === '' ? 'Phone' : `${platform} phone`),
    pair: 'Pair this phone',
    pairing: 'Pairing',
    scan: 'Scan the invite',
    stopCamera: 'Stop the camera',
    paste: 'Paste the invite link',
    use: 'Use this invite',
    noInvite: 'This is not a whole invite. An invite is a link that starts with https:// and contains #i=.',
    another: 'Use another invite',
    already: (name: string) => `This phone is already paired as "${name}". To pair it again, unpair it first.`,
    keep: 'Keep this pairing',
  },

  checkpoint: {
    title: 'Which checkpoint are you at?',
    operator: 'Your name',
    operatorHint: 'Optional. It is kept with your scans on this phone, and shown in the hand-over.',
    in: 'Entry',
    out: 'Exit',
    none: 'This phone has no checkpoint. Ask the control room for another invite.',
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
    doubles: (n: number) => (n === 1 ? 'A ticket was used twice' : `${n} tickets were used twice`),
    doublesText: 'Let in here while offline, and used elsewhere too.',
    aside: (n: number) => (n === 1 ? 'The box rejected an admission' : `The box rejected ${n} admissions`),
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
    clockOff: 'Their clock is wrong',
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
    reason: (reason: string) => `"${reason}"`,
    pressedAndReceived: (pressed: string, received: string) => `pressed ${pressed}, received ${received}`,
  },

  recent: {
    title: 'Recent scans',
    lead: 'The last 50 of this phone.',
    none: 'Nothing scanned yet.',
    alone: 'offline',
    sent: 'sent',
    unsent: 'not sent yet',
    confirmed: 'confirmed',
    supervised: 'admitted by supervisor',
    undone: 'taken back',
    double: 'used twice',
    ago: (age: string) => `${age} ago`,
    past: 'Earlier scan',
  },

  doubles: {
    title: 'Used twice',
    lead: 'You let these in while this phone was offline, and the same tickets were also used elsewhere. Nobody inside is sent out: the control room has both records.',
    none: 'None.',
    yours: 'Here, by this phone',
    other: 'Elsewhere',
    at: (where: string, ms: number) => `${where}, ${clock(ms)}`,
    unknown: 'The control room has the other record.',
    dismiss: 'Got it',
    aside: 'Rejected by the box',
    asideLead: 'Tell the control room: the box has no record of these.',
  },

  shift: {
    title: 'This shift',
    since: (ms: number) => `Since ${clock(ms)}`,
    operator: 'Signed in',
    signOn: 'Sign in',
    signOff: 'Sign out',
    name: 'Your name',
    counts: 'Scans',
    total: (n: number) => `${count(n, 'scan')} in all`,
    also: 'Also',
    alone: 'Decided offline',
    supervised: 'Admitted by supervisor',
    undone: 'Taken back',
    doubles: 'Used twice',
    unsent: 'Not sent yet',
    aside: 'Rejected by the box',
    handOver: 'Hand over',
    handOverTitle: 'Hand this phone over?',
    handOverText: 'Counts reset. You are signed out. Unsent scans stay on the phone until they are sent.',
    handOverUnsent: (n: number) =>
      `${count(n, 'scan')} not sent yet. Take the phone back to the network before you turn it off.`,
    handOverConfirm: 'Hand over',
    handedOver: 'Handed over',
    copy: 'Copy',
    copied: 'Copied',
    done: 'Done',
    /** To read out, or to send to somebody. */
    summary: (summary: ShiftSummary, checkpoint: string, until: number) =>
      [
        `${checkpoint}: ${summary.operator ?? 'nobody signed in'}, ${clock(summary.since)} to ${clock(until)}.`,
        ...Object.entries(summary.byClass)
          .filter(([, n]) => n > 0)
          .map(([name, n]) => `${words.verdict.class[name as VerdictClass]}: ${n}`),
        `Decided offline: ${summary.alone}`,
        `Admitted by supervisor: ${summary.supervised}`,
        `Taken back: ${summary.undone}`,
        `Used twice: ${summary.doubles}`,
        summary.unsent === 0 ? 'All scans are sent.' : `Not sent yet: ${summary.unsent}`,
        ...(summary.aside === 0 ? [] : [`Rejected by the box: ${summary.aside}`]),
      ].join('\n'),
  },

  settings: {
    title: 'Settings',
    licences: 'Licences of this app',
    theme: 'Light or dark',
    themes: { auto: 'Same as the phone', light: 'Light', dark: 'Dark' },
    volume: 'Verdict volume',
    volumeOf: (percent: number) => `${percent} %`,
    hear: 'Try the sounds',
    vibration: 'Vibrate',
    camera: 'Camera',
    preflight: 'Check before doors',
    checkpoint: 'Change checkpoint',
    phone: 'This phone',
    name: 'Name',
    event: 'Event',
    box: 'Box',
    certificate: 'Certificate expires',
    version: 'Version',
    supervisor: 'Supervisor',
    yes: 'Yes',
    no: 'No',
    newer: 'A newer version is ready.',
    restart: 'Restart now',
    unpair: 'Unpair this phone',
    unpairTitle: 'Unpair this phone?',
    unpairText: 'Its key and ticket list are deleted. To scan again, it needs a new invite.',
    unpairUnsent: (n: number) =>
      `${count(n, 'scan')} not sent yet will be lost: the box will never know who was let in.`,
    unpairConfirm: 'Unpair',
    unpairForce: (n: number) => `Unpair and lose ${count(n, 'scan')}`,
  },

  ended: { title: 'This phone can no longer scan', pairAgain: 'Unpair and pair again' },
}

/** "4 minutes", for a sentence. */
export function longDuration(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds))
  if (s < 60) return count(s, 'second')
  if (s < 3600) return count(Math.floor(s / 60), 'minute')
  if (s < 86_400) return count(Math.floor(s / 3600), 'hour')
  return count(Math.floor(s / 86_400), 'day')
}

/** "4 min", where there is little room. */
export function duration(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000))
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min`
  if (s < 86_400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`
  return count(Math.floor(s / 86_400), 'day')
}

/** The time of day on this phone's own wall. */
export function clock(ms: number): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(ms)
}

/** Day and time, for what may be days away. */
export function moment(ms: number): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(ms)
}

export function count(n: number, unit: string): string {
  return `${n.toLocaleString('en-GB')} ${unit}${n === 1 ? '' : 's'}`
}
