import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Desks, pull } from '../../test/mesh/desks.ts'
import { Desk } from '../../test/world/desk.ts'
import { Phone } from '../../test/world/phone.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { openSnapshot } from '../ledger/db.ts'
import { noteHash } from '../ledger/note-hash.ts'
import { verifyLedger } from '../seal/verify.ts'
import { claimTicket } from '../tickets/claim.ts'
import { holderOf, printedCodeOf, ticketIdOf } from '../tickets/current.ts'
import { erasePersonalData } from '../tickets/erasure.ts'
import { revokeTicket } from '../tickets/revoke.ts'
import { unchangedSince } from './changed-since.ts'
import { newCode, reissueTicket } from './reissue.ts'
import { writeOnTicket } from './write.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const by = { actor: 'Rui', address: '192.0.2.7', reason: 'sold twice' }

async function deskOf(t: TestContext, rows = ['OLD,once,valid,,,Ada Lovelace']): Promise<Desk> {
  const desk = await Desk.open({ now: NOON })
  t.after(() => desk[Symbol.dispose]())
  await desk.import(rows)
  return desk
}

async function desksOf(t: TestContext): Promise<{ desks: Desks; a: Desk; b: Desk }> {
  const desks = await Desks.open({ boxes: 2, now: NOON })
  t.after(() => desks[Symbol.dispose]())
  await desks.import(['OLD,once,valid,,,Ada Lovelace'])
  return { desks, a: desks.desk(0), b: desks.desk(1) }
}

const depsOf = (desk: Desk) => ({ ...desk.deps, now: () => desk.now })
const ticketOf = (desk: Desk, code = 'OLD') => {
  const ticket = desk.deps.tickets.lookUp(code, desk.deps.codes)
  assert.ok(ticket)
  return ticket
}
const reissue = (desk: Desk) => reissueTicket(ticketOf(desk).ref, by, depsOf(desk))
const write = (desk: Desk, what: 'holder' | 'note', text: string | null) =>
  writeOnTicket(ticketOf(desk).ref, { what, text }, by, desk.deps)
const problems = (desk: Desk) => {
  using snapshot = openSnapshot(`${desk.folder}/ledger.db`)
  return verifyLedger(snapshot).problems
}

describe('a ticket that was issued again', () => {
  it('enters with its new code alone, and the old one is refused with a sentence that says why', async (t) => {
    const desk = await deskOf(t)
    const before = ticketOf(desk)
    const after = await reissue(desk)
    const old = await desk.scan('OLD')
    assert.equal(old.verdict, 'BLOCKED')
    assert.match(old.reason, /issued again at the ticket desk: ask for the new code/)
    assert.equal((await desk.scan(printedCodeOf(after))).verdict, 'ADMIT')
    assert.equal(after.ref, before.ref, 'it is the same ticket, with its history')
    assert.deepEqual(problems(desk), [])
  })

  it('is not seen or claimed by its old link any more', async (t) => {
    const desk = await deskOf(t)
    const { capability } = ticketOf(desk)
    const after = await reissue(desk)
    const phone = new Phone()
    assert.equal(desk.deps.tickets.byTicketId(capability), undefined)
    await assert.rejects(claimTicket(capability, phone.claim(capability), depsOf(desk)), /no such ticket/)
    const link = ticketIdOf(after)
    assert.equal(desk.deps.tickets.byTicketId(link)?.ref, after.ref)
    assert.equal(await claimTicket(link, phone.claim(link), depsOf(desk)), NOON)
    assert.deepEqual(problems(desk), [])
  })

  it('stays so, whatever the next file of the shop says', async (t) => {
    const desk = await deskOf(t)
    const code = printedCodeOf(await reissue(desk))
    await desk.import(['OLD,once,valid,,,Grace Hopper', 'NEW,once'])
    assert.equal((await desk.scan('OLD')).verdict, 'BLOCKED')
    assert.equal(holderOf(ticketOf(desk)), 'Grace Hopper', 'the name is still the shop’s')
    assert.equal((await desk.scan(code)).verdict, 'ADMIT')
    assert.deepEqual(problems(desk), [])
  })

  it('can be issued again and again: each code kills the one before', async (t) => {
    const desk = await deskOf(t)
    const codes = [printedCodeOf(await reissue(desk)), printedCodeOf(await reissue(desk))] as const
    assert.equal((await desk.scan(codes[0])).verdict, 'BLOCKED')
    assert.equal((await desk.scan(codes[1])).verdict, 'ADMIT')
    assert.deepEqual(problems(desk), [])
  })

  it('shows in the verification where somebody changed its code by hand', async (t) => {
    const desk = await deskOf(t)
    await reissue(desk)
    const { db } = desk.deps.ledger
    db.drizzle.run(`UPDATE tickets SET desk_code = 'DESK-FORGED'`)
    assert.ok(problems(desk).some(({ detail }) => /code/.test(detail)))
  })
})

