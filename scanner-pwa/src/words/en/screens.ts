/** Text read before and after scanning: pairing, checkpoint, recent scans, shift, settings. */
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'
import type { ShiftSummary } from '../../gate/model.ts'
import { speech } from './speech.ts'

const { clock, count } = speech

const scans = (n: number) => count(n, { one: '# scan', other: '# scans' })

export const screenWords = {
  pairing: {
    title: 'Pair this phone',
    arrived: 'Press once to make this phone a scanner.',
    none: 'The control room shows an invite as a QR code. Scan it, or open its link on this phone.',
    deleted:
      'This phone was paired, and its browser has deleted what this app had stored. Ask the control room for a new invite.',
    deletedUnsent: (n: number) => `${scans(n)} had not been sent and are lost. Tell the control room.`,
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
    /** Another person takes the phone. */
    change: 'Change',
    name: 'Your name',
    counts: 'Scans',
    total: (n: number) => `${scans(n)} in all`,
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
      `${scans(n)} not sent yet. Take the phone back to the network before you turn it off.`,
    handOverConfirm: 'Hand over',
    handedOver: 'Handed over',
    copy: 'Copy',
    copied: 'Copied',
    done: 'Done',
    /** To read out, or to send to somebody. */
    summary: (
      summary: ShiftSummary,
      checkpoint: string,
      until: number,
      classes: Readonly<Record<VerdictClass, string>>,
    ) =>
      [
        `${checkpoint}: ${summary.operator ?? 'nobody signed in'}, ${clock(summary.since)} to ${clock(until)}.`,
        ...Object.entries(summary.byClass)
          .filter(([, n]) => n > 0)
          .map(([name, n]) => `${classes[name as VerdictClass]}: ${n}`),
        `Decided offline: ${summary.alone}`,
        `Admitted by supervisor: ${summary.supervised}`,
        `Taken back: ${summary.undone}`,
        `Used twice: ${summary.doubles}`,
        summary.unsent === 0 ? 'All scans are sent.' : `Not sent yet: ${summary.unsent}`,
        ...(summary.aside === 0 ? [] : [`Rejected by the box: ${summary.aside}`]),
      ].join('\n'),
  },

  signOn: {
    title: 'Who is scanning?',
    now: 'Signed in:',
    somebodyElse: 'Somebody else',
    name: 'Name',
    secret: 'PIN or password',
    wrong: 'Name or PIN is wrong. Try again.',
    wait: 'Too many tries. Wait a moment, or ask the control room for a new PIN.',
    unreachable: 'The box did not answer. Try again.',
    aloneLocked: 'No connection to the box: nobody can sign in until it is back.',
    aloneAs: (name: string) =>
      `No connection to the box: ${name} stays signed in, and nobody else can sign in until it is back.`,
  },

  settings: {
    title: 'Settings',
    licences: 'Licences of this app',
    theme: 'Light or dark',
    language: 'Language',
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
    rehearsal:
      'A rehearsal is running: what this phone scans does not count. If people are coming in, leave the rehearsal.',
    leaveRehearsal: 'Leave the rehearsal',
    newer: 'A newer version is ready.',
    restart: 'Restart now',
    unpair: 'Unpair this phone',
    unpairTitle: 'Unpair this phone?',
    unpairText: 'Its key and ticket list are deleted. To scan again, it needs a new invite.',
    unpairUnsent: (n: number) => `${scans(n)} not sent yet will be lost: the box will never know who was let in.`,
    unpairConfirm: 'Unpair',
    unpairForce: (n: number) => `Unpair and lose ${scans(n)}`,
  },

  ended: { title: 'This phone can no longer scan', pairAgain: 'Unpair and pair again' },
}
