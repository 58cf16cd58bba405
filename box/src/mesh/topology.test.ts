import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import fc from 'fast-check'
import { MOST_REMOVALS, mergedRemovals, wasRemoved, withRemoval } from './removals.ts'
import {
  firstTopology,
  isNewer,
  openTopology,
  promoted,
  rolesFor,
  signTopology,
  type Topology,
  type TopologyBox,
  TopologyError,
  votersOf,
  withAddress,
  withBox,
  withoutBox,
} from './topology.ts'
import { merged } from './topology-merge.ts'

const EVENT = 'lantern-quay'
const { privateKey: key, publicKey } = generateKeyPairSync('ed25519')

function box(id: string, more: Partial<TopologyBox> = {}): Omit<TopologyBox, 'role'> {
  return {
    id,
    name: `Box ${id}`,
    log_key: `gatehouse/${EVENT}/${id}+0a1b2c3d+AQ==`,
    host: `${id}.local`,
    ports: { route: 6222, leaf: 7422 },
    https: `https://${id}.local:8443`,
    device: `https://${id}.local:8444`,
    ...more,
  }
}

/** `abc` joined in this order; a capital is a voter, one before `@` is in a data centre. */
function joined(ids: string): Topology {
  const [[first = ''] = [], ...rest] = [...ids.matchAll(/\w@?/g)]
  return rest.reduce(
    (topology, [id]) =>
      withBox(topology, {
        ...box(id.charAt(0).toLowerCase(), id.includes('@') ? { dial: 'core' } : {}),
        ...(/[A-Z]/.test(id) && { role: 'voter' as const }),
      }),
    firstTopology(EVENT, box(first)),
  )
}

/** `a:core b:leaf` */
const told = ({ boxes }: Topology) => boxes.map(({ id, role }) => `${id}:${role}`).join(' ')

describe('who votes', () => {
  for (const [ids, roles, epoch] of [
    ['a', 'a:core', 1],
    ['ab', 'a:core b:leaf', 1],
    ['abc', 'a:core b:core c:core', 2],
    ['abcd', 'a:core b:core c:core d:leaf', 2],
    ['abcdef', 'a:core b:core c:core d:leaf e:leaf f:leaf', 2],
    ['aB', 'a:core b:voter', 1],
    ['abC', 'a:core b:core c:voter', 2],
    ['aBc', 'a:core b:voter c:core', 2],
    ['aBCd', 'a:core b:voter c:voter d:leaf', 2],
    ['ab@', 'a:core b:leaf', 1],
    ['ab@c', 'a:core b:leaf c:leaf', 1],
    ['ab@cd', 'a:core b:leaf c:core d:core', 2],
  ] as const) {
    test(`${ids}: ${roles}`, () => {
      const topology = joined(ids)
      assert.deepEqual([told(topology), topology.epoch], [roles, epoch])
      assert.equal(topology.version, topology.boxes.length)
    })
  }

  test('one of two does not: a voter waits for a third', () => {
    assert.deepEqual(votersOf(joined('aB')), ['a'])
    assert.deepEqual(votersOf(joined('aBc')), ['a', 'b', 'c'])
  })

  test('a box that leaves takes its vote along, and the next in line gets it', () => {
    const four = joined('abcd')
    assert.equal(told(withoutBox(four, 'd')), 'a:core b:core c:core')
    assert.equal(withoutBox(four, 'd').epoch, 2)
    assert.equal(told(withoutBox(four, 'b')), 'a:core c:core d:core')
    assert.equal(withoutBox(four, 'b').epoch, 3)
    const two = withoutBox(joined('abc'), 'a')
    assert.deepEqual([told(two), two.epoch], ['b:core c:leaf', 3])
    assert.equal(told(withoutBox(two, 'b')), 'c:core')
    assert.equal(told(withoutBox(joined('aB'), 'a')), 'b:voter')
    assert.equal(told(withoutBox(joined('ab@'), 'a')), 'b:core')
  })

  test('by hand: of two, the other; of more, in place of somebody', () => {
    const two = promoted(joined('ab'), 'b')
    assert.deepEqual([told(two), two.epoch, two.version], ['a:leaf b:core', 2, 3])
    assert.equal(told(promoted(joined('abcd'), 'd')), 'a:core b:core c:leaf d:core')
    assert.equal(told(promoted(joined('abcd'), 'd', 'a')), 'a:leaf b:core c:core d:core')
    assert.deepEqual(votersOf(promoted(joined('aB'), 'b')), ['b'])
  })

  test('an address that changes is no other core', () => {
    const moved = withAddress(joined('abc'), 'b', { host: '192.168.1.9' })
    assert.deepEqual([moved.epoch, moved.version, moved.boxes[1]?.host], [2, 4, '192.168.1.9'])
  })

  for (const [why, change] of [
    ['a box twice', () => withBox(joined('ab'), box('a'))],
    ['a voter too many', () => withBox(joined('abc'), { ...box('d'), role: 'voter' })],
    ['a box that is not there', () => withoutBox(joined('ab'), 'c')],
    ['the last one', () => withoutBox(joined('a'), 'a')],
    ['one that votes', () => promoted(joined('ab'), 'a')],
    ['nobody', () => promoted(joined('ab'), 'c')],
    ['a data centre', () => promoted(joined('ab@'), 'b')],
    ['in place of one without a vote', () => promoted(joined('abcde'), 'd', 'e')],
    ['an address that is none', () => withAddress(joined('ab'), 'a', { host: '10.0.0.256' })],
  ] as const) {
    test(`is not changed: ${why}`, () => assert.throws(change, TopologyError))
  }
})

