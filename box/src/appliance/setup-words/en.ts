/** The texts of the setup page, in English. */
export interface SetupWords {
  title: (event: string) => string
  lead: string
  apps: string
  dashboard: AppWords
  scanner: AppWords
  wallet: AppWords
  warning: string
  trust: string
  check: string
  certificate: string
  compare: string
  /** Name of a system, and its steps. */
  systems: readonly (readonly [string, string])[]
  box: string
  boxId: string
  time: string
  times: Record<'synced' | 'unsynced', string>
  addresses: string
  qr: (url: string) => string
  problems: (n: number) => string
  /** Before the number of a line that cannot be read. */
  line: string
  problemsLead: string
}

interface AppWords {
  name: string
  what: string
}

export const en: SetupWords = {
  title: (event: string) => `${event} · Gatehouse box`,
  lead: 'This is a Gatehouse box. It checks tickets at the gate.',
  apps: 'Where to go',
  dashboard: { name: 'Control room', what: 'For those who run the event: figures, invites, tickets, this machine' },
  scanner: { name: 'Scanner', what: 'For the crew at the gates; it opens from an invite' },
  wallet: { name: 'Tickets', what: 'For visitors, with the link that they were sent' },
  warning:
    'If the browser warns of an unknown certificate: this box made its own, and this device does not know it yet. The next part says what to do.',
  trust: 'Make this device trust the box',
  check: 'Check whether it does, with the steps in pictures',
  certificate: 'Download the certificate (ca.crt)',
  compare:
    'It is valid for this event and for local addresses only. Anyone on this network could have changed this page: compare the fingerprint with the one that the control room shows under Settings, or that was printed when the box started.',
  systems: [
    [
      'iPhone and iPad',
      'Download it in Safari and allow the profile. Open Settings, tap Profile Downloaded, then Install. Then go to General, About, Certificate Trust Settings, and turn on full trust for it: without this second step nothing changes.',
    ],
    [
      'Android',
      'Set a screen lock. Download it, then open Settings, Security, Encryption & credentials, Install a certificate, CA certificate, and choose the file past the warning. Chrome then trusts it; Firefox does not by itself.',
    ],
    [
      'Windows',
      'Open the file, choose Install Certificate, Local Machine, then “Place all certificates in the following store”, Trusted Root Certification Authorities. Restart the browser.',
    ],
    [
      'Mac',
      'Open the file: Keychain Access takes it. Find it under Certificates, open it, and under Trust choose Always Trust.',
    ],
    [
      'Linux, and Firefox anywhere',
      'In the browser’s settings look for Certificates, then Authorities, Import: choose the file, and trust it for websites.',
    ],
  ],
  box: 'This box',
  boxId: 'Name',
  time: 'Clock',
  times: {
    synced: 'set by the network',
    unsynced: 'not set by the network: set it in the control room, or compare it with a watch',
  },
  addresses: 'Addresses',
  qr: (url: string) => `Opens ${url}`,
  problems: (n: number) => (n === 1 ? 'One setting was not used' : `${n} settings were not used`),
  line: 'Line',
  problemsLead:
    'The box is up. Correct gatehouse.toml on its card with any computer, put the card back, and turn the box on.',
}
