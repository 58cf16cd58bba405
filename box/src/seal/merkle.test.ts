import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  consistencyProof,
  EMPTY_ROOT,
  hashesOver,
  inclusionProof,
  leafHash,
  nodeHash,
  ProofError,
  type ProofFailure,
  type RangeHash,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts'

const FIXTURES = new URL('../../../../shared/fixtures/merkle/inclusion/', import.meta.url)
const MOST = 130

const leaves = Array.from({ length: MOST }, (_, i) => leafHash(Buffer.from(`entry ${i}`)))
const range = remembered(hashesOver((index) => leaves[index] ?? assert.fail(`no leaf ${index}`)))
const roots = Array.from({ length: MOST + 1 }, (_, size) => rootOf(size, range))
const root = (size: number) => roots[size] ?? assert.fail(`no root ${size}`)
const leaf = (index: number) => leaves[index] ?? assert.fail(`no leaf ${index}`)

/** Each hash is worked out once. */
function remembered(range: RangeHash): RangeHash {
  const known = new Map<string, Uint8Array>()
  return (start, end) => {
    const hash = known.get(`${start} ${end}`) ?? range(start, end)
    known.set(`${start} ${end}`, hash)
    return hash
  }
}

function failureOf(check: () => void): ProofFailure | 'holds' {
  try {
    check()
    return 'holds'
  } catch (error) {
    if (error instanceof ProofError) return error.code
    throw error
  }
}

/** Another hash than the one given: one bit of it is another. */
function flipped(hash: Uint8Array, bit: number): Uint8Array {
  return hash.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
}

describe('the tree', () => {
  it('hashes as RFC 6962 says: a leaf, a node and nothing each in their own way', () => {
    const sha256 = (hex: string) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')
    assert.equal(EMPTY_ROOT.toString('hex'), sha256(''))
    assert.equal(leafHash(Buffer.alloc(0)).toString('hex'), sha256('00'))
    assert.equal(leafHash(Buffer.from('4c', 'hex')).toString('hex'), sha256('004c'))
    assert.equal(
      nodeHash(Buffer.alloc(32, 0xaa), Buffer.alloc(32, 0xbb)).toString('hex'),
      sha256(`01${'aa'.repeat(32)}${'bb'.repeat(32)}`),
    )
  })

  it('has the shape of the example in RFC 6962, 2.1.3', () => {
    const [d0, d1, d2, d3, d4, d5, d6] = leaves as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]
    const [g, h, i] = [nodeHash(d0, d1), nodeHash(d2, d3), nodeHash(d4, d5)]
    const [k, l] = [nodeHash(g, h), nodeHash(i, d6)]
    assert.deepEqual(root(7), nodeHash(k, l))
    assert.deepEqual(inclusionProof(0, 7, range), [d1, h, l])
    assert.deepEqual(inclusionProof(3, 7, range), [d2, g, l])
    assert.deepEqual(inclusionProof(4, 7, range), [d5, d6, k])
    assert.deepEqual(inclusionProof(6, 7, range), [i, k])
    assert.deepEqual(consistencyProof(3, 7, range), [d2, d3, g, l])
    assert.deepEqual(consistencyProof(4, 7, range), [l])
    assert.deepEqual(consistencyProof(6, 7, range), [i, d6, k])
  })

  it('asks only for ranges that are subtrees', () => {
    const asked: [number, number][] = []
    const spy = (start: number, end: number) => {
      asked.push([start, end])
      return range(start, end)
    }
    for (let size = 1; size <= MOST; size++) {
      for (let index = 0; index < size; index++) {
        inclusionProof(index, size, spy)
        consistencyProof(index, size, spy)
      }
    }
    for (const [start, end] of asked) {
      assert.ok(start < end && start % 2 ** Math.ceil(Math.log2(end - start)) === 0, `${start}..${end}`)
    }
  })
})

