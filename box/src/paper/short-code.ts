/**
 * Short codes of paper lists: eight characters that people write down and type. Seven say which ticket it is, the eighth checks them, so
 * that one wrong character, or two that are swapped, is always noticed and never names another ticket. No scanner knows them: a short
 * code opens no gate.
 *
 * Seven characters of 31 are 27,500 million codes. They follow from the ticket's reference by a key that only the event's boxes have, so
 * that every box prints the same ones, and whoever has seen a sheet cannot tell the code of a ticket that is not on it.
 */
import { createHmac, hash, randomInt } from 'node:crypto'

/** Without 0, 1, I, L and O, which look like others by hand. A prime number of signs, on which the check rests. */
const SIGNS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const BASE = SIGNS.length
const TICKET_SIGNS = 7
const SHEET_SIGNS = 5

/** Reasons why a text is no code. `check`: a character is wrong, or two are swapped. */
export type CodeProblem = 'length' | 'sign' | 'check'

/** The key of the event's short codes, from the key of ticket references. */
export function shortCodeKey(refKey: Uint8Array): Buffer {
  return createHmac('sha256', refKey).update('short codes of paper lists').digest()
}

/** Makes the short code of the ticket with a reference, as it is printed: `ABCD-EFGH`. @param key of `shortCodeKey` */
export function shortCodesBy(key: Uint8Array): (ref: string) => string {
  // A million of them are made to read one sheet. Key and reference have fixed lengths, and most of the digest is cut off: nothing is
  // gained by a longer text with the same beginning, which is what HMAC is for.
  const secret = Buffer.from(key).toString('hex')
  return (ref) => {
    const digest = hash('sha256', secret + ref, 'buffer')
    return printed(withCheck(signsOf(digest.readUIntBE(0, 6), TICKET_SIGNS)))
  }
}

/** A new number for a printed list: six signs, checked like a short code. */
export function newSheet(random: (below: number) => number = randomInt): string {
  return withCheck(signsOf(random(BASE ** SHEET_SIGNS), SHEET_SIGNS))
}

/** Reads a short code as somebody has typed it: blanks, hyphens and small letters are all right. */
export function readShortCode(typed: string): { code: string } | { problem: CodeProblem } {
  const read = readChecked(typed, TICKET_SIGNS)
  return 'code' in read ? { code: printed(read.code) } : read
}

/** Reads the number of a sheet. */
export function readSheet(typed: string): { code: string } | { problem: CodeProblem } {
  return readChecked(typed, SHEET_SIGNS)
}

function readChecked(typed: string, signs: number): { code: string } | { problem: CodeProblem } {
  const code = typed.replace(/[\s\-–—.]/g, '').toUpperCase()
  if (code.length !== signs + 1) return { problem: 'length' }
  if ([...code].some((sign) => !SIGNS.includes(sign))) return { problem: 'sign' }
  return withCheck(code.slice(0, -1)) === code ? { code } : { problem: 'check' }
}

function signsOf(number: number, signs: number): string {
  let [text, rest] = ['', number]
  for (let i = 0; i < signs; i++) {
    text += SIGNS[rest % BASE]
    rest = Math.floor(rest / BASE)
  }
  return text
}

/**
 * Appends the check sign: the sum of each sign times its place, modulo 31. Places are different and below the prime, so that a changed
 * sign changes the sum, and so does an exchange of two signs, the check sign among them.
 */
function withCheck(signs: string): string {
  const sum = [...signs].reduce((total, sign, i) => total + (i + 1) * SIGNS.indexOf(sign), 0)
  return signs + SIGNS[sum % BASE]
}

function printed(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}
