import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { MeshStanding, Neighbour } from '@gatehouse/proto/wire/mesh.ts'
import { statusText } from './mesh-status.ts'

it('lists the boxes, their state, and below a box what is wrong with it and what to do', () => {
  const ids = ['box-1', 'box-2', 'box-3'] as const
  const listedBox = { role: 'core' as const, url: '', data_centre: false }
  const boxes = ids.map((box_id, i) => ({ ...listedBox, box_id, name: `Gate ${i + 1}`, self: i === 0 }))
  const about: Partial<Neighbour>[] = [{}, { unencrypted: true, behind: 3 }, { heard: false, problem: 'it lies' }]
  const standing = {
    ...{ mode: 'STRICT', epoch: 2, reason: 'All boxes answer.', since: '', forced: false, unconfirmed: 0 },
    boxes: boxes.map((box, i) => ({ ...box, device_url: null, heard: true, last_heard: null, behind: 0, ...about[i] })),
  } as MeshStanding
  const text = statusText({ listed: { epoch: 2, version: 5, boxes }, standing })
  assert.deepEqual(
    text.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' ')),
    [
      'STRICT, epoch 2: All boxes answer.',
      'box-1 core Gate 1 this box',
      'box-2 core Gate 2 reachable, 3 entries not here yet',
      'runs Gatehouse 0.1: until it is updated, no box encrypts what it sends, and machines that only vote can read it. Update it now.',
      'box-3 core Gate 3 never reached',
      'problem: it lies',
    ],
  )
  assert.match(statusText({ listed: undefined, standing: undefined }), /^This box is alone/)
})
