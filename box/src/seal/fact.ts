/** An entry as verification, report and export read it: of this box, or replicated from another. */
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { Entry, EntryKind, EntryWith } from '../ledger/entries.ts'
import type { Fact as LedgerFact } from '../ledger/facts.ts'

/** `box` and the fields below it are present for another box's entry, as in `ledger/facts.ts`. */
type Origin = Pick<LedgerFact, 'box' | 'place' | 'again' | 'known'>

/**
 * Its fields are those of its kind unless somebody has changed the bytes. A reader that misses one throws, and the entry is reported as
 * unreadable.
 */
export type Fact = EntryWith<'index' | 'hlc' | 'kind' | 'fields'> & Origin

export type FactOf<K extends EntryKind> = Extract<Fact, { kind: K }>

/** @param row of the database @param fields parsed from its bytes by `readEntry` */
export function factOf(
  { index, hlc, kind }: { index: number; hlc: string; kind: string },
  fields: Entry['fields'],
  origin?: Origin,
): Fact {
  return { index, hlc, kind, fields, ...origin } as Fact
}

/**
 * The bytes of an entry, of whoever may have written them.
 * @returns what they say, as an entry of some kind; undefined for anything but the one spelling of a JSON object. Whether the
 *   entry is where it says, and what it says is so, is for the caller to find
 */
export function readEntry(bytes: Buffer): Entry['fields'] | undefined {
  const text = bytes.toString()
  try {
    const said: unknown = JSON.parse(text)
    if (typeof said !== 'object' || said === null || canonicalJson(said) !== text) return undefined
    // Bytes that are not UTF-8 have become another text.
    return Buffer.from(text).equals(bytes) ? (said as Entry['fields']) : undefined
  } catch {
    return undefined
  }
}
