import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionsOf, readGeometry } from './geometry.ts'

const square = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
]

for (const [json, type] of [
  [null, 'none'],
  [{ type: 'Point', coordinates: [1, 2, 300] }, 'point'],
  [
    {
      type: 'LineString',
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    },
    'lines',
  ],
  [
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
        [
          [2, 2],
          [3, 3],
        ],
      ],
    },
    'lines',
  ],
  [{ type: 'Polygon', coordinates: [square] }, 'areas'],
  [{ type: 'MultiPolygon', coordinates: [[square], [square, square]] }, 'areas'],
] as const) {
  test(`${JSON.stringify(json)?.slice(0, 40)} is read as ${type}`, () => {
    const geometry = readGeometry(json)
    assert.ok(typeof geometry !== 'string', String(geometry))
    assert.equal(geometry.type, type)
  })
}

const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)

for (const [i, [json, why]] of [
  ['POINT(1 2)', /must be an object/],
  [{ type: 'GeometryCollection', geometries: [] }, /must be a Point/],
  [{ type: 'Point', coordinates: [1] }, /degrees/],
  [{ type: 'Point', coordinates: [Number.NaN, 0] }, /degrees/],
  [{ type: 'Point', coordinates: [JSON.parse('1e999'), 0] }, /degrees/],
  [{ type: 'Point', coordinates: ['1', '2'] }, /degrees/],
  [{ type: 'Point', coordinates: [500_000, 4_200_000] }, /degrees/],
  [{ type: 'Point', coordinates: [0, 89] }, /85 degrees/],
  [{ type: 'Point', coordinates: deep }, /degrees/],
  [{ type: 'LineString', coordinates: [[1, 2]] }, /two positions/],
  [{ type: 'LineString', coordinates: 7 }, /list of positions/],
  [{ type: 'LineString', coordinates: deep }, /two positions|position must/],
  [{ type: 'Polygon', coordinates: [] }, /list of rings/],
  [
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
      ],
    },
    /three corners/,
  ],
  [{ type: 'MultiPolygon', coordinates: [7] }, /list of rings/],
].entries() as Iterable<[number, [unknown, RegExp]]>) {
  test(`wrong geometry ${i} is refused: ${why}`, () => {
    const geometry = readGeometry(json)
    assert.ok(typeof geometry === 'string')
    assert.match(geometry, why)
  })
}

test('a ring that does not close is closed, and coordinates are rounded to a centimetre', () => {
  const open = readGeometry({
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1.00000004, 0],
        [1, 1],
      ],
    ],
  })
  assert.ok(typeof open !== 'string')
  assert.deepEqual(
    [...positionsOf(open)],
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  )
})
