import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Attendance } from '@gatehouse/proto/wire/seal.ts'
import fc from 'fast-check'
import { signCheckpoint } from '../../../../box/src/seal/checkpoint.ts'
import { hashesOver, inclusionProof, leafHash, rootOf } from '../../../../box/src/seal/merkle.ts'
import { signNote } from '../../../../box/src/seal/note.ts'
import { signingKey, verifierKey } from '../../../../box/src/seal/verifier-key.ts'
import { proofHolds } from './proof.ts'

const NAME = 'gatehouse/harbour-26/box-1a2b3c4d'
const key = signingKey(Buffer.alloc(32, 7))
const vkey = verifierKey(NAME, key)
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** The answer of a box with `size` entries about those at `indexes`. */
function attendance(size: number, indexes: readonly number[], signer = { name: NAME, key }): Attendance {
  const entry = (index: number) => Buffer.from(`{"index":${index}}`)
  const range = hashesOver((index) => leafHash(entry(index)))
  return {
    attended: true,
    checkpoint: signCheckpoint({ size, root: rootOf(size, range) }, signer),
    entries: indexes.map((index) => ({
      index,
      size,
      entry: base64(entry(index)),
      leaf_hash: base64(leafHash(entry(index))),
      proof: inclusionProof(index, size, range).map(base64),
    })),
  }
}

test("the box's own proofs hold, for every entry of every small tree", async () => {
  for (let size = 1; size <= 20; size += 1)
    for (let index = 0; index < size; index += 1)
      assert.ok(await proofHolds(attendance(size, [index]), vkey), `${index} of ${size}`)
  assert.ok(await proofHolds(attendance(7, []), vkey))
})

test('nothing holds from which anything was taken or changed', async () => {
  const indexes = fc.integer({ min: 2, max: 30 }).chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)))
  const change = fc.constantFrom<(answer: Attendance, entry: Attendance['entries'][number]) => void>(
    (_, entry) => (entry.entry = base64(Buffer.from('{"index":99}'))),
    (_, entry) => (entry.index += 1),
    (_, entry) => (entry.size += 1),
    (_, entry) => entry.proof.pop(),
    (_, entry) => entry.proof.push(entry.leaf_hash),
    (_, entry) => entry.proof.unshift(entry.leaf_hash),
    (_, entry) => (entry.proof[0] = 'AAAA'),
    (_, entry) => (entry.entry = 'not base64'),
    (answer) => (answer.checkpoint = answer.checkpoint.replace(/\n\d+\n/, '\n9999\n')),
    (answer) => (answer.checkpoint = answer.checkpoint.slice(0, -1)),
    (answer) => (answer.checkpoint += `— ${NAME} AAAA\n`),
    (answer) => (answer.checkpoint = ''),
  )
  await fc.assert(
    fc.asyncProperty(indexes, change, async ([size, index], apply) => {
      const answer = attendance(size, [index])
      const [entry] = answer.entries
      assert.ok(entry)
      apply(answer, entry)
      assert.equal(await proofHolds(answer, vkey), false)
    }),
  )
})

test("another box's key, another key under this name, and no key at all prove nothing", async () => {
  const answer = attendance(5, [2])
  const other = signingKey(Buffer.alloc(32, 8))
  assert.equal(await proofHolds(answer, verifierKey('gatehouse/harbour-26/box-00000000', key)), false)
  assert.equal(await proofHolds(answer, verifierKey(NAME, other)), false)
  assert.equal(await proofHolds(attendance(5, [2], { name: NAME, key: other }), vkey), false)
  assert.equal(await proofHolds(answer, 'no key'), false)
  // The box's key, over a checkpoint of another log.
  const lines = answer.checkpoint.split('\n')
  const elsewhere = signNote(`gatehouse/other/box-1a2b3c4d\n${lines[1]}\n${lines[2]}\n`, { name: NAME, key })
  assert.equal(await proofHolds({ ...answer, checkpoint: elsewhere }, vkey), false)
})
