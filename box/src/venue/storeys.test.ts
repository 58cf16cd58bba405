import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { collection, EVENT, type Feature, feature, line, point, polygon, sound } from '../../test/venue/sketch.ts'
import { compileVenue } from './compile.ts'
import { formatProblems } from './problems.ts'
import { nearestAmenities, openRoutes } from './route.ts'

const event = { ...EVENT, zones: [] }
const compiled = (...features: Feature[]) => compileVenue(event, collection(features))
const kindsOf = ({ problems }: { problems: readonly { kind: string }[] }) => problems.map(({ kind }) => kind)

function near(features: readonly Feature[], stepFree: boolean, from = 'west') {
  const { map, problems } = compiled(...features)
  assert.ok(map, formatProblems(problems))
  return nearestAmenities(openRoutes(map), { from, allowedZones: [], stepFree })
}

const level = { max_slope: 0, min_width: 3 }
const wc = (id: string, at: readonly [number, number], more: object = {}) =>
  feature('amenity', id, point(at), { category: 'restroom', ...more })

/** A street with a gate, and a connector at its far end up to a floor that has no path of its own. */
const upstairs = (
  id: string,
  mode: number,
  ends: [bottom: string, top: string],
  at: readonly [number, number],
): Feature[] => [
  feature('path', 'street', line([0, 0], [30, 0]), level),
  feature('gate', 'west', point([0, 0])),
  feature('gate', 'door', point([10, 0])),
  feature('node', ends[0], point([30, 0])),
  feature('node', ends[1], point(at), { level: 1 }),
  feature('path', id, null, { from: ends[0], to: ends[1], pathway_mode: mode, min_width: 1, traversal_time: 60 }),
]

describe('levels decide before distance', () => {
  // Both ends on one point, in either order of their ids; and stairs whose lower end is nearer to the toilet on paper.
  for (const [what, ends, at] of [
    ['both ends on one point', ['a', 'b'], [30, 0]],
    ['both ends on one point, the upper one first by its id', ['b', 'a'], [30, 0]],
    ['the lower end nearer on paper', ['a', 'b'], [36, 0]],
  ] as const) {
    test(`an upstairs toilet behind stairs has no step-free way: ${what}`, () => {
      const features = [...upstairs('stairs', 2, [...ends], at), wc('wc', [31, 0], { level: 1 })]
      const [walk] = near(features, false)
      assert.equal(walk?.step_free, false)
      assert.deepEqual(walk?.via, ['Stairs'])
      assert.deepEqual(near(features, true), [])
    })

    test(`an upstairs toilet behind a lift takes the ride: ${what}`, () => {
      const features = [...upstairs('lift', 5, [...ends], at), wc('wc', [31, 0], { level: 1 }), wc('street', [29, 0])]
      const answers = near(features, true).map(({ id, via, step_free }) => [id, via, step_free])
      assert.deepEqual(answers, [
        ['street', [], true],
        ['wc', ['Lift'], true],
      ])
    })
  }

  test('a footpath of another floor is left where it comes down to this one, and nowhere else', () => {
    const bridge = [
      feature('path', 'street', line([0, 0], [30, 0]), level),
      feature('gate', 'west', point([0, 0])),
      feature('gate', 'door', point([10, 0])),
      feature('node', 'far', point([60, 0])),
      feature('node', 'near', point([30, 0])),
      feature('path', 'bridge', line([30, 0], [60, 0]), { from: 'near', to: 'far', level: 1, ...level }),
    ]
    const { map, problems } = compiled(...bridge, wc('beyond', [61, 0]), wc('on', [60, 1], { level: 1 }))
    assert.ok(map, formatProblems(problems))
    const nodeOf = (id: string) => map.nodes[map.amenities.find((each) => each.id === id)?.node ?? -1]
    assert.deepEqual([nodeOf('beyond')?.[2], nodeOf('on')?.[2]], [0, 1])
  })
})

