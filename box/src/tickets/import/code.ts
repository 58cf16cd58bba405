import type { Refused } from './row.ts'

const MAX_BYTES = 1024
/** Below this many shared digits, equal endings are chance. */
const ROUNDED_DIGITS = 6
const EXACT_DIGITS = 15

const DAMAGE: readonly [pattern: RegExp, reason: string][] = [
  [
    /^[+-]?\d([.,]\d+)?E(\+\d+)$|^[+-]?\d[.,]\d+E-\d+$/i,
    'A spreadsheet wrote the code as a rounded number (1.2E+15), and its digits are lost: import the file as the shop exported it, without opening it in a spreadsheet.',
  ],
  [
    /^#(#+|NAME\?|REF!|VALUE!|N\/A|NUM!|NULL!|DIV\/0!)$/i,
    'A spreadsheet replaced the code by an error or by ####: import the file as the shop exported it, without opening it in a spreadsheet.',
  ],
  [
    /^\d{4,}[.,]0+$/,
    'The code ends in decimals (123.0), as a program writes it that took it for a number: export it as text.',
  ],
  [
    /^\d{1,2}-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)$|^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\d\d$/,
    'A spreadsheet made a date of the code: import the file as the shop exported it, without opening it in a spreadsheet.',
  ],
  [
    /^'/,
    'The code starts with an apostrophe, which a spreadsheet adds and a printed code has not: remove it, or export the code as text.',
  ],
  [/^G1:/, 'The code is a rotating one (G1:), which changes every few seconds: import the code that the shop printed.'],
  [/\ufffd/, 'Characters of the code were lost when the file was saved: export it again as CSV UTF-8.'],
  [/\p{C}|\p{Zl}|\p{Zp}/u, 'The code holds an invisible character, which no printed code has: remove it.'],
]

/**
 * What a cell says the printed code is: without blanks around it, and without the formula (`="0012"`) by which some
 * exports keep a spreadsheet from eating zeros.
 */
export function readCode(cell: string): { code: string; note?: string } | Refused {
  const trimmed = cell.trim()
  const formula = /^="([^"]*)"$/.exec(trimmed)?.[1]?.trim()
  const code = formula ?? trimmed
  if (code === '') return { reason: 'The row has no code: fill it in, or remove the row.' }
  for (const [pattern, reason] of DAMAGE) if (pattern.test(code)) return { reason }
  if (Buffer.byteLength(code) > MAX_BYTES) {
    return { reason: `The code is longer than ${MAX_BYTES} bytes, more than a scan may carry: check the column.` }
  }
  if (formula !== undefined)
    return { code, note: 'The code was written as a formula (="..."), and was read without it.' }
  if (trimmed !== cell) return { code, note: 'Blanks around the code were removed.' }
  return { code }
}

/** What only the whole column shows, told once every code has been seen. */
interface CodeColumn {
  see(code: string): void
  damage(): {
    /** Digits were rounded to zeros: a spreadsheet keeps 15 of them. */
    rounded?: (code: string) => boolean
    /** Leading zeros may have been eaten: fewer digits than most, and not one code starts with 0. */
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
