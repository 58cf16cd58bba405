import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ENTRIES, ENTRY_KINDS } from '@gatehouse/proto/wire/entries.ts'
import { NEWER } from '../../test/golden/newer.ts'
import { Desk } from '../../test/world/desk.ts'
import { type EntryKind, entryOf, type NewEntry, requireFields } from './entries.ts'

const GOLDEN = join(import.meta.dirname, '../../test/golden')
const NOON = Date.parse('2026-07-17T12:00:00Z')
const RELEASE: NewEntry<'release'> = { actor: 'Ana', address: '::1', code: 'c0', reason: 'lost', ticket: 'f0' }

/** Entries of an earlier Gatehouse, at least one of each kind. */
function goldenEntries(): { kind: EntryKind; fields: Record<string, unknown> }[] {
  return ['one-box.jsonl', 'two-boxes.jsonl'].flatMap((name) =>
    readFileSync(join(GOLDEN, name), 'utf8')
      .split('\n')
      .flatMap((line) => {
        const { hlc, index, kind, ...fields } = line === '' ? {} : JSON.parse(line)
        return hlc === undefined || index === undefined ? [] : [{ kind, fields }]
      }),
  )
}

describe('an entry', () => {
  it('of every kind is accepted as the box writes it', () => {
    const entries = goldenEntries()
    const kinds = new Set([...entries.map(({ kind }) => kind), ...NEWER])
    assert.deepEqual([...kinds].sort(), [...ENTRY_KINDS])
    for (const { kind, fields } of entries) {
      // The golden ledgers were given a reason along with who did it, which no command of the box does.
      if (kind === 'shop_certificate') delete fields.reason
      assert.doesNotThrow(() => requireFields(kind, fields))
    }
  })

  it('of every kind is refused without a field, with one more, and with one of another type', () => {
    const whole = new Map(goldenEntries().map(({ kind, fields }) => [kind, fields]))
    for (const [kind, fields] of whole) {
      if (kind === 'shop_certificate') delete fields.reason
      const { required = [] } = ENTRIES[kind].written as { required?: readonly string[] }
      assert.ok(required.length > 0)
      const wrong = new RegExp(`kind ${kind}`)
      for (const name of required) {
        const { [name]: _, ...rest } = fields
        assert.throws(() => requireFields(kind, rest), wrong, `${kind} without ${name}`)
        assert.throws(() => requireFields(kind, { ...fields, [name]: Symbol.iterator }), wrong, `${kind}: ${name}`)
      }
      assert.throws(() => requireFields(kind, { ...fields, holder: 'Ana' }), wrong, `${kind} with one more`)
    }
  })

  it('that is wrong is not appended, nor anything else of its transaction, and what is wrong is said without the value', async () => {
    using desk = await Desk.open({ now: NOON })
    const { ledger } = desk.deps
    const { size } = ledger
    const wrong = { ...RELEASE, ticket: 17 } as unknown as NewEntry<'release'>
    const append = () => {
      ledger.append('release', RELEASE)
      ledger.append('release', wrong)
    }
    await assert.rejects(
      ledger.commit(append),
      new TypeError('not what an entry of kind release says: /ticket must be string'),
    )
    assert.equal(ledger.size, size)
    assert.deepEqual(ledger.read(size, 1), [])
    ledger.transact(() => ledger.append('release', RELEASE))
    assert.deepEqual(
      ledger.read(size, 2).map(({ kind, fields: { index } }) => [kind, index]),
      [['release', size]],
    )
  })

  it('does not compile with a field too few, one too many, or of another type', async () => {
    using desk = await Desk.open({ now: NOON })
    const { ledger } = desk.deps
    const { ticket: _, ...rest } = RELEASE
    const tries = [
      // @ts-expect-error it names no ticket
      () => ledger.append('release', rest),
      // @ts-expect-error no entry names a holder
      () => ledger.append('release', { ...RELEASE, holder: 'Ana' }),
      // @ts-expect-error a ticket's reference is a text
      () => ledger.append('release', { ...RELEASE, ticket: null }),
      // @ts-expect-error there is no such kind
      () => ledger.append('relaese', RELEASE),
    ]
    for (const tried of tries) assert.throws(() => ledger.transact(tried), TypeError)
  })

  it('is narrowed by its kind, and parsed once', () => {
    const bytes = Buffer.from(JSON.stringify({ ...RELEASE, hlc: '1.0', index: 3, kind: 'release' }))
    const entry = entryOf({ index: 3, hlc: '1.0', kind: 'release', bytes })
    assert.equal(entry.kind === 'release' && entry.fields.ticket, 'f0')
    assert.equal(entry.fields, entry.fields)
  })

  it('of an unknown kind, or of damaged bytes, is there; who asks what damaged bytes say is told', () => {
    const later = entryOf({ index: 0, hlc: '1.0', kind: 'teleport', bytes: Buffer.from('{"to":"bar"}') })
    assert.deepEqual([later.kind, later.fields], ['teleport', { to: 'bar' }])
    const damaged = entryOf({ index: 0, hlc: '1.0', kind: 'scan', bytes: Buffer.from('{"half') })
    assert.throws(() => damaged.fields, SyntaxError)
  })
})
