/** Reservations of one right by several boxes, over a real core: one gets it, and no timeout refuses a ticket. */
import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { encodeRecord, type ReservationRecord } from '../../src/mesh/reservation/record.ts'
import { openRecord, sealRecord } from '../../src/mesh/reservation/signed-record.ts'
import { streamSubjects } from '../../src/mesh/reservation/subjects.ts'
import { supervisorAdmit } from '../../src/scan/supervise.ts'
import { undo } from '../../src/scan/undo.ts'
import { natsServer } from '../world/nats-server.ts'
import { until } from '../world/until.ts'
import { logKeyOf } from './engines.ts'
import { ReservationWorld, type ReservingBox } from './reservation-world.ts'

const { whyNot } = await natsServer()
const TICKETS = 200
const ALONE = process.env.GATEHOUSE_TEST_LONG ? 10_000 : 1_000
const codes = Array.from({ length: TICKETS }, (_, i) => `T-${i}`)
const why = { actor: 'Ana', reason: 'Turned round.' }

/** A server may answer once more before SIGSTOP takes effect. */
async function stop({ engine }: ReservingBox): Promise<void> {
  process.kill(engine.pid ?? 0, 'SIGSTOP')
  await sleep(200)
}

describe('three boxes', { skip: whyNot }, () => {
  let world: ReservationWorld
  let boxes: readonly [ReservingBox, ReservingBox, ReservingBox]
  before(async () => {
    world = await ReservationWorld.open(3, [
      ...codes.map((code) => `${code},once`),
      ...Array.from({ length: 40 }, (_, i) => `X-${i},once`),
      ...Array.from({ length: ALONE }, (_, i) => `ALONE-${i},once`),
      ...['F-1', 'F-2', 'F-3', 'F-4'].map((code) => `${code},once`),
      'CREW,crew',
      'FLEX,reentry',
      'FLEX-2,reentry',
    ])
    boxes = world.boxes as unknown as typeof boxes
  })
  after(() => world[Symbol.asyncDispose]())

  const device = { id: 'd', supervisor: true, checkpoints: new Set(['a-in', 'a-out', 'b-in']) }

  it('admit a ticket once when all three scan it at the same moment, and tell the other two where it was used', async () => {
    for (let i = 0; i < codes.length; i += 20) {
      await Promise.all(
        codes.slice(i, i + 20).map(async (code) => {
          const verdicts = await Promise.all(boxes.map(({ desk }) => desk.scan(code)))
          const admitted = verdicts.filter(({ verdict }) => verdict === 'ADMIT')
          const refused = verdicts.filter(({ verdict }) => verdict === 'ALREADY_USED')
          assert.deepEqual([admitted.length, refused.length], [1, 2], code)
          assert.ok(verdicts.every(({ confidence }) => confidence === 'confirmed'))
          for (const { evidence, occurrence } of refused) {
            assert.ok(evidence && 'used_at' in evidence)
            assert.equal(evidence.checkpoint, 'a-in')
            assert.deepEqual([evidence.occurrence, occurrence], [1, 1])
          }
        }),
      )
    }
    for (const { queue } of boxes) assert.equal(queue.length, 0)
  })

  it('refuse and record exits without a reservation', async () => {
    const [a] = boxes
    const asked = a.reported.length
    assert.equal((await a.desk.scan('NOBODY')).verdict, 'UNKNOWN')
    assert.equal((await a.desk.scan('T-0', { checkpoint: 'a-out' })).verdict, 'EXIT')
    assert.equal((await a.desk.scan('CREW')).verdict, 'ADMIT')
    assert.equal((await a.desk.scan('CREW')).verdict, 'ADMIT')
    assert.equal(a.reported.length, asked)
  })

  it('admit a ticket at another box after its admission was undone here', async () => {
    const [a, b, c] = boxes
    const scan = a.desk.scanOf('X-0')
    assert.equal(JSON.parse(await a.desk.text(scan)).verdict, 'ADMIT')
    assert.equal((await b.desk.scan('X-0')).verdict, 'ALREADY_USED')
    await undo(scan.scan_id, why, device, a.desk.deps)
    await world.answers(a)
    assert.equal((await b.desk.scan('X-0')).verdict, 'ADMIT')
    assert.equal((await c.desk.scan('X-0')).verdict, 'ALREADY_USED')
    assert.equal((await a.desk.scan('X-0')).verdict, 'ALREADY_USED')
  })

  it('release the reservation of a box that lost power before it wrote the admission', async () => {
    const [a, b] = boxes
    const scan = a.desk.scanOf('X-1')
    const { ticket: ref } = { ticket: a.desk.deps.tickets.lookUp('X-1', a.desk.deps.codes)?.ref ?? '' }
    const right = { ticket: ref, slot: 'arena' }
    const wanted = { scanId: scan.scan_id, right, checkpoint: 'a-in', at: a.desk.now, hlc: '1.0', occurrence: 1 }
    const lost = (await a.reservations.reserve(wanted)) ?? assert.fail()
    assert.equal(lost.confidence, 'confirmed')
    world.restart(a)
    // The person shows the ticket again; a scanner sends the scan again.
    const again = await a.desk.scan('X-1')
    assert.deepEqual([again.verdict, again.confidence], ['ADMIT', 'confirmed'])
    assert.equal((await b.desk.scan('X-1')).verdict, 'ALREADY_USED')

    const resent = a.desk.scanOf('X-2')
    const other = a.desk.deps.tickets.lookUp('X-2', a.desk.deps.codes)?.ref ?? ''
    await a.reservations.reserve({ ...wanted, scanId: resent.scan_id, right: { ticket: other, slot: 'arena' } })
    world.restart(a)
    assert.equal(JSON.parse(await a.desk.text(resent)).verdict, 'ADMIT')
  })

  it('release a reservation that no admission used', async () => {
    const [a, b] = boxes
    const ref = a.desk.deps.tickets.lookUp('X-10', a.desk.deps.codes)?.ref ?? ''
    const right = { ticket: ref, slot: 'arena' }
    const wanted = { scanId: 'held meanwhile', right, checkpoint: 'a-in', at: a.desk.now, hlc: '1.0', occurrence: 1 }
    {
      using secured = (await a.reservations.reserve(wanted)) ?? assert.fail()
      assert.equal(secured.confidence, 'confirmed')
      assert.equal((await b.desk.scan('X-10')).verdict, 'ALREADY_USED')
      await a.desk.deps.ledger.commit(() => secured.settle(null))
    }
    await world.answers(a)
    assert.equal((await b.desk.scan('X-10')).verdict, 'ADMIT')
  })

  it('reserve again when the ticket moved between the reservation and the commit', async () => {
    const [a, b] = boxes
    const ref = a.desk.deps.tickets.lookUp('FLEX-2', a.desk.deps.codes)?.ref ?? ''
    assert.equal((await a.desk.scan('FLEX-2')).verdict, 'ADMIT')
    // The exit of a moment ago is not written down yet when the entry is looked at.
    const [exit, entry] = await Promise.all([
      a.desk.scan('FLEX-2', { checkpoint: 'a-out' }),
      a.desk.scan('FLEX-2', { checkpoint: 'b-in' }),
    ])
    assert.deepEqual([exit.verdict, entry.verdict, entry.confidence], ['EXIT', 'ADMIT', 'confirmed'])
    assert.equal(a.queue.length, 0)
    const names = streamSubjects(Buffer.from(a.desk.tag).toString('hex'), a.engine.epoch)
    const manager = await jetstreamManager(a.engine.bulk, { domain: a.engine.domain })
    const second = await manager.streams.getMessage(names.stream, { last_by_subj: names.rightSubject(ref, 'arena/2') })
    assert.match(second?.string() ?? '', /"kind":"claim"/)
    assert.equal((await b.desk.scan('FLEX-2')).verdict, 'ALREADY_USED')
  })

  it('admit without waiting when the voters do not answer, and backfill the reservation later', async () => {
    const [a, b] = boxes
    a.reachable = false
    a.mode = 'DEGRADED'
    const verdict = await a.desk.scan('X-3')
    assert.deepEqual([verdict.verdict, verdict.confidence], ['ADMIT', 'provisional'])
    assert.match(verdict.reason, /Not confirmed: Gate South unheard for 3 minutes\.$/)
    assert.equal(a.queue.length, 1)
    a.reachable = true
    a.mode = 'STRICT'
    await world.answers(a)
    assert.equal((await b.desk.scan('X-3')).verdict, 'ALREADY_USED')
  })

  it('keep both admissions when two of them admitted one ticket while cut off', async () => {
    const [a, b, c] = boxes
    for (const box of [a, b]) {
      box.reachable = false
      assert.equal((await box.desk.scan('X-4')).verdict, 'ADMIT')
      box.reachable = true
    }
    await world.answers(a)
    await world.answers(b)
    assert.equal((await c.desk.scan('X-4')).verdict, 'ALREADY_USED')
  })

  it('give a right the same name, whatever they have replicated about other zones', async () => {
    const [a, , c] = boxes
    assert.equal((await a.desk.scan('FLEX')).verdict, 'ADMIT')
    assert.equal((await a.desk.scan('FLEX', { checkpoint: 'v-in' })).verdict, 'ADMIT')
    assert.equal((await c.desk.scan('FLEX', { checkpoint: 'v-in' })).verdict, 'ALREADY_USED')
  })

  it('backfill the admissions made while cut off, in the order of the journal, in seconds', async (t) => {
    const [a, b] = boxes
    a.reachable = false
    for (let i = 0; i < ALONE; i += 200) {
      const codes = Array.from({ length: 200 }, (_, k) => `ALONE-${i + k}`)
      await Promise.all(codes.map((code) => a.desk.scan(code, { offline_admitted: true })))
    }
    // A second use of the first of them, later: the first has the right.
    await a.desk.scan('ALONE-0', { offline_admitted: true, checkpoint: 'b-in' })
    assert.equal(a.queue.length, ALONE)
    a.reachable = true
    const before = performance.now()
    await world.answers(a)
    t.diagnostic(`${ALONE} admissions claimed in ${Math.round(performance.now() - before)} ms`)
    for (const code of ['ALONE-0', 'ALONE-1', `ALONE-${ALONE - 1}`]) {
      const { verdict, evidence } = await b.desk.scan(code)
      assert.equal(verdict, 'ALREADY_USED', code)
      assert.ok(evidence && 'used_at' in evidence)
      assert.equal(evidence.checkpoint, 'a-in')
    }
  })

  /** The reservation that a scan of this code asks for. */
  const wantedBy = ({ desk }: ReservingBox, code: string, scanId: string) => {
    const right = { ticket: desk.deps.tickets.lookUp(code, desk.deps.codes)?.ref ?? '', slot: 'arena' }
    return { scanId, right, checkpoint: 'a-in', at: desk.now, hlc: '1.0', occurrence: 1 }
  }
  /** The voters have answered, and the power goes before anything is written. */
  const askAndDie = async (box: ReservingBox, code: string, scanId: string) => {
    const { confidence } = (await box.reservations.reserve(wantedBy(box, code, scanId))) ?? assert.fail()
    assert.equal(confidence, 'confirmed')
    world.restart(box)
  }
  const verdictAt = async ({ desk }: ReservingBox, code: string) => (await desk.scan(code)).verdict

  it('release after a restart what they had reserved and not written', async () => {
    const [a, b, c] = boxes
    await askAndDie(a, 'X-20', 'lost 20')
    await askAndDie(a, 'X-21', 'lost 21')
    assert.equal(await verdictAt(a, 'X-22'), 'ADMIT')
    assert.equal(await verdictAt(b, 'X-20'), 'ALREADY_USED', 'only A knows that nobody is inside')
    world.restart(a)
    for (const code of ['X-20', 'X-21']) {
      await until(async () => {
        await world.answers(a)
        return (await verdictAt(b, code)) === 'ADMIT'
      }, `${code} is admitted at B`)
      assert.equal(await verdictAt(c, code), 'ALREADY_USED')
      assert.equal(await verdictAt(a, code), 'ALREADY_USED')
    }
    assert.equal(await verdictAt(b, 'X-22'), 'ALREADY_USED', 'what was written stays')
  })

  it('do not release the reservation of a scan that was resent to another box and admitted there', async () => {
    const [a, b, c] = boxes
    const scan = a.desk.scanOf('X-23')
    await askAndDie(a, 'X-23', scan.scan_id)
    const resent = JSON.parse(await b.desk.text(scan))
    assert.deepEqual([resent.verdict, resent.confidence], ['ADMIT', 'confirmed'])
    assert.equal(await verdictAt(a, 'X-23'), 'ALREADY_USED')
    await world.answers(a)
    for (const box of [a, c]) assert.equal(await verdictAt(box, 'X-23'), 'ALREADY_USED')
  })

  it('do not release an admission of this box when another box dies over the same scan', async () => {
    const [a, b, c] = boxes
    const scan = a.desk.scanOf('X-24')
    assert.equal(JSON.parse(await a.desk.text(scan)).verdict, 'ADMIT')
    await askAndDie(b, 'X-24', scan.scan_id)
    assert.equal(await verdictAt(b, 'X-24'), 'ALREADY_USED')
    await world.answers(b)
    for (const box of [b, c]) assert.equal(await verdictAt(box, 'X-24'), 'ALREADY_USED')
  })

  it('release a reservation when two of them died over the same scan', async () => {
    const [a, b, c] = boxes
    await askAndDie(a, 'X-25', 'lost 25')
    await askAndDie(b, 'X-25', 'lost 25')
    await until(async () => {
      for (const box of [b, a]) await world.answers(box)
      return (await verdictAt(c, 'X-25')) === 'ADMIT'
    }, 'it is admitted at C')
  })

  it('release an unused reservation for this box only, and an undone admission for all', async () => {
    const [a, b, c] = boxes
    const scan = a.desk.scanOf('X-26')
    {
      using secured = (await a.reservations.reserve(wantedBy(a, 'X-26', scan.scan_id))) ?? assert.fail()
      assert.equal(JSON.parse(await b.desk.text(scan)).verdict, 'ADMIT')
      await a.desk.deps.ledger.commit(() => secured.settle(null))
    }
    await world.answers(a)
    assert.equal(await verdictAt(c, 'X-26'), 'ALREADY_USED')

    const undone = a.desk.scanOf('X-27')
    for (const box of [a, b]) assert.equal(JSON.parse(await box.desk.text(undone)).verdict, 'ADMIT')
    await undo(undone.scan_id, why, device, a.desk.deps)
    await world.answers(a)
    assert.equal(await verdictAt(c, 'X-27'), 'ADMIT')
  })

  it('answer a scan that is resent to another box as the same scan', async () => {
    const [a, b] = boxes
    const scan = a.desk.scanOf('X-5')
    assert.equal(JSON.parse(await a.desk.text(scan)).verdict, 'ADMIT')
    assert.equal(JSON.parse(await b.desk.text(scan)).verdict, 'ADMIT')
  })

  it('refuse a supervisor who has not seen that the ticket was used elsewhere meanwhile, and admit for one who has', async () => {
    const [a, b] = boxes
    const wrongGate = a.desk.scanOf('X-6', { checkpoint: 'late-in' })
    const refusal = JSON.parse(await a.desk.text(wrongGate))
    assert.notEqual(refusal.verdict, 'ADMIT')
    assert.equal((await b.desk.scan('X-6')).verdict, 'ADMIT')
    const all = a.desk.device('d', true)
    await assert.rejects(supervisorAdmit(wrongGate.scan_id, why, all, a.desk.deps), /another gate since that scan/)
    const second = a.desk.scanOf('X-6')
    assert.equal(JSON.parse(await a.desk.text(second)).verdict, 'ALREADY_USED')
    assert.equal(JSON.parse(await supervisorAdmit(second.scan_id, why, all, a.desk.deps)).verdict, 'ADMIT')
    assert.equal(a.queue.length, 0)
  })

  it('never refuse because of a timeout, and recognise their own reservation when it was carried out late', async () => {
    const [a, b, c] = boxes
    const scan = a.desk.scanOf('X-7')
    for (const box of [b, c]) await stop(box)
    const before = performance.now()
    const verdict = JSON.parse(await a.desk.text(scan))
    const took = performance.now() - before
    for (const { engine } of [b, c]) process.kill(engine.pid ?? 0, 'SIGCONT')
    assert.deepEqual([verdict.verdict, verdict.confidence], ['ADMIT', 'provisional'])
    assert.ok(took > 500, `${took} ms: the voters were asked, and waited for`)
    assert.deepEqual(a.reported.slice(-1), ['timed out'])
    await world.answers(a)
    assert.equal((await b.desk.scan('X-7')).verdict, 'ALREADY_USED')
    assert.equal((await a.desk.scan('X-7')).verdict, 'ALREADY_USED')
  })

  it('admit unconfirmed when the stored reservation cannot be read', async () => {
    const [a] = boxes
    const ref = a.desk.deps.tickets.lookUp('X-9', a.desk.deps.codes)?.ref ?? ''
    const subject = streamSubjects(Buffer.from(a.desk.tag).toString('hex'), a.engine.epoch).rightSubject(ref, 'arena')
    await a.engine.bulk.request(subject, 'what is this?', { timeout: 10_000 })
    const verdict = await a.desk.scan('X-9')
    assert.deepEqual([verdict.verdict, verdict.confidence], ['ADMIT', 'provisional'])
    assert.match(verdict.reason, /cannot be read/)
    assert.equal((await a.desk.scan('X-9')).verdict, 'ALREADY_USED')
    assert.equal(a.reported.at(-1), 'answered', 'the voters are there')
    await world.answers(a)
    const { verdict: elsewhere } = await boxes[1].desk.scan('X-9')
    assert.equal(elsewhere, 'ALREADY_USED', 'written over with what happened')
  })

  it('refuse nobody for a reservation that no box has signed, count it, and say which voter delivered it', async () => {
    const [a, b] = boxes
    const names = streamSubjects(Buffer.from(a.desk.tag).toString('hex'), a.engine.epoch)
    const subjectOf = (code: string) => {
      const ref = a.desk.deps.tickets.lookUp(code, a.desk.deps.codes)?.ref ?? ''
      return { ref, subject: names.rightSubject(ref, 'arena') }
    }
    const at = a.desk.now
    type Forged = ReturnType<typeof subjectOf>
    const [f1, f2, f3, f4] = ['F-1', 'F-2', 'F-3', 'F-4'].map(subjectOf) as [Forged, Forged, Forged, Forged]
    const claim = ({ ref }: Forged, box = b.desk.id): ReservationRecord => ({
      ...{ kind: 'claim', scan_id: 'never', box, checkpoint: 'a-in', at, hlc: `${at}.000001`, occurrence: 1 },
      right: { ticket: ref, slot: 'arena' },
    })
    const { privateKey: voters } = generateKeyPairSync('ed25519')
    const event = a.desk.event.id
    const signed = sealRecord(claim(f4), f4.subject, { event, by: b.desk.id, key: logKeyOf(b.desk.id) })
    const forged = [
      // As version 0.1 wrote them: by nobody.
      [f1, encodeRecord(claim(f1))],
      // In the name of a box, and of nobody's box, with a key of the voter's own.
      [f2, sealRecord(claim(f2), f2.subject, { event, by: b.desk.id, key: voters })],
      [f3, sealRecord(claim(f3), f3.subject, { event, by: 'box-liar', key: voters })],
      // A true one, of another right.
      [f4, sealRecord(claim(f4), f1.subject, { event, by: b.desk.id, key: logKeyOf(b.desk.id) })],
    ] as const
    a.refused.length = 0
    for (const [{ subject }, bytes] of forged) await a.engine.bulk.request(subject, bytes, { timeout: 10_000 })
    for (const code of ['F-1', 'F-2', 'F-3', 'F-4']) {
      const verdict = await a.desk.scan(code)
      assert.deepEqual([verdict.verdict, verdict.confidence], ['ADMIT', 'provisional'], code)
    }
    await until(() => a.refused.length >= 4)
    const ids = boxes.map(({ desk }) => desk.id)
    for (const said of a.refused) assert.ok(ids.includes(said.split(' ')[0] ?? ''), said)
    const whys = new Set(a.refused.map((said) => said.split(' ')[1]))
    assert.deepEqual(whys, new Set(['unsigned', 'forged', 'stranger']))
    // Written over with what happened, and signed: the others know it.
    await world.answers(a)
    for (const code of ['F-1', 'F-2', 'F-3', 'F-4'])
      assert.equal((await b.desk.scan(code)).verdict, 'ALREADY_USED', code)
    // A signed record of a box is believed.
    assert.ok('record' in openRecord(signed, f4.subject, { event, keyOf: () => createPublicKey(logKeyOf(b.desk.id)) }))
  })

  it('backfill the stream of a new core completely before they rely on it', async () => {
    const [a, b] = boxes
    for (const box of boxes) {
      // As after a change of the voters.
      box.engine = { ...box.engine, epoch: 2 }
      world.reopen(box)
    }
    assert.equal(a.reservations.isBackfilled(), false)
    for (const box of boxes) await world.answers(box)
    for (const code of ['T-1', 'T-2', 'T-3', 'X-3']) {
      const verdicts = await Promise.all(boxes.map(({ desk }) => desk.scan(code)))
      assert.deepEqual(
        verdicts.map(({ verdict }) => verdict),
        ['ALREADY_USED', 'ALREADY_USED', 'ALREADY_USED'],
        code,
      )
    }
    assert.equal((await b.desk.scan('X-8')).verdict, 'ADMIT')
  })
})

