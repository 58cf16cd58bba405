/** Reads printed codes, and recognises what spreadsheets and other programs do to them. */
import { bareCode } from '@gatehouse/proto/payload.ts'
import type { CodeOf } from '@gatehouse/proto/said.ts'
import { type Rejection, type Sentence, sentence } from './row.ts'

const MAX_BYTES = 1024
/** With fewer lost digits, zeros at the end of all codes may be chance. */
const ROUNDED_DIGITS = 6
const EXACT_DIGITS = 15

const FORMULA = sentence('code_formula', 'The code was written as a formula (="..."), and was read without it.')
const BLANKS = sentence('code_blanks', 'Blanks around the code were removed.')
const SCANNER_MARKS = sentence(
  'code_scanner_marks',
  'What a scanner adds to a code (]Q1, \\000026, control characters) was removed.',
)

const DAMAGE: readonly [pattern: RegExp, code: CodeOf<'import'>, reason: string][] = [
  [
    /^[+-]?\d([.,]\d+)?E(\+\d+)$|^[+-]?\d[.,]\d+E-\d+$/i,
    'code_rounded',
    'A spreadsheet wrote the code as a rounded number (1.2E+15), and its digits are lost: import the file as the shop exported it, without opening it in a spreadsheet.',
  ],
  [
    /^#(#+|NAME\?|REF!|VALUE!|N\/A|NUM!|NULL!|DIV\/0!)$/i,
    'code_error',
    'A spreadsheet replaced the code by an error or by ####: import the file as the shop exported it, without opening it in a spreadsheet.',
  ],
  [
    /^\d{4,}[.,]0+$/,
    'code_decimals',
    'The code ends in decimals (123.0), as a program writes it that took it for a number: export it as text.',
  ],
  [
    /^\d{1,2}-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)$|^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\d\d$/,
    'code_is_date',
    'A spreadsheet made a date of the code: import the file as the shop exported it, without opening it in a spreadsheet.',
  ],
  [
    /^'/,
    'code_apostrophe',
    'The code starts with an apostrophe, which a spreadsheet adds and a printed code has not: remove it, or export the code as text.',
  ],
  [
    /^G1:/,
    'code_rotating',
    'The code is a rotating one (G1:), which changes every few seconds: import the code that the shop printed.',
  ],
  [
    /\ufffd/,
    'code_lost_characters',
    'Characters of the code were lost when the file was saved: export it again as CSV UTF-8.',
  ],
  [
    /\p{C}|\p{Zl}|\p{Zp}/u,
    'code_invisible',
    'The code holds an invisible character, which no printed code has: remove it.',
  ],
]

/**
 * The printed code in a cell, without what surrounds it, as a scan is read, and without the formula (`="0012"`) with which some
 * exports protect zeros from a spreadsheet.
 */
export function readCode(cell: string): { code: string; note?: Sentence } | Rejection {
  const bare = bareCode(cell)
  const formula = /^="([^"]*)"$/.exec(bare)?.[1]
  const code = formula === undefined ? bare : bareCode(formula)
  if (code === '') return sentence('code_missing', 'The row has no code: fill it in, or remove the row.')
  for (const [pattern, why, reason] of DAMAGE) if (pattern.test(code)) return sentence(why, reason)
  if (Buffer.byteLength(code) > MAX_BYTES) {
    return sentence(
      'code_too_long',
      `The code is longer than ${MAX_BYTES} bytes, more than a scan may carry: check the column.`,
      { bytes: MAX_BYTES },
    )
  }
  if (formula !== undefined) return { code, note: FORMULA }
  if (bare === cell) return { code }
  if (bare === cell.trim()) return { code, note: BLANKS }
  return { code, note: SCANNER_MARKS }
}

/** Damage that only the whole column shows, once every code was seen. */
interface CodeColumn {
  see(code: string): void
  damage(): {
    /** True if a spreadsheet, which keeps 15 digits, has rounded this code to zeros; absent where no code was. */
    rounded?: (code: string) => boolean
    /** True if this code may have lost leading zeros: it has fewer digits than most, and no code starts with 0. */
    shortened?: (code: string) => boolean
  }
}

export function codeColumn(): CodeColumn {
  const countByLength = new Map<number, number>()
  let startsWithZero = false
  let endsInDigits = false
  let lostDigits = 0
  const isNumber = (code: string) => /^\d+$/.test(code)
  return {
    see(code) {
      if (!isNumber(code)) return
      countByLength.set(code.length, (countByLength.get(code.length) ?? 0) + 1)
      if (code.startsWith('0')) startsWithZero = true
      if (code.length <= EXACT_DIGITS) return
      lostDigits += code.length - EXACT_DIGITS
      if (!/^0+$/.test(code.slice(EXACT_DIGITS))) endsInDigits = true
    },
    damage() {
      const longest = Math.max(0, ...countByLength.keys())
      const full = countByLength.get(longest) ?? 0
      const short = [...countByLength.values()].reduce((sum, count) => sum + count, 0) - full
      const rounded = lostDigits >= ROUNDED_DIGITS && !endsInDigits
      const shortened = short > 0 && short * 2 <= full && !startsWithZero
      return {
        ...(rounded && { rounded: (code) => isNumber(code) && code.length > EXACT_DIGITS }),
        ...(shortened && { shortened: (code) => isNumber(code) && code.length < longest }),
      }
    },
  }
}