describe('inclusion', () => {
  it(`is proven for every entry of every size up to ${MOST}, and for no other place`, () => {
    for (let size = 1; size <= MOST; size++) {
      for (let index = 0; index < size; index++) {
        const proof = inclusionProof(index, size, range)
        verifyInclusion({ index, size, leafHash: leaf(index), root: root(size) }, proof)
        const other = (index + 1) % MOST
        const elsewhere = () => verifyInclusion({ index: other, size, leafHash: leaf(index), root: root(size) }, proof)
        if (size > 1) assert.notEqual(failureOf(elsewhere), 'holds', `${index} of ${size} as ${other}`)
      }
    }
  })

  const place = fc
    .integer({ min: 1, max: MOST })
    .chain((size) => fc.record({ size: fc.constant(size), index: fc.nat({ max: size - 1 }) }))

  it('is refused when a bit of entry, root or proof is another', () => {
    fc.assert(
      fc.property(place, fc.nat(), fc.nat({ max: 255 }), ({ size, index }, which, bit) => {
        const hashes = [leaf(index), root(size), ...inclusionProof(index, size, range)]
        const spoilt = hashes.map((hash, i) => (i === which % hashes.length ? flipped(hash, bit) : hash))
        const [spoiltLeaf, spoiltRoot, ...proof] = spoilt as [Uint8Array, Uint8Array]
        const check = () => verifyInclusion({ index, size, leafHash: spoiltLeaf, root: spoiltRoot }, proof)
        assert.equal(failureOf(check), 'wrong_root')
      }),
    )
  })

  it('is refused, by name, when the proof has a hash too many or too few', () => {
    fc.assert(
      fc.property(place, fc.nat(), ({ size, index }, at) => {
        const proof = inclusionProof(index, size, range)
        const check = (tampered: Uint8Array[]) =>
          failureOf(() => verifyInclusion({ index, size, leafHash: leaf(index), root: root(size) }, tampered))
        assert.equal(check(proof.toSpliced(at % (proof.length + 1), 0, leaf(0))), 'proof_too_long')
        if (proof.length > 0) assert.equal(check(proof.toSpliced(at % proof.length, 1)), 'proof_too_short')
      }),
    )
  })
})

describe('consistency', () => {
  it(`is proven for every pair of sizes up to ${MOST}`, () => {
    for (let second = 0; second <= MOST; second++) {
      for (let first = 0; first <= second; first++) {
        const proof = consistencyProof(first, second, range)
        verifyConsistency({ first, second, firstRoot: root(first), secondRoot: root(second) }, proof)
      }
    }
  })

  it('is not proven between trees of which one is not the beginning of the other', () => {
    const forged = remembered(hashesOver((index) => (index === 5 ? leaf(6) : leaf(index))))
    for (let second = 6; second <= MOST; second++) {
      for (let first = 6; first <= second; first++) {
        const claim = { first, second, firstRoot: root(first), secondRoot: rootOf(second, forged) }
        for (const proof of [consistencyProof(first, second, forged), consistencyProof(first, second, range)]) {
          assert.notEqual(
            failureOf(() => verifyConsistency(claim, proof)),
            'holds',
            `${first} of ${second}`,
          )
        }
      }
    }
  })

  const pair = fc
    .integer({ min: 2, max: MOST })
    .chain((second) => fc.record({ second: fc.constant(second), first: fc.integer({ min: 1, max: second - 1 }) }))

  it('is refused when a bit of a root or of the proof is another, a hash is missing, or one is added', () => {
    fc.assert(
      fc.property(pair, fc.nat(), fc.nat({ max: 255 }), ({ first, second }, which, bit) => {
        const hashes = [root(first), root(second), ...consistencyProof(first, second, range)]
        const check = ([firstRoot, secondRoot, ...proof]: Uint8Array[]) =>
          failureOf(() =>
            verifyConsistency(
              { first, second, firstRoot: firstRoot ?? EMPTY_ROOT, secondRoot: secondRoot ?? EMPTY_ROOT },
              proof,
            ),
          )
        assert.equal(check(hashes), 'holds')
        const spoilt = check(hashes.map((hash, i) => (i === which % hashes.length ? flipped(hash, bit) : hash)))
        assert.match(spoilt, /^wrong_/)
        const at = 2 + (which % (hashes.length - 1))
        assert.equal(check(hashes.toSpliced(at, 0, leaf(0))), 'proof_too_long')
        assert.equal(check(hashes.toSpliced(2 + (which % (hashes.length - 2)), 1)), 'proof_too_short')
      }),
    )
  })

  it('holds for nothing and for the same, and then takes no proof', () => {
    const check = (first: number, second: number, roots: [Uint8Array, Uint8Array], proof: Uint8Array[] = []) =>
      failureOf(() => verifyConsistency({ first, second, firstRoot: roots[0], secondRoot: roots[1] }, proof))
    assert.equal(check(0, 0, [EMPTY_ROOT, EMPTY_ROOT]), 'holds')
    assert.equal(check(0, 7, [EMPTY_ROOT, root(7)]), 'holds')
    assert.equal(check(7, 7, [root(7), root(7)]), 'holds')
    assert.equal(check(0, 0, [EMPTY_ROOT, root(1)]), 'wrong_root')
    assert.equal(check(0, 7, [root(1), root(7)]), 'wrong_first_root')
    assert.equal(check(7, 7, [root(6), root(7)]), 'wrong_first_root')
    assert.equal(check(0, 7, [EMPTY_ROOT, root(7)], [leaf(0)]), 'proof_too_long')
    assert.equal(check(7, 7, [root(7), root(7)], [leaf(0)]), 'proof_too_long')
  })
})

