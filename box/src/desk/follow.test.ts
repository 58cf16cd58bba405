import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { Desk } from '../../test/world/desk.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { openReader } from '../ledger/db.ts'
import { beginNewIncarnation } from '../ledger/identity.ts'
import { erasePersonalData } from '../tickets/erasure.ts'
import { revokeTicket } from '../tickets/revoke.ts'
import { LedgerFollower } from './follow.ts'
import { questionOf } from './spelling.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const named = (code: string, name: string) => `${code},once,valid,,,${name}`

async function opened(t: TestContext, rows: readonly string[]) {
  const desk = await Desk.open({ now: NOON })
  t.after(() => desk[Symbol.dispose]())
  await desk.import(rows)
  const path = join(desk.folder, 'ledger.db')
  let follower = new LedgerFollower(path, openReader(path))
  t.after(() => follower[Symbol.dispose]())
  const find = (text: string, most = 20): (string | null)[] => {
    const question = questionOf(text)
    assert.ok(question)
    while (follower.nextTickets());
    return follower.index.search(question, most).map(({ id }) => desk.deps.tickets.byId(id)?.code ?? null)
  }
  const restart = (meanwhile = () => {}) => {
    follower[Symbol.dispose]()
    meanwhile()
    follower = new LedgerFollower(path, openReader(path))
  }
  const entriesOf = (ref: string) => {
    while (follower.nextEntries());
    return follower.index.entriesOf(ref, 100)
  }
  return { desk, find, restart, entriesOf, file: join(desk.folder, 'search.db') }
}

/** Every byte of the files of the index. */
function bytesBeside(folder: string): string {
  const files = readdirSync(folder).filter((name) => name.startsWith('search.db'))
  return files.map((name) => readFileSync(join(folder, name), 'latin1')).join()
}

describe('the search index', () => {
  it('finds tickets of an import, what a later import changed, and never more than were asked for', async (t) => {
    const { desk, find } = await opened(t, [named('A', 'Ada Lovelace'), named('B', 'Bob Lovelock')])
    assert.deepEqual(find('lovel'), ['A', 'B'])
    assert.deepEqual(find('lovel', 1), ['A'])
    await desk.import([named('A', 'Grace Hopper'), named('C', 'Ada Byron')])
    assert.deepEqual(find('lovel'), ['B'])
    assert.deepEqual(find('hopper'), ['A'])
    assert.deepEqual(find('ada'), ['C'])
  })

  it('is read by nobody else, and goes on after a restart', async (t) => {
    const { find, restart, file } = await opened(t, [named('A', 'Ada Lovelace')])
    assert.deepEqual(find('ada'), ['A'])
    assert.equal(statSync(file).mode & 0o777, 0o600)
    restart()
    assert.deepEqual(find('ada'), ['A'])
  })

  it('is made anew where it is damaged, or of another ledger', async (t) => {
    const { desk, find, restart, file } = await opened(t, [named('A', 'Ada Lovelace')])
    assert.deepEqual(find('ada'), ['A'])
    restart(() => writeFileSync(file, 'not a database, and longer than the header of one would be'.repeat(100)))
    assert.deepEqual(find('ada'), ['A'])
    beginNewIncarnation(desk.deps.ledger.db, () => NOON)
    restart()
    assert.deepEqual(find('ada'), ['A'])
  })

  it('has no name any more, in any byte of its files, once names are erased', async (t) => {
    const { desk, find, file } = await opened(t, [named('A', 'Ada Lovelace')])
    assert.deepEqual(find('lovelace'), ['A'])
    assert.match(bytesBeside(desk.folder), /lovelace/)
    erasePersonalData(desk.deps.ledger, COMMAND_LINE, () => NOON)
    assert.ok(!existsSync(file), 'the command line removes it too')
    assert.deepEqual(find('lovelace'), [])
    assert.doesNotMatch(bytesBeside(desk.folder), /lovelace/)
  })

  it('has no old name in its files after a change', async (t) => {
    const { desk, find, restart } = await opened(t, [named('A', 'Ada Lovelace')])
    assert.deepEqual(find('lovelace'), ['A'])
    await desk.import([named('A', 'Grace Hopper')])
    assert.deepEqual(find('hopper'), ['A'])
    restart()
    assert.deepEqual(find('lovelace'), [])
    assert.doesNotMatch(bytesBeside(desk.folder), /lovelace/)
  })

  it('knows the entries about a ticket', async (t) => {
    const { desk, entriesOf } = await opened(t, [named('A', 'Ada'), named('B', 'Bob')])
    await desk.scan('A')
    await desk.scan('B')
    await desk.scan('A')
    const { id } = await revokeTicket('A', { ...COMMAND_LINE, reason: 'r' }, { ...desk.deps, now: () => desk.now })
    const kinds = entriesOf(id).map(({ box, index }) => [box, desk.journal()[index]?.kind])
    assert.deepEqual(kinds, [
      ['', 'scan'],
      ['', 'scan'],
      ['', 'ticket_revoked'],
    ])
  })
})
