import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Desks, pull, witnessAt } from '../../../test/mesh/desks.ts'
import { sealerOf } from '../../../test/world/exported.ts'
import { eq } from '../../drizzle/core.ts'
import { boxes, contradictions, cosignatures, peerSeals } from '../../ledger/schema.ts'
import { signCheckpoint } from '../checkpoint.ts'
import { readVerifierKey } from '../note.ts'
import { signingKey, verifierKey } from '../verifier-key.ts'
import { cosign, cosignedAt } from './cosignature.ts'
import { goodCosignatures, type Witness } from './witness.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const key = signingKey(Buffer.alloc(32, 1))
const other = signingKey(Buffer.alloc(32, 2))

describe('a cosignature', () => {
  const text = 'gatehouse/demo/box-0\n3\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n'
  const name = 'gatehouse/demo/box-1'
  const line = cosign(text, { name, key }, NOON + 999)

  it('is of one witness, one checkpoint and one moment, to the second', () => {
    const by = readVerifierKey(verifierKey(name, key))
    assert.equal(cosignedAt(line, text, by), NOON / 1000)
    assert.equal(cosignedAt(line, text.replace('\n3\n', '\n4\n'), by), undefined)
    assert.equal(cosignedAt(line, text, readVerifierKey(verifierKey(name, other))), undefined)
    assert.equal(cosignedAt(line, text, readVerifierKey(verifierKey('gatehouse/demo/box-2', key))), undefined)
  })

  it('has the form of C2SP: key id of algorithm 4, eight bytes of time, the signature', () => {
    const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64')
    assert.equal(bytes.length, 76)
    assert.equal(bytes.readBigUInt64BE(4), BigInt(NOON / 1000))
    assert.notEqual(bytes.subarray(0, 4).toString('hex'), verifierKey(name, key).split('+')[1])
  })

  it('is refused when any byte of it is another', () => {
    const by = readVerifierKey(verifierKey(name, key))
    const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64')
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes)
      changed[i] = (changed[i] ?? 0) ^ 1
      assert.equal(cosignedAt(`— ${name} ${changed.toString('base64')}`, text, by), undefined, String(i))
    }
    for (const wrong of ['', '—', `- ${name} x`, `${line} more`, `— ${name} `]) {
      assert.equal(cosignedAt(wrong, text, by), undefined)
    }
  })
})

describe('a box that hears another', () => {
  let desks: Desks
  before(async () => {
    desks = await Desks.open({ boxes: 2, now: NOON })
    await desks.import(['T-0,once'])
    await desks.desk(0).scan('T-0')
    desks.settle()
  })
  after(() => desks[Symbol.dispose]())

  const sealed = async () => (await sealerOf(desks.desk(0)).seal()) ?? assert.fail()
  const witnessing = () => witnessAt(desks.desk(1))

  it('signs its seal once it has held it against its own copy, and the signature travels', async () => {
    const seal = await sealed()
    desks.settle()
    const { witness, seals } = witnessing()
    seals.take('box-0', seal.note)
    await seals.check('box-0')
    const { ledger } = desks.desk(1).deps
    const [own] = ledger.db.drizzle.select().from(cosignatures).all()
    assert.deepEqual([own?.box, own?.size, own?.witness], ['box-0', seal.size, 'box-1'])
    const { kind, size, line } = desks.desk(1).journal().at(-1) ?? {}
    assert.deepEqual([kind, size, line], ['cosign', seal.size, own?.line])
    pull(desks.desk(0), desks.desk(1))
    const good = goodCosignatures(desks.desk(0).deps.ledger, 'box-0')
    assert.deepEqual(
      good.map(({ witness, line }) => [witness, line]),
      [['box-1', own?.line]],
    )
    assert.deepEqual(witness.contradictions(), [])
  })

  it('does not sign what says only that others were heard: that would never end', async () => {
    desks.settle()
    const before = desks.desk(0).deps.ledger.size
    await desks.desk(1).scan('T-0')
    desks.settle()
    assert.ok(desks.desk(0).deps.ledger.size > before)
    const { seals } = witnessing()
    const entries = desks.desk(1).deps.ledger.size
    seals.take('box-0', (await sealed()).note)
    desks.settle()
    await seals.check('box-0')
    assert.ok(
      desks
        .desk(1)
        .journal()
        .slice(entries)
        .every(({ kind }) => kind === 'heard'),
    )
  })

  it('says aloud when a seal is of other entries, or there are two of one size, and signs neither', async () => {
    const { origin, logKey } = desks.desk(0).deps.keys
    const { drizzle } = desks.desk(1).deps.ledger.db
    const [kept] = drizzle.select().from(peerSeals).all()
    const signatures = drizzle.select().from(cosignatures).all().length
    const forged = (size: number) => signCheckpoint({ size, root: Buffer.alloc(32, 7) }, { name: origin, key: logKey })
    const first = witnessing()
    first.seals.take('box-0', forged(kept?.size ?? 0))
    assert.deepEqual(
      first.witness.contradictions().map(({ why, box }) => [why, box]),
      [['two_seals', 'box-0']],
    )
    for (let i = 0; i < 3; i++) await desks.desk(0).scan('T-0')
    desks.settle()
    await desks.desk(1).deps.ledger.commit(() => {})
    const second = witnessing()
    const heard = drizzle.select().from(boxes).where(eq(boxes.id, 'box-0')).get()?.heard ?? 0
    second.seals.take('box-0', forged(heard))
    await second.seals.check('box-0')
    const whys = (witness: Witness) => witness.contradictions().map(({ why }) => why)
    // The finding of the first one was written down: the process may end.
    assert.deepEqual(whys(second.witness), ['two_seals', 'root'])
    await desks.desk(1).deps.ledger.commit(() => {})
    const third = witnessing()
    third.seals.take('box-0', signCheckpoint({ size: 900, root: Buffer.alloc(32) }, { name: origin, key: other }))
    assert.deepEqual(whys(third.witness), ['two_seals', 'root', 'signature'])
    await desks.desk(1).deps.ledger.commit(() => {})
    // The same again is no news.
    third.seals.take('box-0', forged(kept?.size ?? 0))
    assert.equal(whys(third.witness).length, 3)
    assert.deepEqual(
      drizzle
        .select()
        .from(contradictions)
        .all()
        .map(({ why, note }) => [why, note === forged(kept?.size ?? 0)]),
      [
        ['two_seals', true],
        ['root', false],
        ['signature', false],
      ],
    )
    assert.equal(drizzle.select().from(cosignatures).all().length, signatures)
  })
})
