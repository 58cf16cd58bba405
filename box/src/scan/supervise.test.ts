import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import { Desk } from '../../test/world/desk.ts'
import type { ScanningDevice } from '../ca/roster.ts'
import { GatehouseError } from '../errors.ts'
import { supervisorAdmit } from './supervise.ts'
import { undo } from './undo.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const MINUTE = 60_000
const why = { actor: 'Ana', reason: 'Wristband shown.' }

const fails = (promise: Promise<unknown>, code: string, words: RegExp) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof GatehouseError, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, words)
    return true
  })

describe('a supervisor', () => {
  let desk: Desk
  let next = 0
  before(async () => {
    desk = await Desk.open({ now: NOON })
  })
  after(() => desk[Symbol.dispose]())

  const device = (more: Partial<ScanningDevice> = {}): ScanningDevice => ({
    id: 'sup',
    checkpoints: new Set(desk.event.checkpointById.keys()),
    ...more,
  })
  const admit = (scanId: string, more?: Partial<ScanningDevice>, by = why) =>
    supervisorAdmit(scanId, by, device(more), desk.deps)
  /** A ticket that has been used, and the scan that refused it after. */
  async function refused(tier = 'once', more = {}) {
    const code = `T-${next++}`
    await desk.import([`${code},${tier}`])
    await desk.scan(code)
    const scan = desk.scanOf(code, more)
    const verdict = JSON.parse(await desk.text(scan)) as Verdict
    assert.equal(verdict.verdict, 'ALREADY_USED')
    return { code, scan, verdict }
  }
  const movementsOf = (code: string) => {
    const ticket = desk.deps.tickets.lookUp(code, desk.deps.codes)
    return ticket ? desk.deps.tickets.movementsOf(ticket.id) : []
  }

  it('admits a refused ticket, with the reason, and the refusal stays what it was', async () => {
    const { code, scan, verdict } = await refused()
    const answer = JSON.parse(await admit(scan.scan_id)) as Verdict
    assert.deepEqual(answer, {
      ...verdict,
      verdict: 'ADMIT',
      severity: 'admit',
      evidence: null,
      occurrence: 2,
      hlc: answer.hlc,
      reason: 'Let in by Ana: Wristband shown.',
      supervised: true,
      supervision: { actor: 'Ana', reason: 'Wristband shown.' },
    })
    assert.deepEqual(JSON.parse(await desk.text(scan)), verdict)
    const { hlc, index, at, code: hash, ticket, ...entry } = desk.journal().at(-1) ?? {}
    assert.deepEqual(entry, {
      kind: 'supervisor_admit',
      ...why,
      checkpoint: 'a-in',
      confidence: 'confirmed',
      device: 'sup',
      direction: 'in',
      occurrence: 2,
      scan_id: scan.scan_id,
      slot: 'arena',
      surplus: 1,
      tier: 'once',
      verdict: 'ALREADY_USED',
    })
    const [, admitted] = movementsOf(code)
    assert.partialDeepStrictEqual(admitted, { slot: 'arena', surplus: 1, entry: index, hlc, provisional: false })
    assert.equal((await desk.scan(code)).verdict, 'ALREADY_USED')
  })

  it('asked again, or twice at once, or by two, is one admission and one answer', async () => {
    const { code, scan } = await refused()
    const answers = await Promise.all(
      ['sup', 'sup', 'other'].map((id) => admit(scan.scan_id, { id }, { actor: id, reason: 'known' })),
    )
    desk.restart()
    answers.push(await admit(scan.scan_id))
    assert.equal(new Set(answers).size, 1)
    assert.equal(movementsOf(code).length, 2)
  })

  it('admits for whatever reason the ticket was refused, and uses its right', async () => {
    await desk.import(['NOT-PAID,once,pending', 'AT-V,daily', 'SHOP,reentry,revoked'])
    for (const [code, checkpoint] of [['NOT-PAID'], ['AT-V', 'v-in'], ['SHOP']] as const) {
      const scan = desk.scanOf(code, { ...(checkpoint && { checkpoint }) })
      assert.notEqual((JSON.parse(await desk.text(scan)) as Verdict).verdict, 'ADMIT')
      const { verdict, occurrence } = JSON.parse(await admit(scan.scan_id)) as Verdict
      assert.deepEqual([verdict, occurrence], ['ADMIT', 1])
    }
    await desk.import(['NOT-PAID,once,valid'])
    assert.equal((await desk.scan('NOT-PAID')).verdict, 'ALREADY_USED')
  })

  it('cannot admit at a checkpoint that is not the device’s', async () => {
    const { code, scan } = await refused()
    await fails(admit(scan.scan_id, { checkpoints: new Set(['b-in']) }), 'not_allowed', /scan the ticket here/)
    await admit(scan.scan_id)
    // Not even the answer.
    await fails(admit(scan.scan_id, { checkpoints: new Set(['b-in']) }), 'not_allowed', /scan the ticket here/)
    assert.equal(movementsOf(code).length, 2)
  })

  it('cannot admit what is not a refusal of a ticket', async () => {
    await fails(admit('never'), 'not_found', /scan the ticket again/)
    await desk.import(['FINE,once'])
    const fine = desk.scanOf('FINE')
    await desk.text(fine)
    await fails(admit(fine.scan_id), 'conflict', /nothing to admit/)
    const exit = desk.scanOf('FINE', { checkpoint: 'a-out' })
    await desk.text(exit)
    await fails(admit(exit.scan_id), 'conflict', /nothing to admit/)
    const unknown = desk.scanOf('NO SUCH TICKET')
    await desk.text(unknown)
    await fails(admit(unknown.scan_id), 'conflict', /ticket desk/)
    const alone = desk.scanOf('FINE', { offline_admitted: true })
    await desk.text(alone)
    await fails(admit(alone.scan_id), 'conflict', /nothing to admit/)
  })

  it('cannot admit what was scanned a quarter of an hour ago, or what has been through a gate since', async () => {
    const old = await refused()
    desk.now += 15 * MINUTE
    await desk.import(['ELSEWHERE,once'])
    const stale = desk.scanOf('ELSEWHERE', { checkpoint: 'v-in' })
    await desk.text(stale)
    await desk.scan('ELSEWHERE')
    await fails(admit(stale.scan_id), 'conflict', /in or out since/)
    desk.now += 1
    await fails(admit(old.scan.scan_id), 'conflict', /more than 15 minutes/)
    desk.now -= 1
    await admit(old.scan.scan_id)
    // The first answer stands.
    desk.now += 60 * MINUTE
    assert.equal((JSON.parse(await admit(old.scan.scan_id)) as Verdict).verdict, 'ADMIT')
  })

  it('admits whom the scanner then reports as let in alone: one person', async () => {
    const { code, scan, verdict } = await refused()
    await admit(scan.scan_id)
    assert.deepEqual(JSON.parse(await desk.text({ ...scan, offline_admitted: true })), verdict)
    assert.equal(movementsOf(code).length, 2)
  })

  it('in DEGRADED admits provisionally, as a gate does', async () => {
    const { code, scan } = await refused()
    desk.mode = 'DEGRADED'
    const { confidence } = JSON.parse(await admit(scan.scan_id)) as Verdict
    desk.mode = 'STRICT'
    assert.deepEqual([confidence, movementsOf(code).at(-1)?.provisional], ['provisional', true])
    assert.equal(desk.journal().at(-1)?.confidence, 'provisional')
  })

  describe('and an undo', () => {
    const back = { actor: 'Rui', reason: 'turned round' }
    const take = (scanId: string, id = 'd') => undo(scanId, back, device({ id }), desk.deps)

    it('gives the right back, once, and says so for ever', async () => {
      await desk.import(['BACK,once'])
      const scan = desk.scanOf('BACK')
      const first = await desk.text(scan)
      const undone = desk.deps.ledger.size - 1
      const answers = await Promise.all([take(scan.scan_id), take(scan.scan_id)])
      const answer = JSON.parse(answers[0] ?? '')
      const { hlc, index, ticket, ...entry } = desk.journal().at(-1) ?? {}
      assert.deepEqual(entry, {
        kind: 'undo',
        ...back,
        at: answer.undone_at,
        checkpoint: 'a-in',
        device: 'd',
        direction: 'in',
        occurrence: 0,
        scan_id: scan.scan_id,
        slot: 'arena',
        surplus: 0,
        supervised: false,
        tier: 'once',
        undone,
      })
      assert.deepEqual(answer, { scan_id: scan.scan_id, undone: true, undone_at: entry.at, occurrence: 0, hlc })
      assert.deepEqual(movementsOf('BACK'), [])
      assert.equal(await desk.text(scan), first, 'a resend gets the first answer')
      const again = await desk.scan('BACK')
      assert.deepEqual([again.verdict, again.occurrence], ['ADMIT', 1])
      desk.now += 60 * MINUTE
      desk.restart()
      answers.push(await take(scan.scan_id))
      assert.equal(new Set(answers).size, 1)
      assert.equal(movementsOf('BACK').length, 1)
    })

    it('takes a supervisor’s admission back, which is then not given again on the same scan', async () => {
      const { code, scan } = await refused()
      await admit(scan.scan_id)
      await fails(take(scan.scan_id), 'not_allowed', /take it back there/)
      await take(scan.scan_id, 'sup')
      assert.equal(desk.journal().at(-1)?.supervised, true)
      assert.equal(movementsOf(code).length, 1)
      await fails(admit(scan.scan_id), 'conflict', /scan the ticket again/)
      const again = desk.scanOf(code)
      await desk.text(again)
      assert.equal((JSON.parse(await admit(again.scan_id)) as Verdict).occurrence, 2)
    })

    it('is for who admitted, in time, while nothing rests on it', async () => {
      await desk.import(['ONE,reentry', 'TWO,reentry', 'CREW-9,crew'])
      await fails(take('never'), 'not_found', /nothing to take back/)
      const one = desk.scanOf('ONE')
      await desk.text(one)
      await fails(take(one.scan_id, 'other'), 'not_allowed', /Another scanner/)
      const exit = desk.scanOf('ONE', { checkpoint: 'a-out' })
      await desk.text(exit)
      await fails(take(one.scan_id), 'conflict', /rests on that admission/)
      await fails(take(exit.scan_id), 'conflict', /exit cannot be taken back/)
      const twice = [desk.scanOf('CREW-9'), desk.scanOf('CREW-9')]
      for (const scan of twice) await desk.text(scan)
      await fails(take(twice[0]?.scan_id ?? ''), 'conflict', /rests on that admission/)
      for (const scan of twice.toReversed()) await take(scan.scan_id)
      const refusedScan = desk.scanOf('ONE', { checkpoint: 'v-in' })
      await desk.text(refusedScan)
      await fails(take(refusedScan.scan_id), 'conflict', /Nobody was admitted/)
      const two = desk.scanOf('TWO')
      await desk.text(two)
      desk.now += 15 * MINUTE + 1
      await fails(take(two.scan_id), 'conflict', /more than 15 minutes/)
    })

    it('counts from when the person went in, where the box was told late', async () => {
      await desk.import(['LATE-1,once', 'LATE-2,once'])
      const upload = (code: string, minutes: number) =>
        desk.scanOf(code, {
          offline_admitted: true,
          observed_at: new Date(desk.now - minutes * MINUTE).toISOString(),
        })
      const [fresh, old] = [upload('LATE-1', 10), upload('LATE-2', 16)]
      for (const scan of [fresh, old]) await desk.text(scan)
      await fails(take(old.scan_id), 'conflict', /more than 15 minutes/)
      await take(fresh.scan_id)
    })
  })
})
