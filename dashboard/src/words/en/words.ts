/** Every sentence that a person reads in the shell and on the live screens, in English. A second language is a second file. */
import { titles } from './titles.ts'

export const words = {
  title: 'Gatehouse Control Room',

  screens: titles,

  session: {
    heading: 'Control room',
    intro: 'Type the admin token of this box.',
    label: 'Admin token',
    where:
      'The box prints it at its first start, and keeps it in admin-token in its data folder. On the appliance, set show_admin_token = true in gatehouse.toml: after the next start it is in admin-token.txt on the card.',
    submit: 'Open',
    checking: 'Asking the box …',
    noToken: 'That is not a token: copy the whole line.',
    wrongToken: 'This is not the token of this box. Copy the one from the file admin-token.',
    tokenRefused: 'The box no longer accepts your token. Type the current one.',
    unreachable: 'The box does not answer. Check that it runs, and your network.',
    strange: (status: number) => `This page cannot read the answer (HTTP ${status}). Reload it.`,
    unexpected: 'Something went wrong. Reload this page: nothing is lost.',
    signOut: 'Sign out',
    person: {
      intro: 'Sign in with your own name. Everything that you do is recorded with it.',
      name: 'Name',
      secret: 'PIN or password',
      submit: 'Sign in',
      withName: 'Sign in with name and PIN',
      withToken: 'Use the admin token',
      locked: 'Locked after ten minutes without use. Sign in again.',
    },
    actor: {
      title: 'Who are you?',
      text: 'Every action is recorded with this name.',
      label: 'Your name',
      submit: 'That is me',
      empty: 'Type your name first.',
      unknown: 'Who are you?',
      change: (name: string) => `You are ${name}. Change`,
    },
  },

  shell: {
    skip: 'Skip to the content',
    navigation: 'Screens',
    more: 'More',
    loading: 'Loading …',
    failed: 'This screen did not load. Check that the box runs.',
    again: 'Try again',
    newer: 'A newer version is ready.',
    restart: 'Reload now',
    connecting: 'Connecting …',
    live: 'Live',
    old: (age: string) => `${age} old`,
    retry: (seconds: number) => `next try in ${seconds} s`,
    staleTitle: (age: string) => `These figures are ${age} old.`,
    staleText: 'The box does not answer. Nothing here is live. Gates keep working.',
    staleSpoken: 'The figures are old: the box does not answer.',
    unreadable: 'This page is too old. Reload it.',
    glassTitle: 'Somebody used the admin token.',
    glassText: (age: string, address: string) =>
      `${age} ago, from ${address}. If that was not one of you, replace it on the screen Staff.`,
    glassLog: 'Open the log',
    glassSeen: 'I have seen it',
    emergencies: 'Emergencies',
    emergencyAt: (kind: string, gate: string) => `${kind} at ${gate}`,
    moreEmergencies: (more: number) => `and ${more} more`,
    nobody: 'not answered yet',
    sealTitle: 'The record is no longer sealed.',
    sealText: 'Keep the ledger as it is, and run a check of the record.',
    soundBlocked: 'The browser blocks the alarm sound.',
    allowSound: 'Allow sound',
    waiting: (n: number) => `${n} waiting`,
    sound: {
      on: 'Alarm sound is on. Switch off',
      off: 'Alarm sound is off. Switch on',
      blocked: 'The browser blocks the alarm sound. Allow it',
    },
    mode: {
      change: (mode: string) => `Mode ${mode}. Change`,
      why: (mode: string, reason: string, age: string) => `Mode ${mode} for ${age}: ${reason} Change`,
      cutOff: 'Not sure of other gates',
      degradedFor: (age: string) => `DEGRADED for ${age}.`,
      goesOn: 'Gates keep working; double uses are flagged afterwards.',
      boxes: 'See the boxes',
    },
  },

  widgets: {
    close: 'Close',
    closeNotice: 'Close this notice',
    cancel: 'Cancel',
    reason: 'Reason',
    recordedAs: (name: string) => `Recorded as ${name}.`,
  },

  incidentKinds: {
    crush: 'Crush',
    medical: 'Medical',
    fire: 'Fire',
    need_staff: 'Staff needed',
    security: 'Security',
    lost_child: 'Lost child',
    access: 'Access',
    equipment: 'Equipment',
  },

  incidentStates: {
    open: 'Unanswered',
    acknowledged: 'Seen',
    assigned: 'Team sent',
    resolved: 'Resolved',
    cancelled: 'False alarm',
  },

  sealRefusal: {
    entries_changed: 'Entries that were sealed have been changed.',
    entries_missing: 'Entries that were sealed are missing.',
    seal_changed: 'The newest seal has been changed.',
    seal_missing: 'A seal is missing.',
  },
}
