/** The sentences of the screens of actions, in English: cases, devices, tickets, announcements, import, record, log, settings. */
import type { Flag, ImportReport, ResolveRequest, ShopFormat } from '@gatehouse/proto/wire/admin.ts'
import type { Announcement } from '@gatehouse/proto/wire/attendee.ts'
import type { LogRow } from '@gatehouse/proto/wire/log.ts'
import type { VerdictName } from '@gatehouse/proto/wire/scan.ts'

import { stopwatch } from '../time.ts'

/** The first half of what is said about messages between boxes that were refused. */
const refusedMessages = (n: number, by: string | null, last: string) =>
  `${count(n, 'message')} ${by === null ? '' : `in the name of ${by} `}refused (last at ${last}):`

/** Instructions for a record that was changed. */
const KEEP_BOTH =
  'Keep both boxes as they are: change nothing, export the record at each, and have somebody compare them.'

export const actionWords = {
  time: {
    /** "4 minutes 12 seconds": the two largest units. */
    duration: (ms: number) => duration(ms),
    /** "4 minutes ago": in the largest unit, which does not change under one's eyes. */
    ago: (ms: number) =>
      Math.abs(ms) < 1500 ? 'just now' : ms < 0 ? `in ${duration(-ms, 1)}` : `${duration(ms, 1)} ago`,
    /** "Fri 20 Nov, 19:04:05", on this tablet's clock and in its time zone. */
    at: (iso: string) => AT.format(Date.parse(iso)),
    /** "4:05", "1:04:05": what is left, or has gone by. A second that has begun counts whole. */
    clock: (ms: number) => stopwatch(Math.ceil(ms / 1000) * 1000),
  },
  list: {
    loading: 'Looking…',
    more: 'Show older',
    again: 'Try again',
    refresh: 'Refresh',
    end: 'End of the list.',
    /** Nothing was found yet, and there is more to look through. */
    searching: 'Nothing so far. There is more to look through.',
  },
  reason: 'Reason',
  /** An answer that a later box may give stands as the box writes it. */
  verdict: (name: string): string => (VERDICTS as Readonly<Record<string, string>>)[name] ?? name,
  copy: {
    link: 'Copy link',
    text: 'Copy text',
    done: 'Copied.',
    failed: 'Not copied. Select the text and copy it by hand.',
  },

  flags: {
    title: 'Flags',
    lead: 'Admissions that the box would have refused. Nobody is sent out: find out what happened, and record it.',
    state: { label: 'Show', open: 'Open', resolved: 'Resolved' },
    kind: { label: 'Kind', all: 'All kinds' },
    none: { open: 'No open cases.', resolved: 'No resolved cases yet.' },
    kinds: {
      double_use: {
        name: 'Used twice',
        means: 'One ticket let in two people, or one person twice. At least one scanner was offline.',
      },
      revoked_admission: {
        name: 'Revoked ticket let in',
        means: 'The ticket was revoked, and the scanner did not know yet.',
      },
      refused_admission: {
        name: 'Refused ticket let in',
        means: 'An offline scanner let this ticket in. The box would have refused it.',
      },
      unknown_admission: {
        name: 'Unknown code let in',
        means: 'An offline scanner let in a code that is not a ticket for this event.',
      },
      clock_skew: {
        name: 'Wrong clock',
        means: 'This scanner’s clock is too far ahead. Set its time to automatic.',
      },
      shop_conflict: {
        name: 'The shop says otherwise',
        means: 'Somebody passed our gate, and the shop rejected it.',
      },
    } satisfies Record<Flag['kind'], { name: string; means: string }>,
    shop: {
      says: 'The shop says',
      reasons: {
        already_redeemed: 'already used',
        annul_forbidden: 'this token may not take check-ins back',
        annul_too_late: 'too late to take the check-in back',
        sale_forbidden: 'this token may not make orders',
        sale_no_date: 'no date of the series was on when it was sold',
        sale_no_product: 'no product is mapped to the tier',
        sale_refused: 'the order of a walk-up sale was refused',
        annul_unknown: 'there is no such check-in of ours to take back',
        ambiguous: 'more than one ticket fits',
        blocked: 'blocked',
        canceled: 'cancelled',
        incomplete: 'questions are not answered',
        invalid: 'no such ticket',
        invalid_time: 'not valid at that time',
        not_understood: 'it did not understand us',
        product: 'not a ticket for this list',
        revoked: 'withdrawn',
        rules: 'the rules of the list say no',
        unapproved: 'not approved yet',
        unpaid: 'not paid',
      } as Readonly<Record<string, string>>,
      other: (reason: string) => `refused (${reason})`,
      used: (at: string, by: number | null) =>
        by === null ? `It was last used there at ${at}.` : `It was last used there at ${at}, on device ${by}.`,
      done: {
        forced: 'We recorded the entry there all the same.',
        sent_out: 'We recorded an exit there instead.',
        waits: 'The shop does not have it. “Try again” on the screen Shop sends it once more.',
      },
    },
    ticket: (ref: string) => `Ticket ${ref}`,
    noTicket: 'No ticket',
    detected: (ago: string) => `Detected ${ago}`,
    openTicket: 'Open ticket',
    openLog: 'See in the log',
    records: (n: number) => (n === 1 ? 'The record' : `The ${n} records, in the order in which people arrived`),
    record: (n: number) => `Record ${n}`,
    between: (apart: string) => `${apart} later`,
    sameMoment: 'At the same moment',
    checkpoint: 'Where',
    device: 'Scanner',
    box: 'Recorded by',
    orderUncertain:
      'Which came first is not certain: the boxes were out of contact and the times are too close, or a scanner was offline.',
    suspicion: {
      retry: 'One scanner and one code within three seconds: likely one person, scanned again.',
      impossible_travel: 'Too far apart to walk in the time between: two people, or a copied ticket.',
    } satisfies Record<NonNullable<Flag['suspicion']>, string>,
    verdict: 'Answer of the box',
    observed: 'Scanned',
    learned: 'Reached the box',
    learnedAtOnce: 'at once',
    learnedLater: (ms: number) => `${duration(ms)} later`,
    learnedBefore: (ms: number) => `${duration(ms)} before: the scanner’s clock is ahead`,
    alone: 'Offline: decided by the scanner',
    confirmed: 'Confirmed by the box',
    direction: { in: 'In', out: 'Out' },
    supervised: (actor: string, reason: string) => `Admitted by ${actor}: ${reason}`,
    undone: (actor: string, reason: string) => `Taken back by ${actor}: ${reason}`,
    clocks: 'Clock readings',
    deviceClock: 'Scanner',
    boxClock: 'Box',
    resolve: 'Resolve',
    resolveAgain: 'Correct',
    resolveTitle: (kind: string) => `What happened? ${kind}`,
    outcome: 'What happened',
    chooseOutcome: 'Choose what happened.',
    note: 'Note',
    noteHint: 'What you found out. It may be erased later; the log keeps only that there was one.',
    outcomes: {
      same_person: 'The same person, scanned twice',
      two_people: 'Two people on one ticket',
      staff_error: 'A mistake by the crew',
      fraud: 'Fraud',
    } satisfies Record<ResolveRequest['resolution'], string>,
    resolved: (outcome: string) => `Resolved: ${outcome}.`,
    changed: 'The list has changed: reload it',
    found: (kind: string, of: string) => `${kind}: ${of}`,
    resolvedBy: (actor: string, at: string) => `${actor}, ${at}`,
  },

  devices: {
    title: 'Devices and invites',
    invite: 'Invite a scanner',
    inviteLead: 'An invite pairs one phone with the checkpoints that you choose.',
    name: 'Name for the scanner',
    nameHint: 'Shown in the list. Leave it empty to choose the name on the phone.',
    checkpoints: 'Checkpoints',
    allOf: (gate: string) => `All of ${gate}`,
    everything: 'All checkpoints',
    chosen: (n: number) => (n === 0 ? 'Choose at least one checkpoint.' : `${count(n, 'checkpoint')} chosen`),
    supervisor: 'Supervisor: may let refused tickets in, with a reason',
    app: {
      label: 'The phone has',
      ours: 'the Gatehouse scanner',
      proxy: 'pretixSCAN (Android, desktop)',
      plain: 'pretixSCAN (iOS, or plain mode)',
      less: 'Less secure than the Gatehouse scanner: anyone who copies its token can act as this phone. It cannot scan offline.',
      supervisor: 'May look people up by name, where the event allows it',
      looksUp: 'Can look people up',
      bearer: 'pretixSCAN (bearer only)',
      slowed: (at: string) => `Slowed ${at}: it asked faster than a person can`,
    },
    expiry: 'Valid for',
    make: 'Make invite',
    needCheckpoints: 'Choose where the scanner may scan, then make the invite.',
    noGates: 'The gates are not loaded yet. Wait for the live figures, then try again.',
    shown: {
      title: (name: string) => (name === '' ? 'Hold this up to the phone' : `Hold this up to the phone: ${name}`),
      label: 'QR code of the invite',
      how: 'Open the camera of the phone, point it at the code, and open the link. It pairs one phone.',
      own: (host: string) =>
        `No phone can open this: it names ${host}. Connect the box to the network of the phones, or set GATEHOUSE_PUBLIC_HOST, and make a new invite.`,
      howApp: 'Start pretixSCAN on the phone and point it at the code. It pairs one phone.',
      typed: 'To type it instead, use this address and token:',
      left: (text: string) => `Valid for ${text}`,
      over: 'This invite has expired. Make a new one.',
      paired: (name: string) => `Paired: ${name}. This invite is used.`,
      made: 'Invite made. Hold it up to the phone.',
      close: 'Done',
    },
    roster: 'Paired scanners',
    rosterEmpty: {
      inService: 'No scanner is in service. Make an invite above.',
      revoked: 'No revoked scanners.',
      all: 'No scanner is paired yet. Make an invite above.',
    },
    filter: { label: 'Show', inService: 'In service', revoked: 'Revoked', all: 'All' },
    column: {
      name: 'Scanner',
      state: 'State',
      enrolled: 'Paired',
      checkpoints: 'Checkpoints',
      certificate: 'Certificate',
      action: 'Action',
    },
    state: { live: 'Live', quiet: 'Quiet', lost: 'Lost', revoked: 'Revoked', unheard: 'No contact yet' },
    supervisorMark: 'Supervisor',
    days: (days: number) => (days < 0 ? 'expired' : days === 0 ? 'expires today' : `${count(days, 'day')} left`),
    revoke: 'Revoke',
    revokeNamed: (name: string) => `Revoke ${name}`,
    revokeTitle: (name: string) => `Take ${name} out of service?`,
    revokeText:
      'It stops scanning at once. To use it again, it needs a new invite. Scans that are not sent yet stay on it.',
    revokeHint: 'For the record: lost, stolen, handed in, wrong hands.',
    revokeSuggestions: ['Lost', 'Stolen', 'Handed in', 'In the wrong hands'],
    revoked: (name: string) => `${name} is out of service.`,
    revokedSince: (at: string, reason: string) => `since ${at}: ${reason}`,
  },

  tickets: {
    title: 'Tickets',
    lead: 'Scan a ticket into the field, or type what is printed on it.',
    field: 'Printed code, reference or ticket id',
    find: 'Find',
    empty: 'Scan or type a code first.',
    tooLong: 'Too long for a code. Scan it again.',
    notByName: 'This is not a code. To find a ticket by name, use the ticket desk or the shop.',
    of: (ref: string) => `Ticket ${ref}`,
    attended: 'Has entered',
    notAttended: 'Has not entered',
    revoked: 'Revoked at this box',
    notRevoked: 'Not revoked at this box',
    claimed: 'Locked to a phone',
    notClaimed: 'Not locked to a phone',
    shop: 'The shop’s details are not shown here. Scan the ticket to see them.',
    history: 'What happened',
    historyEmpty: 'Nothing yet.',
    proof: 'Proof',
    proven: (n: number, size: number) =>
      `Checked on this tablet: ${n === 1 ? 'the entry is' : `all ${n} entries are`} in the record of ${count(size, 'entry', 'entries')} that the box signed.`,
    provenEmpty: 'Checked on this tablet: the box signed the seal.',
    seal: 'Proven by seal',
    unproven: 'The proof is wrong. Call the person in charge of the box, and verify the record.',
    checking: 'Checking the proof…',
    entry: (index: number) => `Entry ${index}`,
    siblings: (n: number) => `${count(n, 'hash', 'hashes')} to the root`,
    save: 'Save the proof as a file',
    revoke: 'Revoke',
    revokeTitle: 'Revoke this ticket?',
    revokeText: 'Every scanner refuses it from now on. Anyone already inside stays inside. You can reinstate it later.',
    revokeSuggestions: ['Chargeback', 'Stolen', 'Refunded', 'Sold twice'],
    revokedNow: 'Revoked. Scanners know within seconds.',
    reinstate: 'Reinstate',
    reinstateTitle: 'Reinstate this ticket?',
    reinstateText: 'It is valid again at every gate, if the shop agrees.',
    reinstateSuggestions: ['A mistake', 'Cleared up'],
    reinstated: {
      valid: 'Reinstated: it is valid.',
      pending: 'Reinstated, but not paid according to the shop: gates will say so.',
      blocked: 'Reinstated, but blocked by the shop: gates will refuse it.',
      revoked: 'Reinstated, but cancelled by the shop: gates will refuse it.',
    },
    release: 'Release from phone',
    releaseTitle: 'Release it from the phone?',
    releaseText:
      'The phone that it is locked to can no longer show a valid code. The ticket’s link works again, for anyone who has it.',
    releaseSuggestions: ['Phone lost', 'Phone broken', 'Locked by the wrong person'],
    released: 'Released: the link opens the ticket again.',
    entryWords: {
      in: (where: string) => `In: ${where}`,
      out: (where: string) => `Out: ${where}`,
      refused: (where: string, verdict: string) => `Not let in at ${where}: ${verdict}`,
      aloneIn: (where: string, verdict: string) => `Admitted offline at ${where}; the box says ${verdict}`,
      supervisor: (where: string, actor: string) => `Admitted at ${where} by supervisor ${actor}`,
      undo: (where: string, actor: string) => `Admission at ${where} taken back by ${actor}`,
      claim: 'Locked to a phone',
      release: (actor: string) => `Released from the phone by ${actor}`,
      revoked: (actor: string, reason: string) => `Revoked by ${actor}: ${reason}`,
      reinstated: (actor: string, reason: string) => `Reinstated by ${actor}: ${reason}`,
      flag: (kind: string) => `Flag: ${kind}`,
      flagResolved: (kind: string, actor: string) => `Flag resolved by ${actor}: ${kind}`,
      other: (kind: string) => `Another entry: ${kind}`,
    },
  },

  holdEnds: {
    soon: (gate: string) => `The hold of ${gate} ends soon.`,
    title: (gate: string, age: string) => `The hold of ${gate} ends in ${age}.`,
    text: 'Then it lets people in again.',
    goOn: (gate: string) => `Keep holding ${gate}`,
  },

  announce: {
    title: 'Announcements',
    compose: 'New announcement',
    correcting: 'Correct an announcement',
    dontCorrect: 'Cancel the correction',
    template: 'Start with',
    noTemplate: 'An empty text',
    templates: [
      { name: 'Delay', severity: 'info', text: 'The start is delayed. New time: ' },
      { name: 'Gate closed', severity: 'warning', text: 'This gate is closed. Please walk to ' },
      {
        name: 'Storm',
        severity: 'warning',
        text: 'A storm is coming. Leave open areas and take shelter now. Stay away from stages and masts.',
      },
      {
        name: 'Evacuation',
        severity: 'emergency',
        text: 'Leave now by the nearest exit. Walk, do not run. Follow the staff.',
      },
      { name: 'All clear', severity: 'info', text: 'All clear. The event continues.' },
    ] satisfies readonly { name: string; severity: Announcement['severity']; text: string }[],
    text: 'Text',
    textHint: 'Say what to do first.',
    left: (n: number) => `${count(n, 'character')} left`,
    severity: 'How urgent',
    severities: {
      info: { name: 'Information', means: 'Good to know' },
      warning: { name: 'Warning', means: 'People should change what they do' },
      emergency: { name: 'Emergency', means: 'Reaches every scanner and every ticket, in all zones' },
    } satisfies Record<Announcement['severity'], { name: string; means: string }>,
    zones: 'For whom',
    everybody: 'Everybody',
    onlyZones: 'Only people in some zones',
    chooseZones: 'Choose at least one zone, or send it to everybody.',
    expiry: 'Shown for',
    language: 'Language of the text',
    languages: { en: 'English', de: 'German', fr: 'French', es: 'Spanish', it: 'Italian', nl: 'Dutch', pl: 'Polish' },
    preview: 'As people see it',
    previewEmpty: 'Your text appears here.',
    send: 'Send',
    empty: 'Write a text first.',
    controls: 'The text contains characters that cannot be shown. Type it instead of pasting it.',
    confirm: {
      title: (severity: string, whom: string) => `Send this to ${whom}? ${severity}`,
      text: (text: string) => `“${text}” Every phone and scanner shows it.`,
      submit: 'Send it',
    },
    sent: 'Announcement sent.',
    correct: 'Correct',
    correctNamed: (text: string) => `Correct: ${text}`,
    corrected: 'Correction sent. The old text disappears.',
    withdraw: 'Withdraw',
    withdrawNamed: (text: string) => `Withdraw: ${text}`,
    withdrawTitle: 'Withdraw this announcement?',
    withdrawText: (text: string) => `“${text}” Phones and scanners stop showing it.`,
    withdrawn: 'Announcement withdrawn.',
    standing: 'Shown now',
    standingEmpty: 'No announcements now.',
    until: (at: string) => `until ${at}`,
    forEver: 'until the end of the event',
    to: (zones: string) => `for ${zones}`,
  },

  import: {
    title: 'Import tickets',
    lead: 'Preview first, then import. Nothing changes until you have seen the preview.',
    step: { file: '1. Choose the file', options: '2. How to read it', report: '3. Preview', done: '4. Import' },
    choose: 'Ticket file of your shop',
    chooseHint: 'CSV or JSON, 256 MiB at most.',
    size: (bytes: number) => sizeOf(bytes),
    refused: {
      empty: 'The file is empty: export it again from the shop.',
      too_large: 'The file is larger than 256 MiB, which is more than a ticket list: split it in two.',
      workbook: 'This is a spreadsheet, and the box reads CSV: open it, save it as “CSV UTF-8”, and choose that file.',
      pdf: 'This is a PDF: export the list as CSV from the shop.',
      page: 'This is a web page, not a ticket list: the shop may have signed you out. Sign in there, and export again.',
      archive: 'This is an archive: unpack it, and choose the CSV or JSON file in it.',
      picture: 'This is a picture: export the list as CSV from the shop.',
      unreadable: 'The file cannot be read, or was changed since you chose it: choose it again.',
    },
    format: 'Format',
    auto: 'Detect',
    formats: {
      gatehouse: 'Gatehouse CSV',
      pretix: 'pretix',
      eventbrite: 'Eventbrite',
      alfio: 'alf.io',
      hievents: 'Hi.Events',
      attendize: 'Attendize',
    } satisfies Record<ShopFormat, string>,
    tiers: 'Products and tiers',
    tiersHint: 'Only where the shop’s product has another name than the tier.',
    product: 'Product in the shop',
    tierOf: (product: string) => (product === '' ? 'Tier' : `Tier of ${product}`),
    leaveOut: 'Not a ticket: leave it out',
    chooseTier: 'Choose…',
    addTier: 'Add a product',
    removeTier: (product: string) => (product === '' ? 'Remove this line' : `Remove ${product}`),
    look: 'Preview import',
    lookAgain: 'Preview again',
    uploading: (percent: number) => `Sending the file, ${percent} %`,
    sending: 'Sending the file',
    reading: 'Reading the file',
    readingFor: (elapsed: string) => `Reading the file: ${elapsed}. Scanning continues.`,
    readAs: (format: string) => `Read as ${format}.`,
    finished: 'Done',
    chooseAbove: 'Choose its tier above, under “Products and tiers”.',
    moreReasons: (n: number) =>
      `And ${count(n, 'more reason', 'more reasons')}: correct these first, then preview again.`,
    cancel: 'Cancel',
    cancelled: 'Cancelled. Nothing was changed.',
    run: (n: number) => `Import ${count(n, 'ticket')}`,
    nothing: 'Nothing to import: the box already has all of this.',
    nothingUsable: 'No row can be used. Correct the file, then choose it again.',
    stale: 'You changed something after the preview. Preview again.',
    headline: {
      dry: (report: ImportReport) =>
        report.added + report.changed === 0
          ? 'Nothing would change.'
          : `${joined([change(report.added, 'new'), change(report.changed, 'changed')])} would be imported.`,
      done: (report: ImportReport) =>
        report.added + report.changed === 0
          ? 'Nothing has changed: the box already had all of this.'
          : `Imported: ${joined([change(report.added, 'new'), change(report.changed, 'changed')])}.`,
    },
    figures: { read: 'Read', added: 'New', changed: 'Changed', unchanged: 'Unchanged', rejected: 'Rejected' },
    rejected: (n: number) => `${count(n, 'row')} cannot be imported. The others can.`,
    rejectedDone: (n: number) =>
      `${count(n, 'row')} ${n === 1 ? 'was' : 'were'} left out. Correct ${n === 1 ? 'it' : 'them'} in the shop, and import the file again.`,
    warnings: 'What you should know',
    row: 'Row',
    rows: (rows: string) => `Rows ${rows}`,
    moreRows: (n: number) => `and ${n} more`,
    unlost:
      'The box did not answer, so the import may or may not be done. It is never done by half, and importing the same file twice changes nothing: preview again.',
    tooSlow: 'The connection was lost. Nothing is ever imported by half: preview again.',
    another: 'Import another file',
  },

  record: {
    title: 'Sealed record',
    lead: 'Everything that happened is sealed. A seal kept outside proves later that nothing was rewritten.',
    seal: 'Seal',
    size: (size: number) => (size === 0 ? 'Nothing is sealed yet.' : `${count(size, 'entry', 'entries')} sealed`),
    age: (ago: string) => `Last sealed ${ago}`,
    ahead: (n: number) => (n <= 0 ? 'Nothing new since.' : `${count(n, 'entry', 'entries')} since.`),
    sealNow: 'Seal now',
    sealed: (size: number) => `Sealed: ${count(size, 'entry', 'entries')}.`,
    refusals: {
      entries_changed: 'Sealed entries were changed.',
      entries_missing: 'Sealed entries are missing.',
      seal_changed: 'The newest seal was changed.',
      seal_missing: 'The newest seal is gone.',
    },
    refused:
      'The box has stopped sealing. Scanning continues. Keep the box as it is, verify the record, and call the person in charge of it.',
    note: 'The newest seal, to photograph',
    noteLabel: 'QR code of the newest seal',
    noteHow: 'Photograph this code, or send the text to somebody outside: at doors, every hour, and at the close.',
    noNote: 'Seal now to show its code.',
    verify: 'Verify',
    verifyLead: 'Reads the whole record again and compares it with every seal and every table. Scanning continues.',
    verifyRun: 'Verify the record',
    verifying: (entries: number, elapsed: string) =>
      `Reading ${count(entries, 'entry', 'entries')}: ${elapsed}. A million take about a minute.`,
    verified: (size: number, seals: number) =>
      `No problems found: ${count(size, 'entry', 'entries')}, ${count(seals, 'seal')}.`,
    broken: (kinds: number) => `The record has problems of ${count(kinds, 'kind')}.`,
    brokenNext:
      'Do not tidy up. Copy the data folder as it is, export the record, and compare it with a seal kept outside.',
    problem: { kind: 'Problem', index: 'From entry', count: 'How many', detail: 'What was found' },
    export: 'Export',
    exportLead: 'The whole record in one file that anybody can check without the box. No holder’s name is in it.',
    exportRun: 'Export the record',
    exporting: (percent: number) => `Receiving the record, ${percent} %`,
    exportBegun: 'Sealing, and making the file…',
    exported: (name: string, size: string) => `Saved as ${name}, ${size}.`,
    cutShort: 'The file was incomplete and was not saved. Export it again.',
    saveAgain: 'Save it again',
    check: 'How to check it offline',
    checkHow: 'With Node.js 22.18 or newer, and the one file verify-export.ts of Gatehouse:',
    key: 'Verifier key of this box',
    copyKey: 'Copy key',
    copyCommand: 'Copy command',
    keyHow: 'Give it to the person who checks, once, and not together with the file.',
    report: 'Report',
    reportLead: 'The totals on one page, with the newest seal. The export is the proof.',
    reportRun: 'Show the report',
    reportAgain: 'Make it again',
    reporting: 'Counting…',
    print: 'Print',
    reportLabel: 'Attendance report',
    unansweredReport: 'The box does not answer. Check that it is running and that this device is on its network.',
    unreadableReport: 'The box’s answer is not a report. Update the box, or use the export.',
  },

  log: {
    title: 'Log',
    lead: 'Everything that happened and who decided what, newest first.',
    filters: 'Filters',
    kind: 'Kind',
    everyKind: 'Everything',
    decisions: 'Decisions, without scans and seals',
    device: 'Scanner',
    everyDevice: 'Every scanner',
    checkpoint: 'Checkpoint',
    everyCheckpoint: 'Every checkpoint',
    actor: 'Who',
    actorHint: 'Part of a name',
    ticket: 'Ticket',
    ticketHint: 'Reference or printed code',
    clear: 'Clear filters',
    none: 'Nothing matches these filters.',
    fresh: (n: number) => `${count(n, 'newer entry', 'newer entries')}: show`,
    rawOf: (index: number) => `Entry ${index}, raw`,
    from: (address: string) => `from ${address}`,
    entries: 'Entries of the log',
    kinds: {
      announcement: 'Announcement',
      backup: 'Backup to a stick',
      admin_token: 'Admin token',
      answers: 'Questions answered',
      api_token: 'API token',
      claim: 'Ticket locked to a phone',
      clock_fence: 'Clock',
      clock_set: 'Clock set',
      cosign: 'Seal of another box signed',
      device_revoked: 'Scanner revoked',
      enrolment: 'Scanner paired',
      erasure: 'Names erased',
      event: 'Event file',
      event_edited: 'Event file changed',
      export: 'Export',
      flag: 'Flag',
      flag_resolved: 'Flag resolved',
      heard: 'From another box',
      hold: 'Gate held',
      hold_released: 'Gate released',
      import: 'Import',
      incident: 'Incident',
      incident_action: 'Incident action',
      incident_note: 'Incident note',
      invite: 'Invite',
      look_up: 'Look-up',
      mesh: 'Boxes',
      mode: 'Mode',
      release: 'Ticket released from a phone',
      restart: 'Restart',
      restore: 'Restored from a backup',
      rollback: 'Older software',
      scan: 'Scan',
      paper: 'Paper list',
      sale: 'Sale',
      seal: 'Seal',
      session: 'Sign-in',
      shop: 'Shop',
      shop_certificate: 'Shop certificate',
      shop_certificate_revoked: 'Shop certificate revoked',
      staff: 'Staff',
      supervisor_admit: 'Supervisor admit',
      ticket_edited: 'Ticket edited',
      ticket_forgotten: 'Ticket holder erased',
      ticket_reinstated: 'Ticket reinstated',
      ticket_reissued: 'Ticket issued again',
      ticket_revoked: 'Ticket revoked',
      undo: 'Undo',
      update: 'Update',
    } satisfies Record<LogRow['kind'], string>,
  },

  boxes: {
    title: 'Boxes',
    lead: 'Each gate can have its own box. While boxes are in contact, a ticket is used once. Cut off, each keeps working.',
    alone: 'One box',
    aloneText: 'This event has one box. Other gates can have their own: invite it below.',
    mode: 'Mode of this box',
    modeMeans: {
      STRICT: 'A ticket used at one gate is refused at every other.',
      DEGRADED: 'Gates keep working. Double uses are flagged afterwards.',
    },
    why: 'Why',
    since: 'Since',
    votes: 'Boxes that decide',
    votesHeard: ({ heard, of, needed }: { heard: number; of: number; needed: number }) =>
      of === 1 ? 'one' : `${heard} of ${of} in contact, ${needed} are enough`,
    unconfirmed: 'Not confirmed yet',
    unconfirmedCount: (n: number) => (n === 0 ? 'nothing' : `${count(n, 'admission')}: sent as soon as possible`),
    force: 'Force DEGRADED',
    lift: 'End forced DEGRADED',
    list: 'The boxes',
    listLead: (epoch: number) => `Arrangement ${epoch}. It changes when another box gets a vote.`,
    column: { name: 'Box', role: 'What it does', heard: 'Contact', behind: 'Entries to come', action: 'Action' },
    thisOne: 'this one',
    roles: {
      core: 'Gates, and decides',
      leaf: 'Gates',
      voter: 'Decides only',
      outside: 'Data centre: tickets at home',
    },
    heard: { self: 'you are here', heard: 'In contact', behind: 'In contact, catching up' },
    problem: (name: string, what: string) => `${name}: ${what}`,
    unencrypted: (name: string) =>
      `${name} still runs Gatehouse 0.1. Until it is updated, no box encrypts what it sends to the others, and machines that only vote can read names and codes. Update ${name} now.`,
    contradicted: {
      two_seals: (name: string, size: number) =>
        `${name} has signed two different records of its first ${count(size, 'entry', 'entries')}: one of them was changed afterwards. ${KEEP_BOTH}`,
      root: (name: string, size: number) =>
        `${name} has signed another record of its first ${count(size, 'entry', 'entries')} than it told this box: one of them was changed afterwards. ${KEEP_BOTH}`,
      signature: (name: string) =>
        `Something that calls itself the seal of ${name} is not signed with its key. Find out which machine answers in its place.`,
    },
    refused: {
      unsigned: (n: number, by: string | null, last: string) =>
        `${refusedMessages(n, by, last)} not signed. If ${by ?? 'a box'} has an older version, update it. If not, another machine is using its name.`,
      stranger: (n: number, by: string | null, last: string) =>
        `${refusedMessages(n, by, last)} from a machine that is not on this list. If it is a box that was removed, turn it off.`,
      forged: (n: number, by: string | null, last: string) =>
        `${refusedMessages(n, by, last)} not signed by that box. Another machine is using its name: find it.`,
      replayed: (n: number, by: string | null, last: string) =>
        `${refusedMessages(n, by, last)} sent before. Another machine is replaying recorded messages: find it.`,
      too_long: (n: number, by: string | null, last: string) =>
        `${refusedMessages(n, by, last)} too long. Boxes never send messages of that length: find the machine that does.`,
      too_many: (n: number, by: string | null, last: string) =>
        `${refusedMessages(n, by, last)} too many at once. They were dropped unread: find the machine that sends them.`,
    },
    refusedReservations: (n: number, by: string | null, last: string) =>
      `${count(n, 'reservation')} refused (last at ${last}): no box has signed ${n === 1 ? 'it' : 'them'}. ${by === null ? 'A voter' : by} delivered ${n === 1 ? 'it' : 'them'}. No ticket was refused because of this. Check the machines that vote.`,
    unheard: (ago: string | null) => (ago === null ? 'No contact yet' : `No contact since ${ago}`),
    promote: 'Let it decide',
    promoteNamed: (name: string) => `Let it decide: ${name}`,
    promoteTitle: (name: string) => `Let ${name} decide about tickets?`,
    promoteText: (name: string, instead: string | null) =>
      `${instead === null ? 'It takes the place of another box that decides.' : `It takes the place of ${instead}.`} If both boxes decide separately, one ticket can be used twice: be sure before you press. Until ${name} is in contact with the others, every gate is DEGRADED.`,
    promoteSubmit: 'Let it decide',
    promoted: (name: string) => `${name} decides now.`,
    instead: 'In place of',
    fence: {
      promote: 'Is the box that is replaced switched off, or in contact with this one?',
      remove: 'Is that box switched off for good?',
      yes: 'Yes, I have checked',
      no: 'I do not know',
      look: 'Check first, or ask somebody there by radio. Nothing was changed.',
    },
    remove: 'Remove',
    removeNamed: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Take ${name} off the list?`,
    removeText:
      'The others stop waiting for it. What it has sent stays. What it has not sent stays on its own disk. It can return only with a new invite.',
    removeSubmit: 'Take it off the list',
    removed: (name: string) => `${name} is no longer one of the boxes.`,
    invite: {
      panel: 'Another box',
      lead: 'It starts empty and gets tickets, scanners and rules from here.',
      button: 'Invite a box',
      title: 'Invite another box',
      text: 'The invite is valid for one hour and one box.',
      kind: 'What it will be',
      kinds: {
        box: 'A box with gates, here at the venue',
        voter: 'A machine that only decides: a third one, so that any two go on',
        'data-centre': 'A box in a data centre, where tickets are opened at home',
      },
      host: 'Public name or address (only for a machine that only decides, outside this network)',
      reasons: ['New gate', 'In place of a broken box', 'Before doors'],
      submit: 'Make the invite',
      made: 'The invite is ready.',
      shown: 'Invite for a box',
      label: 'Invite for a box, as a QR code',
      left: (time: string) => `Valid for ${time}`,
      secret: 'Anyone who has it can become a box of this event, with all of its keys. Keep it secret.',
      how: 'Run this on the new box, on this network:',
      over: 'This invite has expired. Make a new one.',
      copy: 'Copy the command',
      close: 'Close',
    },
  },

  hq: {
    title: 'Headquarters',
    lead: 'Either side may be offline for days. Nothing is lost, and everything follows later.',
    up: 'Up: to headquarters',
    upLead: 'Everything in the record, as it happens.',
    upOff: 'Not connected to headquarters. To connect it, set GATEHOUSE_HQ.',
    down: 'Down: from the shop',
    downLead: 'New, changed and refunded tickets, as they are sold.',
    downOff: 'No shop is connected. To connect one, write its mapping, shop.yaml.',
    linkStates: {
      off: 'Not set up',
      current: 'Connected, up to date',
      behind: 'Connected, catching up',
      away: 'Not connected',
    },
    peer: 'Other end',
    last: 'Last delivery',
    waiting: 'Waiting',
    age: 'Oldest of them',
    retained: 'Kept on this disk',
    position: 'Position',
    applied: 'Changes applied',
    changes: (n: number) => count(n, 'change'),
    seconds: (seconds: number) => `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`,
    kept: (events: number, bytes: number) => `${count(events, 'change')}, ${(bytes / 1e6).toFixed(1)} MB`,
    noneKept: 'All rows of the shop were applied.',
    someKept: (n: number) =>
      `${count(n, 'row')} of the shop could not become a ticket. Correct ${n === 1 ? 'it' : 'them'} in the shop, and ${n === 1 ? 'it is' : 'they are'} tried again.`,
    problems: 'Rows that need attention',
    problem: { at: 'Since', table: 'Table', reason: 'Why' },
  },

  settings: {
    title: 'Settings',
    theme: 'Appearance',
    themeLabel: 'Light or dark',
    copyFingerprint: 'Copy fingerprint',
    themes: { auto: 'Same as this device', light: 'Light', dark: 'Dark' },
    you: 'You',
    actor: (name: string) => `Actions are recorded with the name ${name}.`,
    noActor: 'You will be asked for your name with your first action.',
    changeActor: 'Change name',
    signOut: 'Sign out',
    signOutHow: 'Forgets the token and your name on this device.',
    about: 'About this box',
    unknown: 'The box has not answered yet.',
    event: 'Event',
    box: 'Box',
    software: 'Version',
    mode: 'Mode',
    time: 'Clock',
    times: { synced: 'Set by the network', unsynced: 'Not set by the network: compare it with a watch' },
    address: 'Control room',
    scanner: 'Scanner app',
    wallet: 'Tickets app',
    licences: 'Licences',
    fingerprint: 'CA fingerprint',
    fingerprintHow: 'Every invite names it. A phone pairs only with this box.',
    key: 'Verifier key',
    certificate: 'CA certificate (ca.crt)',
    certificateHow: 'Install it on devices of your own, so that their browsers know this box.',
  },
} as const

/** "3 tickets", "1 ticket". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`
}

const VERDICTS: Record<VerdictName, string> = {
  ADMIT: 'Admit',
  EXIT: 'Exit',
  ALREADY_USED: 'Already used',
  REDIRECT: 'Wrong gate',
  NOT_VALID_NOW: 'Not now',
  STALE_CODE: 'Code too old',
  REVOKED: 'Revoked',
  NOT_PAID: 'Not paid',
  BLOCKED: 'Blocked',
  UNKNOWN: 'Not a ticket for this event',
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

function duration(ms: number, units = 2): string {
  const seconds = Math.round(Math.abs(ms) / 1000)
  if (seconds === 0) return 'less than a second'
  const first = UNITS.findIndex(([, size]) => seconds >= size)
  let left = seconds
  const parts = UNITS.slice(first, first + units).map(([unit, size]) => {
    const n = Math.floor(left / size)
    left -= n * size
    return n === 0 ? '' : count(n, unit)
  })
  return parts.filter((part) => part !== '').join(' ')
}

const AT = new Intl.DateTimeFormat('en-GB', {
  ...({ weekday: 'short', day: 'numeric', month: 'short' } as const),
  ...({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
})

function change(n: number, kind: string): string {
  return n === 0 ? '' : `${n.toLocaleString('en')} ${kind}`
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' and ')
}

function sizeOf(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'] as const
  const power = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
