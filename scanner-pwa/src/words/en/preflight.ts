/** The sentences of the check before doors, in English: loaded with its screen. A second language is a second file. */
import type { PreflightItem } from '../../gate/model.ts'

export const preflightWords = {
  title: 'Before doors',
  start: 'Start scanning',
  startAnyway: 'Start scanning anyway',
  ready: 'Everything is ready.',
  missing: (names: string[]) => `Not ready: ${names.join(', ')}.`,
  names: {
    camera: 'Camera',
    storage: 'Storage',
    clock: 'Clock',
    manifest: 'Ticket list',
    certificate: 'Certificate',
    sound: 'Sound',
    'wake-lock': 'Screen stays on',
    link: 'Box',
    boxes: 'Other boxes',
    offline: 'Works offline',
  } satisfies Record<PreflightItem['id'], string>,
  states: { ok: 'Ready', warn: 'Check this', fail: 'Not ready', checking: 'Checking' } satisfies Record<
    PreflightItem['state'],
    string
  >,
  checking: 'Checking.',
  playSound: 'Play a sound',
  heardIt: 'I heard it',
  tryCamera: 'Try the camera again',
  camera: {
    ok: (label: string, width: number, height: number) => `${label || 'Camera'}, ${width} × ${height}.`,
  },
  sound: {
    ok: 'You heard it.',
    muted: 'The volume in this app is zero.',
    remedy: 'Play it, then say that you heard it.',
    mutedRemedy: 'Turn it up in Settings.',
    notPlayed: 'Not heard yet.',
    none: 'This browser plays no sound.',
    noneRemedy: 'Look at the screen for each verdict, or use another browser.',
  },
  wakeLock: {
    ok: 'The screen stays on while you scan.',
    fail: 'This phone turns its screen off by itself.',
    remedy: 'Set the screen timeout to the longest, and turn battery saver off.',
  },
  offline: {
    ok: 'All files are on this phone. Scans made offline are sent only while this app is open.',
    checking: 'Saving the files on this phone.',
    fail: 'Some files are not on this phone yet.',
    remedy: 'Keep this page open on the network of the box for a minute.',
  },
}
