/** One export with every box's log: what the stranger says of it, and of every way to change it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { recordEvent } from '../src/event/recorded.ts'
import { act, report } from '../src/incidents/incidents.ts'
import { boxes } from '../src/ledger/schema.ts'
import { createLogger } from '../src/log.ts'
import { Witness } from '../src/mesh/cosign/witness.ts'
import { PeerSeals } from '../src/mesh/spread/peer-seals.ts'
import { exportChunks } from '../src/seal/export.ts'
import { Sealer } from '../src/seal/sealer.ts'
import { originOf, signingKey, verifierKey } from '../src/seal/verifier-key.ts'
import { verifyExport } from '../verify-export.ts'
import { Hearing } from './hearing.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const logger = createLogger('silent')
const now = () => NOON
const BOXES = [0, 1, 2]
const originOfBox = (i: number) => originOf('test-fair', `box-${i}`)
const logKeyOf = (i: number) => signingKey(Buffer.alloc(32, i + 1))
const keyOf = (i: number) => verifierKey(originOfBox(i), logKeyOf(i))

let hearing: Hearing
let file: Buffer
before(async () => {
  hearing = await Hearing.open({ boxes: BOXES.length, now: NOON })
  for (const [i, desk] of hearing.desks.entries()) {
    const { ledger } = desk.deps
    for (const j of BOXES) {
      const row = { id: `box-${j}`, name: `Box ${j}`, logKey: keyOf(j) }
      ledger.db.drizzle.insert(boxes).values(row).onConflictDoUpdate({ target: boxes.id, set: row }).run()
    }
    await recordEvent(desk.event, `box-${i}`, ledger)
  }
  await hearing.import(['T-0,once', 'T-1,once', 'T-2,reentry'])
  for (const desk of hearing.desks) desk.mode = 'DEGRADED'
  for (const desk of hearing.desks) {
    desk.now += 1000
    await desk.scan('T-0')
  }
  await hearing.desk(1).scan('T-2', { offline_admitted: true })
  await hearing.desk(2).scan('T-1')
  await hearing.settle()
  // Each seals, and signs what the others have sealed.
  const sealers = hearing.desks.map(
    ({ deps: { ledger } }, i) => new Sealer({ ledger, origin: originOfBox(i), signingKey: logKeyOf(i), logger, now }),
  )
  for (const round of [0, 1]) {
    for (const i of BOXES) {
      const { note } = (await sealers[i]?.seal()) ?? assert.fail()
      await hearing.settle()
      for (const j of BOXES) {
        if (j === i) continue
        const { ledger } = hearing.desk(j).deps
        const witness = new Witness({ ledger, origin: originOfBox(j), logKey: logKeyOf(j), logger, now })
        const seals = new PeerSeals({ ledger, logger, now, onKept: () => {}, witness })
        seals.take(`box-${i}`, note)
        await seals.check(`box-${i}`)
      }
    }
    if (round === 0) {
      await hearing.desk(1).scan('T-2', { checkpoint: 'a-out' })
      await hearing.desk(2).scan('T-1')
    }
    await hearing.settle()
  }
  const { ledger } = hearing.desk(0).deps
  const seal = (await sealers[0]?.seal()) ?? assert.fail()
  const cover = {
    origin: originOfBox(0),
    signingKey: logKeyOf(0),
    software: 'gatehouse/0',
    madeAt: NOON,
    size: seal.size,
  }
  file = Buffer.concat([...exportChunks(ledger.db, cover)])
})
after(() => hearing[Symbol.dispose]())

const check = (bytes: Uint8Array, otherKeys: readonly string[] = []) =>
  verifyExport([bytes], { key: keyOf(0), otherKeys })
const linesOf = (bytes: Buffer) => bytes.toString().trimEnd().split('\n')
const fileOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''))
const kinds = (bytes: Uint8Array, otherKeys: readonly string[] = []) =>
  check(bytes, otherKeys).problems.map(({ kind }) => kind)

describe('an export of a box that has heard others', () => {
  it('has every log, each seal held against its entries, and counts people over all boxes', () => {
    const findings = check(file, [keyOf(1), keyOf(2)])
    assert.deepEqual(findings.problems, [])
    assert.ok(findings.genuine)
    assert.deepEqual(
      findings.others.map(({ box, known, entries, sealed }) => [box, known, entries > 0, sealed > 0]),
      [
        ['box-1', true, true, true],
        ['box-2', true, true, true],
      ],
    )
    assert.ok(findings.others.some(({ witnesses }) => witnesses.length > 0))
    const { people, flags, mesh } = findings.report as unknown as {
      people: object
      flags: { scans: string[]; kind: string }[]
      mesh: {
        provisional: number
        boxes: object[]
        double_uses: { order: string; records: { box: string; checkpoint: string; confidence: string }[] }[]
        cosigned: { box: string; witness: string }[]
      }
    }
    assert.deepEqual(people, { arrived: 5, left: 1, inside: 4, tickets: 3, without_ticket: 0 })
    assert.deepEqual(
      flags.map(({ kind, scans }) => [kind, scans.length]),
      [['double_use', 3]],
    )
    assert.equal(mesh.provisional, 6)
    assert.equal(mesh.boxes.length, 2)
    assert.deepEqual(
      mesh.double_uses.map(({ order, records }) => [order, ...records.map(({ box, confidence }) => [box, confidence])]),
      [['uncertain', ['box-0', 'provisional'], ['box-1', 'provisional'], ['box-2', 'provisional']]],
    )
    const pairs = mesh.cosigned.map(({ box, witness }) => `${box} ${witness}`)
    assert.equal(new Set(pairs).size, pairs.length)
    assert.ok(pairs.includes('box-0 box-1') && pairs.includes('box-2 box-0'), pairs.join())
  })

  it('says what was done about an incident that was heard of later than that', async () => {
    using three = await Hearing.open({ boxes: 3, now: NOON })
    for (const [i, desk] of three.desks.entries()) await recordEvent(desk.event, `box-${i}`, desk.deps.ledger)
    const nothing = { lanes: { queue: () => null }, rateOf: () => 0, occupancyOf: () => null, random: randomBytes }
    const depsOf = (i: number) => ({
      ...{ ledger: three.desk(i).deps.ledger, event: three.desk(i).event, now: () => three.desk(i).now },
      ...nothing,
    })
    const device = { id: 'd', checkpoints: new Set(three.desk(0).event.checkpointById.keys()) }
    const what = { incident_id: 'i-1', kind: 'medical', checkpoint: 'a-in' } as const
    await report({ ...what, observed_at: new Date(NOON).toISOString() }, device, depsOf(0))
    await three.hear(1, 0, 50)
    three.desk(1).now += 60_000
    await act('i-1', { action: 'resolve', actor: 'Rui', address: 'x' }, depsOf(1))
    for (const from of [1, 0]) await three.hear(2, from, 50)
    const { ledger } = three.desk(2).deps
    const sealer = new Sealer({ ledger, origin: originOfBox(2), signingKey: logKeyOf(2), logger, now })
    const { size } = (await sealer.seal()) ?? assert.fail()
    const cover = { origin: originOfBox(2), signingKey: logKeyOf(2), software: 'gatehouse/0', madeAt: NOON, size }
    const findings = verifyExport(exportChunks(ledger.db, cover), { key: keyOf(2) })
    assert.deepEqual(findings.problems, [])
    const { incidents } = findings.report as unknown as { incidents: { state: string; resolved_after: number }[] }
    assert.deepEqual(
      incidents.map(({ state, resolved_after }) => [state, resolved_after]),
      [['resolved', 60]],
    )
  })

  it('is genuine where scanners were alone, and says in which order they say that they let them in', async () => {
    using two = await Hearing.open({ boxes: 2, now: NOON })
    for (const [i, desk] of two.desks.entries()) await recordEvent(desk.event, `box-${i}`, desk.deps.ledger)
    await two.import(['T-0,once', 'T-1,once'])
    const minutes = (n: number) => NOON + n * 60_000
    const uploaded = async (i: number, code: string, { at, stood }: { at: number; stood: number }) => {
      two.desk(i).now = minutes(at)
      // As one scanner writes it, and another one.
      const observed_at = new Date(minutes(stood))
        .toISOString()
        .replace(i === 0 ? '.000Z' : 'Z', i === 0 ? '+00:00' : 'Z')
      await two.desk(i).scan(code, { offline_admitted: true, observed_at })
    }
    two.desk(0).mode = 'DEGRADED'
    two.desk(0).now = minutes(1)
    await two.desk(0).scan('T-1')
    await uploaded(1, 'T-0', { at: 10, stood: 3 })
    await uploaded(1, 'T-1', { at: 10, stood: 0 })
    await uploaded(0, 'T-0', { at: 12, stood: 0 })
    await two.settle()
    const orders = BOXES.slice(0, 2).map(async (i) => {
      const { ledger } = two.desk(i).deps
      const sealer = new Sealer({ ledger, origin: originOfBox(i), signingKey: logKeyOf(i), logger, now })
      const { size } = (await sealer.seal()) ?? assert.fail()
      const cover = { origin: originOfBox(i), signingKey: logKeyOf(i), software: 'gatehouse/0', madeAt: NOON, size }
      const findings = verifyExport(exportChunks(ledger.db, cover), { key: keyOf(i) })
      assert.deepEqual(findings.problems, [])
      const { mesh } = findings.report as unknown as {
        mesh: { double_uses: { order: string; records: { box: string; at: string }[] }[] }
      }
      return mesh.double_uses.map(({ order, records }) => [order, ...records.map(({ box, at }) => [box, at])])
    })
    const [cases, elsewhere] = await Promise.all(orders)
    const clock = (n: number) => new Date(minutes(n)).toISOString()
    const expected = [
      ['uncertain', ['box-0', clock(0)], ['box-1', clock(3)]],
      ['uncertain', ['box-1', clock(0)], ['box-0', clock(1)]],
    ]
    assert.deepEqual(cases?.toSorted(), expected)
    assert.deepEqual(elsewhere?.toSorted(), expected)
  })

  it('says which keys only the file vouches for', () => {
    const { genuine, unchecked, others } = check(file)
    assert.ok(genuine)
    assert.deepEqual(
      others.map(({ known }) => known),
      [false, false],
    )
    assert.ok(unchecked.some((what) => what.includes('box-1 has the key that the file names')))
    const stranger = verifierKey(originOfBox(1), logKeyOf(7))
    assert.ok(!check(file, [stranger]).genuine)
  })

  it('is not genuine when a line of it is gone, twice, or in another place', () => {
    const lines = linesOf(file)
    for (const [i, line] of lines.entries()) {
      const without = lines.toSpliced(i, 1)
      const twice = lines.toSpliced(i, 0, line)
      for (const changed of [without, twice]) {
        if (i === 0)
          assert.throws(() => {
            if (check(fileOf(changed)).genuine === false) throw new Error('not')
          })
        else assert.ok(!check(fileOf(changed)).genuine, `line ${i}`)
      }
      if (i > 1)
        assert.ok(
          !check(fileOf(lines.toSpliced(i - 1, 2, line, lines[i - 1] ?? ''))).genuine,
          `lines ${i - 1} and ${i}`,
        )
    }
  })

  it('is not genuine when any byte of it is another', () => {
    const long = process.env.GATEHOUSE_TEST_LONG === '1'
    const start = file.indexOf('\n') + 1
    for (let at = start; at < file.length; at += long ? 1 : 41) {
      const changed = Buffer.from(file)
      changed[at] = (changed[at] ?? 0) ^ 1
      assert.ok(!check(changed).genuine, `byte ${at}`)
    }
  })

  it('is not genuine when somebody else has heard, or has been heard, than it says', () => {
    const lines = linesOf(file)
    const header = JSON.parse(lines[0] ?? '')
    const swapped = { ...header, boxes: [header.boxes[1], header.boxes[0]] }
    assert.ok(!check(fileOf([JSON.stringify(swapped), ...lines.slice(1)])).genuine)
    const cosignature = lines.findIndex((line) => line.startsWith('{"box":') && line.includes('"witness"'))
    const other = lines[cosignature]
      ?.replace('"witness":"box-1"', '"witness":"box-2"')
      .replace('"witness":"box-0"', '"witness":"box-2"')
    assert.ok(kinds(fileOf(lines.with(cosignature, other ?? ''))).includes('cosignature'))
  })
})
