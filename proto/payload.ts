// Takes off what a scanner's hardware puts around a code: the same for the box, the scanner app and the import. The
// rules, for an implementation in another language (vectors: `vectors/payload.json`):
//
//   1. remove white space, U+FEFF (a byte order mark) and control characters from the end
//   2. remove from the start, as often as one of them is there: white space, U+FEFF and control characters; an AIM symbology
//      identifier (`]`, a letter, a digit: `]Q1` before a QR code) and an ECI (`\0000` and two digits), if anything follows
//
// White space is what ECMAScript's `\s` matches; control characters are those of the Unicode category Cc. The code itself keeps every
// byte: upper and lower case, blanks inside, and leading zeros can tell two tickets apart.

const AT_END = /[\s\p{Cc}]/u
const AT_START = /^(?:[\s\p{Cc}]|\][A-Za-z]\d(?=.)|\\0000\d\d(?=.))+/su

/**
 * The code within what a scanner has read, or within a cell of a shop's file. A result is its own result, and two different
 * results are two different codes: whatever surrounds a code, it stays that code.
 */
export function bareCode(payload: string): string {
  let end = payload.length
  while (end > 0 && AT_END.test(payload.charAt(end - 1))) end--
  return payload.slice(0, end).replace(AT_START, '')
}