describe('what cannot be a proof', () => {
  const nonsense = [-1, 0.5, 2 ** 54, Number.NaN, Number.POSITIVE_INFINITY]

  it('is refused by name: positions that no tree has, hashes of another length', () => {
    const hash = root(1)
    for (const wrong of [...nonsense, 1]) {
      const check = () => verifyInclusion({ index: wrong, size: 1, leafHash: hash, root: hash }, [])
      assert.equal(failureOf(check), 'bad_position', `index ${wrong}`)
    }
    for (const wrong of [...nonsense, 0]) {
      const check = () => verifyInclusion({ index: 0, size: wrong, leafHash: hash, root: hash }, [])
      assert.equal(failureOf(check), 'bad_position', `size ${wrong}`)
      const claim = { first: 1, second: wrong, firstRoot: hash, secondRoot: hash }
      assert.equal(
        failureOf(() => verifyConsistency(claim, [])),
        'bad_position',
        `second ${wrong}`,
      )
    }
    for (const length of [0, 31, 33]) {
      const wrong = Buffer.alloc(length)
      const claim = { index: 0, size: 2, leafHash: hash, root: hash }
      assert.equal(
        failureOf(() => verifyInclusion({ ...claim, leafHash: wrong }, [hash])),
        'bad_hash',
      )
      assert.equal(
        failureOf(() => verifyInclusion({ ...claim, root: wrong }, [hash])),
        'bad_hash',
      )
      assert.equal(
        failureOf(() => verifyInclusion(claim, [wrong])),
        'bad_hash',
      )
      const pair = { first: 1, second: 2, firstRoot: hash, secondRoot: hash }
      assert.equal(
        failureOf(() => verifyConsistency(pair, [wrong])),
        'bad_hash',
      )
    }
  })

  it('never holds, and never ends in another error, whatever the sizes', () => {
    const size = fc.oneof(fc.nat({ max: 20 }), fc.maxSafeNat(), fc.double())
    const hashes = fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 70 })
    fc.assert(
      fc.property(size, size, hashes, (a, b, proof) => {
        const inclusion = () => verifyInclusion({ index: a, size: b, leafHash: leaf(0), root: leaf(1) }, proof)
        assert.notEqual(failureOf(inclusion), 'holds')
        const consistency = () =>
          verifyConsistency({ first: a, second: b, firstRoot: leaf(0), secondRoot: leaf(1) }, proof)
        assert.notEqual(failureOf(consistency), 'holds')
      }),
    )
  })
})

describe('the inclusion vectors of transparency-dev', () => {
  if (!existsSync(FIXTURES)) {
    it('are read', { skip: 'the fixtures are not on this machine' })
    return
  }
  for (const name of readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.json')) continue
    it(name, () => {
      const vector = JSON.parse(readFileSync(new URL(encodeURI(name).replaceAll('#', '%23'), FIXTURES), 'utf8'))
      const bytes = (text: string | null | undefined) => Buffer.from(text ?? '', 'base64')
      const claim = {
        index: vector.leafIdx,
        size: vector.treeSize,
        leafHash: bytes(vector.leafHash),
        root: bytes(vector.root),
      }
      const failure = failureOf(() => verifyInclusion(claim, (vector.proof ?? []).map(bytes)))
      assert.equal(failure !== 'holds', vector.wantErr, failure)
    })
  }
})
