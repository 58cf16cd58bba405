/** Why something of the machine's did not work, in one sentence that says what to do. Pure. */

/** What scripts and RAUC say, by what it begins with or contains; the first that fits. */
const REASONS: readonly [RegExp, string][] = [
  [/^Compatible mismatch/i, 'This update is for another kind of machine: get the one for this box.'],
  // By the time that it was signed at: the clock of this box has no part in it (image/overlay/etc/rauc/system.conf).
  [
    /certificate (is not yet valid|has expired)/i,
    'This update was signed at a time at which its signature does not count: ask whoever makes the software for a new one.',
  ],
  [
    /signature verification failed|certificate|no signer|keyring/i,
    'This update is not signed by whoever makes the software of this box: get it from them, and not from elsewhere.',
  ],
  [
    /bundle format|identifier|signature size|too small|manifest|input\/output error|verity|unexpected end/i,
    'This is no update, or it is damaged: download it again, then send it again.',
  ],
  [
    /no space left|larger than|not enough space/i,
    'This update is larger than its place in the box: get the one for this box.',
  ],
  [
    /^gatehouse: fell back/,
    'The new version did not report itself well in time, so the box went back to the one before.',
  ],
  [/^gatehouse: broke off/, 'It broke off half way: try again.'],
  [/^gatehouse: unanswered/, 'The machine does not answer: restart it, then try again.'],
  [/^gatehouse: no file/, 'The file is not there any more: choose it again.'],
  [/^gatehouse: no stick/, 'The stick cannot be read: pull it out and put it in again, formatted as FAT32.'],
  [/^gatehouse: stick is full/, 'There is not enough room on the stick: take another one.'],
  [/^gatehouse: stick failed/, 'The stick could not be written: take another one.'],
  [/^gatehouse: empty slot/, 'There is no older version in the box to go back to.'],
]

/** @param detail of `Said`; what is not known is shown as it came, for whoever is asked about it */
export function reasonOf(detail: string | null): string {
  const known = REASONS.find(([pattern]) => pattern.test(detail ?? ''))
  if (known) return known[1]
  return detail
    ? `It did not work: ${detail}. Try again, then restart the box.`
    : 'It did not work: try again, then restart the box.'
}
