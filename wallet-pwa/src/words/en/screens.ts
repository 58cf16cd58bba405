/** Text under the ticket and on the screens beside it. */
import { speech } from './speech.ts'

const { count } = speech

export const screenWords = {
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

  install: {
    title: 'Keep it at hand',
    text: 'Put your ticket on the home screen, so that it opens without searching for the message.',
    ios: 'Copy your link first. In Safari, tap Share, then “Add to Home Screen”. Then open the new icon and paste the link: it does not know your ticket yet. Do this before you lock the ticket to this phone.',
    button: 'Add to home screen',
    dismiss: 'No thanks',
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
    none: 'Nothing like this where your ticket lets you go.',
    noneStepFree: 'No step-free way is known. Turn the switch off to see the rest, or ask a steward.',
    noMap: 'This venue has no map yet. Ask a steward.',
    failed: 'This needs a connection. Try again when you are back online.',
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
    linkText: 'Anyone with this link has the ticket. Show it to nobody.',
    linkField: 'Link',
    copy: 'Copy link',
    copied: 'Copied',
    theme: 'Appearance',
    language: 'Language',
    themes: { auto: 'Same as the phone', light: 'Light', dark: 'Dark' },
    state: 'This phone',
    savedYes: 'Saved. Opens offline.',
    savedNo: 'Saving for offline use.',
    savedNever:
      'This page works while it is open. To open it again you need to be online, because the connection is not secure.',
    updated: (age: string) => `Ticket as of ${age}.`,
    clockRight: 'The clock is right.',
    newer: 'A new version is ready.',
    restart: 'Update now',
  },

  news: {
    heading: 'From the organiser',
    none: 'No messages now.',
    severity: { info: 'Notice', warning: 'Warning', emergency: 'Emergency' },
    zones: (names: string) => `For ${names}`,
    until: (time: string) => `Until ${time}`,
    checked: 'Signed by the organiser',
    hidden: (n: number) =>
      count(n, {
        one: '# message is not shown: it is not signed by the organiser of this ticket.',
        other: '# messages are not shown: they are not signed by the organiser of this ticket.',
      }),
    noKey: 'Part of your link is missing, so messages cannot be checked and are not shown. Open the whole link again.',
    all: 'All messages',
  },

  occasion: { heading: 'When and where', begins: 'Begins', doors: 'Doors', place: 'Place', entrances: 'Entrance' },

  history: {
    admitted: (checkpoint: string, time: string) => `You are in: ${checkpoint}, ${time}`,
    heading: 'Where you have been',
    none: 'Nothing yet. The gates that you pass are listed here.',
    in: (checkpoint: string) => `In: ${checkpoint}`,
    out: (checkpoint: string) => `Out: ${checkpoint}`,
  },
}
