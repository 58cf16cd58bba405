/** Shared by the properties of every workspace: any text, and the number of their runs. */
import fc from 'fast-check'

/** @returns the number of runs of a property: `full` in `npm run test:long`, and `short` in the inner loop */
export function runs(short: number, full: number): { numRuns: number } {
  return { numRuns: process.env.GATEHOUSE_TEST_LONG === undefined ? short : full }
}

const SURROGATES = 0xd800
const AFTER_SURROGATES = 0xe000

const codePoint = fc.nat({ max: 0x10ffff - (AFTER_SURROGATES - SURROGATES) }).map(
  (n) => String.fromCodePoint(n < SURROGATES ? n : n + AFTER_SURROGATES - SURROGATES),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (point === undefined || text !== String.fromCodePoint(point)) throw new TypeError('not one code point')
    if (point >= SURROGATES && point < AFTER_SURROGATES) throw new TypeError('half of a surrogate pair')
    return point < SURROGATES ? point : point - (AFTER_SURROGATES - SURROGATES)
  },
)

/**
 * As `fc.string({ unit: 'binary' })`, whose first use in a process builds a table of all 1,112,064 code points: half a second of
 * processor time, in each process of the unit tests.
 * @param length in code points
 */
export function anyText(length: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...length, unit: codePoint })
}
