/**
 * The verdicts that a scanner's screen has shown. An admission is gone after a second and a half, and on a busy machine one look from
 * outside may take longer: the page itself notes what it shows. The two functions run in the page, and use nothing but their arguments.
 */

/** A pattern's source and flags: what a page can be given of it. */
export type Pattern = readonly [source: string, flags: string]

interface Shown {
  /** Its large word. Another one on the same card is another verdict: a supervisor has let the person in. */
  word: string
  /** All that has stood there, from its first text to its last. */
  texts: { paragraphs: string[]; whole: string }[]
}

declare global {
  interface Window {
    verdicts?: {
      shown: Shown[]
      /** True while the last of them is on the screen. */
      isThere: boolean
      /** So many were seen by a test. */
      seen: number
    }
  }
}

/** Notes from now on. */
export function noteVerdicts(): void {
  if (window.verdicts) return
  const noted: NonNullable<Window['verdicts']> = { shown: [], isThere: false, seen: 0 }
  window.verdicts = noted
  const read = (element: Element | null) => (element?.textContent ?? '').replace(/\s+/g, ' ').trim()
  let before: Element | null = null
  const look = () => {
    const card = document.querySelector('.verdict')
    noted.isThere = card !== null
    if (card) {
      const word = read(card.querySelector('.verdict-word'))
      if (card !== before || noted.shown.at(-1)?.word !== word) noted.shown.push({ word, texts: [] })
      const texts = noted.shown.at(-1)?.texts
      const whole = read(card)
      if (texts?.at(-1)?.whole !== whole) texts?.push({ paragraphs: [...card.querySelectorAll('p')].map(read), whole })
    }
    before = card
  }
  look()
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
}

export interface WantedVerdict {
  /** One whole paragraph of it. */
  word: Pattern
  /** Patterns of further texts on it. */
  texts: readonly Pattern[]
}

/**
 * Looks for such a verdict: on the screen, or there after the last one that was looked for and found.
 * @returns also the texts of all that were shown
 */
export function lookForVerdict(wanted: WantedVerdict): { found: boolean; shown: string[] } {
  const noted = window.verdicts ?? { shown: [], isThere: false, seen: 0 }
  const is = ([source, flags]: Pattern, text: string) => new RegExp(source, flags).test(text)
  const first = Math.min(noted.seen, noted.shown.length - (noted.isThere ? 1 : 0))
  const found = noted.shown.findIndex(
    ({ texts }, i) =>
      i >= first &&
      texts.some(
        ({ paragraphs, whole }) =>
          paragraphs.some((text) => is(wanted.word, text)) && wanted.texts.every((pattern) => is(pattern, whole)),
      ),
  )
  noted.seen = Math.max(noted.seen, found + 1)
  return { found: found !== -1, shown: noted.shown.map(({ texts }) => texts.at(-1)?.whole ?? '') }
}

/** A string in any case, and a pattern as it is. */
export function patternOf(text: string | RegExp): Pattern {
  if (typeof text !== 'string') return [text.source, text.flags]
  return [
    text
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    'i',
  ]
}