describe('whatever is done to it', () => {
  const step = fc.record({ what: fc.constantFrom('join', 'voter', 'far', 'leave', 'promote'), which: fc.nat(9) })
  const run = (steps: { what: string; which: number }[]) => {
    let topology = firstTopology(EVENT, box('b0'))
    const all = [topology]
    for (const [i, { what, which }] of steps.entries()) {
      const { id = '' } = topology.boxes[which % topology.boxes.length] ?? {}
      try {
        if (what === 'leave') topology = withoutBox(topology, id)
        else if (what === 'promote') topology = promoted(topology, id)
        else if (what === 'far') topology = withBox(topology, box(`b${i + 1}`, { dial: 'core' }))
        else topology = withBox(topology, { ...box(`b${i + 1}`), ...(what === 'voter' && { role: 'voter' }) })
        all.push(topology)
      } catch (error) {
        assert.ok(error instanceof TopologyError, String(error))
      }
    }
    return all
  }

  test('one box votes, or three do; another arrangement of them is another epoch, and nothing else is', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const all = run(steps)
        for (const [i, topology] of all.entries()) {
          const voters = votersOf(topology)
          assert.ok(voters.length === 1 || voters.length === 3, voters.join())
          assert.deepEqual(rolesFor(topology.boxes), topology.boxes)
          assert.deepEqual(openTopology(signTopology(topology, key), publicKey, EVENT), topology)
          const before = all[i - 1]
          if (!before) continue
          assert.ok(isNewer(topology, before) && !isNewer(before, topology))
          assert.equal(topology.version, before.version + 1)
          const isSame = [...voters].sort().join() === votersOf(before).sort().join()
          assert.equal(topology.epoch, before.epoch + (isSame ? 0 : 1))
        }
      }),
    )
  })

  test('of any two, every box takes the same one', () => {
    const any = fc.array(step, { maxLength: 6 }).map((steps) => run(steps).at(-1) as Topology)
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        assert.equal(isNewer(a, b) && isNewer(b, a), false)
        assert.equal(isNewer(a, b) || isNewer(b, a), canonicalJson(a) !== canonicalJson(b))
        if (isNewer(a, b) && isNewer(b, c)) assert.ok(isNewer(a, c))
      }),
    )
  })
})

