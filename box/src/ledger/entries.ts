/**
 * The entries of the journal as the ledger returns them: one union, discriminated by `kind`. The fields of each kind are declared in
 * `proto/wire/entries.ts`.
 */
import { ENTRIES, type EntryFields, type EntryKind } from '@gatehouse/proto/wire/entries.ts'
import { Compile, type Validator } from 'typebox/compile'
import type { journal } from './schema.ts'

export type { EntryFields, EntryKind, NewEntry } from '@gatehouse/proto/wire/entries.ts'

/** An entry of one kind. */
export type EntryOf<K extends EntryKind> = K extends EntryKind
  ? {
      /** Its place in the journal of this box. */
      readonly index: number
      readonly hlc: string
      readonly kind: K
      /** Canonical JSON (RFC 8785): the truth, whatever this version makes of it. */
      readonly bytes: Buffer
      /**
       * The parsed fields. The entry is parsed once for all followers of the journal, and not at all if it was
       * appended here. Read-only. If somebody has changed the bytes, the fields may not be those of the kind.
       * @throws SyntaxError for bytes that are not JSON
       */
      readonly fields: EntryFields<K>
    }
  : never

export type Entry = EntryOf<EntryKind>

/** Some properties of an entry, its kind and what it says still belonging together. */
export type EntryWith<Names extends keyof Entry> = Entry extends infer E
  ? E extends Entry
    ? Pick<E, Names>
    : never
  : never

/** True if it is of this kind, for a kind in a variable; elsewhere `entry.kind === 'scan'` does the same. */
export function isOfKind<K extends EntryKind>(entry: Entry, kind: K): entry is EntryOf<K> {
  return entry.kind === kind
}

/** An entry as it stands in the file; one of a kind that this version does not know falls through every `switch`. */
export function entryOf({ index, hlc, kind, bytes }: typeof journal.$inferSelect): Entry {
  let fields: Entry['fields'] | undefined
  return {
    index,
    hlc,
    kind,
    bytes,
    get fields() {
      fields ??= JSON.parse(bytes.toString()) as Entry['fields']
      return fields
    },
    // The row's kind is the one that its bytes name: what tells them apart is for "verify" to find.
  } as Entry
}

/** Compiled when an entry of the kind is first written. */
const validators = new Map<EntryKind, Validator>()

/**
 * Checks that these are the fields of a new entry of this kind: every required one, of its type, and no other. The compiler has checked
 * this too, except for fields that were spread into them or had another type. It takes a ten-thousandth of a scan's time.
 * @throws TypeError which names kind and field, and no value: that may be a name
 */
export function requireFields(kind: EntryKind, fields: object): void {
  let validator = validators.get(kind)
  if (!validator) {
    validator = Compile(ENTRIES[kind].written)
    validators.set(kind, validator)
  }
  if (validator.Check(fields)) return
  const [first] = validator.Errors(fields)
  throw new TypeError(`not what an entry of kind ${kind} says: ${first?.instancePath ?? ''} ${first?.message ?? ''}`)
}
