/** The page with names, while `gatehouse forget --ticket` erases a holder beside the box that is making it. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Desk } from '../../test/world/desk.ts'
import { COMMAND_LINE } from '../ca/actor.ts'
import { openLedger } from '../ledger/open.ts'
import { createLogger } from '../log.ts'
import { forgetHolder } from '../tickets/forget-holder.ts'
import { Tickets } from '../tickets/tickets.ts'
import type { EvacuationFigures } from './evacuation.ts'
import { EvacuationKeeper, forgetNames, NAMES_FILE } from './evacuation-keeper.ts'
import { shortCodeKey } from './short-code.ts'
import { PaperThreads } from './thread.ts'

const NOON = Date.parse('2026-07-04T12:00:00Z')
const FIGURES: EvacuationFigures = {
  made_at: new Date(NOON).toISOString(),
  event_name: 'Test Fair',
  zones: [],
  total: { inside: 0, least: 0, most: 0 },
  boxes: [],
  not_counted: [],
  names: 'listed',
}

/** @param drawn called when a page is drawn, before it is written */
function keeperOf({ folder, event, deps }: Desk, threads: PaperThreads, drawn: () => void): EvacuationKeeper {
  let monotonic = 0
  return new EvacuationKeeper({
    dataDir: folder,
    event,
    ledger: deps.ledger,
    logger: createLogger('silent'),
    monotonic: () => (monotonic += 3_600_000),
    figures: async () => FIGURES,
    threads: {
      run: async (task) => {
        const answer = await threads.run(task)
        drawn()
        return answer
      },
    },
  })
}

/** Erases a holder as the command line does, by a connection of its own. The box has no watch here, and does not hear of it. */
async function forgetBeside({ folder, event, deps, now }: Desk, code: string): Promise<void> {
  const { ledger, identity } = openLedger({ dataDir: folder, eventId: event.id, wallClock: () => now })
  using _ = ledger
  const tickets = new Tickets(ledger.db, identity.refKey)
  forgetHolder(code, COMMAND_LINE, { ledger, tickets, codes: deps.codes, now: () => now })
  await forgetNames(join(folder, 'evacuation'))
}

test('a page that was drawn before an erasure by the command line is not on the disk after it, whenever it came', async () => {
  using desk = await Desk.open({ now: NOON })
  const people = ['Ana', 'Bea', 'Cy', 'Dora', 'Elif', 'Finn'].map((name, i) => ({ code: `N-${i}`, name }))
  await desk.import(people.map(({ code, name }) => `${code},once,valid,,,${name}`))
  await using threads = new PaperThreads({
    path: join(desk.folder, 'ledger.db'),
    event: desk.event,
    key: shortCodeKey(desk.deps.identity.refKey),
  })
  let erasure: (() => Promise<void>) | undefined
  let erased: Promise<void> | undefined
  await using keeper = keeperOf(desk, threads, () => (erased = erasure?.()))
  const written = () =>
    readdirSync(keeper.folder)
      .filter((file) => file.startsWith(NAMES_FILE))
      .map((file) => readFileSync(join(keeper.folder, file), 'utf8'))
      .join()
  for (const { code } of people) await desk.scan(code)
  await keeper.keep()
  for (const { name } of people) assert.match(written(), new RegExp(name))
  for (const [turns, { code, name }] of people.entries()) {
    await desk.scan(code)
    erasure = async () => {
      for (let turn = 0; turn < turns ** 2; turn++) await setImmediate()
      await forgetBeside(desk, code)
    }
    await keeper.keep()
    await erased
    assert.doesNotMatch(written(), new RegExp(name), `${turns ** 2} turns after the page was drawn`)
  }
  erasure = undefined
})

test('an erasure removes what a power cut has left of a page that was being written', async () => {
  using desk = await Desk.open({ now: NOON })
  const folder = join(desk.folder, 'evacuation')
  await forgetNames(folder)
  mkdirSync(folder)
  for (const file of [NAMES_FILE, `${NAMES_FILE}.1234.new`, 'other.html']) writeFileSync(join(folder, file), 'Ana Reis')
  await forgetNames(folder)
  assert.deepEqual(readdirSync(folder), ['other.html'])
})
