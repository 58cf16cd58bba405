/** Rights that several boxes want at once, over a real core: one has it, and nothing that is only unheard is refused. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { claimNames } from '../src/mesh/claims/names.ts'
import { supervisorAdmit } from '../src/scan/supervise.ts'
import { undo } from '../src/scan/undo.ts'
import { type ClaimsBox, ClaimsWorld } from './claims-world.ts'
import { natsServer } from './nats-server.ts'
import { until } from './until.ts'

const { whyNot } = await natsServer()
const TICKETS = 200
const ALONE = process.env.GATEHOUSE_TEST_LONG ? 10_000 : 1_000
const codes = Array.from({ length: TICKETS }, (_, i) => `T-${i}`)
const why = { actor: 'Ana', reason: 'Turned round.' }

/** A server that is told to stop may answer once more before it does. */
async function stop({ engine }: ClaimsBox): Promise<void> {
  process.kill(engine.pid ?? 0, 'SIGSTOP')
  await sleep(200)
}

describe('three boxes', { skip: whyNot }, () => {
  let world: ClaimsWorld
  let boxes: readonly [ClaimsBox, ClaimsBox, ClaimsBox]
  before(async () => {
    world = await ClaimsWorld.open(3, [
      ...codes.map((code) => `${code},once`),
      ...Array.from({ length: 40 }, (_, i) => `X-${i},once`),
      ...Array.from({ length: ALONE }, (_, i) => `ALONE-${i},once`),
      'CREW,crew',
      'FLEX,reentry',
      'FLEX-2,reentry',
    ])
    boxes = world.boxes as unknown as typeof boxes
  })
  after(() => world[Symbol.asyncDispose]())

  const device = { id: 'd', supervisor: true, checkpoints: new Set(['a-in', 'a-out', 'b-in']) }

  it('that are shown one ticket each at the same moment let it in once, and the others read where', async () => {
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
    for (const { claims } of boxes) assert.equal(claims.queueLength(), 0)
  })

  it('refuse, and let out, without asking anybody', async () => {
    const [a] = boxes
    const asked = a.found.length
    assert.equal((await a.desk.scan('NOBODY')).verdict, 'UNKNOWN')
    assert.equal((await a.desk.scan('T-0', { checkpoint: 'a-out' })).verdict, 'EXIT')
    assert.equal((await a.desk.scan('CREW')).verdict, 'ADMIT')
    assert.equal((await a.desk.scan('CREW')).verdict, 'ADMIT')
    assert.equal(a.found.length, asked)
  })

  it('admit elsewhere what was undone here', async () => {
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

  it('let nobody lose a right to a box that lost its power between asking and writing', async () => {
    const [a, b] = boxes
    const scan = a.desk.scanOf('X-1')
    const { ticket: ref } = { ticket: a.desk.deps.tickets.named('X-1', a.desk.deps.codes)?.ref ?? '' }
    const right = { ticket: ref, slot: 'arena' }
    const wanted = { scanId: scan.scan_id, right, checkpoint: 'a-in', at: a.desk.now, hlc: '1.0', occurrence: 1 }
    const lost = await a.claims.secure(() => wanted)
    assert.equal(lost.confidence, 'confirmed')
    world.restart(a)
    // The person shows the ticket again; a scanner sends the scan again.
    const again = await a.desk.scan('X-1')
    assert.deepEqual([again.verdict, again.confidence], ['ADMIT', 'confirmed'])
    assert.equal((await b.desk.scan('X-1')).verdict, 'ALREADY_USED')

    const resent = a.desk.scanOf('X-2')
    const other = a.desk.deps.tickets.named('X-2', a.desk.deps.codes)?.ref ?? ''
    await a.claims.secure(() => ({ ...wanted, scanId: resent.scan_id, right: { ticket: other, slot: 'arena' } }))
    world.restart(a)
    assert.equal(JSON.parse(await a.desk.text(resent)).verdict, 'ADMIT')
  })

  it('give back what they asked for and used for nothing', async () => {
    const [a, b] = boxes
    const ref = a.desk.deps.tickets.named('X-10', a.desk.deps.codes)?.ref ?? ''
    const right = { ticket: ref, slot: 'arena' }
    const wanted = { scanId: 'held meanwhile', right, checkpoint: 'a-in', at: a.desk.now, hlc: '1.0', occurrence: 1 }
    {
      using secured = await a.claims.secure(() => wanted)
      assert.equal(secured.confidence, 'confirmed')
      assert.equal((await b.desk.scan('X-10')).verdict, 'ALREADY_USED')
      await a.desk.deps.ledger.commit(() => secured.settle(null))
    }
    await world.answers(a)
    assert.equal((await b.desk.scan('X-10')).verdict, 'ADMIT')
  })

  it('ask again when the ticket has moved between the asking and the writing', async () => {
    const [a, b] = boxes
    const ref = a.desk.deps.tickets.named('FLEX-2', a.desk.deps.codes)?.ref ?? ''
    assert.equal((await a.desk.scan('FLEX-2')).verdict, 'ADMIT')
    // The exit of a moment ago is not written down yet when the entry is looked at.
    const [exit, entry] = await Promise.all([
      a.desk.scan('FLEX-2', { checkpoint: 'a-out' }),
      a.desk.scan('FLEX-2', { checkpoint: 'b-in' }),
    ])
    assert.deepEqual([exit.verdict, entry.verdict, entry.confidence], ['EXIT', 'ADMIT', 'confirmed'])
    assert.equal(a.claims.queueLength(), 0)
    const names = claimNames(Buffer.from(a.desk.tag).toString('hex'), a.engine.epoch)
    const manager = await jetstreamManager(a.engine.bulk, { domain: a.engine.domain })
    const second = await manager.streams.getMessage(names.stream, { last_by_subj: names.claimOf(ref, 'arena/2') })
    assert.match(second?.string() ?? '', /"kind":"claim"/)
    assert.equal((await b.desk.scan('FLEX-2')).verdict, 'ALREADY_USED')
  })

  it('that are not heard are not waited for, and the admission is told later', async () => {
    const [a, b] = boxes
    a.heard = false
    a.mode = 'DEGRADED'
    const verdict = await a.desk.scan('X-3')
    assert.deepEqual([verdict.verdict, verdict.confidence], ['ADMIT', 'provisional'])
    assert.match(verdict.reason, /Not confirmed: Gate South unheard for 3 minutes\.$/)
    assert.equal(a.claims.queueLength(), 1)
    a.heard = true
    a.mode = 'STRICT'
    await world.answers(a)
    assert.equal((await b.desk.scan('X-3')).verdict, 'ALREADY_USED')
  })

  it('that both admit one ticket alone both keep what they have admitted', async () => {
    const [a, b, c] = boxes
    for (const box of [a, b]) {
      box.heard = false
      assert.equal((await box.desk.scan('X-4')).verdict, 'ADMIT')
      box.heard = true
    }
    await world.answers(a)
    await world.answers(b)
    assert.equal((await c.desk.scan('X-4')).verdict, 'ALREADY_USED')
  })

  it('name a right the same, whatever they have heard of other zones', async () => {
    const [a, , c] = boxes
    assert.equal((await a.desk.scan('FLEX')).verdict, 'ADMIT')
    assert.equal((await a.desk.scan('FLEX', { checkpoint: 'v-in' })).verdict, 'ADMIT')
    assert.equal((await c.desk.scan('FLEX', { checkpoint: 'v-in' })).verdict, 'ALREADY_USED')
  })

  it('claim what was let in alone, in the order of the journal, in seconds', async (t) => {
    const [a, b] = boxes
    a.heard = false
    for (let i = 0; i < ALONE; i += 200) {
      const codes = Array.from({ length: 200 }, (_, k) => `ALONE-${i + k}`)
      await Promise.all(codes.map((code) => a.desk.scan(code, { offline_admitted: true })))
    }
    // A second use of the first of them, later: the first has the right.
    await a.desk.scan('ALONE-0', { offline_admitted: true, checkpoint: 'b-in' })
    assert.equal(a.claims.queueLength(), ALONE)
    a.heard = true
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

  /** What a box asks for when somebody stands there. */
  const wantedBy = ({ desk }: ClaimsBox, code: string, scanId: string) => {
    const right = { ticket: desk.deps.tickets.named(code, desk.deps.codes)?.ref ?? '', slot: 'arena' }
    return { scanId, right, checkpoint: 'a-in', at: desk.now, hlc: '1.0', occurrence: 1 }
  }
  /** The voters have answered, and the power goes before anything is written. */
  const askAndDie = async (box: ClaimsBox, code: string, scanId: string) => {
    const { confidence } = await box.claims.secure(() => wantedBy(box, code, scanId))
    assert.equal(confidence, 'confirmed')
    world.restart(box)
  }
  const verdictAt = async ({ desk }: ClaimsBox, code: string) => (await desk.scan(code)).verdict

  it('give back, when they are there again, what they had asked for and not written', async () => {
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

  it('do not take back a scan that was resent at another box and admitted there', async () => {
    const [a, b, c] = boxes
    const scan = a.desk.scanOf('X-23')
    await askAndDie(a, 'X-23', scan.scan_id)
    const resent = JSON.parse(await b.desk.text(scan))
    assert.deepEqual([resent.verdict, resent.confidence], ['ADMIT', 'confirmed'])
    assert.equal(await verdictAt(a, 'X-23'), 'ALREADY_USED')
    await world.answers(a)
    for (const box of [a, c]) assert.equal(await verdictAt(box, 'X-23'), 'ALREADY_USED')
  })

  it('do not take back at another box what was admitted here, when it dies over the same scan', async () => {
    const [a, b, c] = boxes
    const scan = a.desk.scanOf('X-24')
    assert.equal(JSON.parse(await a.desk.text(scan)).verdict, 'ADMIT')
    await askAndDie(b, 'X-24', scan.scan_id)
    assert.equal(await verdictAt(b, 'X-24'), 'ALREADY_USED')
    await world.answers(b)
    for (const box of [b, c]) assert.equal(await verdictAt(box, 'X-24'), 'ALREADY_USED')
  })

  it('give back a scan that two of them died over', async () => {
    const [a, b, c] = boxes
    await askAndDie(a, 'X-25', 'lost 25')
    await askAndDie(b, 'X-25', 'lost 25')
    await until(async () => {
      for (const box of [b, a]) await world.answers(box)
      return (await verdictAt(c, 'X-25')) === 'ADMIT'
    }, 'it is admitted at C')
  })

  it('give back for themselves alone what was used for nothing here, and for all what was undone', async () => {
    const [a, b, c] = boxes
    const scan = a.desk.scanOf('X-26')
    {
      using secured = await a.claims.secure(() => wantedBy(a, 'X-26', scan.scan_id))
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

  it('answer a scan that is resent at another box as the same scan', async () => {
    const [a, b] = boxes
    const scan = a.desk.scanOf('X-5')
    assert.equal(JSON.parse(await a.desk.text(scan)).verdict, 'ADMIT')
    assert.equal(JSON.parse(await b.desk.text(scan)).verdict, 'ADMIT')
  })

  it('keep a supervisor from admitting what was used elsewhere meanwhile, and let one who has read so', async () => {
    const [a, b] = boxes
    const wrongGate = a.desk.scanOf('X-6', { checkpoint: 'late-in' })
    const refusal = JSON.parse(await a.desk.text(wrongGate))
    assert.notEqual(refusal.verdict, 'ADMIT')
    assert.equal((await b.desk.scan('X-6')).verdict, 'ADMIT')
    const all = { ...device, checkpoints: new Set(a.desk.event.checkpointById.keys()) }
    await assert.rejects(supervisorAdmit(wrongGate.scan_id, why, all, a.desk.deps), /another gate since that scan/)
    const second = a.desk.scanOf('X-6')
    assert.equal(JSON.parse(await a.desk.text(second)).verdict, 'ALREADY_USED')
    assert.equal(JSON.parse(await supervisorAdmit(second.scan_id, why, all, a.desk.deps)).verdict, 'ADMIT')
    assert.equal(a.claims.queueLength(), 0)
  })

  it('never refuse what was only not answered, and know their own claim when it was carried out late', async () => {
    const [a, b, c] = boxes
    const scan = a.desk.scanOf('X-7')
    for (const box of [b, c]) await stop(box)
    const before = performance.now()
    const verdict = JSON.parse(await a.desk.text(scan))
    const took = performance.now() - before
    for (const { engine } of [b, c]) process.kill(engine.pid ?? 0, 'SIGCONT')
    assert.deepEqual([verdict.verdict, verdict.confidence], ['ADMIT', 'provisional'])
    assert.ok(took > 500, `${took} ms: the voters were asked, and waited for`)
    assert.deepEqual(a.found.slice(-1), ['gave up'])
    await world.answers(a)
    assert.equal((await b.desk.scan('X-7')).verdict, 'ALREADY_USED')
    assert.equal((await a.desk.scan('X-7')).verdict, 'ALREADY_USED')
  })

  it('admit unconfirmed where what stands there cannot be read', async () => {
    const [a] = boxes
    const ref = a.desk.deps.tickets.named('X-9', a.desk.deps.codes)?.ref ?? ''
    const subject = claimNames(Buffer.from(a.desk.tag).toString('hex'), a.engine.epoch).claimOf(ref, 'arena')
    await a.engine.bulk.request(subject, 'what is this?', { timeout: 10_000 })
    const verdict = await a.desk.scan('X-9')
    assert.deepEqual([verdict.verdict, verdict.confidence], ['ADMIT', 'provisional'])
    assert.match(verdict.reason, /cannot be read/)
    assert.equal((await a.desk.scan('X-9')).verdict, 'ALREADY_USED')
    assert.equal(a.found.at(-1), 'answered', 'the voters are there')
    await world.answers(a)
    const { verdict: elsewhere } = await boxes[1].desk.scan('X-9')
    assert.equal(elsewhere, 'ALREADY_USED', 'written over with what happened')
  })

  it('tell a new core everything that they know before they believe it', async () => {
    const [a, b] = boxes
    for (const box of boxes) {
      const { engine } = box
      // As after another arrangement of voters.
      const next = { ...engine, epoch: 2 }
      box.claims = replaced(box, next)
      box.desk.deps.claim = box.claims
    }
    assert.equal(a.claims.isFilled(), false)
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

  function replaced(box: ClaimsBox, engine: ClaimsBox['engine']) {
    const { desk, id, found } = box
    return new (box.claims.constructor as new (deps: unknown) => ClaimsBox['claims'])({
      ...{ boxId: id, event: desk.event, eventTag: Buffer.from(desk.tag).toString('hex') },
      ...{ ledger: desk.deps.ledger, tickets: desk.deps.tickets, engine: () => engine },
      ...{ mode: () => 'STRICT', isHeard: () => true, why: () => 'x', monotonic: () => performance.now() },
      hearing: { answered: () => found.push('answered'), silence: () => found.push('silence'), gaveUp: () => {} },
    })
  }
})

describe('two boxes', { skip: whyNot }, () => {
  let world: ClaimsWorld
  before(async () => {
    world = await ClaimsWorld.open(2, ['A,once', 'B,once', 'C,once', 'D,once'])
  })
  after(() => world?.[Symbol.asyncDispose]())

  it('have one that decides, and the other asks it', async () => {
    const [authority, leaf] = world.boxes as unknown as [ClaimsBox, ClaimsBox]
    assert.deepEqual([authority.engine.replicas, authority.engine.isCore, leaf.engine.isCore], [1, true, false])
    const verdicts = await Promise.all([authority, leaf].map(({ desk }) => desk.scan('A')))
    assert.deepEqual(verdicts.map(({ verdict }) => verdict).sort(), ['ADMIT', 'ALREADY_USED'])
    assert.ok(verdicts.every(({ confidence }) => confidence === 'confirmed'))
  })

  it('go on without each other, each in its own way, and agree afterwards', async () => {
    const [authority, leaf] = world.boxes as unknown as [ClaimsBox, ClaimsBox]
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

  it('give back what the one without a vote had asked for and not written', async () => {
    const [authority, leaf] = world.boxes as unknown as [ClaimsBox, ClaimsBox]
    const right = { ticket: leaf.desk.deps.tickets.named('D', leaf.desk.deps.codes)?.ref ?? '', slot: 'arena' }
    const wanted = { scanId: 'lost', right, checkpoint: 'a-in', at: leaf.desk.now, hlc: '1.0', occurrence: 1 }
    assert.equal((await leaf.claims.secure(() => wanted)).confidence, 'confirmed')
    world.restart(leaf)
    assert.equal((await authority.desk.scan('D')).verdict, 'ALREADY_USED')
    await until(async () => {
      await world.answers(leaf)
      return (await authority.desk.scan('D')).verdict === 'ADMIT'
    }, 'it is admitted where the vote is')
  })
})
