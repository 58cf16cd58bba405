/** The evacuation sheet of two real boxes: each counts both, says when it has not heard the other, and drops erased names. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { EVACUATION_FOLDER, NAMES_FILE } from '../../src/paper/evacuation-keeper.ts'
import { type MeshBox, MeshWorld } from '../mesh/world.ts'
import { TEST_EVENT } from '../world/event.ts'
import { natsServer } from '../world/nats-server.ts'
import { until } from '../world/until.ts'

const { whyNot } = await natsServer()

const sheetOf = async (box: MeshBox) => (await box.admin().GET('/v1/admin/evacuation')).data
const kept = ({ dataDir }: MeshBox) => {
  const path = join(dataDir, EVACUATION_FOLDER, NAMES_FILE)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

it('counts who came in at either box, loses an erased name at both, and says what it does not know of a box that is gone', {
  skip: whyNot,
  timeout: 300_000,
}, async () => {
  // The file ends without a line feed: its last row is not taken.
  const tickets = ['N-1,once,,Ana Reis,,,,valid', 'N-2,once,,Bo Ek,,,,valid', 'N-3,once,,Cy Orr,,,,valid', 'LAST,once']
  await using world = await MeshWorld.open({ boxes: 2, event: { ...TEST_EVENT, evacuation_names: true }, tickets })
  const [a, b] = world.boxes as [MeshBox, MeshBox]
  const [gateA, gateB] = [await a.device(), await b.device()]
  await gateA.scan('N-1')
  await gateB.scan('N-2')
  for (const box of [a, b]) await until(async () => (await sheetOf(box))?.total.inside === 2, 'both are counted')

  // A box that starts writes its sheet from both journals.
  await b.stop()
  await b.start()
  await until(() => kept(b).includes('Ana Reis') && kept(b).includes('Bo Ek'), 'names of both boxes are on its disk')
  const actor = 'Rui'
  const { data } = await a.admin().POST('/v1/admin/desk/ticket', { body: { ticket: 'N-1', actor } })
  const params = { path: { ref: data?.ticket ?? assert.fail() } }
  await a.admin().POST('/v1/admin/desk/tickets/{ref}/forget', { params, body: { actor } })
  await until(() => !kept(b).includes('Ana Reis'), 'the other box has removed the page')
  await until(() => kept(b).includes('Bo Ek'), 'and lists the others')
  assert.doesNotMatch(kept(b), /Ana Reis/)

  await a.kill()
  await until(
    async () => (await sheetOf(b))?.boxes.some(({ self, heard }) => !self && !heard) === true,
    'the other box is gone',
  )
  const alone = await sheetOf(b)
  assert.equal(alone?.total.inside, 2)
  assert.match(alone?.not_counted.join(' ') ?? '', /People scanned at box Box 1 since it was last heard: ask there/)
})
