/** Codes of other shops' printers, before a scanner's camera. */
import { prepareCodes, symbolOf } from '../proto/ui/camera/pictures.testing.ts'
import { expectVerdict, pairScanner } from './crew.ts'
import { EVENT, TICKETS } from './event.ts'
import { expect, test } from './gate.ts'
import type { Picture } from './picture.ts'
import { World } from './world.ts'

test.beforeAll(prepareCodes)

test('reads the kinds of codes that the event names, and no other', async ({ watch, phones }) => {
  await using world = await World.open(TICKETS, { ...EVENT, codes: ['aztec', 'pdf417', 'data_matrix'] })
  await using phone = await phones.open(world, watch)
  const { page, camera } = phone
  await pairScanner(page, await world.inviteLink())
  camera.show(await printed('code_128', 'DAY-9'))
  for (const [n, kind] of (['aztec', 'data_matrix', 'pdf417'] as const).entries()) {
    camera.show(await printed(kind, `DAY-${n + 1}`))
    await expectVerdict(page, 'admit', `seat ${n + 1}`)
  }
  const scans = await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'scan' } } })
  expect(scans.data?.rows).toHaveLength(3)
})

/** With the white that a printer leaves around it, four pixels a module. */
async function printed(kind: Parameters<typeof symbolOf>[0], text: string): Promise<Picture> {
  const { data, width, height } = await symbolOf(kind, text)
  const [quiet, scale] = [6, 4]
  const [across, down] = [(width + 2 * quiet) * scale, (height + 2 * quiet) * scale]
  const grey = Uint8Array.from({ length: across * down }, (_, at) => {
    const [x, y] = [Math.floor((at % across) / scale) - quiet, Math.floor(at / across / scale) - quiet]
    return x >= 0 && y >= 0 && x < width && y < height ? (data[y * width + x] ?? 255) : 255
  })
  return { width: across, height: down, grey }
}
