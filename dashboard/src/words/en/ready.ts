/** Texts of the screen Before doors. */
import { count } from './actions.ts'

const left = () => ''

export const readyWords = {
  lead: 'What has to be ready before people come, and a sheet for each gate.',
  list: 'Ready?',
  standing: { ok: 'In order', warn: 'To do', ask: 'Ask' },
  remedy: (name: string) => `Open: ${name}`,
  byAdmin: 'Ask an admin for this.',
  whatIsLeft: 'What is left before doors',
  checks: {
    certificate: {
      name: 'Certificate',
      ok: () => 'This device trusts the box.',
      warn: () => 'This device does not trust the box: without that, no app opens offline. Install the certificate.',
      ask: () => 'This browser does not say whether it trusts the box.',
    },
    publicName: {
      name: 'Public name',
      ok: () => 'The certificate for the public name is valid until after the event.',
      warn: () =>
        'The certificate for the public name is missing, late, broken or ends before the event: gates open all the same, and browsers will warn.',
      ask: left,
    },
    clock: {
      name: 'Clock',
      ok: () => 'The clock of the box is right.',
      warn: () =>
        'Nothing sets the clock of the box: compare it with a watch, and let the machine take its time from the network.',
      ask: left,
    },
    tickets: {
      name: 'Tickets',
      ok: (n: number) => `${count(n, 'ticket')} imported.`,
      warn: () => 'No ticket yet: import the file of your shop.',
      ask: left,
    },
    scanners: {
      name: 'Scanners',
      ok: (n: number) => `${count(n, 'scanner')} connected.`,
      warn: (n: number) => `${count(n, 'scanner')} connected, fewer than gates: pair them, and open the app on each.`,
      ask: left,
    },
    battery: {
      name: 'Batteries and clocks',
      ok: () => 'Every scanner has power, and the right time.',
      warn: (n: number) => `${count(n, 'scanner')} with an empty battery or a wrong clock.`,
      ask: left,
    },
    map: {
      name: 'Map',
      ok: () => 'The map is there.',
      warn: (n: number) =>
        `${count(n, 'gate')} not on the map: nobody is shown the way there. Put it there on the screen Event.`,
      ask: () =>
        'Should people be shown the way? Then draw or import a map on the screen Event. Gates work without one.',
    },
    backup: {
      name: 'Backup',
      ok: (n: number) =>
        n === 0 ? 'A backup was taken within the hour.' : `A backup was taken ${count(n, 'hour')} ago.`,
      warn: () => 'No backup in the last 24 hours: take one, and keep it elsewhere.',
      ask: left,
    },
    stick: {
      name: 'USB stick',
      ok: () => 'A stick is in the box.',
      warn: () => 'No stick in the box: backups have nowhere to go.',
      ask: left,
    },
    paper: {
      name: 'Paper lists',
      ok: () => 'A list is printed for each gate.',
      warn: (n: number) => `${count(n, 'list')} printed: print one for each gate, for when nothing works.`,
      ask: left,
    },
    links: {
      name: 'Ticket links',
      ok: left,
      warn: left,
      ask: () =>
        'Do guests show the ticket on their phone? Then each needs a link; the shop’s own codes work without one. This command writes all links to a file (where to type it: box/docs/attendees.md, “Links”):',
    },
    rehearsal: {
      name: 'Rehearsal',
      ok: () => 'A rehearsal took place within the last seven days.',
      warn: () => 'No rehearsal yet: scan some real tickets with the real phones, below.',
      ask: left,
    },
  },
  rehearsal: {
    title: 'Rehearsal',
    lead: 'Real phones scan real tickets, and nobody is counted. The record says only that it took place.',
    steps: [
      'Start it. Within 10 seconds every paired phone says “Rehearsal”.',
      'Scan a few tickets, one of them twice, and one at the wrong gate.',
      'Turn off the network on one phone and keep scanning: it decides on its own.',
      'End it here. From then on every scan counts.',
    ],
    start: 'Start a rehearsal',
    startAnyway: 'No gate is open: start',
    text: 'The scanners of this box rehearse: anyone they admit is not counted. It ends by itself when the event begins.',
    objections: {
      event_on: 'The event has begun.',
      people_came: 'People came in within the last 30 minutes.',
    },
    anyway: 'Anyone who enters during a rehearsal is missing from every count. Start it only if no gate is open.',
    length: 'For',
    started: 'The rehearsal is running.',
    end: 'End the rehearsal',
    ended: (scans: number, scanners: number) =>
      `Rehearsal over: ${count(scans, 'code')} tried with ${count(scanners, 'scanner')}. From now on scans count.`,
    until: 'Ends by itself at',
    scanners: 'Scanners that took part',
    scans: 'Codes tried',
    meanwhile: 'Admitted for real meanwhile',
    byAdmin: 'An admin can start one.',
    band: (actor: string) => `Rehearsal, started by ${actor}: scanners count nobody.`,
    left: (time: string) => `It ends in ${time}.`,
    real: (n: number) => `${n} admitted for real meanwhile, by scanners that are not taking part.`,
  },
  sheets: {
    title: 'Sheets for the gates',
    lead: 'One page for each gate, with a code for each phone. Anyone with the sheet can pair a phone: look after it like a key.',
    phones: 'Phones at each gate',
    make: 'Make the sheets',
    print: 'Print',
    leave: 'Print them before you leave this screen: it does not keep them. Sheets made earlier stay valid too.',
    paper: 'The sheets as they will be on paper',
    heading: (gate: string) => `Scanner for ${gate}`,
    until: (at: string) => `Good until ${at}. Each code pairs one phone.`,
    network: (host: string) => `Connect the phone to the network of the box (${host}).`,
    trust:
      'No button “Pair”? Then the phone does not trust the box yet, and the page shows the steps with pictures. In short:',
    fingerprint: 'The phone shows the fingerprint (SHA-256) of the certificate that it installs. It must be this one:',
    iphone:
      'iPhone: download it in Safari and allow the profile. Settings, Profile Downloaded, Install. Then General, About, Certificate Trust Settings: turn it on.',
    android:
      'Android: set a screen lock. Settings, Security, Encryption & credentials, Install a certificate, CA certificate, and choose the file.',
    scan: 'Open the camera, point it at a code that nobody has used, open the link, and press Pair.',
    phone: (n: number) => `Phone ${n}`,
    label: (gate: string, n: number) => `Invite for ${gate}, phone ${n}`,
    fails: 'If it fails',
    failing: [
      'The page does not open: the phone is on another network, or uses mobile data. Turn mobile data off.',
      'The browser warns: the phone does not trust the box yet. Scan the code again, and do the steps of the page that opens.',
      '“This invite has been used”: take the next code, or ask the control room for a new sheet.',
      'The camera stays black: allow the camera for this page in the settings of the browser.',
      'Nothing helps: scan with another phone, and let people in by the paper list.',
    ],
  },
}