describe('what nothing decides is an error with words', () => {
  const junction = (more: Feature[] = []): Feature[] => [
    ...upstairs('stairs', 2, ['a', 'top-1'], [30, 0]),
    feature('node', 'top-2', point([30, 0]), { level: 1 }),
    feature('path', 'lift', null, { from: 'a', to: 'top-2', pathway_mode: 5, min_width: 1 }),
    ...more,
  ]

  test('a place where two nodes of its floor share a spot', () => {
    const { map, problems } = compiled(...junction([wc('wc', [30, 0], { level: 1 })]))
    assert.equal(map, undefined)
    assert.deepEqual(
      problems.map(({ kind, feature: label, message }) => [kind, label, message]),
      [
        [
          'ambiguous',
          'amenity "wc"',
          'equally near to node "top-1" and node "top-2": name the right node with "node", or move it',
        ],
      ],
    )
  })

  test('its own word, or its id, says at which of them it is', () => {
    for (const [id, node, found] of [
      ['wc', 'top-1', []],
      ['wc', 'top-2', ['Lift']],
      ['top-2', undefined, ['Lift']],
    ] as const) {
      const features = junction([wc(id, [30, 0], node === undefined ? { level: 1 } : { node })])
      assert.deepEqual(
        near(features, true).flatMap(({ via }) => via),
        found,
      )
      assert.equal(near(features, false).length, 1)
    }
  })

  test('stairs drawn to a spot of two nodes', () => {
    const drawn = feature('path', 'drawn', line([10, 0], [30, 0]), { level: 1, from: 'up', pathway_mode: 2 })
    const { problems } = compiled(...junction([drawn, feature('node', 'up', point([10, 0]))]))
    assert.deepEqual(kindsOf({ problems }), ['ambiguous'])
    assert.match(
      formatProblems(problems),
      /path "drawn": .* node "top-1" and node "top-2": say which .* "from" or "to"/,
    )
  })

  const lanes = (between?: Feature) => [
    feature('path', 'lane-1', line([0, 0], [40, 0]), level),
    feature('path', 'lane-2', line([0, 10], [40, 10]), level),
    feature('gate', 'west', point([0, 0])),
    feature('gate', 'door', point([0, 10])),
    wc('wc', [20, 5]),
    ...(between ? [between] : []),
  ]

  test('half-way between two lanes of which one is reached from the other by steps, or not at all', () => {
    for (const between of [
      undefined,
      feature('path', 'steps', line([5, 0], [5, 10]), { pathway_mode: 2 }),
      feature('path', 'one-way', line([5, 0], [5, 10]), { is_bidirectional: 0 }),
    ]) {
      assert.ok(kindsOf(compiled(...lanes(between))).includes('ambiguous'), between?.id ?? 'none')
    }
  })

  test('half-way between two lanes that everybody gets between, either will do', () => {
    const { map, problems } = compiled(...lanes(feature('path', 'between', line([5, 0], [5, 10]))))
    assert.ok(map, formatProblems(problems))
  })

  test('a tent across several lanes is no riddle', () => {
    const tent = feature('amenity', 'tent', polygon([10, -5], [30, -5], [30, 15], [10, 15]), {
      category: 'foodservice',
    })
    assert.ok(compiled(...lanes(feature('path', 'between', line([5, 0], [5, 10]))), tent).map)
  })

  test('a node on another floor, or none', () => {
    const nodeIs = (more: object) => compiled(...junction([wc('wc', [30, 0], more)]))
    assert.deepEqual(kindsOf(nodeIs({ node: 'top-1', level: 0 })), ['wrong_floor'])
    assert.deepEqual(kindsOf(nodeIs({ node: 'top-3' })), ['unknown_node'])
  })
})

test('a one-way path over a spot of two nodes leads to both, whatever their order', () => {
  for (const [first, second] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    const features = [
      feature('path', 'street', line([0, 0], [40, 0]), { is_bidirectional: 0, ...level }),
      feature('gate', 'west', point([0, 0])),
      feature('gate', 'door', point([0, 0])),
      feature('node', first, point([20, 0])),
      feature('node', second, point([20, 0])),
      feature('node', 'top', point([20, 0]), { level: 1 }),
      feature('path', 'lift', null, { from: 'top', to: first, pathway_mode: 5, min_width: 1 }),
      wc('wc', [20, 0], { node: second }),
      wc('upstairs', [20, 0], { node: 'top' }),
    ]
    assert.deepEqual(
      near(features, true).map(({ id }) => id),
      ['wc', 'upstairs'],
    )
  }
})

describe('a start with steps', () => {
  const features = (wheelchair: string) => [
    ...sound().filter(({ id }) => id !== 'west'),
    feature('gate', 'west', point([0, 0]), { wheelchair }),
  ]
  const from = (wheelchair: string, stepFree: boolean) => {
    const { map } = compileVenue(EVENT, collection(features(wheelchair)))
    assert.ok(map)
    return nearestAmenities(openRoutes(map), { from: 'west-in', allowedZones: ['arena'], stepFree })
  }

  test('leads nowhere without a step, and makes no way step-free', () => {
    assert.deepEqual(from('no', true), [])
    assert.deepEqual(
      from('no', false).map(({ step_free }) => step_free),
      [false],
    )
    assert.deepEqual(
      from('limited', true).map(({ step_free }) => step_free),
      ['unverified'],
    )
    assert.deepEqual(
      from('yes', true).map(({ step_free }) => step_free),
      [true],
    )
  })
})

test('an amenity out of reach is a warning that names it, and the map works without it', () => {
  for (const [what, lost] of [
    ['on an island', [feature('path', 'island', line([10, 40], [20, 40])), wc('lost', [15, 41])]],
    ['80 m from the nearest path', [wc('lost', [30, 110])]],
    ['on a floor without a path', [wc('lost', [30, 0], { level: 7 })]],
    [
      'behind a one-way path',
      [
        feature('path', 'out', line([30, 30], [30, 45]), { is_bidirectional: 0 }),
        feature('path', 'in', line([45, 45], [30, 45]), { is_bidirectional: 0 }),
        wc('lost', [44, 45]),
      ],
    ],
  ] as const) {
    const { map, problems } = compileVenue(EVENT, collection([...sound(), ...lost]))
    const [warning, ...others] = problems.filter(({ kind }) => kind === 'unreachable')
    assert.equal(warning?.feature, 'amenity "lost"', what)
    assert.match(formatProblems(problems), /^warning: amenity "lost": .*; it is left out of the map$/m)
    assert.deepEqual(others, [])
    assert.ok(map, formatProblems(problems))
    assert.deepEqual(
      map.amenities.map(({ id }) => id),
      ['wc', 'wc-lounge'],
    )
    assert.equal(nearestAmenities(openRoutes(map), { from: 'west-in', allowedZones: ['arena'] }).length, 1)
  }
})
