/** Texts of the screen Event, which leads from a box on the table to an event of its own. */
import { actionWords } from './actions.ts'

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

export const guideWords = {
  lead: 'Name, gates and kinds of tickets. What you change here is written to event.json, and counts once the box has begun anew.',
  greeting: 'This box runs the demo event',
  greetingText: 'Make your own in a few minutes: from the file of your ticket shop, or from nothing.',
  greetingOpen: 'Make my event',
  again: actionWords.list.again,
  start: {
    title: 'Begin',
    lead: 'This box runs the demo. Your own event begins with a name.',
    name: 'Name of the event',
    noName: 'Give the event a name first.',
    file: 'File of your ticket shop',
    fileHint:
      'A CSV, if you have one. The kinds of tickets are taken from it; the tickets themselves are imported later.',
    column: 'Column with the kind of ticket',
    noColumn: 'None: one kind of ticket',
    found: (n: number) => `${plural(n, 'kind', 'kinds')} of tickets found.`,
    unreadable: 'This file cannot be read here. Save it as CSV.',
    go: 'Make the event',
    shop: 'Or connect pretix',
  },
  basics: {
    title: 'Name and time',
    name: 'Name',
    timezone: 'Time zone',
    starts_at: 'Begins',
    ends_at: 'Ends',
    day_starts_at: 'A day begins at',
    dayHint: 'For tickets that enter once a day.',
  },
  tiers: {
    title: 'Kinds of tickets',
    one: 'Kind of ticket',
    colour: 'Colour',
    entry: 'May enter',
    entries: {
      once: 'Once',
      once_per_day: 'Once a day',
      reentry: 'Again after leaving',
      unlimited: 'As often as they like',
    },
  },
  zones: { title: 'Zones', one: 'Zone', capacity: 'People at most' },
  gates: { title: 'Gates', one: 'Gate', hint: 'A new gate has a way in and a way out.' },
  checkpoints: {
    title: 'Ways through the gates',
    one: 'Way',
    gate: 'Gate',
    direction: 'Direction',
    directions: { in: 'In', out: 'Out' },
    from: 'From',
    to: 'To',
    outside: 'Outside',
    tiers: 'Who passes',
  },
  add: (what: string) => `Add: ${what}`,
  newName: (what: string) => `Name: ${what}`,
  remove: (name: string) => `Remove ${name}`,
  preview: {
    title: 'As it will be',
    way: (from: string, to: string) => `${from} → ${to}`,
    nobody: 'nobody',
  },
  map: {
    title: 'Map',
    lead: 'It shows guests the way in the wallet, and the crew what happens where.',
    none: 'There is no map: nobody is shown the way.',
    unreadable: 'The file venue.geojson is not a map: import another, or correct it by hand.',
    tooLarge: 'These files are larger than 4 MB. Use “gatehouse venue import” on the command line.',
    nothing: 'Nothing in these files can be put on a map.',
    files: 'Files of the map',
    filesHint: 'IMDF, GTFS or GeoJSON. Unpack the archive, and choose all its files at once.',
    zone: 'The whole venue is',
    noZone: 'No zone',
    entrance: (gate: string) => `${gate} is the entrance`,
    byHand: 'None: I put it on the map',
    gates: 'Gates on the map',
    gatesHint:
      'Choose a gate, then click where it stands. By keyboard: the arrow keys move the cross, Enter puts the gate there.',
    drawing: 'Drawing of the map',
    placed: (gate: string) => `${gate} is on the map.`,
    unplaced: '(not on the map yet)',
    save: 'Save the map',
    discard: 'Undo the changes',
    remove: 'Use no map',
  },
  check: {
    title: 'Check and save',
    checking: 'Checking…',
    good: 'No mistake.',
    mistakes: (n: number) => `${plural(n, 'mistake', 'mistakes')} to correct:`,
    warnings: 'Probably not intended:',
    changes: 'This changes what exists already:',
    accept: 'I have read this, and want it',
    save: 'Save the event',
    saved: 'Saved.',
    unchanged: 'Saved, and the box runs with it.',
    kept: 'Not saved yet. This browser keeps the draft.',
    discard: 'Throw the draft away',
    otherBoxes: (n: number) =>
      `${plural(n, 'other box has', 'other boxes have')} an event folder of their own: change it there, too.`,
  },
  conflict: {
    text: 'The file was changed while you had this draft.',
    file: 'Open the file',
    draft: 'Keep the draft',
  },
  pending: {
    title: 'Begin with it',
    text: 'The event is saved, and the box still runs with the one before. It closes and opens again within seconds; scanners decide alone meanwhile.',
    first: 'The browser asks about the certificate once more, because your event has its own.',
    apply: 'Begin anew now',
    applying: 'The box begins anew…',
    reload: 'Open this page again',
  },
  next: {
    title: 'Next',
    tickets: 'Import the tickets',
    devices: 'Pair the scanners',
    rehearse: 'Rehearse before doors',
    sheets: 'Print a sheet for each gate',
    folder: 'The event folder:',
  },
  change: {
    tier_removed: (name: string, { tickets }: Counts) =>
      `${plural(tickets, 'ticket', 'tickets')} of “${name}” will be let in nowhere.`,
    tier_entry: (name: string, { tickets }: Counts) =>
      `${plural(tickets, 'ticket', 'tickets')} of “${name}” may enter another number of times.`,
    tier_elsewhere: (name: string, { tickets }: Counts) =>
      `${plural(tickets, 'ticket', 'tickets')} of “${name}” will be sent away from a way that took them.`,
    zone_removed: (name: string, { inside }: Counts) =>
      `${plural(inside, 'person is', 'people are')} in “${name}”, which goes.`,
    gate_removed: (name: string, { scanners }: Counts) =>
      `${plural(scanners, 'scanner is', 'scanners are')} paired for “${name}”, which goes.`,
    checkpoint_removed: (name: string, { scanners }: Counts) =>
      `${plural(scanners, 'scanner is', 'scanners are')} paired for “${name}”, which goes.`,
    checkpoint_moved: (name: string, { scanners }: Counts) =>
      `${plural(scanners, 'scanner scans', 'scanners scan')} at “${name}”, which leads elsewhere.`,
    days: (_name: string, { tickets }: Counts) =>
      `Days begin at another hour for ${plural(tickets, 'ticket', 'tickets')}: a day may be used twice, or not at all.`,
  },
  blank: { tier: 'Ticket', zone: 'Inside', gate: 'Main gate' },
}

interface Counts {
  tickets: number
  scanners: number
  inside: number
}
