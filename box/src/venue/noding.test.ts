import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { distance } from './grid.ts'
import { type Cut, type Line, type NodedLines, nodeLines, type Pin } from './noding.ts'
import { cross, segments } from './plane.ts'

const TOLERANCE = 500

/** In metres. */
function path(points: readonly (readonly [number, number])[], more: Partial<Line> = {}): Line {
  return { points: points.map(([x, y]) => ({ x: x * 1000, y: y * 1000 })), level: 0, joins: 'everywhere', ...more }
}

function noded(lines: readonly Line[], pins: readonly Pin[] = [], cuts: readonly Cut[] = []): NodedLines {
  const result = nodeLines(lines, pins, cuts, TOLERANCE)
  assert.ok(result)
  return result
}

/** Number of vertices that two chains have in common. */
const shared = ({ chains: [one = [], other = []] }: NodedLines) => one.filter((vertex) => other.includes(vertex)).length

const eastward = path([
  [0, 0],
  [100, 0],
])
const stairs = { joins: 'ends' } as const

for (const [what, lines, joints] of [
  [
    'lines that cross without a vertex',
    [
      eastward,
      path([
        [50, -50],
        [50, 50],
      ]),
    ],
    1,
  ],
  [
    'a corner on a line',
    [
      eastward,
      path([
        [20, 30],
        [50, 0],
        [80, 30],
      ]),
    ],
    1,
  ],
  [
    'an end that stops short by 0.4 m',
    [
      eastward,
      path([
        [50, 0.4],
        [50, 50],
      ]),
    ],
    1,
  ],
  [
    'an end that stops short by 0.6 m',
    [
      eastward,
      path([
        [50, 0.6],
        [50, 50],
      ]),
    ],
    0,
  ],
  [
    'an end that runs over by 0.3 m',
    [
      eastward,
      path([
        [50, -0.3],
        [50, 50],
      ]),
    ],
    1,
  ],
  [
    'ends at the same corner, 0.3 m apart',
    [
      eastward,
      path([
        [100.2, 0.2],
        [100, 50],
      ]),
    ],
    1,
  ],
  [
    'a line of another floor',
    [
      eastward,
      path(
        [
          [50, -50],
          [50, 50],
        ],
        { level: 1 },
      ),
    ],
    0,
  ],
  [
    'two crossings',
    [
      eastward,
      path([
        [20, -10],
        [40, 10],
        [60, -10],
      ]),
    ],
    2,
  ],
  [
    'the same street drawn twice, with other corners',
    [
      eastward,
      path([
        [-10, 0],
        [30, 0],
        [60, 0],
        [120, 0],
      ]),
    ],
    4,
  ],
  [
    'stairs across a path',
    [
      eastward,
      path(
        [
          [50, -50],
          [50, 50],
        ],
        stairs,
      ),
    ],
    0,
  ],
  [
    'stairs down to a path',
    [
      eastward,
      path(
        [
          [50, 0.2],
          [50, 50],
        ],
        stairs,
      ),
    ],
    1,
  ],
  [
    'stairs with a landing over a path',
    [
      eastward,
      path(
        [
          [20, 30],
          [50, 0],
          [80, 30],
        ],
        stairs,
      ),
    ],
    0,
  ],
  [
    'stairs that meet stairs at the top',
    [
      path(
        [
          [0, 0],
          [9, 9],
        ],
        stairs,
      ),
      path(
        [
          [9, 9],
          [20, 0],
        ],
        stairs,
      ),
    ],
    1,
  ],
] as const) {
  test(`${what}: joined ${joints} times`, () => {
    assert.equal(shared(noded(lines)), joints)
  })
}

test('a path crosses itself in a vertex', () => {
  const { chains } = noded([
    path([
      [0, 0],
      [100, 0],
      [100, 50],
      [50, 50],
      [50, -50],
    ]),
  ])
  const [chain = []] = chains
  assert.equal(chain.length - new Set(chain).size, 1)
})

