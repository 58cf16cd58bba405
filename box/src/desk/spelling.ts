/**
 * Brings what people type and what a shop has stored to one spelling, and makes a question for the search index of it: case, accents,
 * order of words and their ends do not matter. Pure.
 */
import { FEWEST_LETTERS } from '@gatehouse/proto/look-up.ts'

/** More words than these find nothing that fewer would not. */
const MOST_WORDS = 6
/** Signs within one word, as in O'Brien and Jean-Pierre. */
const JOINERS = "'\\-"
const WORD = new RegExp(`[\\p{L}\\p{N}]+(?:[${JOINERS}]+[\\p{L}\\p{N}]+)*`, 'gu')
const NEITHER = /[^\p{L}\p{N}]+/u

/** Letters that Unicode does not take apart into a plain letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l', þ: 'th', ŧ: 't' },
}
/** The spelling without umlauts in German and in Nordic languages: Müller is also Mueller. */
const SPELT_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

/** The columns of the search index, each a text of words. */
export interface IndexedWords {
  name: string
  order_code: string
  seat: string
}

/** Questions in the language of FTS5. A later one of the same kind finds more. */
export interface Question {
  name: readonly string[]
  order_code: readonly string[]
  seat: readonly string[]
}
export type FoundBy = keyof Question

/** @param seat as the shop writes it, `Block A Row 12 Seat 5` */
export function indexedWords(ticket: { name: string | null; order: string | null; seat: string | null }): IndexedWords {
  return {
    name: [...new Set(chunksOf(ticket.name ?? '').flatMap(({ whole, parts }) => [...whole, ...parts]))].join(' '),
    order_code: joined(ticket.order ?? ''),
    seat: [...new Set(seatKeys(ticket.seat ?? ''))].join(' '),
  }
}

/** @returns undefined for a text with fewer letters and digits than a look-up needs */
export function questionOf(text: string): Question | undefined {
  const key = joined(text)
  if ([...key].length < FEWEST_LETTERS) return undefined
  const chunks = chunksOf(text).slice(0, MOST_WORDS)
  return {
    name: [chunks.map((chunk) => anyOf(chunk.whole.map(quoted))).join(' AND '), chunks.map(beginning).join(' AND ')],
    order_code: [quoted(key), `${quoted(key)} *`],
    seat: seatQuestions(text),
  }
}

interface Chunk {
  /** The word in each spelling, its parts joined. */
  whole: string[]
  /** The parts of a word with joiners. */
  parts: string[]
}

function chunksOf(text: string): Chunk[] {
  const [plain, speltOut] = [plainOf(text), plainOf(spellOut(text))].map((spelling) => spelling.match(WORD) ?? [])
  return (plain ?? []).map((word, i) => {
    const spellings = [...new Set([word, speltOut?.[i] ?? word])]
    const parts = spellings.map((spelling) => spelling.split(NEITHER))
    return {
      whole: spellings.map((spelling) => spelling.split(NEITHER).join('')),
      parts: (parts[0]?.length ?? 0) > 1 ? [...new Set(parts.flat())] : [],
    }
  })
}

/** Words that begin so: O'Brien is found by `obr`, and by `o bri`. */
function beginning({ whole, parts }: Chunk): string {
  const apart = parts.length > 0 ? [`(${parts.map(begun).join(' AND ')})`] : []
  return anyOf([...whole.map(begun), ...apart])
}

function seatQuestions(text: string): string[] {
  const keys = [...new Set(seatKeys(text))].filter((key) => key.length >= FEWEST_LETTERS)
  return keys.length === 0 ? [] : [anyOf(keys.map(quoted)), anyOf(keys.map(begun))]
}

/** A seat as one word, and without its labels: `blockarow12seat5`, `a125`. People at a desk say "A, 12, 5". */
function seatKeys(seat: string): string[] {
  const words = plainOf(seat).split(NEITHER).filter(Boolean)
  const numbers = words.filter((word) => [...word].length < FEWEST_LETTERS || /\p{N}/u.test(word))
  return [words.join(''), numbers.join('')].filter(Boolean)
}

function joined(text: string): string {
  return plainOf(text).split(NEITHER).join('')
}

/** Lower case, without accents, with one kind of apostrophe and hyphen. */
function plainOf(text: string): string {
  return text
    .replaceAll(/[‘’ʼ`´]/g, "'")
    .replaceAll(/[‐-―]/g, '-')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .normalize('NFC')
    .replaceAll(/[ßæœøđðħıłþŧ]/g, (letter) => PLAIN[letter] ?? letter)
}

function spellOut(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[äöüåø]/g, (letter) => SPELT_OUT[letter] ?? letter)
}

function anyOf(questions: readonly string[]): string {
  return questions.length === 1 ? (questions[0] ?? '') : `(${questions.join(' OR ')})`
}

/** Letters and digits alone: nothing of it can be an operator of FTS5. */
function quoted(word: string): string {
  return `"${word}"`
}

function begun(word: string): string {
  return `"${word}" *`
}
