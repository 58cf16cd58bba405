import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Hearing } from '../../../test/hearing.ts'
import { eq } from '../../drizzle/core.ts'
import { boxes, contradictions, cosignatures, peerSeals } from '../../ledger/schema.ts'
import { createLogger } from '../../log.ts'
import { signCheckpoint } from '../../seal/checkpoint.ts'
import { readVerifierKey } from '../../seal/note.ts'
import { Sealer } from '../../seal/sealer.ts'
import { originOf, signingKey, verifierKey } from '../../seal/verifier-key.ts'
import { PeerSeals } from '../spread/peer-seals.ts'
import { cosign, cosignedAt } from './cosignature.ts'
import { goodCosignatures, Witness } from './witness.ts'

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
  let hearing: Hearing
  const keys = [key, other]
  const origins = [0, 1].map((i) => originOf('test-fair', `box-${i}`))
  before(async () => {
    hearing = await Hearing.open({ boxes: 2, now: NOON })
    for (const desk of hearing.desks) {
      for (const i of [0, 1]) {
        const logKey = verifierKey(origins[i] ?? '', keys[i] ?? key)
        const name = `Box ${i}`
        desk.deps.ledger.db.drizzle
          .insert(boxes)
          .values({ id: `box-${i}`, name, logKey })
          .onConflictDoUpdate({ target: boxes.id, set: { logKey } })
          .run()
      }
    }
    await hearing.import(['T-0,once'])
    await hearing.desk(0).scan('T-0')
    await hearing.settle()
  })
  after(() => hearing[Symbol.dispose]())

  const logger = createLogger('silent')
  const now = () => NOON
  const sealed = async () => {
    const { ledger } = hearing.desk(0).deps
    const sealer = new Sealer({ ledger, origin: origins[0] ?? '', signingKey: key, logger, now })
    return (await sealer.seal()) ?? assert.fail()
  }
  const witnessing = () => {
    const { ledger } = hearing.desk(1).deps
    const witness = new Witness({ ledger, origin: origins[1] ?? '', logKey: other, logger, now })
    return { witness, seals: new PeerSeals({ ledger, logger, now, onKept: () => {}, witness }) }
  }

  it('signs its seal once it has held it against its own copy, and the signature travels', async () => {
    const seal = await sealed()
    await hearing.settle()
    const { witness, seals } = witnessing()
    seals.take('box-0', seal.note)
    await seals.check('box-0')
    const { ledger } = hearing.desk(1).deps
    const [own] = ledger.db.drizzle.select().from(cosignatures).all()
    assert.deepEqual([own?.box, own?.size, own?.witness], ['box-0', seal.size, 'box-1'])
    const { kind, size, line } = hearing.desk(1).journal().at(-1) ?? {}
    assert.deepEqual([kind, size, line], ['cosign', seal.size, own?.line])
    await hearing.hear(0, 1, 100)
    const good = goodCosignatures(hearing.desk(0).deps.ledger, 'box-0')
    assert.deepEqual(
      good.map(({ witness, line }) => [witness, line]),
      [['box-1', own?.line]],
    )
    assert.deepEqual(witness.contradictions(), [])
  })

  it('does not sign what says only that others were heard: that would never end', async () => {
    await hearing.settle()
    const before = hearing.desk(0).deps.ledger.size
    await hearing.desk(1).scan('T-0')
    await hearing.settle()
    assert.ok(hearing.desk(0).deps.ledger.size > before)
    const { seals } = witnessing()
    const entries = hearing.desk(1).deps.ledger.size
    seals.take('box-0', (await sealed()).note)
    await hearing.settle()
    await seals.check('box-0')
    assert.ok(
      hearing
        .desk(1)
        .journal()
        .slice(entries)
        .every(({ kind }) => kind === 'heard'),
    )
  })

  it('says aloud when a seal is of other entries, or there are two of one size, and signs neither', async () => {
    const { drizzle } = hearing.desk(1).deps.ledger.db
    const [kept] = drizzle.select().from(peerSeals).all()
    const signatures = drizzle.select().from(cosignatures).all().length
    const forged = (size: number) =>
      signCheckpoint({ size, root: Buffer.alloc(32, 7) }, { name: origins[0] ?? '', key })
    const first = witnessing()
    first.seals.take('box-0', forged(kept?.size ?? 0))
    assert.deepEqual(
      first.witness.contradictions().map(({ why, box }) => [why, box]),
      [['two_seals', 'box-0']],
    )
    for (let i = 0; i < 3; i++) await hearing.desk(0).scan('T-0')
    await hearing.settle()
    await hearing.desk(1).deps.ledger.commit(() => {})
    const second = witnessing()
    const heard = drizzle.select().from(boxes).where(eq(boxes.id, 'box-0')).get()?.heard ?? 0
    second.seals.take('box-0', forged(heard))
    await second.seals.check('box-0')
    const whys = (witness: Witness) => witness.contradictions().map(({ why }) => why)
    // What the first one found was written down: the process may end.
    assert.deepEqual(whys(second.witness), ['two_seals', 'root'])
    await hearing.desk(1).deps.ledger.commit(() => {})
    const third = witnessing()
    third.seals.take(
      'box-0',
      signCheckpoint({ size: 900, root: Buffer.alloc(32) }, { name: origins[0] ?? '', key: other }),
    )
    assert.deepEqual(whys(third.witness), ['two_seals', 'root', 'signature'])
    await hearing.desk(1).deps.ledger.commit(() => {})
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
