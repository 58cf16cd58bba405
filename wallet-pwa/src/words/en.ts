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
    'This browser keeps nothing. Keep this page open until you are inside, or open the link in another browser.',

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
    zones: 'Opens',
    valid: 'Valid',
    validFrom: (from: string) => `from ${from}`,
    validUntil: (until: string) => `until ${until}`,
    validBetween: (from: string, until: string) => `${from} to ${until}`,
    early: (from: string) => `Not valid yet. It opens the gate from ${from}.`,
    late: (until: string) => `No longer valid. It ended ${until}.`,
    revoked: {
      title: 'Revoked',
      text: 'The organiser has taken this ticket back. Ask at the ticket desk, or ask whoever sold it to you.',
    },
    blocked: 'Blocked by the organiser. At the gate, ask for a supervisor and show this code.',
    pending: 'Not paid for yet. Pay with whoever sold it to you, or show this code to a supervisor at the gate.',
    unknown:
      'The box at this address no longer knows this ticket. If a gate refuses the code, ask the organiser for a new link.',
    unsigned: 'The box did not accept this phone’s signature just now. If a gate refuses the code, ask a supervisor.',
    slow: (by: string) =>
      `This phone’s clock is ${by} slow. Your code allows for it; set the clock to automatic all the same.`,
    fast: (by: string) =>
      `This phone’s clock is ${by} fast. Your code allows for it; set the clock to automatic all the same.`,
    history: 'Where you have been',
    noHistory: 'Nowhere yet. Each gate that you pass is listed here.',
    in: (checkpoint: string) => `In: ${checkpoint}`,
    out: (checkpoint: string) => `Out: ${checkpoint}`,
  },

  trouble: {
    unreachable: {
      title: 'No connection to the box',
      text: 'A ticket needs network the first time it is opened. Join the venue’s Wi-Fi or turn on mobile data; this page tries again by itself.',
    },
    unknown: {
      title: 'This link opens no ticket',
      text: 'Open the link from the organiser’s message itself, not from a copy. If it still opens nothing, ask the organiser for a new one.',
    },
    elsewhere: {
      title: 'Claimed on another phone',
      text: 'Somebody has made this ticket their phone’s own, and it opens only there. If that was not you, ask the organiser or the ticket desk to release it.',
    },
    busy: {
      title: 'Too many tries from this network',
      text: 'Somebody on this network has opened many wrong links. Wait a minute; this page tries again by itself.',
    },
    unloaded: {
      title: 'This part is not on your phone yet',
      text: 'It needs network once. Your ticket and its code work without; this page tries again by itself.',
    },
    refused: {
      title: 'The box refused this',
      text: 'Close this page and open your link again. If that does not help, ask at the ticket desk.',
    },
  },

  claim: {
    title: 'Keep it to this phone',
    why: 'Until you claim it, whoever has your link has your ticket.',
    ask: 'Claim on this phone',
    heading: 'Claim this ticket on this phone?',
    does: [
      'From now on only this phone can show the ticket.',
      'Links that you forwarded stop working, and a printed code may stop working too.',
      'You cannot undo it yourself. If you lose this phone, the organiser can release the ticket.',
      'Do not claim in a private window: the key is gone when it closes.',
    ],
    weak: 'This page has no secure connection, so the key is kept as plain data in this browser. That is weaker: open your link over https if you can.',
    confirm: 'Claim now',
    working: 'Claiming',
    mine: 'This ticket is this phone’s own.',
    mineWeak:
      'This ticket is this phone’s own. Its key is kept as plain data in this browser, which is weaker than over https.',
    unsure:
      'Your claim is on its way: the box has not answered yet. Stay online for a moment before you go to the gate.',
    released: 'The organiser has released this ticket: its link works again, and you can claim it anew.',
    unkept:
      'This browser keeps no keys, so nothing was claimed. Open the link in a normal window, or in another browser.',
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
    looking: 'Looking around',
    none: 'Nothing like this is in reach of your ticket.',
    noneStepFree:
      'Nothing is known to be in reach without steps. Turn the switch off to see the rest, or ask a steward.',
    noMap: 'This venue has no map yet. Ask a steward.',
    failed: 'This cannot be looked up without network. Try again when you are back online.',
    old: (age: string) => `No connection: as it was ${age}.`,
    minutes: (n: number) => `${n} min`,
    metres: (n: number) => `${n} m`,
    via: (names: string) => `via ${names}`,
    stepFreeYes: 'Step-free',
    stepFreeNo: 'Has steps',
    stepFreeUnverified: 'Step-free unverified',
    to: (name: string) => `Way to ${name}`,
    larger: 'Larger',
    whole: 'Whole map',
    mapTitle: (event: string) => `Map of ${event}`,
    badMap: 'The map cannot be drawn. It is fetched again when you are online.',
  },

  news: {
    heading: 'From the organiser',
    none: 'No messages now.',
    severity: { info: 'Notice', warning: 'Warning', emergency: 'Emergency' },
    zones: (names: string) => `For ${names}`,
    checked: 'Signed by the organiser',
    hidden: (count: number) =>
      count === 1
        ? '1 message is not shown: it is not signed by the organiser of this ticket.'
        : `${count} messages are not shown: they are not signed by the organiser of this ticket.`,
    noKey: 'Your link was cut off, so messages cannot be checked and are not shown. Open the whole link once more.',
    all: 'All messages',
  },

  more: {
    heading: 'Tickets and settings',
    licences: 'Licences of this app',
    add: 'Add a ticket',
    paste: 'Ticket link',
    pasteHint: 'Copy the link from the organiser’s message and paste it here.',
    addButton: 'Add ticket',
    malformed: 'This is not a whole ticket link. Copy all of it from the organiser’s message: it has #t= in it.',
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
    theme: 'Look',
    themes: { auto: 'As the phone', light: 'Light', dark: 'Dark' },
    state: 'This phone',
    savedYes: 'Saved: opens without network.',
    savedNo: 'Being saved for use without network.',
    savedNever: 'This page works while it is open. Opened anew it needs network, because the connection is not secure.',
    updated: (age: string) => `Ticket as of ${age}.`,
    clockRight: 'The clock is right.',
    newer: 'A new version is ready.',
    restart: 'Start it',
  },

  welcome: {
    heading: 'Your tickets, on this phone',
    text: 'Open the link that the organiser sent you, or add it by hand.',
  },

  install: {
    title: 'Keep it at hand',
    text: 'Put your ticket on the home screen, so that it opens without searching for the message.',
    ios: 'Copy your link first. Then in Safari tap Share, then “Add to Home Screen”, and paste the link there: the icon opens with no ticket. Do this before you claim.',
    button: 'Add to home screen',
    dismiss: 'No, thanks',
  },
} as const