function linkKeys(id: string) {
  const raw = (use: string) => createHash('sha256').update(`${id} ${use}`).digest()
  return {
    bulk: raw('bulk').toString('base64'),
    urgent: raw('urgent').toString('base64'),
    tls: raw('tls').toString('hex'),
  }
}

/** With the event's own key: what an honest box would never sign. */
const signedAnyway = (topology: unknown) => {
  const bytes = Buffer.from(`gatehouse mesh topology\n${canonicalJson(topology)}`)
  return canonicalJson({ signature: sign(null, bytes, key).toString('base64'), topology })
}

describe('a signed one', () => {
  const good = joined('abc')
  const signed = signTopology(good, key)
  const open = (text: string) => openTopology(text, publicKey, EVENT)

  test('is what was signed', () => assert.deepEqual(open(signed), good))

  test('by another key is none', () => {
    const other = generateKeyPairSync('ed25519')
    assert.throws(() => open(signTopology(good, other.privateKey)), /not signed with this event's key/)
  })

  test('of another event is none', () => {
    assert.throws(() => openTopology(signed, publicKey, 'another'), /another event/)
  })

  test('is not what the same key signed for something else', () => {
    const bytes = Buffer.from(canonicalJson(good))
    const text = canonicalJson({ signature: sign(null, bytes, key).toString('base64'), topology: good })
    assert.throws(() => open(text), /not signed/)
  })

  test('is good for no change of it', () => {
    const change = fc.record({ at: fc.nat(signed.length - 1), to: fc.nat(127), cut: fc.boolean() })
    fc.assert(
      fc.property(change, ({ at, to, cut }) => {
        const letter = String.fromCharCode(to)
        const text = cut ? signed.slice(0, at) : signed.slice(0, at) + letter + signed.slice(at + 1)
        if (text === signed) return
        assert.throws(() => open(text), TopologyError)
      }),
      { numRuns: 500 },
    )
  })

  test('is nothing that anybody writes', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => assert.throws(() => open(text), TopologyError)))
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"signature":"","topology":{}}',
      '['.repeat(100_000),
      'x'.repeat(600_000),
    ])
      assert.throws(() => open(text), TopologyError)
    const deep = `{"signature":"${'A'.repeat(86)}==","topology":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
    assert.throws(() => open(deep), TopologyError)
  })

  const [a, b, c] = good.boxes as [TopologyBox, TopologyBox, TopologyBox]
  for (const [why, topology] of [
    ['a box twice', { ...good, boxes: [a, b, c, { ...a, role: 'leaf' }] }],
    ['a majority of one', { ...good, boxes: [a, b, { ...c, role: 'leaf' }] }],
    ['four voters', { ...good, boxes: [a, b, c, { ...a, id: 'd' }] }],
    ['no box', { ...good, boxes: [] }],
    ['no epoch', { ...good, epoch: 0 }],
    ['half a version', { ...good, version: 1.5 }],
    ['more than is known', { ...good, more: 1 }],
    ['another form', { ...good, v: 5 }],
    ['keys in version 1', { ...good, v: 1, boxes: [{ ...a, link_keys: linkKeys('a') }, b, c] }],
    [
      'the key of another member',
      {
        ...good,
        boxes: [
          a,
          { ...b, link_keys: linkKeys('b') },
          { ...c, link_keys: { ...linkKeys('c'), urgent: linkKeys('b').urgent } },
        ],
      },
    ],
    ['no key for a key', { ...good, boxes: [a, b, { ...c, link_keys: { ...linkKeys('c'), bulk: 'x' } }] }],
    ['a setting in a host', { ...good, boxes: [a, b, { ...c, host: 'x"\n listen: "0.0.0.0:1' }] }],
    ['a password in a host', { ...good, boxes: [a, b, { ...c, host: 'user:word@host' }] }],
    ['a zone in an address', { ...good, boxes: [a, b, { ...c, host: 'fe80::1%eth0' }] }],
    ['an address that is none', { ...good, boxes: [a, b, { ...c, host: '1.2.3' }] }],
    ['a path in an id', { ...good, boxes: [a, b, { ...c, id: '../x' }] }],
    ['an underscore in an id', { ...good, boxes: [a, b, { ...c, id: 'c_1' }] }],
    ['a line end in a name', { ...good, boxes: [a, b, { ...c, name: 'x\ny' }] }],
    ['no port', { ...good, boxes: [a, b, { ...c, ports: { route: 0, leaf: 1 } }] }],
    ['plain HTTP', { ...good, boxes: [a, b, { ...c, https: 'http://c.local' }] }],
    ['a path in a URL', { ...good, boxes: [a, b, { ...c, device: 'https://c.local/x' }] }],
  ] as const) {
    test(`with ${why} is none, whoever signed it`, () =>
      assert.throws(() => open(signedAnyway(topology)), TopologyError))
  }

  for (const host of ['10.0.0.7', 'fd00::7', '::1', 'gate-north.local', 'box', 'BOX.example.com', 'a.b7']) {
    test(`may name ${host}`, () => {
      const topology = withAddress(good, 'a', { host })
      assert.deepEqual(open(signTopology(topology, key)), topology)
    })
  }
})

describe('a box that was removed', () => {
  const keyed = (id: string, key = id) =>
    box(id, { log_key: `gatehouse/${EVENT}/${id}+0a1b2c3d+${Buffer.alloc(33, key).toString('base64')}` })
  const three = ['b', 'c'].reduce((list, id) => withBox(list, keyed(id)), firstTopology(EVENT, keyed('a')))

  test('stays in the list as one that is gone, and a list without one says nothing of it', () => {
    assert.deepEqual([three.v, 'gone' in three], [4, false])
    const { gone = [] } = withoutBox(withoutBox(three, 'c'), 'b')
    assert.deepEqual(
      gone.map((each) => Number.parseInt(each, 10)),
      [5, 4],
      'the newest first',
    )
    assert.ok(['b', 'c'].every((id) => wasRemoved(keyed(id), gone)) && !wasRemoved(keyed('a'), gone))
  })

  test('is removed however many were removed before, and the newest removals count', () => {
    const before = Array.from({ length: MOST_REMOVALS }, (_, n) => withRemoval(undefined, keyed(`x${n}`), n)[0] ?? '')
    const list = { ...three, version: 9_999, gone: mergedRemovals(before.slice(0, MOST_REMOVALS / 2), before) }
    const after = withoutBox(withoutBox(list, 'c'), 'b')
    assert.equal(after.gone?.length, MOST_REMOVALS)
    for (const id of ['b', 'c', `x${MOST_REMOVALS - 1}`, 'x2'])
      assert.throws(() => withBox(after, keyed(id)), /was removed/)
    assert.ok(!wasRemoved(keyed('x0'), after.gone ?? []), 'the oldest is forgotten')
    assert.deepEqual(openTopology(signTopology(after, key), publicKey, EVENT), after)
  })

  test('of two that had one id, neither key is forgotten', () => {
    const [one, other] = [withRemoval(undefined, keyed('d', 'x'), 4), withRemoval(undefined, keyed('d', 'y'), 4)]
    for (const gone of [mergedRemovals(one, other), mergedRemovals(other, one)])
      assert.ok(wasRemoved(keyed('e', 'x'), gone) && wasRemoved(keyed('e', 'y'), gone))
  })

  test('is still gone when the list has version 2, which had ids and keys in full', () => {
    const { v: _, ...rest } = withoutBox(three, 'c')
    const gone = [{ id: 'c', log_key: keyed('c').log_key }]
    const opened = openTopology(signedAnyway({ ...rest, v: 2, gone }), publicKey, EVENT)
    assert.deepEqual([opened.v, opened.boxes], [3, rest.boxes])
    assert.throws(() => withBox(opened, keyed('d', 'c')), /was removed/)
  })

  test('comes back neither by its id nor by its key', () => {
    const two = withoutBox(three, 'c')
    for (const again of [keyed('c'), keyed('c', 'x'), keyed('d', 'c')]) {
      assert.throws(() => withBox(two, again), /was removed from this event/)
      const signed = { ...two, version: 9, boxes: rolesFor([...two.boxes, { ...again, role: 'leaf' }]) }
      assert.throws(() => openTopology(signedAnyway(signed), publicKey, EVENT), /was removed/)
    }
    assert.equal(told(withBox(two, keyed('d'))), 'a:core b:core d:core')
  })

  test('is gone for both parts of an event that were changed apart, whatever they hear first', () => {
    const change = fc.oneof(
      ...['a', 'b', 'c'].map((id) => fc.constant((list: Topology) => withoutBox(list, id))),
      fc.nat(9).map((port) => (list: Topology) => withAddress(list, 'a', { https: `https://a.local:844${port}` })),
      fc.constantFrom('d', 'e').map((id) => (list: Topology) => withBox(list, keyed(id))),
    )
    const after = (changes: ((list: Topology) => Topology)[]) =>
      changes.reduce((list, make) => {
        try {
          return make(list)
        } catch {
          return list
        }
      }, three)
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.array(change, { maxLength: 6 }), (mine, theirs) => {
        const [one, other] = [after(mine), after(theirs)]
        let both: Topology
        try {
          both = merged(one, other)
        } catch (error) {
          assert.match((error as Error).message, /every box in it was removed/)
          return
        }
        assert.deepEqual(merged(other, one), both)
        assert.deepEqual([merged(both, one), merged(both, other), merged(one, both)], [both, both, both])
        const marks = (gone: readonly string[] = []) => new Set(gone.map((each) => each.split('.')[1]))
        assert.deepEqual(marks(both.gone), new Set([...marks(one.gone), ...marks(other.gone)]))
        assert.ok(!both.boxes.some((box) => wasRemoved(box, both.gone ?? [])))
        assert.deepEqual(openTopology(signTopology(both, key), publicKey, EVENT), both)
      }),
    )
  })
})

