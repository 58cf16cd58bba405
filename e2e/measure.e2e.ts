/**
 * The delays that a crew feels, measured in Chromium and printed. Nothing here fails for being slow; a shared
 * machine says little about a phone. `node box/dev/test.ts e2e measure` runs it, with GATEHOUSE_TEST_LONG in its full form.
 */
import type { Page } from '@playwright/test'
import { quantile } from '../box/bench/figures.ts'
import { askWords } from '../scanner-pwa/src/words/en/ask.ts'
import {
  choosePlace,
  expectVerdict,
  openInvite,
  pairScanner,
  seeVerdict,
  startScanning,
  typeCode,
  words,
} from './crew.ts'
import { describedWorld } from './described.ts'
import { expect, test } from './gate.ts'
import { FULL } from './run.ts'
import { World } from './world.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined
const SHOTS = LONG ? 40 : 12
const TICKETS = LONG ? 100_000 : 20_000
/** Of a lane whose processor time is counted. */
const LANE_MS = LONG ? 60_000 : 10_000
/** A busy core of a phone, and a battery of 4,000 mAh at 3.85 V: an estimate, for there is no phone here. */
const CORE_W = 1
const BATTERY_WH = 15.4
const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
const QUEUED = LONG ? 10_000 : 150

test.describe.configure({ mode: 'default', timeout: LONG ? 3_600_000 : 240_000 })
// As a phone's camera gives them, in a room.
test.use({ framesPerSecond: 20 })

test('camera frame to verdict on screen, box reachable and alone', { tag: FULL }, async ({ world, watch, phone }) => {
  const { page, camera } = await phone()
  await pairScanner(page, await world.inviteLink())
  for (let n = 1; n <= SHOTS; n++) {
    camera.show(`DAY-${n}`)
    await expectVerdict(page, 'admit', new RegExp(`seat ${n}(?!\\d)`))
  }
  camera.show(null)
  watch.expectOutage()
  await world.stop()
  // The first one waits for an answer that does not come; from then on the scanner knows that it is alone.
  for (let n = 0; n <= SHOTS; n++) {
    const before = await measures(page, true)
    camera.show(n === 0 ? 'PASS-40' : `PASS-${n}`)
    await expect.poll(async () => (await measures(page, true)).length).toBeGreaterThan(before.length)
  }
  const [reachable, alone] = [await measures(page, false), (await measures(page, true)).slice(1)]
  expect(reachable.length).toBeGreaterThan(SHOTS / 2)
  expect(alone.length).toBeGreaterThan(SHOTS / 2)
  report('frame to verdict, box reachable', reachable, 'p95 under 100 ms')
  report('frame to verdict, alone', alone, 'p95 under 40 ms')
})

test('from one verdict to the next, with and without something to look at or to ask', { tag: FULL }, async ({
  watch,
  phones,
}) => {
  watch.expectOutage()
  await using world = await describedWorld(SHOTS)
  await using phone = await phones.open(world, watch)
  const { page, camera } = phone
  await pairScanner(page, await world.inviteLink())
  const { admit, used } = words.verdict.class
  for (const [kind, said] of [
    ['PLAIN', admit],
    ['CHILD', admit],
    // A refusal is shown for longer than an admission: what asks is compared with what is used.
    ['PLAIN', used],
    ['ASK', askWords.askFirst],
  ] as const) {
    const before = (await shownAt(page)).length
    for (let n = 1; n <= SHOTS; n++) {
      camera.show(`${kind}-${n}`)
      await seeVerdict(page, new RegExp(`^${said}$`), new RegExp(`Ana ${kind}-${n}(?!\\d)`))
    }
    // The page measures a verdict after it was painted.
    await expect.poll(async () => (await shownAt(page)).length).toBe(before + SHOTS)
    const ends = (await shownAt(page)).slice(before)
    const gaps = ends.slice(1).map((end, i) => end - (ends[i] ?? end))
    report(`verdict to next verdict, ${kind}, ${said}`, gaps, 'as the one before it')
  }
})

