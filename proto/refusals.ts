/**
 * Refusals of the box in words: beside its English sentence an error has a code, often a reason, and the values that the
 * sentence mentions, so that an app says it in the language of its user. A reason is on the wire: it keeps its name.
 */
import type { CODES, RefusalReason, RefusalValues } from './refusal-reasons.ts'
import type { Coded } from './said.ts'
import { isLanguage, languageOfPage } from './ui/language.ts'

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
  coded?: readonly Coded[] | undefined
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
  const { code = '', message, reason = '' } = refusal
  // Whatever else answers in the place of a box, nothing here fails on it.
  const values: RefusalValues = refusal.values ?? {}
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
  return quote && !WHOLE.has(code) ? `${general} (${message})` : general
}

/** Codes whose sentence says all that the box's own would: it is not quoted after it. */
const WHOLE: ReadonlySet<string> = new Set([
  'rate_limited',
  'bad_token',
  'device_revoked',
  'confirm_needed',
  'sign_on_needed',
  'scan_id_reused',
  'internal',
])

/** Undefined for a key of a newer box, and for a sentence whose values did not come. */
function sentenceIn(words: Readonly<Record<string, string>>, key: string, values: RefusalValues): string | undefined {
  const sentence = Object.hasOwn(words, key) ? words[key] : undefined
  const filled = sentence?.replace(/\{(\w+)\}/g, (all, name) =>
    Object.hasOwn(values, name) ? String(values[name]) : all,
  )
  return filled?.includes('{') ? undefined : filled
}