describe('two boxes', { skip: whyNot }, () => {
  let world: ReservationWorld
  before(async () => {
    world = await ReservationWorld.open(2, ['A,once', 'B,once', 'C,once', 'D,once'])
  })
  after(() => world?.[Symbol.asyncDispose]())

  it('have one that decides reservations, and the other asks it', async () => {
    const [authority, leaf] = world.boxes as unknown as [ReservingBox, ReservingBox]
    assert.deepEqual([authority.engine.replicas, authority.engine.isCore, leaf.engine.isCore], [1, true, false])
    const verdicts = await Promise.all([authority, leaf].map(({ desk }) => desk.scan('A')))
    assert.deepEqual(verdicts.map(({ verdict }) => verdict).sort(), ['ADMIT', 'ALREADY_USED'])
    assert.ok(verdicts.every(({ confidence }) => confidence === 'confirmed'))
  })

  it('go on without each other, and agree afterwards', async () => {
    const [authority, leaf] = world.boxes as unknown as [ReservingBox, ReservingBox]
    await stop(authority)
    const alone = await leaf.desk.scan('B')
    assert.deepEqual([alone.verdict, alone.confidence], ['ADMIT', 'provisional'])
    process.kill(authority.engine.pid ?? 0, 'SIGCONT')
    await world.answers(leaf)
    assert.equal((await authority.desk.scan('B')).verdict, 'ALREADY_USED')

    await stop(leaf)
    const decided = await authority.desk.scan('C')
    assert.deepEqual([decided.verdict, decided.confidence], ['ADMIT', 'confirmed'])
    process.kill(leaf.engine.pid ?? 0, 'SIGCONT')
    await world.answers(leaf)
    assert.equal((await leaf.desk.scan('C')).verdict, 'ALREADY_USED')
  })

  it('release what the one without a vote had reserved and not written', async () => {
    const [authority, leaf] = world.boxes as unknown as [ReservingBox, ReservingBox]
    const right = { ticket: leaf.desk.deps.tickets.lookUp('D', leaf.desk.deps.codes)?.ref ?? '', slot: 'arena' }
    const wanted = { scanId: 'lost', right, checkpoint: 'a-in', at: leaf.desk.now, hlc: '1.0', occurrence: 1 }
    assert.equal((await leaf.reservations.reserve(wanted))?.confidence, 'confirmed')
    world.restart(leaf)
    assert.equal((await authority.desk.scan('D')).verdict, 'ALREADY_USED')
    await until(async () => {
      await world.answers(leaf)
      return (await authority.desk.scan('D')).verdict === 'ADMIT'
    }, 'it is admitted where the vote is')
  })
})
