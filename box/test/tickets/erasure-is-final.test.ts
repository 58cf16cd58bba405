/** The erasure of one person, whatever boxes import, write, repeat and restore, in whichever order they hear of each other. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import fc from 'fast-check'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { writeOnTicket } from '../../src/desk/write.ts'
import { GatehouseError } from '../../src/errors.ts'
import { answers, stagedTickets, tickets } from '../../src/ledger/schema.ts'
import { recordAnswers } from '../../src/tickets/answers.ts'
import { forgetHolder } from '../../src/tickets/forget-holder.ts'
import { importTickets } from '../../src/tickets/import-tickets.ts'
import { Desks, pull } from '../mesh/desks.ts'
import type { Desk } from '../world/desk.ts'
import { problemsIn } from '../world/problems.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
/** In whatever names the person who is erased. */
const NAME = /Zyxwvut/
const writers = fc.nat(1)
const text = fc.nat(9).map((n) => `Zyxwvut ${n}`)
const step = fc.oneof(
  fc.record({ do: fc.constant('import' as const), at: writers, text }),
  fc.record({
    do: fc.constant('write' as const),
    what: fc.constantFrom('holder' as const, 'note' as const),
    at: writers,
    text,
  }),
  fc.record({ do: fc.constant('answer' as const), at: writers, text }),
  fc.record({ do: fc.constant('scan' as const), at: writers }),
  fc.record({ do: fc.constant('restart' as const), at: fc.nat(2) }),
  fc.record({ do: fc.constant('save' as const) }),
  fc.record({ do: fc.constant('restore' as const) }),
  // A page may be cut short, and entries come once more.
  fc.record({
    do: fc.constant('pull' as const),
    to: fc.nat(2),
    from: writers,
    most: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    again: fc.boolean(),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const ticketAt = ({ deps }: Desk) => deps.tickets.lookUp('A', deps.codes) ?? assert.fail('A')
const isErasedAt = (desk: Desk) => ticketAt(desk).forgottenAt !== null

async function importNames({ deps }: Desk, name: string): Promise<void> {
  const row = `A,once,Row 1,${name},zyxwvut@mail.example,AB1,${name} & Co,${name} is tall`
  const file = `code,tier,seat,holder_name,email,order_code,company,note\n${row}\nB,once,,Bea Gomes,,AB1,,\n`
  await importTickets(Buffer.from(file), { format: 'auto', tierMap: {}, dryRun: false, by: COMMAND_LINE }, deps)
}

class Event {
  readonly #desks: Desks
  #saved: Buffer
  #scans = 0

  constructor(desks: Desks) {
    this.#desks = desks
    this.#saved = desks.desk(2).saved()
  }

  async run(one: Step): Promise<void> {
    const { all } = this.#desks
    const desk = this.#desks.desk('at' in one ? one.at : 2)
    if (one.do === 'import') await importNames(desk, one.text)
    else if (one.do === 'scan') await desk.scan('A')
    else if (one.do === 'restart') desk.restart()
    else if (one.do === 'save') this.#saved = desk.saved()
    else if (one.do === 'restore') desk.restore(this.#saved)
    else if (one.do === 'answer') this.#answer(desk, one.text)
    else if (one.do === 'pull') {
      const { most, again } = one
      if (one.to !== one.from)
        pull(this.#desks.desk(one.to), this.#desks.desk(one.from), {
          ...(most !== undefined && { most }),
          ...(again && { from: 0 }),
        })
    } else if (one.do === 'write') await this.#write(desk, one.what, one.text)
    for (const each of all) if (isErasedAt(each)) assert.doesNotMatch(personalAt(each), NAME, `${each.id}: ${one.do}`)
  }

  /** As a scan with answers does it. */
  #answer(desk: Desk, answer: string): void {
    const ticket = ticketAt(desk)
    if (ticket.forgottenAt !== null) return
    const scanId = `00000000-0000-4000-8000-${String(this.#scans++).padStart(12, '0')}`
    desk.deps.ledger.transact(() =>
      recordAnswers({ size: answer }, { scanId, ticket, device: { id: 'd' } }, { ...desk.deps }),
    )
  }

  async #write(desk: Desk, what: 'holder' | 'note', written: string): Promise<void> {
    const why = { ...COMMAND_LINE, reason: 'asked for' }
    await writeOnTicket(ticketAt(desk).ref, { what, text: written }, why, desk.deps).catch((error) => {
      assert.ok(error instanceof GatehouseError && error.code === 'conflict', String(error))
    })
  }
}

/** Every row with anything that names the holder of ticket A. */
function personalAt({ deps }: Desk): string {
  const { drizzle } = deps.ledger.db
  return JSON.stringify([
    drizzle.select().from(tickets).all(),
    drizzle.select().from(stagedTickets).all(),
    drizzle.select().from(answers).all(),
  ])
}

it('is final: no replay, restart, restore, import or order of replication brings a name back, and every journal verifies', async () => {
  const part = fc.array(step, { maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(part, part, writers, async (before, afterwards, by) => {
      using desks = await Desks.open({ boxes: 3, now: NOON })
      await importNames(desks.desk(0), 'Zyxwvut Reis')
      // The third box writes nothing of its own: it is the one that is restored, and the others do not follow it.
      const settle = () => {
        for (let isNew = true; isNew; ) {
          isNew = false
          for (const to of desks.all)
            for (const from of desks.all.slice(0, 2)) if (to !== from && pull(to, from)) isNew = true
        }
      }
      settle()
      const event = new Event(desks)
      for (const one of before) await event.run(one)
      forgetHolder('A', COMMAND_LINE, { ...desks.desk(by).deps, now: () => NOON })
      for (const one of afterwards) await event.run(one)
      settle()
      await importNames(desks.desk(1 - by), 'Zyxwvut Reis again')
      settle()
      for (const desk of desks.all) {
        assert.ok(isErasedAt(desk), desk.id)
        assert.doesNotMatch(personalAt(desk), NAME, desk.id)
        assert.match(personalAt(desk), /Bea Gomes/, 'nobody else is erased')
        assert.deepEqual(problemsIn(desk.folder), [], desk.id)
      }
    }),
    runs(25, 500),
  )
})
