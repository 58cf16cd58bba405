import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { signCheckpoint } from '../seal/checkpoint.ts'
import { hashesOver, leafHash, rootOf } from '../seal/merkle.ts'
import { verifierKey } from '../seal/verifier-key.ts'
import { growAndCheck, keepTree, openTree } from './seal-check.ts'

const NAME = 'gatehouse/fair/box-1'
const key = generateKeyPairSync('ed25519').privateKey
const VERIFIER = verifierKey(NAME, key)

function sealOf(entries: readonly string[], size: number, more: { root?: Uint8Array; name?: string } = {}) {
  const leaves = entries.map((entry) => leafHash(Buffer.from(entry)))
  const {
    root = rootOf(
      size,
      hashesOver((i) => leaves[i] as Buffer),
    ),
    name = NAME,
  } = more
  return { size, root: `\\x${Buffer.from(root).toString('hex')}`, note: signCheckpoint({ size, root }, { name, key }) }
}

describe('seals against the tree that HQ grows', () => {
  it('are good for every size, in whatever portions the entries come, over restarts', () => {
    const cases = fc.array(fc.string(), { minLength: 1, maxLength: 40 }).chain((entries) =>
      fc.record({
        entries: fc.constant(entries),
        sizes: fc.uniqueArray(fc.integer({ min: 1, max: entries.length }), { minLength: 1 }),
        cuts: fc.array(fc.integer({ min: 0, max: entries.length }), { maxLength: 4 }),
      }),
    )
    fc.assert(
      fc.property(cases, ({ entries, sizes, cuts }) => {
        const seals = sizes.map((size) => sealOf(entries, size))
        const edges = [0, ...cuts.sort((a, b) => a - b), entries.length]
        let kept = keepTree(openTree([]))
        const found = new Map<number, string>()
        edges.slice(1).forEach((end, i) => {
          const tree = openTree(kept)
          for (const { size, verdict } of growAndCheck(tree, entries.slice(edges[i], end), seals, VERIFIER))
            found.set(size, verdict)
          kept = JSON.parse(JSON.stringify(keepTree(tree)))
        })
        assert.deepEqual(
          [...found.values()],
          sizes.map(() => 'good'),
        )
      }),
    )
  })

  it('are bad where another entry was sealed, another root signed, or another key or log has signed', () => {
    const entries = ['a', 'b', 'c']
    const kindOf = (seal: ReturnType<typeof sealOf>, verifier = VERIFIER) =>
      growAndCheck(openTree([]), entries, [seal], verifier)[0]?.failure?.kind
    const good = sealOf(entries, 2)
    assert.equal(kindOf(good), undefined)
    assert.equal(kindOf(sealOf(['a', 'B', 'c'], 2)), 'seal_root')
    assert.equal(kindOf({ ...good, root: sealOf(entries, 3).root }), 'seal_forged')
    assert.equal(kindOf({ ...good, size: 3 }), 'seal_forged')
    assert.equal(kindOf(good, verifierKey(NAME, generateKeyPairSync('ed25519').privateKey)), 'seal_forged')
    assert.equal(kindOf(sealOf(entries, 2, { name: 'gatehouse/fair/box-2' })), 'seal_forged')
    assert.equal(kindOf({ ...good, note: good.note.replace('\n2\n', '\n3\n') }), 'seal_forged')
    assert.deepEqual(growAndCheck(openTree([]), entries, [sealOf([...entries, 'd'], 4)], VERIFIER), [])
  })
})