test('processor time of an hour in a lane', { tag: FULL }, async ({ world, phone }) => {
  const { page, camera } = await phone()
  await pairScanner(page, await world.inviteLink())
  const session = await page.context().browser()?.newBrowserCDPSession()
  const busySeconds = async () => {
    const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {}
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
  }
  const share = async (act: () => Promise<void>) => {
    const [busy, begun] = [await busySeconds(), performance.now()]
    while (performance.now() - begun < LANE_MS) await act()
    return (await busySeconds()) - busy
  }
  let n = 0
  const empty = await share(() => page.waitForTimeout(1000))
  const admitting = await share(async () => {
    camera.show(`PASS-${(n++ % 40) + 1}`)
    await page.waitForTimeout(1000)
    camera.show(null)
    await page.waitForTimeout(1000)
  })
  for (const [what, busy] of Object.entries({ 'nobody comes': empty, 'thirty come in a minute': admitting })) {
    expect(busy).toBeGreaterThan(0)
    const cores = (busy * 1000) / LANE_MS
    console.log(
      `processor time while ${what}: ${percent(cores)} of a core, browser and made-up camera included; ` +
        `about ${percent((cores * CORE_W) / BATTERY_WH)} of a battery in an hour, beside screen and camera`,
    )
  }
})

test(`a manifest of ${TICKETS.toLocaleString('en')} tickets, and ${QUEUED.toLocaleString('en')} scans that wait`, {
  tag: FULL,
}, async ({ watch, phones }) => {
  watch.expectOutage()
  const codes = Array.from({ length: TICKETS }, (_, i) => `T${100_000 + i}`)
  await using world = await World.open(codes.map((code) => `${code},day,,,,,,valid`))
  await using phone = await phones.open(world, watch)
  const { page } = phone
  const pressed = performance.now()
  await openInvite(page, await world.inviteLink())
  await choosePlace(page)
  await expect(page.getByText(new RegExp(`${TICKETS.toLocaleString('en-GB')} tickets`))).toBeVisible({
    timeout: 60_000,
  })
  const ready = performance.now() - pressed
  const [load] = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('/v1/manifest'))
      .map(({ duration }) => duration),
  )
  console.log(`manifest of ${TICKETS} tickets: fetched in ${ms(load)}, pairing to ready ${ms(ready)} (under 2 s)`)

  await startScanning(page)
  await world.stop()
  // The first one waits for an answer that does not come; from then on the scanner knows that it is alone.
  const [first = '', ...others] = codes.slice(0, QUEUED)
  await typeCode(page, first)
  await expectVerdict(page, 'admit', /Offline/)
  await wedgeAll(page, others)
  await expect(page.getByText(words.link.unsent(QUEUED))).toBeVisible({ timeout: 600_000 })
  const started = performance.now()
  await world.start()
  await expect(page.getByText(words.link.unsent(0))).toBeVisible({ timeout: 1_800_000 })
  const seconds = (performance.now() - started) / 1000
  console.log(`${QUEUED} queued scans drained in ${seconds.toFixed(1)} s, ${Math.round(QUEUED / seconds)} a second`)

  const observed = await journalled(world)
  expect(observed).toHaveLength(QUEUED)
  expect(observed).toEqual(observed.toSorted())
})

/** When each verdict was painted, on the page's own clock. */
async function shownAt(page: Page): Promise<number[]> {
  const painted = await page.evaluate(() =>
    performance.getEntriesByName('frame-to-verdict').map((entry) => entry.startTime + entry.duration),
  )
  return painted.toSorted((a, b) => a - b)
}

/** Of the verdicts that the scanner decided by itself, or asked for; milliseconds. */
function measures(page: Page, alone: boolean): Promise<number[]> {
  return page.evaluate(
    (wanted) =>
      performance
        .getEntriesByName('frame-to-verdict')
        .filter((entry) => (entry as PerformanceMeasure).detail.alone === wanted)
        .map(({ duration }) => duration),
    alone,
  )
}

/** As a hand scanner would in an hour: each code when the one before has been decided. */
async function wedgeAll(page: Page, codes: readonly string[]): Promise<void> {
  await page.evaluate(async (all) => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 4))
    for (const code of all) {
      for (const key of [...code, 'Enter']) window.dispatchEvent(new KeyboardEvent('keydown', { key }))
      await pause()
    }
  }, codes)
}

/** The moment at which each was observed, in the order of the journal. */
async function journalled(world: World): Promise<string[]> {
  const times: string[] = []
  let after: number | undefined
  for (;;) {
    const query = { kind: 'scan' as const, limit: 500, ...(after !== undefined && { after }) }
    const { data } = await world.admin.GET('/v1/admin/log', { params: { query } })
    if (!data) throw new Error('the log does not answer')
    times.push(...data.rows.map(({ entry }) => String(entry.device_hlc)))
    if (data.next === null) return times.reverse()
    after = data.next
  }
}

function report(what: string, durations: readonly number[], budget: string): void {
  const [p50, p95] = [quantile(durations, 0.5), quantile(durations, 0.95)]
  console.log(`${what}: p50 ${ms(p50)}, p95 ${ms(p95)} of ${durations.length} (${budget})`)
}

function ms(value = Number.NaN): string {
  return `${Math.round(value)} ms`
}