describe('at another box', () => {
  it('the old code is dead and the new one opens, also when the news comes twice', async (t) => {
    const { desks, a, b } = await desksOf(t)
    const code = printedCodeOf(await reissue(a))
    await write(a, 'holder', 'Grace Hopper')
    desks.settle()
    assert.equal((await b.scan('OLD')).verdict, 'BLOCKED')
    assert.equal((await b.scan(code)).verdict, 'ADMIT')
    assert.equal(holderOf(ticketOf(b)), 'Grace Hopper')
    pull(b, a, { from: 0 })
    assert.equal(printedCodeOf(ticketOf(b)), code)
    for (const desk of [a, b]) assert.deepEqual(problems(desk), [])
  })

  it('a later import of the old code does not bring it back', async (t) => {
    const { desks, a, b } = await desksOf(t)
    const code = printedCodeOf(await reissue(a))
    b.now += 60_000
    await b.import(['OLD,once,valid,,,Grace Hopper'])
    desks.settle()
    for (const desk of [a, b]) {
      assert.equal((await desk.scan('OLD')).verdict, 'BLOCKED')
      assert.equal(printedCodeOf(ticketOf(desk)), code)
      assert.deepEqual(problems(desk), [])
    }
  })

  it('a claim by the old link counts for nothing, however late a box that was alone took it', async (t) => {
    const { desks, a, b } = await desksOf(t)
    const after = await reissue(a)
    b.now += 60_000
    const thief = new Phone()
    const { capability } = ticketOf(b)
    await claimTicket(capability, thief.claim(capability), depsOf(b))
    desks.settle()
    for (const desk of [a, b]) {
      const now = ticketOf(desk)
      assert.equal(now.claimedAt, null)
      assert.deepEqual(now.publicKey, after.publicKey)
      assert.equal(now.deskLink, after.deskLink)
    }
  })

  it('a note that was written meanwhile does not undo it', async (t) => {
    const { desks, a, b } = await desksOf(t)
    const code = printedCodeOf(await reissue(a))
    b.now += 60_000
    await write(b, 'note', 'waits at gate 3')
    desks.settle()
    for (const desk of [a, b]) {
      assert.equal(printedCodeOf(ticketOf(desk)), code)
      assert.equal(ticketOf(desk).deskNote?.text, 'waits at gate 3')
    }
  })

  it('a name that the desk wrote is gone once names are erased, and does not come back', async (t) => {
    const { desks, a, b } = await desksOf(t)
    await write(a, 'holder', 'Grace Hopper')
    erasePersonalData(b.deps.ledger, COMMAND_LINE, () => NOON)
    desks.settle()
    for (const desk of [a, b]) assert.equal(holderOf(ticketOf(desk)), null)
    await assert.rejects(write(b, 'note', 'Ada'), /were erased/)
    for (const desk of [a, b]) assert.deepEqual(problems(desk), [])
  })
})

describe('a name or a note of the desk', () => {
  it('stays through an import, and the journal has a salted hash of it', async (t) => {
    const desk = await deskOf(t)
    await write(desk, 'holder', 'Grace Hopper')
    await write(desk, 'note', 'wheelchair')
    await desk.import(['OLD,once,valid,,,Ada King'])
    const ticket = ticketOf(desk)
    assert.equal(holderOf(ticket), 'Grace Hopper')
    const { text = '', salt = '' } = ticket.deskNote ?? {}
    const entry = desk.journal().find(({ what }) => what === 'note')
    assert.equal(entry?.text_hash, noteHash(text, Buffer.from(salt, 'hex')))
    assert.doesNotMatch(JSON.stringify(desk.journal()), /Hopper|wheelchair/)
    await write(desk, 'holder', null)
    assert.equal(holderOf(ticketOf(desk)), 'Ada King')
    await assert.rejects(write(desk, 'note', 'wheelchair'), /says that already/)
    assert.deepEqual(problems(desk), [])
  })
})

describe('the second of two people', () => {
  it('is told what the first has done, and nothing is written', async (t) => {
    const desk = await deskOf(t)
    const { ref, entry } = ticketOf(desk)
    const expect = unchangedSince(entry, desk.deps.ledger)
    await revokeTicket(ref, { ...by, expect }, depsOf(desk))
    const { size } = desk.deps.ledger
    await assert.rejects(reissueTicket(ref, { ...by, expect }, depsOf(desk)), /Rui revoked this ticket at 11:00 UTC/)
    const write = writeOnTicket(ref, { what: 'note', text: 'x' }, { ...by, expect }, desk.deps)
    await assert.rejects(write, /Look at the ticket again/)
    assert.equal(desk.deps.ledger.size, size)
  })

  it('is told so of another box, too', async (t) => {
    const { desks, a, b } = await desksOf(t)
    const expect = unchangedSince(ticketOf(b).entry, b.deps.ledger)
    await reissue(a)
    desks.settle()
    await assert.rejects(reissueTicket(ticketOf(b).ref, { ...by, expect }, depsOf(b)), /Rui reissued this ticket/)
  })
})

it('makes codes that nobody guesses, of 125 bits', () => {
  const codes = new Set(Array.from({ length: 1000 }, () => newCode()))
  assert.equal(codes.size, 1000)
  for (const code of codes) assert.match(code, /^DESK-[0-9A-HJKMNP-TV-Z]{25}$/)
})
