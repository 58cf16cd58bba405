/** An export with every box's log in the outside verifier: genuine as it is, and not after any change. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ExportedCases } from '../../src/seal/export/exported-cases.ts'
import { signNote } from '../../src/seal/note.ts'
import { signingKey, verifierKey } from '../../src/seal/verifier-key.ts'
import { canonical, type Fields, type Findings, verifyExport } from '../../verify-export.ts'
import { Desks, pull, witnessAt } from '../mesh/desks.ts'
import { CasesAgain } from '../world/cases-again.ts'
import { Control } from '../world/control.ts'
import type { Desk } from '../world/desk.ts'
import { exportOf, sealerOf } from '../world/exported.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const BOXES = [0, 1, 2]
const keysOf = (i: number) => desks.desk(i).deps.keys
const keyOf = (i: number) => keysOf(i).logVerifierKey

let desks: Desks
let file: Buffer
before(async () => {
  desks = await Desks.open({ boxes: BOXES.length, now: NOON })
  await desks.import(['T-0,once', 'T-1,once', 'T-2,reentry'])
  for (const desk of desks.all) desk.mode = 'DEGRADED'
  for (const desk of desks.all) {
    desk.now += 1000
    await desk.scan('T-0')
  }
  await desks.desk(1).scan('T-2', { offline_admitted: true })
  await desks.desk(2).scan('T-1')
  desks.settle()
  // Each seals, and signs what the others have sealed.
  const sealers = desks.all.map(sealerOf)
  for (const round of [0, 1]) {
    for (const [i, sealer] of sealers.entries()) {
      const { note } = (await sealer.seal()) ?? assert.fail()
      desks.settle()
      for (const [j, other] of desks.all.entries()) {
        if (j === i) continue
        const { seals } = witnessAt(other)
        seals.take(`box-${i}`, note)
        await seals.check(`box-${i}`)
      }
    }
    if (round === 0) {
      await desks.desk(1).scan('T-2', { checkpoint: 'a-out' })
      await desks.desk(2).scan('T-1')
    }
    desks.settle()
  }
  file = (await exportOf(desks.desk(0), sealers[0])).file
})
after(() => desks[Symbol.dispose]())

const check = (bytes: Uint8Array, otherKeys: readonly string[] = []) =>
  verifyExport([bytes], { key: keyOf(0), otherKeys })

/** Findings without a problem, of a report whose cases equal those that are computed a second time here. */
function agreed(bytes: Uint8Array, key: string, otherKeys: readonly string[] = []): Findings {
  const options = { key, otherKeys }
  const again = new CasesAgain()
  const findings = verifyExport([bytes], { ...options, follow: () => again.add })
  assert.deepEqual(findings.problems, [])
  const { flags = [], incidents = [], holds = [], mesh } = findings.report
  const { double_uses = [] } = mesh as Fields
  assert.equal(canonical({ flags, incidents, holds, double_uses }), canonical({ ...again.rows() }))
  const cases = new ExportedCases()
  assert.ok(cases.checked(verifyExport([bytes], { ...options, follow: cases.follow })).genuine)
  return findings
}
const linesOf = (bytes: Buffer) => bytes.toString().trimEnd().split('\n')
const fileOf = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''))
const kinds = (bytes: Uint8Array, otherKeys: readonly string[] = []) =>
  check(bytes, otherKeys).problems.map(({ kind }) => kind)

describe('an export of a box that has replicated others', () => {
  it('has every log, checks each seal against its entries, and counts people over all boxes', () => {
    const findings = agreed(file, keyOf(0), [keyOf(1), keyOf(2)])
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

  it('lists an action on an incident that was replicated before the incident', async () => {
    using three = await Desks.open({ boxes: 3, now: NOON })
    const [first, second, third] = three.all as [Desk, Desk, Desk]
    await new Control(first).report()
    pull(second, first)
    second.now += 60_000
    await new Control(second).act('i-1', { action: 'resolve' })
    for (const from of [second, first]) pull(third, from)
    const findings = agreed((await exportOf(third)).file, third.deps.keys.logVerifierKey)
    const { incidents } = findings.report as unknown as { incidents: { state: string; resolved_after: number }[] }
    assert.deepEqual(
      incidents.map(({ state, resolved_after }) => [state, resolved_after]),
      [['resolved', 60]],
    )
  })

  it('is genuine with offline admissions, and lists them in the order that the scanners report', async () => {
    using two = await Desks.open({ boxes: 2, now: NOON })
    await two.import(['T-0,once', 'T-1,once'])
    const minutes = (n: number) => NOON + n * 60_000
    const uploaded = async (i: number, code: string, { at, stood }: { at: number; stood: number }) => {
      two.desk(i).now = minutes(at)
      // In the two spellings that scanners use.
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
    two.settle()
    const orders = two.all.map(async (desk) => {
      const findings = agreed((await exportOf(desk)).file, desk.deps.keys.logVerifierKey)
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

  it('is refused when its report changes the order of a double use', () => {
    const lines = linesOf(file)
    const report = JSON.parse(lines.at(-2) ?? '')
    report.mesh.double_uses[0].order = 'certain'
    const changed = canonical(report)
    const digest = createHash('sha256').update(changed).digest('hex')
    const { note } = JSON.parse(lines.at(-1) ?? '')
    const text = note.slice(0, note.lastIndexOf('\n\n') + 1).replace(/sha256 .*/, `sha256 ${digest}`)
    const signed = canonical({ note: signNote(text, { name: keysOf(0).origin, key: keysOf(0).logKey }) })
    const cases = new ExportedCases()
    const forged = fileOf([...lines.slice(0, -2), changed, signed])
    const { genuine, problems } = cases.checked(verifyExport([forged], { key: keyOf(0), follow: cases.follow }))
    assert.ok(!genuine)
    assert.match(problems[0]?.detail ?? '', /^double_uses: /)
  })

  it('says which keys are known from the file only', () => {
    const { genuine, unchecked, others } = check(file)
    assert.ok(genuine)
    assert.deepEqual(
      others.map(({ known }) => known),
      [false, false],
    )
    assert.ok(unchecked.some((what) => what.includes('box-1 has the key that the file names')))
    const stranger = verifierKey(keysOf(1).origin, signingKey(Buffer.alloc(32, 7)))
    assert.ok(!check(file, [stranger]).genuine)
  })

  it('is not genuine when a line is missing, doubled or moved', () => {
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

  it('is not genuine when any byte is changed', () => {
    const long = process.env.GATEHOUSE_TEST_LONG === '1'
    const start = file.indexOf('\n') + 1
    for (let at = start; at < file.length; at += long ? 1 : 41) {
      const changed = Buffer.from(file)
      changed[at] = (changed[at] ?? 0) ^ 1
      assert.ok(!check(changed).genuine, `byte ${at}`)
    }
  })

  it('is not genuine when the boxes in its header are changed', () => {
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
