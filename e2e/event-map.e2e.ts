/** The map of the event from the screen Event: none, imported, and with the gates put on it by pointer and by keyboard. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { guideWords } from '../dashboard/src/words/en/late.ts'
import { goTo, signIn } from './control-room.ts'
import { EVENT } from './event.ts'
import { expect, TABLET, test } from './gate.ts'
import { expectNoBarriers } from './usable.ts'
import { World } from './world.ts'

const { map: say, check, pending } = guideWords
const [LONGITUDE, LATITUDE] = [-9.1, 38.7]
const lineOf = (coordinates: readonly (readonly number[])[]) => ({
  ...{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } },
})
/** Two streets that cross in the middle, 200 m each. */
const STREETS = {
  type: 'FeatureCollection',
  features: [
    lineOf([
      [LONGITUDE - 0.00115, LATITUDE],
      [LONGITUDE + 0.00115, LATITUDE],
    ]),
    lineOf([
      [LONGITUDE, LATITUDE - 0.0009],
      [LONGITUDE, LATITUDE + 0.0009],
    ]),
  ],
}

interface Feature {
  id?: string
  geometry: { coordinates: [number, number] }
}

interface Drawn {
  properties: { kind: string; category?: string; name?: string }
  geometry: { coordinates: unknown }
}

test('no map, an imported one, gates by a click and by the keyboard, and opened again with nothing lost', async ({
  watch,
  phones,
}) => {
  await using world = await World.open()
  await using tablet = await phones.open(world, watch, { viewport: TABLET })
  const { page } = tablet
  await signIn(page, world)
  await goTo(page, 'guide')
  const panel = page.getByRole('region', { name: say.title, exact: true })
  const file = join(world.folder.environment.GATEHOUSE_EVENT_DIR ?? '', 'venue.geojson')

  await panel.getByRole('button', { name: say.remove }).click()
  await expect(panel).toContainText(say.none)
  await panel.getByRole('button', { name: say.save }).click()
  await expect.poll(() => existsSync(file)).toBe(false)
  await expect(page.getByRole('button', { name: pending.apply })).toBeVisible()

  await panel.getByLabel(say.files).setInputFiles({
    ...{ name: 'streets.geojson', mimeType: 'application/geo+json', buffer: Buffer.from(JSON.stringify(STREETS)) },
  })
  const drawing = panel.getByRole('application', { name: say.drawing })
  // Two threads start one after the other, behind the check of the event.
  await expect(drawing).toBeVisible({ timeout: 60_000 })
  // A map without its gates is not taken.
  await expect(panel).toContainText(/mistakes? to correct/)
  await expect(panel.getByRole('button', { name: say.save })).toBeDisabled()

  const { width, height } = (await drawing.boundingBox()) ?? { width: 0, height: 0 }
  const [first, second, third, fourth] = EVENT.gates
  await drawing.click({ position: { x: width / 2 - 30, y: height / 2 } })
  await expect(panel.getByRole('status').filter({ hasText: say.placed(first?.name ?? '') })).toBeVisible()
  // The next gate that is missing is chosen by itself.
  await drawing.click({ position: { x: width / 2 + 30, y: height / 2 } })
  await expect(panel).toContainText(say.placed(second?.name ?? ''))
  await drawing.focus()
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(panel).toContainText(say.placed(third?.name ?? ''))
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Space')
  await expect(panel).toContainText(say.placed(fourth?.name ?? ''))
  await expectNoBarriers(page, 'the map of the event')
  await panel.getByRole('button', { name: say.save }).click()
  await expect.poll(() => existsSync(file)).toBe(true)

  const { features } = JSON.parse(readFileSync(file, 'utf8')) as { features: Feature[] }
  const at = (id?: string) => features.find((feature) => feature.id === id)?.geometry.coordinates ?? [0, 0]
  // The click was left of the middle, and the second one as far to the right.
  expect(at(first?.id)[0]).toBeLessThan(LONGITUDE)
  expect(at(second?.id)[0]).toBeGreaterThan(LONGITUDE)
  expect(Math.abs(at(first?.id)[1] - LATITUDE)).toBeLessThan(2e-5)
  expect(at(third?.id)[1]).toBeGreaterThan(at(fourth?.id)[1])
  const checked = await world.command('check-event')
  expect(checked.code, checked.output).toBe(0)

  // Somebody edits the file by hand; a gate is moved on the screen, and every other byte stays.
  const byHand = readFileSync(file, 'utf8').replace('{', '{\n      "speeds": {"walk":   1.1},')
  writeFileSync(file, byHand)
  await page.reload()
  await panel.getByRole('radio', { name: new RegExp(fourth?.name ?? '') }).check()
  await drawing.click({ position: { x: width / 2, y: height / 2 + 20 } })
  // Not before the new check of the map has come.
  await expect(panel.getByRole('button', { name: say.save })).toBeEnabled({ timeout: 60_000 })
  await panel.getByRole('button', { name: say.save }).click()
  await expect(panel.getByRole('button', { name: say.save })).toBeHidden()
  const after = readFileSync(file, 'utf8')
  const lines = byHand.split('\n')
  expect(after.split('\n').filter((line, i) => line !== lines[i]).length).toBeLessThanOrEqual(2)
  expect(after).not.toBe(byHand)
  await expect(page.getByText(check.good)).toBeVisible()
})

