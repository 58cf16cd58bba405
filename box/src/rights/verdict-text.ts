/**
 * A verdict's text without what is different in each scan: most admissions of a tier have the rest in common. Pure. Whatever the text is,
 * it comes back as it was.
 */

/** In the place of what was taken out. JSON escapes this character, so a verdict never contains it. */
const GAP = '\u001f'

/** The parts of a verdict without evidence, in the order in which `scan/verdict.ts` writes them. */
const PARTS =
  /^(\{"scan_id":")([^"\\]*)(","verdict":.*?"seat_label":)("(?:[^"\\]|\\.)*"|null)(,"occurrence":)(\d+|null)(,"hlc":)("[^"\\]*")(,.*"evidence":null.*)$/

export interface VerdictParts {
  text: string
  /** Text for the gaps after the first, which is for the scan id; null for a text without gaps. */
  own: string | null
}

/** @param response JSON text */
export function takeApart(response: string, scanId: string): VerdictParts {
  const found = response.includes(GAP) || response.includes('"flag":') ? null : PARTS.exec(response)
  if (found?.[2] !== scanId) return { text: response, own: null }
  const [, start, , verdict, seat, beforeOccurrence, occurrence, beforeHlc, hlc, end] = found
  return {
    text: [start, verdict, beforeOccurrence, beforeHlc, end].join(GAP),
    own: [seat, occurrence, hlc].join(GAP),
  }
}

export function putTogether({ text, own }: VerdictParts, scanId: string): string {
  if (own === null) return text
  const gaps = [scanId, ...own.split(GAP)]
  return text.split(GAP).reduce((before, part, i) => `${before}${gaps[i - 1] ?? ''}${part}`)
}
