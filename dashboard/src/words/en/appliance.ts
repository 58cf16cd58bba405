/** The sentences of the screen of the machine, in English. */
import { actionWords as actions, count } from './actions.ts'

export const applianceWords = {
  title: 'Appliance',
  lead: 'The machine that the box runs on: its settings, its clock, its software, its backups.',
  none: 'This box does not run on the appliance. Its clock, software and backups are those of the machine that it runs on.',
  loading: 'Asking the machine…',
  again: 'Try again',

  settings: 'Settings',
  fine: 'gatehouse.toml has no problems.',
  problems: (n: number) => `${count(n, 'line')} of gatehouse.toml ${n === 1 ? 'was' : 'were'} not used`,
  line: (n: string) => `Line ${n}`,
  correct:
    'The box runs without them. Correct the file on the card with any computer, put the card back, and turn the box on.',

  machine: 'Machine',
  facts: { room: 'Free room', temperature: 'Temperature', uptime: 'Running for', clock: 'Clock' },
  room: (free: number, total: number) => `${actions.import.size(free)} of ${actions.import.size(total)}`,
  roomLow: 'Put in a larger card soon: without free room, no ticket can be scanned.',
  degrees: (celsius: number) => `${Math.round(celsius)} °C`,
  hot: 'Too hot: give it air.',
  unknown: 'The machine does not say',

  time: 'Clock',
  synced: (source: string | null) => (source === null ? 'Set by the network.' : `Set by the network (${source}).`),
  unsynced: 'Not set by the network. The box keeps counting, and accepts codes up to two minutes old.',
  boxTime: (at: string) => `The box shows ${at}.`,
  differs: (ms: number) =>
    `That is ${actions.time.duration(ms)} ${ms > 0 ? 'behind' : 'ahead of'} this device. Is this device’s time right?`,
  agrees: 'This device shows the same.',
  setTime: "Set the box's clock to this device's",
  timeSet: 'The clock is set.',

  software: 'Software',
  slot: (name: string) => `Slot ${name}`,
  version: (version: string | null) => (version === null ? 'empty' : `version ${version}`),
  running: 'runs now',
  next: 'starts next',
  slotBad: 'did not start when it was tried',
  none_known: 'The machine does not say which versions it has.',
  states: {
    uploading: (percent: number | null) =>
      percent === null ? 'Sending the update' : `Sending the update, ${percent} %`,
    checking: 'Checking that the update is genuine and for this machine',
    installing: (percent: number | null) =>
      `Installing${percent === null ? '' : `, ${percent} %`}. Scanning continues.`,
    ready: (version: string | null) =>
      `${version === null ? 'The update' : `Version ${version}`} is installed. It starts when the machine is restarted.`,
  },
  older: (version: string) => `Install version ${version} although it is older`,
  failed: (reason: string) => `The update was not installed. ${reason}`,
  choose: 'Update file',
  chooseHint: 'Ends in .update, 1 GB at most. Best between two events: sending it keeps the card busy.',
  notUpdate: 'This is not an update. Choose the file that ends in .update.',
  tooLarge: 'This file is larger than 1 GB, which no update is.',
  send: 'Send and install',
  sending: 'Sending the update',
  cancel: 'Cancel',
  unanswered: 'The connection was lost before the whole file arrived. Nothing was changed. Send it again.',
  cancelled: 'Cancelled. Nothing was changed.',
  stick: 'On the USB stick',
  install: (name: string) => `Install ${name}`,
  restart: 'Restart now',
  restartTitle: 'Restart the machine?',
  restartText: 'Scanners work offline for about a minute, and send their scans afterwards.',
  restartUpdate:
    'The new version starts. If it does not work within three minutes, the machine goes back to this one by itself.',
  restarting: 'The machine restarts. This page comes back by itself.',
  rollback: (version: string | null) => (version === null ? 'Go back' : `Go back to version ${version}`),
  rollbackTitle: 'Go back to the version before?',
  rollbackText:
    'The machine restarts with it. Tickets and scans stay as they are. Scanners work offline for about a minute.',
  unstart: 'Discard it',
  unstartTitle: 'Discard the new version?',
  unstartText: 'The machine keeps its present version. To get the new one, install it again.',
  unstarted: 'Discarded. The present version stays.',

  backup: 'Backup',
  backupLead:
    'Everything on this box, in one file. The file contains the box’s keys, so encrypt it: then it is useless to a thief. The box does not keep what you type here.',
  protect: 'Encryption',
  ways: { passphrase: 'With a passphrase', recipients: 'For age recipients', none: 'Not encrypted' },
  passphrase: 'Passphrase',
  passphraseHint: 'At least 12 characters. Five or more random words work best.',
  strength: {
    short: 'Too short: at least 12 characters.',
    weak: 'Weak: a thief with the file can try guesses for as long as they like. Add words.',
    fair: 'Fair. One or two more words make it strong.',
    strong: 'Strong, unless it is from a book or a song.',
  },
  passphraseAgain: 'Passphrase again',
  passphraseLost: 'Write it down and keep it apart from the file. Without it, nobody can restore this backup.',
  recipients: 'Recipients',
  recipientsHint:
    'One on each line: age1…, the public key that age-keygen prints. Anyone with one of the secret keys can restore the backup.',
  worth:
    'Anyone who gets this file has the box’s keys: they can let anybody in, pose as the box and sign in its name. They can read the names and e-mail addresses of all ticket holders, and the codes of all tickets. Keep it as safe as the tickets.',
  protectionMistakes: {
    short: 'No backup was made: the passphrase is too short. It needs 12 characters or more.',
    control: 'No backup was made: the passphrase contains a tab or another character that some keyboards cannot type.',
    different: 'No backup was made: the two passphrases do not match. Type both again.',
    noRecipient: 'No backup was made: enter a recipient (age1…), or choose a passphrase.',
    notRecipient: 'No backup was made: a recipient begins with age1 and has a line to itself. Copy it again.',
    identity:
      'No backup was made: this is a secret key (AGE-SECRET-KEY). Nothing was sent. Use the public key, which begins with age1.',
    many: 'No backup was made: a backup can have at most 20 recipients.',
  },
  download: 'Download a backup',
  downloading: (size: string) => `Receiving the backup, ${size} so far`,
  downloaded: (name: string, size: string) => `Saved as ${name}, ${size}.`,
  cutShort: 'The backup was incomplete and was not saved. Download it again.',
  toStick: 'Write a backup to the USB stick',
  noStick: 'No USB stick is in the box. Put one in, formatted as FAT32.',
  hasStick: 'A USB stick is in the box.',
  making: 'The box makes the backup. Leave the stick in.',
  copying: (percent: number | null) => `Writing to the stick${percent === null ? '' : `, ${percent} %`}. Leave it in.`,
  done: (name: string | null) =>
    `The backup is on the stick${name === null ? '' : ` as ${name}`}. You can pull it out now.`,
  backupFailed: (reason: string) => `There is no backup on the stick. ${reason}`,

  power: 'Restart',
  powerLead: 'Helps when part of the machine does not answer. Scanners are offline for about a minute.',
}
