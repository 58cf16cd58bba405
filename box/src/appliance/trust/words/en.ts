/** A step, and what is drawn of it: a screen's title, and the line of it that is pressed. */
export interface Step {
  text: string
  title?: string
  mark?: string
  /** It is a switch that is turned on. */
  on?: true
}

export const DEVICES = ['iphone', 'android', 'firefox', 'other'] as const
type Devices = Record<(typeof DEVICES)[number], { name: string; steps: readonly Step[] }>

export const en = {
  title: (event: string) => `Trust this box · ${event}`,
  heading: 'Does this device trust the box?',
  lead: 'It can scan once it knows the certificate of this box. That takes two minutes, once for each device.',
  states: {
    looking: 'Looking …',
    yes: 'Yes. This device trusts the box.',
    no: 'Not yet. Begin with step 1.',
    half: 'Not yet. The certificate was downloaded here: one of the steps after the first is missing.',
    away: 'The box does not answer. Is the device on the network of the box? Turn mobile data off.',
    elsewhere: 'This invite belongs to another box. Ask the control room for a new one.',
  },
  again: 'Check again',
  on: 'Go on',
  which: 'Which device is this?',
  download: 'Download the certificate',
  devices: {
    iphone: {
      name: 'iPhone, iPad',
      steps: [
        { text: 'Tap the button in Safari, then “Allow”.', title: 'Safari', mark: 'Allow' },
        {
          text: 'Open Settings, tap “Profile Downloaded”, then “Install”.',
          title: 'Settings',
          mark: 'Profile Downloaded',
        },
        {
          text: 'Then General, About, and at the bottom “Certificate Trust Settings”: turn it on. Without this step nothing changes.',
          title: 'Certificate Trust Settings',
          mark: 'Gatehouse',
          on: true,
        },
      ],
    },
    android: {
      name: 'Android',
      steps: [
        {
          text: 'Set a screen lock, if there is none. Then tap the button.',
          title: 'Chrome',
          mark: 'gatehouse-ca.crt',
        },
        {
          text: 'Settings, Security, “Encryption & credentials”, “Install a certificate”, “CA certificate”. Not there? Search the settings for “CA certificate”.',
          title: 'Install a certificate',
          mark: 'CA certificate',
        },
        { text: 'Go past the warning, and choose the file.', title: 'Downloads', mark: 'gatehouse-ca.crt' },
      ],
    },
    firefox: {
      name: 'Firefox on Android',
      steps: [
        {
          text: 'Firefox does not use the certificates of the phone by itself. Scan the code again and open the link in Chrome.',
          title: 'Chrome',
          mark: 'gatehouse',
        },
      ],
    },
    other: {
      name: 'Another device',
      steps: [
        { text: 'Press the button.' },
        {
          text: 'Windows: open the file, Install Certificate, Local Machine, “Trusted Root Certification Authorities”. Mac: open the file, find it in Keychain Access, choose “Always Trust”.',
        },
        {
          text: 'Firefox, and Linux: search the settings of the browser for “certificates”, then Authorities, Import, and trust it for websites. Restart the browser.',
        },
      ],
    },
  } as Devices,
  back: 'Come back to this page: it checks by itself.',
  compare: {
    title: 'Is it the right certificate?',
    text: 'Somebody on this network could have changed this page. The device shows the fingerprint (SHA-256) in the details of the certificate: it has to be the one on the printed sheet, or in the control room under Settings. This page says:',
  },
  noScript: 'Without JavaScript this page cannot check. Do the steps for your device, then open the invite again.',
}

export type TrustWords = typeof en
