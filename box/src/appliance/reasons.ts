/** Explains a failure of the machine under the box, in one sentence that says what to do. Pure. */
import { type Coded, type CodeOf, SAID } from '@gatehouse/proto/said.ts'
import { GatehouseError } from '../errors.ts'

/** Messages of scripts and RAUC, by their beginning or a part of them; the first match counts. */
const REASONS: readonly [RegExp, CodeOf<'machine'>, string][] = [
  [/^Compatible mismatch/i, 'other_machine', 'This update is for another kind of machine: get the one for this box.'],
  // Checked at the time of the signature, independent of this box's clock (image/overlay/etc/rauc/system.conf).
  [
    /certificate (is not yet valid|has expired)/i,
    'signed_wrongly',
    'This update was signed at a time at which its signature does not count: ask whoever makes the software for a new one.',
  ],
  [
    /signature verification failed|certificate|no signer|keyring/i,
    'not_signed',
    'This update is not signed by whoever makes the software of this box: get it from them, and not from elsewhere.',
  ],
  [
    /bundle format|identifier|signature size|too small|manifest|input\/output error|verity|unexpected end/i,
    'damaged',
    'This is not an update, or it is damaged: download it again, then send it again.',
  ],
  [
    /no space left|larger than|not enough space/i,
    'too_large',
    'This update is larger than its place in the box: get the one for this box.',
  ],
  [
    /^gatehouse: fell back/,
    'fell_back',
    'The new version did not report itself well in time, so the box went back to the one before.',
  ],
  [
    /^gatehouse: older than (.*)/,
    'older',
    'This update is version {version}, older than version {1}, which runs: choose a newer one, or install this one all the same.',
  ],
  [
    /^gatehouse: own version unknown/,
    'own_unknown',
    'The box cannot tell which version runs, and so not whether this one is older: flash a new card, and restore the last backup.',
  ],
  [/^gatehouse: too large/, 'update_too_large', 'This file is larger than any update: choose another one.'],
  [/^gatehouse: no room/, 'no_room', 'There is not enough free room in the box for this file: take a larger card.'],
  [/^gatehouse: broke off/, 'broke_off', 'It broke off half way: try again.'],
  [/^gatehouse: unanswered/, 'unanswered', 'The machine does not answer: restart it, then try again.'],
  [/^gatehouse: no file/, 'no_file', 'The file is not there any more: choose it again.'],
  [
    /^gatehouse: no stick/,
    'no_stick',
    'The stick cannot be read: pull it out and put it in again, formatted as FAT32.',
  ],
  [/^gatehouse: stick is full/, 'stick_full', 'There is not enough room on the stick: take another one.'],
  [/^gatehouse: stick failed/, 'stick_failed', 'The stick could not be written: take another one.'],
  [/^gatehouse: empty slot/, 'no_other', 'There is no older version in the box to go back to.'],
]

/** In English for whoever reads it as it is, and the same as a code for apps. */
interface Reason {
  text: string
  coded: Coded<CodeOf<'machine'>>
}

/**
 * @param detail of the report; an unknown one is shown as it is, for the person who is asked for help
 * @param version of the update that it is about
 */
export function reasonOf(detail: string | null, version: string | null = null): Reason {
  for (const [pattern, code, sentence] of REASONS) {
    const [all, part = ''] = pattern.exec(detail ?? '') ?? []
    if (all === undefined) continue
    const text = sentence.replace('{version}', () => version ?? '').replace('{1}', () => part)
    const values = code === 'older' ? { version: version ?? '', running: part } : undefined
    return { text, coded: { code, ...(values && { values }) } }
  }
  return detail
    ? {
        text: `It did not work: ${detail}. Try again, then restart the box.`,
        coded: { code: 'failed', values: { detail } },
      }
    : { text: 'It did not work: try again, then restart the box.', coded: { code: 'failed_somehow' } }
}

/** A refusal for the reason that a report has. @param detail as in `reasonOf` */
export function refusedFor(detail: string): GatehouseError {
  const { text, coded } = reasonOf(detail)
  return new GatehouseError('conflict', text, { coded: [coded] })
}

/** Reasons that refusals of other files have too, as codes of the machine. */
const SAME_CODES: Readonly<Record<string, CodeOf<'machine'>>> = {
  file_empty: 'update_empty',
  file_cut_off: 'broke_off',
}

/** Why something failed that was refused: for the state that people look at afterwards. */
export function failureOf({ message, reason, values }: GatehouseError): { reason: string; reason_coded?: Coded } {
  const code = reason && (SAME_CODES[reason] ?? reason)
  if (code === undefined || !Object.hasOwn(SAID.machine, code)) return { reason: message }
  return { reason: message, reason_coded: { code, ...(values && { values }) } }
}

/** @returns whether an update was refused because it is older than the version that runs */
export function isOlder(detail: string | null): boolean {
  return detail?.startsWith('gatehouse: older than ') ?? false
}
