/**
 * Why the box does not do what was asked: beside its English sentence an error has a code, often a reason, and the values that the
 * sentence mentions, so that an app says it in the language of its user. A reason is on the wire: it keeps its name.
 */
import { isLanguage, languageOfPage } from './ui/language.ts'

/** Every reason, with the values that come with it. */
export const REASON_VALUES = {
  invite_unknown: [],
  report_id_used: [],
  report_closed: [],
  report_full: [],
  report_missing: [],
  report_of_other: [],
  checkpoint_unknown: [],
  checkpoint_of_other: [],
  scan_unknown: [],
  scan_of_other: [],
  not_supervisor: [],
  ticket_moved_since: [],
  admission_taken_back: [],
  nothing_to_admit: [],
  nobody_admitted: [],
  not_a_ticket: [],
  scan_too_old: ['minutes'],
  gate_on_hold: [],
  undo_too_old: ['minutes'],
  undo_moved_since: [],
  nothing_to_undo: [],
  exit_stays: [],
  names_erased: [],
  no_order: [],
  wrong_name_or_pin: [],
  ticket_unknown: [],
  claimed_elsewhere: [],
  not_claimed: [],
  note_same: [],
  case_unknown: [],
  case_changed: [],
  incident_unknown: [],
  incident_moved: [],
  announcement_unknown: [],
  announcement_changed: [],
  expiry_past: [],
  gate_not_held: [],
  rehearsal_running: [],
  rehearsal_over: [],
  sale_unknown: [],
  sale_again: [],
  tier_unknown: [],
  free_has_price: [],
  accept_changes: [],
  changed_meanwhile: [],
  update_busy: [],
  backup_busy: [],
  clock_is_set: [],
  no_pretix: [],
  last_admin: [],
  name_taken: [],
  list_full: ['most'],
  person_unknown: [],
  session_gone: [],
  passkey_known: [],
  box_name_taken: ['name'],
  invites_many: [],
  entry_only: [],
  ends_first: [],
  ends_in_future: [],
  file_empty: [],
  file_not_text: [],
  file_too_large: ['mebibytes'],
  file_cut_off: [],
  column_missing: ['column'],
  columns_same: [],
  code_column_missing: [],
  device_unknown: [],
  zone_unknown: [],
  machine_busy: [],
} as const satisfies Record<string, readonly string[]>

export type RefusalReason = keyof typeof REASON_VALUES
export type RefusalValues = Readonly<Record<string, string | number>>

/** Codes of box/docs/errors.md. */
export const CODES = [
  'bad_request',
  'bad_token',
  'bad_certificate',
  'bad_signature',
  'device_revoked',
  'not_allowed',
  'confirm_needed',
  'sign_on_needed',
  'not_found',
  'scan_id_reused',
  'conflict',
  'over_capacity',
  'invite_used',
  'invite_expired',
  'too_large',
  'rate_limited',
  'ledger_unavailable',
  'provider_unavailable',
  'internal',
] as const

/** A value stands in braces in its sentence: `{seconds}`. */
export interface RefusalWords {
  codes: Record<(typeof CODES)[number], string>
  reasons: Record<RefusalReason, string>
}

/** An error's body: see `ErrorBody` in `wire/terms.ts`. */
export interface Refusal {
  code?: string | undefined
  message: string
  reason?: string | undefined
  values?: RefusalValues | undefined
}

/**
 * The sentence for a person: of the reason, or else of the code, in the language of this page. The box's own in English, of a newer
 * box whose code is not known here, and where the words could not be loaded.
 * @param quote adds the box's own sentence where only the code is known, for a person who has the time to read it
 */
export async function refusalSentence(
  refusal: Refusal,
  { language = languageOfPage(), quote = false }: { language?: string; quote?: boolean } = {},
): Promise<string> {
  const { code = '', message, reason = '', values = {} } = refusal
  if (language === 'en' || !isLanguage(language)) return message
  let words: RefusalWords
  try {
    words = (await import(`./refusal-words/${language}.ts`)).refusalWords
  } catch {
    return message
  }
  const known = sentenceIn(words.reasons, reason, values)
  if (known !== undefined) return known
  const general = sentenceIn(words.codes, code, values)
  if (general === undefined) return message
  return quote && code !== 'rate_limited' ? `${general} (${message})` : general
}

/** Undefined for a key of a newer box, and for a sentence whose values did not come. */
function sentenceIn(words: Readonly<Record<string, string>>, key: string, values: RefusalValues): string | undefined {
  const sentence = Object.hasOwn(words, key) ? words[key] : undefined
  const filled = sentence?.replace(/\{(\w+)\}/g, (all, name) =>
    Object.hasOwn(values, name) ? String(values[name]) : all,
  )
  return filled?.includes('{') ? undefined : filled
}
