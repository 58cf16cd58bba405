/** The control room while nobody presses anything: how zones fill, which scanners are live, and how sure the figures are. */
import { format } from '@gatehouse/proto/hlc.ts'
import { turnstile } from './busy-day.ts'
import { words as controlWords, goTo, signIn } from './control-room.ts'
import { expect, TABLET, test } from './gate.ts'

test('a zone that fills says so, and a scanner that falls silent makes its figure less sure', async ({
  world,
  browse,
}) => {
  const { scanners: say } = controlWords
  await using north = await turnstile(world, 'North 1', 'north-in')
  await using south = await turnstile(world, 'South 1', 'south-in')
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  for (let n = 1; n <= 20; n++) await south.scan(`PASS-${n}`)

  // One a second, by a clock that is twelve seconds ahead.
  const AHEAD_MS = 12_000
  let slowestMs = 0
  const scanAhead = async (code: string) => {
    const begun = Date.now()
    await north.scan(code, { device_hlc: format({ ms: begun + AHEAD_MS, count: 0 }) })
    slowestMs = Math.max(slowestMs, Date.now() - begun)
  }
  const silent = page.getByRole('row', { name: /South 1/ })
  await goTo(page, 'scanners')
  await expect(silent).toContainText(say.states.live)
  const reach = async (state: string) => {
    for (let n = 1; n <= 100 && !(await silent.textContent())?.includes(state); n++) {
      await scanAhead(`DAY-${n}`)
      await page.waitForTimeout(1_000)
    }
    await expect(silent).toContainText(state)
  }
  await reach(say.states.quiet)
  // The box compares the scan's time with its own when it records the scan: the way there makes the clock look less far ahead.
  const [, offset] = /\+([\d.]+) s/.exec((await page.getByRole('row', { name: /North 1/ }).textContent()) ?? '') ?? []
  const ROUNDING_MS = 50
  expect(Number(offset) * 1000).toBeGreaterThanOrEqual(AHEAD_MS - slowestMs - ROUNDING_MS)
  expect(Number(offset) * 1000).toBeLessThanOrEqual(AHEAD_MS + ROUNDING_MS)
  await reach(say.states.lost)

  await goTo(page, 'overview')
  const arena = page.getByRole('region', { name: controlWords.overview.zones }).getByRole('listitem').first()
  await expect(arena).toContainText(controlWords.zones.trend.up)
  await expect(arena).toContainText(/\+[\d.]+\/min/)
  const [, from, to] = /(\d+) to (\d+)/.exec((await arena.textContent()) ?? '') ?? []
  expect(Number(to)).toBeGreaterThan(Number(from))
})
