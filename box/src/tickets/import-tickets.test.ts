import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import { Desk } from '../../test/world/desk.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { sql } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import { signingKey } from '../seal/verifier-key.ts'
import { importTickets } from './import-tickets.ts'
import { revokeTicket } from './revoke.ts'
import { TicketSum } from './ticket-sum.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')

const counts = ({ read, added, changed, unchanged, rejected }: ImportReport) => {
  return { read, added, changed, unchanged, rejected: rejected.length }
}

describe('an import', () => {
  let desk: Desk
  before(async () => {
    desk = await Desk.open({ now: NOON })
  })
  after(() => desk[Symbol.dispose]())

  afterEach(() => {
    const { tickets, codes } = desk.deps
    const sum = new TicketSum()
    for (const page of tickets.pages.all()) for (const row of page) sum.add({ ...row, codeHash: codes.hash(row.code) })
    const last = desk.journal().findLast(({ kind }) => kind === 'import')
    assert.equal(last?.tickets_digest, sum.digest(), 'the last import has the digest of the rows as they are')
  })

  const ticketOf = (code: string) =>
    desk.deps.tickets.openedBy({ kind: 'static', codeHash: desk.deps.codes.hash(code) }) ?? assert.fail(code)
  const read = (lines: readonly string[], options = {}) =>
    importTickets(
      Buffer.from([...lines, ''].join('\n')),
      { format: 'auto', tierMap: {}, dryRun: false, by: COMMAND_LINE, ...options },
      desk.deps,
    )
  const HEADER = 'code,tier,seat,holder_name,email,valid_from,valid_until,status'

  it('adds what is new, changes what is other, and leaves the rest alone', async () => {
    assert.deepEqual(counts(await desk.import(['A,once', 'B,once', 'C,once'])), {
      read: 3,
      added: 3,
      changed: 0,
      unchanged: 0,
      rejected: 0,
    })
    assert.deepEqual(counts(await desk.import(['B,daily', 'C,once', 'D,once'])), {
      read: 3,
      added: 1,
      changed: 1,
      unchanged: 1,
      rejected: 0,
    })
    assert.deepEqual(
      ['A', 'B', 'C', 'D'].map((code) => ticketOf(code).tier),
      ['once', 'daily', 'once', 'once'],
    )
  })

  it('repeated changes nothing, not even the journal', async () => {
    const size = desk.deps.ledger.size
    const before = ticketOf('B')
    assert.deepEqual(counts(await desk.import(['B,daily', 'C,once', 'D,once'])), {
      read: 3,
      added: 0,
      changed: 0,
      unchanged: 3,
      rejected: 0,
    })
    assert.equal(desk.deps.ledger.size, size)
    assert.deepEqual(ticketOf('B'), before)
  })

  it('brings every field up to date, and takes away what the shop has no more', async () => {
    const full = 'E,once,Row 1,Ana Reis,ana@mail.example,2026-07-04T10:00:00Z,2026-07-04T22:00:00Z,blocked'
    await read([HEADER, full])
    const { seat, holderName, email, validFrom, validUntil, status, statusDetail } = ticketOf('E')
    assert.deepEqual(
      [seat, holderName, email, validFrom, validUntil, status, statusDetail],
      [
        'Row 1',
        'Ana Reis',
        'ana@mail.example',
        Date.parse('2026-07-04T10:00:00Z'),
        Date.parse('2026-07-04T22:00:00Z'),
        'blocked',
        'blocked by the organiser',
      ],
    )
    assert.equal((await read([HEADER, 'E,vip,,,,,,valid'])).changed, 1)
    const later = ticketOf('E')
    assert.deepEqual(
      [later.tier, later.seat, later.holderName, later.email, later.validFrom, later.validUntil, later.statusDetail],
      ['vip', null, null, null, null, null, null],
    )
  })

  it('keeps a ticket’s reference, capability and key when it changes it', async () => {
    const { ref, capability, publicKey, seed } = ticketOf('A')
    await desk.import(['A,crew'])
    const later = ticketOf('A')
    assert.deepEqual([later.ref, later.capability, later.publicKey, later.seed], [ref, capability, publicKey, seed])
    await desk.import(['A,once'])
  })

  it('gives each ticket a key pair and a capability of its own', async () => {
    const made = ['A', 'B', 'C', 'D'].map(ticketOf)
    for (const { seed, publicKey, capability, ref } of made) {
      const { x } = createPublicKey(signingKey(seed)).export({ format: 'jwk' })
      assert.equal(publicKey.toString('base64url'), x)
      assert.equal(Buffer.from(capability, 'base64url').length, 16)
      assert.equal(ref, desk.deps.tickets.refOf(capability))
    }
    assert.equal(new Set(made.map((ticket) => ticket.capability)).size, made.length)
    assert.equal(new Set(made.map((ticket) => ticket.publicKey.toString('hex'))).size, made.length)
  })

  it('makes a ticket valid again that the shop has refunded and sold again', async () => {
    await desk.import(['F,once,refunded'])
    assert.equal((await desk.scan('F')).verdict, 'REVOKED')
    await desk.import(['F,once,paid'])
    assert.equal((await desk.scan('F')).verdict, 'ADMIT')
  })

  it('never un-redeems a ticket, whatever it says', async () => {
    for (const row of ['F,once,refunded', 'F,once,valid', 'F,daily', 'F,once']) await desk.import([row])
    assert.equal((await desk.scan('F')).verdict, 'ALREADY_USED')
  })

  it('leaves a revocation of this box as it is', async () => {
    const admin = { actor: 'Rui', address: 'x', reason: 'stolen' }
    await revokeTicket('D', admin, { ...desk.deps, now: () => desk.now })
    for (const row of ['D,vip', 'D,once,refunded', 'D,once,valid']) await desk.import([row])
    const { verdict, evidence } = await desk.scan('D')
    assert.equal(verdict, 'REVOKED')
    assert.deepEqual(evidence, { revoked_at: new Date(NOON).toISOString(), revoked_reason: 'stolen' })
  })

  it('says which ticket it changes, from what to what, and no name', async () => {
    await read([HEADER, 'M,once,Row 1,Mia Berg,m@example.org,,,valid'])
    const file = [HEADER, 'M,daily,Row 2,Mia Holm,m@example.org,2026-07-04T10:00:00Z,,blocked', 'N,once,,,,,,valid']
    const preview = await read(file, { dryRun: true })
    const fields = [
      { field: 'tier', from: 'once', to: 'daily' },
      { field: 'seat', from: 'Row 1', to: 'Row 2' },
      { field: 'holder_name', from: null, to: null },
      { field: 'valid_from', from: null, to: '2026-07-04T10:00:00.000Z' },
      { field: 'status', from: 'valid', to: 'blocked' },
    ]
    const { ref } = ticketOf('M')
    assert.deepEqual(preview.changes, [{ row: 2, ref, state: 'unused', tier_kept: false, fields }])
    assert.equal(ticketOf('M').tier, 'once')
    assert.deepEqual((await read(file)).changes, preview.changes)
    assert.equal((await read(file)).changes, undefined)
  })

  it('keeps the tier of a ticket that was used or is revoked, says so, and changes it where it is told to', async () => {
    await desk.import(['O,once', 'P,once', 'Q,once,refunded', 'R,once'])
    assert.equal((await desk.scan('O')).verdict, 'ADMIT')
    await revokeTicket('P', { actor: 'Rui', address: 'x', reason: 'stolen' }, { ...desk.deps, now: () => desk.now })
    const file = ['code,tier,status,holder_name', 'O,daily,valid,Ana', 'P,daily,,', 'Q,daily,valid,', 'R,daily,,']
    const preview = await read(file, { dryRun: true })
    const states = (report: ImportReport) => report.changes?.map(({ state, tier_kept }) => `${state} ${tier_kept}`)
    assert.deepEqual(states(preview), ['used true', 'revoked true', 'revoked true', 'unused false'])
    assert.equal(preview.tiers_kept, 3)
    // P alone has no other change.
    assert.deepEqual(counts(await read(file)), { read: 4, added: 0, changed: 3, unchanged: 1, rejected: 0 })
    const tiers = () => ['O', 'P', 'Q', 'R'].map((code) => ticketOf(code).tier)
    assert.deepEqual(tiers(), ['once', 'once', 'once', 'daily'])
    assert.equal(ticketOf('O').holderName, 'Ana', 'the rest of the row counts')
    assert.equal((await desk.scan('O')).verdict, 'ALREADY_USED')
    const changed = await read(file, { usedTiers: 'change' })
    // The shop has sold Q again meanwhile.
    assert.deepEqual(states(changed), ['used false', 'revoked false', 'unused false'])
    assert.equal(changed.tiers_kept, undefined)
    assert.deepEqual(tiers(), ['daily', 'daily', 'daily', 'daily'])
  })

  it('lists a hundred changes, and those whose tier is in question before the others', async () => {
    const codes = Array.from({ length: 250 }, (_, i) => `Z${i}`)
    await desk.import(codes.map((code) => `${code},once`))
    await desk.scan('Z249')
    const { changes, changed } = await read(['code,tier', ...codes.map((code) => `${code},daily`)], { dryRun: true })
    assert.equal(changed, 249)
    assert.equal(changes?.length, 101)
    assert.deepEqual(changes?.map(({ row }) => row).slice(0, 2), [251, 2])
  })

  it('imports the good rows of a file that has bad ones too', async () => {
    const report = await desk.import([
      'G,once',
      ',once',
      'H,golden',
      'G,once',
      'I,once,lost',
      'J,once,valid,soon',
      'K,once',
    ])
    assert.deepEqual(counts(report), { read: 7, added: 2, changed: 0, unchanged: 0, rejected: 5 })
    assert.deepEqual(
      report.rejected.map(({ row }) => row),
      [3, 4, 5, 6, 7],
    )
    for (const code of ['G', 'K']) assert.equal((await desk.scan(code)).verdict, 'ADMIT')
    for (const code of ['H', 'I', 'J']) assert.equal((await desk.scan(code)).verdict, 'UNKNOWN')
  })

  it('tried without doing it reports the same, and changes nothing', async () => {
    const lines = ['code,tier', 'A,vip', 'B,daily', 'L,once', 'M,gold']
    const size = desk.deps.ledger.size
    const before = ticketOf('A')
    const dry = await read(lines, { dryRun: true })
    assert.equal(desk.deps.ledger.size, size)
    assert.deepEqual(ticketOf('A'), before)
    assert.equal((await desk.scan('L')).verdict, 'UNKNOWN')
    assert.deepEqual(await read(lines), { ...dry, dry_run: false })
  })

  it('of a file that cannot be used changes nothing', async () => {
    const size = desk.deps.ledger.size
    for (const lines of [[''], ['a,b', '1,2'], ['code,tier'], ['{"x":']]) {
      await assert.rejects(read(lines), (error) => error instanceof GatehouseError && error.code === 'bad_request')
    }
    await assert.rejects(read(['code,tier', 'N,once'], { tierMap: { once: 'gold' } }), GatehouseError)
    assert.equal(desk.deps.ledger.size, size)
  })

  it('beside another of the same file makes each ticket once', async () => {
    const rows = Array.from({ length: 500 }, (_, i) => `T-${i},once`)
    await Promise.all([desk.import(rows), desk.import(rows), desk.import(rows.map((row) => `${row},valid`))])
    assert.equal((await desk.import(rows)).unchanged, 500)
    assert.equal((await desk.scan('T-0')).verdict, 'ADMIT')
    assert.equal((await desk.scan('T-0')).verdict, 'ALREADY_USED')
  })

  it('that fails in the middle of its writing leaves nothing behind', async () => {
    const { ledger } = desk.deps
    const size = ledger.size
    ledger.db.drizzle.run(
      sql`CREATE TEMP TRIGGER power_cut BEFORE INSERT ON tickets WHEN NEW.code = 'P-50' BEGIN SELECT RAISE(ABORT, 'power'); END`,
    )
    const rows = Array.from({ length: 100 }, (_, i) => `P-${i},once`)
    await assert.rejects(desk.import(rows))
    ledger.db.drizzle.run(sql`DROP TRIGGER power_cut`)
    assert.equal(ledger.size, size)
    assert.equal((await desk.scan('P-0')).verdict, 'UNKNOWN')
    assert.equal((await desk.import(rows)).added, 100)
  })

  it('says how far it is, always forward', async () => {
    const heard: [step: string, fraction: number][] = []
    const rows = Array.from({ length: 1000 }, (_, i) => `Q-${i},once`)
    await read(['code,tier', ...rows], { onProgress: (step: string, fraction: number) => heard.push([step, fraction]) })
    assert.deepEqual([...new Set(heard.map(([step]) => step))], ['read', 'compare', 'write'])
    for (const step of ['read', 'compare', 'write']) {
      const fractions = heard.filter(([of]) => of === step).map(([, fraction]) => fraction)
      assert.deepEqual(
        fractions,
        [...fractions].sort((a, b) => a - b),
      )
      assert.equal(fractions.at(-1), 1)
      assert.ok(fractions.every((fraction) => fraction >= 0 && fraction <= 1))
    }
  })

  it('in the journal names nobody and no code, and cannot be guessed from', async () => {
    await read([HEADER, 'SECRET-CODE,once,Row 1,Ana Reis,ana@mail.example,,,'])
    const entries = desk.journal().filter(({ kind }) => kind === 'import')
    const text = JSON.stringify(desk.journal())
    for (const secret of ['SECRET', 'Ana', 'Reis', 'mail.example', 'Row 1']) assert.ok(!text.includes(secret), secret)
    // The same change in another ledger has another digest: nobody finds out by trying names.
    const digests = await Promise.all(
      [1, 2].map(async () => {
        using other = await Desk.open({ now: NOON })
        for (const row of ['A,once', 'A,daily']) await other.import([row])
        return other.journal().at(-1)?.digest
      }),
    )
    assert.notEqual(digests[0], digests[1])
    assert.deepEqual(Object.keys(entries.at(-1) ?? {}).sort(), [
      'actor',
      'added',
      'address',
      'changed',
      'digest',
      'format',
      'hlc',
      'index',
      'kind',
      'tickets_digest',
    ])
  })
})