test('a map is drawn of nothing: a path, a place, a border and the gates, with no file and no other program', async ({
  watch,
  phones,
}) => {
  await using world = await World.open()
  await using tablet = await phones.open(world, watch, { viewport: TABLET })
  const { page } = tablet
  await signIn(page, world)
  await goTo(page, 'guide')
  const panel = page.getByRole('region', { name: say.title, exact: true })
  const file = join(world.folder.environment.GATEHOUSE_EVENT_DIR ?? '', 'venue.geojson')
  await panel.getByRole('button', { name: say.remove }).click()

  const { draw } = say
  await panel.locator('summary', { hasText: draw.begin }).click()
  await panel.getByRole('button', { name: draw.begin }).click()
  await expect(panel).toContainText(draw.noPlace)
  await panel.getByLabel(draw.middle).fill(`${LATITUDE}, ${LONGITUDE}`)
  await panel.getByRole('button', { name: draw.begin }).click()
  const drawing = panel.getByRole('application', { name: say.drawing })
  await expect(panel).toContainText(draw.wide(400))
  const { width, height } = (await drawing.boundingBox()) ?? { width: 0, height: 0 }
  const click = (x: number, y: number) => drawing.click({ position: { x: width * x, y: height * y } })
  const tool = (name: keyof typeof draw.tools) =>
    panel.getByRole('radio', { name: draw.tools[name], exact: true }).check()
  const finish = panel.getByRole('button', { name: draw.finish, exact: true })

  await tool('path')
  await click(0.1, 0.5)
  await expect(finish).toBeDisabled()
  await click(0.8, 0.5)
  await click(0.8, 0.9)
  await panel.getByRole('button', { name: draw.back }).click()
  await finish.click()
  // The second one begins on the first, and is drawn by keyboard from there.
  await click(0.5, 0.505)
  await drawing.focus()
  for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('Enter')
  await finish.click()
  await expect(panel).toContainText(draw.done.path)

  await tool('zone')
  await panel.getByLabel(guideWords.zones.one, { exact: true }).selectOption({ index: 0 })
  for (const [x, y] of [
    [0.3, 0.05],
    [0.95, 0.05],
    [0.95, 0.95],
    [0.3, 0.95],
  ] as const)
    await click(x, y)
  await finish.click()
  await tool('place')
  await panel.getByLabel(draw.category).selectOption(draw.categories.firstaid)
  await panel.getByLabel(draw.placeName).fill('Tent of the Red Cross')
  await click(0.52, 0.3)
  await click(0.7, 0.2)
  await tool('remove')
  await click(0.7, 0.2)
  await expect(panel).toContainText(draw.done.remove)
  await click(0.15, 0.9)
  await expect(panel).toContainText(draw.done.nothing)
  await tool('gate')
  for (const [i, gate] of EVENT.gates.entries()) {
    await click(0.25 + i * 0.1, 0.5)
    await expect(panel).toContainText(say.placed(gate.name))
  }
  await expectNoBarriers(page, 'the map that is drawn')
  await panel.getByRole('button', { name: say.save }).click()
  await expect(panel.getByRole('button', { name: say.save })).toBeHidden()

  const { features } = JSON.parse(readFileSync(file, 'utf8')) as { features: Drawn[] }
  const of = (kind: string) => features.filter(({ properties }) => properties.kind === kind)
  expect([of('path').length, of('zone').length, of('gate').length]).toEqual([2, 1, EVENT.gates.length])
  expect(of('amenity').map(({ properties }) => [properties.category, properties.name])).toEqual([
    ['firstaid', 'Tent of the Red Cross'],
  ])
  const [first, second] = of('path').map(({ geometry }) => geometry.coordinates as [number, number][])
  expect(first?.length).toBe(2)
  expect(second?.[0]?.[1], 'it begins on the first').toBe(first?.[0]?.[1])
  // 70 % of 400 m, at this latitude.
  const metres = ((first?.[1]?.[0] ?? 0) - (first?.[0]?.[0] ?? 0)) * 111_320 * Math.cos((LATITUDE * Math.PI) / 180)
  expect(Math.abs(metres - 280)).toBeLessThan(3)
  const checked = await world.command('check-event')
  expect(checked.code, checked.output).toBe(0)
})
