/** Every sentence that a person reads in this app, in English. A second language is a second file with the same keys. */
export const words = {
  title: 'Gatehouse Wallet',
  screens: { ticket: 'Ticket', nearby: 'Nearby', news: 'News', more: 'More' },
  screensLabel: 'Screens',
  yourTickets: 'Your tickets',
  ticketName: (number: number, tier?: string, whose?: string | null) =>
    tier === undefined ? `Ticket ${number}` : whose ? `${tier}, ${whose}` : tier,
  unread: (count: number) => `${count} unread`,
  close: 'Close',
  cancel: 'Not now',
  tryAgain: 'Try again',

  live: 'Live',
  asking: 'Connecting',
  offline: 'Offline',
  offlineLong: (age: string) => `No connection. What you see is from ${age}. Your code works without network.`,
  forgetful:
    'This browser does not save anything. Keep this page open until you are inside, or open your link in another browser.',

  ago: {
    now: 'just now',
    minutes: (n: number) => (n === 1 ? '1 minute ago' : `${n} minutes ago`),
    hours: (n: number) => (n === 1 ? '1 hour ago' : `${n} hours ago`),
    days: (n: number) => (n === 1 ? 'yesterday' : `${n} days ago`),
  },
  lasting: {
    seconds: (n: number) => `${n} seconds`,
    minutes: (n: number) => (n === 1 ? '1 minute' : `${n} minutes`),
    hours: (n: number) => (n === 1 ? '1 hour' : `${n} hours`),
  },

  ticket: {
    heading: 'Your ticket',
    opening: 'Opening your ticket',
    code: 'Ticket code, changes every 15 seconds. Show it to the scanner; press to enlarge.',
    codeLarge: 'Ticket code',
    bright: 'Turn your screen to full brightness and hold it still.',
    awake: 'Keep touching the screen so that it does not go dark.',
    next: (seconds: number) => `New code in ${seconds} s`,
    enlarge: 'tap to enlarge',
    making: 'Making your code',
    holder: 'Name',
    zones: 'Access',
    valid: 'Valid',
    validFrom: (from: string) => `from ${from}`,
    validUntil: (until: string) => `until ${until}`,
    validBetween: (from: string, until: string) => `${from} to ${until}`,
    early: (from: string) => `Not valid yet: valid from ${from}.`,
    late: (until: string) => `Expired ${until}.`,
    revoked: {
      title: 'Cancelled',
      text: 'The organiser has cancelled this ticket. Ask at the ticket desk, or ask whoever sold it to you.',
    },
    blocked: 'Blocked by the organiser. At the gate, ask for a supervisor and show this code.',
    pending: 'Not paid yet. Pay where you bought it, or show this code to a supervisor at the gate.',
    unknown: 'The event no longer knows this ticket. If a gate refuses the code, ask the organiser for a new link.',
    unsigned:
      'This phone could not prove just now that the ticket is locked to it. If a gate refuses the code, ask a supervisor.',
    slow: (by: string) =>
      `This phone’s clock is ${by} slow. Your code allows for it, but please set the clock to automatic.`,
    fast: (by: string) =>
      `This phone’s clock is ${by} fast. Your code allows for it, but please set the clock to automatic.`,
    history: 'Where you have been',
    noHistory: 'Nothing yet. The gates that you pass are listed here.',
    in: (checkpoint: string) => `In: ${checkpoint}`,
    out: (checkpoint: string) => `Out: ${checkpoint}`,
  },

  trouble: {
    unreachable: {
      title: 'No connection',
      text: 'A ticket needs network the first time it is opened. Join the venue’s Wi-Fi or turn on mobile data; this page tries again by itself.',
    },
    unknown: {
      title: 'This link doesn’t work',
      text: 'Open the link in the organiser’s message itself, not a copy. If it still doesn’t work, ask the organiser for a new one.',
    },
    elsewhere: {
      title: 'Locked to another phone',
      text: 'This ticket was locked to another phone and opens only there. If that was not you, ask the organiser or the ticket desk to release it.',
    },
    busy: {
      title: 'Too many attempts from this network',
      text: 'Too many wrong links were opened on this network. Wait a minute; this page tries again by itself.',
    },
    unloaded: {
      title: 'This page is not on your phone yet',
      text: 'It needs network once. Your ticket and its code work without it. This page tries again by itself.',
    },
    refused: {
      title: 'That did not work',
      text: 'Close this page and open your link again. If that does not help, ask at the ticket desk.',
    },
  },

  claim: {
    title: 'Lock it to this phone',
    why: 'Until you do, anyone with your link has your ticket.',
    ask: 'Lock to this phone',
    heading: 'Lock this ticket to this phone?',
    does: [
      'From now on, only this phone can show the ticket.',
      'Links that you forwarded stop working, and a printed code may stop working too.',
      'You cannot undo this yourself. If you lose this phone, the organiser can release the ticket.',
      'Do not do this in a private window: the key is lost when it closes.',
    ],
    weak: 'This connection is not secure, so the key is kept unprotected in this browser. Open your link over https if you can.',
    confirm: 'Lock it now',
    working: 'Locking',
    mine: 'Locked to this phone.',
    mineWeak: 'Locked to this phone. Its key is kept unprotected in this browser, which is weaker than over https.',
    unsure: 'Not confirmed yet. Stay online for a moment before you go to the gate.',
    released: 'The organiser has released this ticket. Its link works again, and you can lock it again.',
    unkept:
      'This browser cannot keep keys, so nothing was locked. Open the link in a normal window, or in another browser.',
  },

  nearby: {
    heading: 'Nearby',
    from: 'I am at',
    lastSeen: 'My last gate',
    firstGate: 'My entrance',
    stepFree: 'Step-free ways only',
    show: 'Show',
    everything: 'Everything',
    list: 'List',
    map: 'Map',
    views: 'View',
    looking: 'Loading',
    none: 'Nothing like this where your ticket can go.',
    noneStepFree: 'No step-free way is known. Turn the switch off to see the rest, or ask a steward.',
    noMap: 'This venue has no map yet. Ask a steward.',
    failed: 'This needs network. Try again when you are back online.',
    old: (age: string) => `No connection. As of ${age}.`,
    minutes: (n: number) => `${n} min`,
    metres: (n: number) => `${n} m`,
    via: (names: string) => `via ${names}`,
    stepFreeYes: 'Step-free',
    stepFreeNo: 'Has steps',
    stepFreeUnverified: 'Step-free not verified',
    to: (name: string) => `Way to ${name}`,
    larger: 'Larger',
    whole: 'Whole map',
    mapTitle: (event: string) => `Map of ${event}`,
    badMap: 'The map cannot be shown. It loads again when you are online.',
  },

  news: {
    heading: 'From the organiser',
    none: 'No messages now.',
    severity: { info: 'Notice', warning: 'Warning', emergency: 'Emergency' },
    zones: (names: string) => `For ${names}`,
    until: (time: string) => `Until ${time}`,
    checked: 'Signed by the organiser',
    hidden: (count: number) =>
      count === 1
        ? '1 message is not shown: it is not signed by the organiser of this ticket.'
        : `${count} messages are not shown: they are not signed by the organiser of this ticket.`,
    noKey: 'Part of your link is missing, so messages cannot be checked and are not shown. Open the whole link again.',
    all: 'All messages',
  },

  more: {
    heading: 'Tickets and settings',
    licences: 'Licences of this app',
    add: 'Add a ticket',
    paste: 'Ticket link',
    pasteHint: 'Copy the link from the organiser’s message and paste it here.',
    addButton: 'Add ticket',
    malformed: 'This is not a whole ticket link. Copy all of it from the organiser’s message: it contains #t=.',
    remove: 'Remove',
    removeLabel: (name: string) => `Remove ${name}`,
    removeHeading: (name: string) => `Remove ${name} from this phone?`,
    removeText: 'The ticket stays valid, and its link opens it again.',
    removeMine:
      'This phone holds the only key of this ticket. Without it nobody can show the ticket until the organiser releases it.',
    removeConfirm: 'Remove ticket',
    link: 'Show link',
    linkLabel: (name: string) => `Show link of ${name}`,
    linkHeading: 'The link of your ticket',
    linkText: 'Whoever has this link has the ticket. Show it to nobody.',
    linkField: 'Link',
    copy: 'Copy link',
    copied: 'Copied',
    theme: 'Appearance',
    themes: { auto: 'Same as the phone', light: 'Light', dark: 'Dark' },
    state: 'This phone',
    savedYes: 'Saved. Opens without network.',
    savedNo: 'Saving for use without network.',
    savedNever:
      'This page works while it is open. To open it again you need network, because the connection is not secure.',
    updated: (age: string) => `Ticket as of ${age}.`,
    clockRight: 'The clock is right.',
    newer: 'A new version is ready.',
    restart: 'Update now',
  },

  welcome: {
    heading: 'Your tickets, on this phone',
    text: 'Open the link that the organiser sent you, or add it by hand.',
  },

  install: {
    title: 'Keep it at hand',
    text: 'Put your ticket on the home screen, so that it opens without searching for the message.',
    ios: 'Copy your link first. Then in Safari tap Share, then “Add to Home Screen”, and paste the link there: the icon opens without your ticket. Do this before you lock the ticket to this phone.',
    button: 'Add to home screen',
    dismiss: 'No thanks',
  },
} as const
