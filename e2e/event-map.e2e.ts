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
  await expect(drawing).toBeVisible()
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
  await panel.getByRole('button', { name: say.save }).click()
  await expect(panel.getByRole('button', { name: say.save })).toBeHidden()
  const after = readFileSync(file, 'utf8')
  const lines = byHand.split('\n')
  expect(after.split('\n').filter((line, i) => line !== lines[i]).length).toBeLessThanOrEqual(2)
  expect(after).not.toBe(byHand)
  await expect(page.getByText(check.good)).toBeVisible()
})