describe('of two lists that were changed apart', () => {
  const both = joined('abd')
  const withC = withBox(both, box('c'))
  const moved = (times: number) =>
    Array.from({ length: times }).reduce<Topology>(
      (list, _, i) => withAddress(list, 'b', { host: `b${i}.local` }),
      both,
    )

  test('each box that has joined by one of them stays, whichever is the newer', () => {
    for (const other of [moved(1), moved(2), moved(5), withBox(both, box('e'))]) {
      for (const [known, received] of [
        [withC, other],
        [other, withC],
      ] as const) {
        const list = merged(known, received)
        const expected = [...new Set([...withC.boxes, ...other.boxes].map(({ id }) => id))].sort()
        assert.deepEqual(list.boxes.map(({ id }) => id).sort(), expected)
        assert.equal(merged(list, other), list, 'the list that was made has no more news')
        assert.equal(merged(list, withC), list)
      }
    }
  })

  test('a box that one of them has removed does not come back by the other', () => {
    const without = withoutBox(withC, 'c')
    for (const other of [withC, withAddress(withAddress(withC, 'a', { name: 'A' }), 'a', { name: 'B' })]) {
      assert.ok(merged(without, other).boxes.every(({ id }) => id !== 'c'))
      assert.ok(merged(other, without).boxes.every(({ id }) => id !== 'c'))
    }
  })

  test('neither may give a known box another log key', () => {
    const stolen = {
      ...moved(3),
      boxes: moved(3).boxes.map((each) => (each.id === 'b' ? { ...each, log_key: `${each.log_key}AA` } : each)),
    }
    assert.throws(() => merged(both, stolen), /another log key of b/)
  })
})