test('named nodes stay apart however near, keep their place, and lead to other floors', () => {
  const below = { point: { x: 0, y: 0 }, level: 0 }
  const above = { point: { x: 0, y: 0 }, level: 1 }
  const beside = { point: { x: 100, y: 0 }, level: 0 }
  const lift = {
    ...path(
      [
        [0, 0],
        [0, 0],
      ],
      stairs,
    ),
    from: 0,
    to: 1,
  }
  const { vertices, chains } = noded(
    [
      lift,
      path([
        [0.2, 0],
        [50, 0],
      ]),
      path(
        [
          [0.2, 0],
          [50, 9],
        ],
        { level: 1 },
      ),
    ],
    [below, above, beside],
  )
  assert.deepEqual(vertices.slice(0, 3), [below, above, beside])
  assert.deepEqual(chains[0], [0, 1])
  assert.ok([0, 2].includes(chains[1]?.[0] ?? -1))
  assert.equal(chains[2]?.[0], 1)
})

test('a border splits what crosses it, and joins nothing', () => {
  const border = { a: { x: 50_000, y: -90_000 }, b: { x: 50_000, y: 90_000 }, level: null }
  const { chains } = noded(
    [
      eastward,
      path(
        [
          [0, 1],
          [100, 1],
        ],
        stairs,
      ),
      path(
        [
          [0, 2],
          [100, 2],
        ],
        { level: 3 },
      ),
    ],
    [],
    [border],
  )
  assert.deepEqual(
    chains.map(({ length }) => length),
    [3, 3, 3],
  )
  assert.equal(new Set(chains.flat()).size, 9)
})

test('lines that cross are in one piece, wherever they lie', () => {
  const coordinate = fc.integer({ min: -60, max: 60 })
  const lines = fc.array(fc.array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 4 }), { maxLength: 12 })
  fc.assert(
    fc.property(lines, (drawn) => {
      const paths = drawn.map((points) => path(points))
      const { chains } = noded(paths)
      const part = new Map<number, number>()
      const root = (vertex: number): number => {
        const up = part.get(vertex) ?? vertex
        return up === vertex ? vertex : root(up)
      }
      for (const chain of chains) for (const vertex of chain) part.set(root(vertex), root(chain[0] ?? vertex))
      for (const [i, one] of paths.entries()) {
        for (const [j, other] of paths.entries()) {
          const [a, b] = [chains[i]?.[0], chains[j]?.[0]]
          const crosses = [...segments(one.points)].some(([p, q]) =>
            segments(other.points).some(([r, s]) => cross(p, q, r, s)),
          )
          if (crosses && a !== undefined && b !== undefined) assert.equal(root(a), root(b))
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('no vertex is further from where it was drawn than the tolerance', () => {
  const coordinate = fc.integer({ min: 0, max: 4000 })
  const point = fc.record({ x: coordinate, y: coordinate })
  fc.assert(
    fc.property(fc.array(fc.tuple(point, point), { maxLength: 20 }), (drawn) => {
      const { vertices, chains } = noded(drawn.map((points) => ({ points, level: 0, joins: 'everywhere' })))
      for (const [i, [first, last]] of drawn.entries()) {
        for (const [vertex, point] of [
          [chains[i]?.[0], first],
          [chains[i]?.at(-1), last],
        ] as const) {
          assert.ok(distance(vertices[vertex ?? -1]?.point ?? { x: 1e9, y: 0 }, point) <= TOLERANCE)
        }
      }
    }),
  )
})

test('5,000 stretches of a street grid', (t) => {
  const streets = Array.from({ length: 50 }, (_, i) => [
    path(Array.from({ length: 51 }, (_, k) => [k * 20, i * 20.5] as const)),
    path(Array.from({ length: 51 }, (_, k) => [i * 20.5 + 3, k * 20 - 7] as const)),
  ]).flat()
  const start = performance.now()
  const { chains } = noded(streets)
  t.diagnostic(`noded in ${(performance.now() - start).toFixed(0)} ms`)
  assert.equal(
    new Set(chains[0]?.filter((vertex) => chains.some((chain, i) => i % 2 === 1 && chain.includes(vertex)))).size,
    49,
  )
})

test('lines that all cross each other, a thousand times over, are given up on', () => {
  const fan = Array.from({ length: 1200 }, (_, i) =>
    path([
      [0, i],
      [1000, 1200 - i * 1.3],
    ]),
  )
  assert.equal(nodeLines(fan, [], [], 0), undefined)
})
