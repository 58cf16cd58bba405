/**
 * A phone of five years ago: a processor six times slower, and 2 GB of memory. The full form with GATEHOUSE_TEST_LONG has the ticket list
 * that the budgets are for; the short form a smaller one. Chromium slows the page alone and not its workers, so that what reads a code
 * is counted six times.
 */
import type { CDPSession, Page } from '@playwright/test'
import { quantile } from '../box/bench/figures.ts'
import { choosePlace, expectVerdict, pairHere, startScanning, words } from './crew.ts'
import { expect, test } from './gate.ts'
import { FULL } from './run.ts'
import { World } from './world.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined
const TICKETS = LONG ? 100_000 : 10_000
const SHOTS = LONG ? 40 : 8
const SLOWER = 6
/** From a frame to its verdict, p95; from the press that pairs to a ticket list that is ready. On a quiet machine. */
const VERDICT_MS = 300
const PAIRING_MS = 10_000
/** Most that the page may hold, bytes: a phone with 2 GB gives a page a quarter of it, of which the camera's pictures need most. */
const HEAP_BYTES = 64 * 2 ** 20

test.describe.configure({ mode: 'default', timeout: LONG ? 900_000 : 240_000 })
test.use({ framesPerSecond: 20 })

test(`a processor ${SLOWER} times slower pairs with ${TICKETS.toLocaleString('en')} tickets and shows verdicts in time`, {
  tag: FULL,
}, async ({ watch, phones }) => {
  watch.expectOutage()
  const codes = Array.from({ length: TICKETS }, (_, i) => `T${100_000 + i}`)
  await using world = await World.open(codes.map((code) => `${code},day,,,,,,valid`))
  await using phone = await phones.open(world, watch)
  const { page, camera } = phone
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })

  await page.goto(await world.inviteLink())
  await expect(page.getByLabel(words.pairing.name)).toBeVisible()
  const paired = performance.now()
  await pairHere(page, 'Old phone')
  await choosePlace(page)
  await expect(page.getByText(new RegExp(`${TICKETS.toLocaleString('en-GB')} tickets`))).toBeVisible({
    timeout: 120_000,
  })
  const ready = performance.now() - paired
  await startScanning(page)
  for (let n = 0; n < SHOTS; n++) {
    camera.show(codes[n] ?? null)
    await expect.poll(async () => (await measures(page)).length).toBe(n + 1)
  }
  camera.show(null)
  await expect(page.getByText(words.link.unsent(0))).toBeVisible()
  await world.stop()
  // The first one waits for an answer that does not come; from then on the scanner knows that it is alone.
  for (let n = SHOTS; n <= 2 * SHOTS; n++) {
    camera.show(codes[n] ?? null)
    await expect.poll(async () => (await measures(page)).length).toBe(n + 1)
  }
  await expectVerdict(page, 'admit', /Offline/)
  await expect(page.getByText(words.link.unsent(SHOTS + 1))).toBeVisible()
  const heap = await heapBytes(session)
  const all = await measures(page)
  const [reachable, alone] = [all.slice(0, SHOTS), all.slice(SHOTS + 1)]
  const slow = quantile([...reachable, ...alone], 0.95)
  console.log(
    `${SLOWER} times slower, ${TICKETS} tickets: ready after ${ms(ready)} (${ms(PAIRING_MS)}), frame to verdict p95 ` +
      `${ms(quantile(reachable, 0.95))} reachable, ${ms(quantile(alone, 0.95))} alone (${ms(VERDICT_MS)}); ` +
      `heap ${(heap / 2 ** 20).toFixed(1)} MB (${HEAP_BYTES / 2 ** 20} MB)`,
  )
  expect(heap).toBeLessThan(HEAP_BYTES)
  // Other tests run beside the short form, and their load is no phone's.
  if (!LONG) return
  expect(ready).toBeLessThan(PAIRING_MS)
  expect(slow).toBeLessThan(VERDICT_MS)
})

/** Objects and array buffers, as the ticket list is one; after a collection, so that garbage does not count. */
async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage')
  return usedSize + backingStorageSize
}

/** Milliseconds from a frame to the verdict, of each in turn, as if a slow processor had read the code. */
function measures(page: Page): Promise<number[]> {
  return page.evaluate(
    (more) =>
      performance
        .getEntriesByName('frame-to-verdict')
        .map((entry) => entry.duration + more * (entry as PerformanceMeasure).detail.readMs),
    SLOWER - 1,
  )
}

function ms(value = Number.NaN): string {
  return `${Math.round(value)} ms`
}
