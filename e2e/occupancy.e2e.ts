/** People inside over time: a drawn line with axes, and the same as a table, in both themes. */
import { turnstile } from './busy-day.ts'
import { words as controlWords, goTo, signIn } from './control-room.ts'
import { expect, TABLET, test } from './gate.ts'

test('people inside are a chart with axes, and a table with the keyboard', async ({ world, browse }) => {
  const { overTime: say } = controlWords
  await using north = await turnstile(world, 'North 1', 'north-in')
  for (let n = 1; n <= 7; n++) await north.scan(`PASS-${n}`)
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  await goTo(page, 'overview')
  const panel = page.getByRole('region', { name: say.title })
  await expect(panel).toContainText('7')
  const canvas = panel.locator('canvas')
  /** Colours that the drawing has, in how many pixels. */
  const inks = () =>
    canvas.evaluate((drawn: HTMLCanvasElement) => {
      const { data } = drawn.getContext('2d')?.getImageData(0, 0, drawn.width, drawn.height) ?? { data: [] }
      const seen: Record<string, number> = {}
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] !== 255) continue
        const colour = `${data[i]},${data[i + 1]},${data[i + 2]}`
        seen[colour] = (seen[colour] ?? 0) + 1
      }
      return seen
    })
  const has = async (variable: string) => {
    const rgb = await page.evaluate((name) => {
      const probe = document.createElement('i')
      probe.style.color = `var(${name})`
      document.body.append(probe)
      const { color } = getComputedStyle(probe)
      probe.remove()
      return (color.match(/\d+/g) ?? []).join(',')
    }, variable)
    return (await inks())[rgb] ?? 0
  }
  // The line of the people, and the labels of the axes.
  await expect.poll(() => has('--accent')).toBeGreaterThan(20)
  await expect.poll(() => has('--quiet')).toBeGreaterThan(0)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => has('--accent')).toBeGreaterThan(20)

  await panel.getByText(say.table).focus()
  await page.keyboard.press('Enter')
  const rows = panel.getByRole('table').getByRole('row')
  await expect(rows.nth(1)).toContainText('7')
  expect(await panel.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
})
