/** The one list of flows, which every engine goes through: a shift, a ticket, the control room. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { quantile } from '../../box/bench/figures.ts'
import { World } from '../world.ts'
import * as dashboard from './dashboard-flow.ts'
import * as scanner from './scanner-flow.ts'
import type { Engine, Tab } from './tab.ts'
import * as wallet from './wallet-flow.ts'

/** The full form also measures, and leaves pictures to look at. */
const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined
const PICTURES = join(import.meta.dirname, '../../.reports/engines')
const PHONE = { width: 390, height: 844 }
const TABLET = { width: 1024, height: 768 }
const SHOTS = 19

/** @param whyNot the reason why this engine is not here */
export function flowsIn(name: string, whyNot: string | undefined, open: () => Promise<Engine>): void {
  // The run prints what was skipped, and this is all that it has to say of it.
  if (whyNot) return void test(`the apps in ${name}: ${whyNot}`, { skip: whyNot })
  describe(`the apps in ${name}`, () => {
    const held = new AsyncDisposableStack()
    let world: World
    let engine: Engine
    before(async () => {
      world = held.use(await World.open())
      engine = held.use(await open())
      console.log(`${engine.name} ${engine.version}`)
    })
    after(() => held.disposeAsync())

    test('a shift: paired by a link, scanned, reported, alone, loaded anew, and sent', async () => {
      const tab = await engine.tab(PHONE)
      const crew = await scanner.pair(world, tab)
      await look(engine, tab, 'preflight')
      await scanner.startScanning(crew)
      await scanner.scanInReach(crew, () => look(engine, tab, 'verdict'))
      if (LONG) await measure(engine, crew, 'box reachable')
      await look(engine, tab, 'scan')
      await scanner.wordsAreWhole(crew)
      await scanner.report(crew)
      // Before the page is loaded anew, which leaves it without the made-up camera.
      if (LONG) await scanner.whileAlone(world, crew, () => measure(engine, crew, 'alone'))
      await scanner.scanAlone(world, crew)
    })

    test('a ticket: from the link to the claim, a code that turns, and without the box', async () => {
      const tab = await engine.tab(PHONE)
      const holder = await wallet.takeTicket(world, tab)
      await wallet.codeTurns(holder)
      await look(engine, tab, 'ticket')
      await wallet.openAlone(world, holder)
    })

    test('the control room: live, a hold, an import, and the record', async () => {
      const tab = await engine.tab(TABLET)
      const control = await dashboard.signIn(world, tab)
      await dashboard.watchLive(world, control)
      await look(engine, tab, 'overview')
      await dashboard.holdGate(world, control)
      await dashboard.importFile(world, control)
      await dashboard.exportRecord(world, control)
    })

    test('no page has thrown', async () => {
      const faults = await engine.faults()
      if (faults.length > 0) throw new Error(faults.join('\n'))
    })
  })
}

/** Prints it; a shared machine says little about a phone. */
async function measure(
  { name }: Engine,
  crew: Awaited<ReturnType<typeof scanner.pair>>,
  how: 'box reachable' | 'alone',
) {
  const before = (await scanner.frameToVerdict(crew.tab)).length
  await scanner.scanMany(crew, SHOTS, how === 'alone' ? SHOTS : 0)
  const times = (await scanner.frameToVerdict(crew.tab)).slice(before).toSorted((a, b) => a - b)
  const [p50, p95] = [0.5, 0.95].map((share) => Math.round(quantile(times, share)))
  console.log(`frame to verdict in ${name}, ${how}: p50 ${p50} ms, p95 ${p95} ms, ${times.length} codes`)
}

async function look({ name }: Engine, tab: Tab, what: string): Promise<void> {
  if (!LONG) return
  mkdirSync(PICTURES, { recursive: true })
  writeFileSync(join(PICTURES, `${what}-${name.toLowerCase()}.png`), await tab.picture())
}
