/** Text on every screen, and on the ticket's own. */

export const words = {
  title: 'Gatehouse Wallet',
  screens: { ticket: 'Ticket', nearby: 'Nearby', news: 'News', more: 'More' },
  screensLabel: 'Screens',
  yourTickets: 'Your tickets',
  ticketName: (number: number, tier?: string, whose?: string | null) =>
    tier === undefined ? `Ticket ${number}` : whose ? `${tier}, ${whose}` : tier,
  unread: (n: number) => `${n} unread`,
  close: 'Close',
  cancel: 'Not now',
  tryAgain: 'Try again',
  add: 'Add a ticket',
  remove: 'Remove',

  live: 'Live',
  asking: 'Connecting',
  offline: 'Offline',
  offlineLong: (age: string) => `No connection. What you see is from ${age}. Your code works offline.`,
  forgetful:
    'This browser does not save anything. Keep this page open until you are inside, or open your link in another browser.',

  justNow: 'just now',

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
  },

  trouble: {
    unreachable: {
      title: 'No connection',
      text: 'A ticket needs a connection the first time it is opened. Join the venue’s Wi-Fi or turn on mobile data; this page tries again by itself.',
    },
    unknown: {
      title: 'This link doesn’t work',
      text: 'Open the link in the organiser’s message itself, not a copy. If it still doesn’t work, ask the organiser for a new one.',
    },
    elsewhere: {
      title: 'Locked to another phone',
      text: 'This ticket was locked to another phone and opens only there. If that was not you, ask the organiser or the ticket desk to release it.',
    },
    keyDeleted: {
      title: 'The key of this ticket is gone',
      text: 'This browser has deleted it, so this phone can no longer show the ticket. Ask the organiser or the ticket desk to release it, then open your link again.',
    },
    busy: {
      title: 'Too many attempts from this network',
      text: 'Too many wrong links were opened on this network. Wait a minute; this page tries again by itself.',
    },
    unloaded: {
      title: 'This page is not on your phone yet',
      text: 'It needs a connection once. Your ticket and its code work offline. This page tries again by itself.',
    },
    refused: {
      title: 'That did not work',
      text: 'Close this page and open your link again. If that does not help, ask at the ticket desk.',
    },
  },

  emergency: 'Emergency',

  welcome: {
    heading: 'Your tickets, on this phone',
    text: 'Open the link that the organiser sent you, or add it by hand.',
  },
}
