import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { otherBoxes, peerStatuses, unreachablePeers } from './peer-status.ts'
import type { TopologyBox } from './topology.ts'

const NOW = Date.parse('2026-07-04T12:00:00Z')
const box = (id: string, name: string, role: TopologyBox['role'] = 'core'): TopologyBox => ({
  id,
  name,
  role,
  log_key: 'x',
  host: '192.0.2.1',
  ports: { route: 1, leaf: 2 },
  https: `https://192.0.2.1:844${id.at(-1)}`,
  device: `https://192.0.2.1:944${id.at(-1)}`,
})
const boxes = [box('box-1', 'North'), box('box-2', 'West'), box('box-3', 'East'), box('box-4', 'Laptop', 'voter')]
const heard = new Map([
  ['box-2', { lastHeard: NOW - 185_000, behind: 4 }],
  ['box-3', { lastHeard: NOW - 900, behind: 0 }],
])
const from = { self: 'box-1', now: NOW }

describe('the boxes as one of them sees them', () => {
  it('are this one first and the others by name, with who is heard and how far behind', () => {
    const standing = peerStatuses(boxes, heard, from)
    assert.deepEqual(
      standing.map(({ name, self, heard, behind }) => [name, self, heard, behind]),
      [
        ['North', true, true, 0],
        ['East', false, true, 0],
        ['Laptop', false, false, 0],
        ['West', false, false, 4],
      ],
    )
    assert.equal(standing[3]?.last_heard, '2026-07-04T11:56:55.000Z')
    assert.equal(standing[2]?.url, null)
  })

  it('are heard also where they only vote, and say so less often', () => {
    const standing = (ms: number) => peerStatuses(boxes, new Map([['box-4', { lastHeard: NOW - ms, behind: 0 }]]), from)
    assert.deepEqual(
      [20_000, 41_000].map((ms) => standing(ms).find(({ box_id }) => box_id === 'box-4')?.heard),
      [true, false],
    )
  })

  it('say which box keeps all in clear: one without an encryption key, that does not only vote', () => {
    const keyed = boxes.map((each) => (each.name === 'East' ? each : { ...each, encryption_key: 'x' }))
    const [laptop] = keyed.splice(3, 1)
    const { encryption_key: _, ...voter } = laptop ?? assert.fail()
    const names = (list: TopologyBox[]) =>
      peerStatuses(list, heard, from).flatMap(({ name, unencrypted }) => (unencrypted ? [name] : []))
    assert.deepEqual(names([...keyed, voter]), ['East'])
    const updated = keyed.map((each) => ({ ...each, encryption_key: 'x' }))
    assert.deepEqual(names([...updated, voter]), [])
  })

  it('say what is wrong with what one of them tells, and nothing where nothing is', () => {
    const wrong = new Map([
      [
        'box-3',
        {
          lastHeard: NOW,
          behind: 0,
          problem: {
            text: 'its seal of 12 entries is of another record',
            coded: { code: 'seal_differs', values: { n: 12 } } as const,
          },
        },
      ],
    ])
    const standing = peerStatuses(boxes, wrong, from)
    assert.deepEqual(
      standing.map((one) => one.problem),
      [undefined, 'its seal of 12 entries is of another record', undefined, undefined],
    )
    assert.ok(!('problem' in (standing[0] ?? {})))
  })

  it('are unheard when they say nothing, and one that has no gates makes nothing uncertain', () => {
    assert.deepEqual(unreachablePeers(boxes, heard, from), [{ name: 'West', ms: 185_000 }])
    assert.deepEqual(unreachablePeers(boxes, new Map(), from), [
      { name: 'West', ms: null },
      { name: 'East', ms: null },
    ])
  })

  it('are where a scanner can go on, with how long they are silent', () => {
    assert.equal(otherBoxes(undefined, NOW), undefined)
    const others = otherBoxes({ boxes: peerStatuses(boxes, heard, from) }, NOW)
    assert.equal(others?.boxId, 'box-1')
    assert.deepEqual(
      others?.others.map(({ name, url, unheard_seconds }) => [name, url, unheard_seconds]),
      [
        ['East', 'https://192.0.2.1:8443', 0],
        ['West', 'https://192.0.2.1:8442', 185],
      ],
    )
  })
})
