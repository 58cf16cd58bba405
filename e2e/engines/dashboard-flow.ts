/** The control room in any engine: live figures, a hold, an import, and the record as a file. */
import assert from 'node:assert/strict'
import { actionWords } from '../../dashboard/src/words/en/actions.ts'
import { liveWords } from '../../dashboard/src/words/en/live.ts'
import { words as shellWords } from '../../dashboard/src/words/en/words.ts'
import { turnstile } from '../busy-day.ts'
import type { World } from '../world.ts'
import { Person } from './person.ts'
import type { Tab } from './tab.ts'

const words = { ...shellWords, ...liveWords }

const ACTOR = 'Ines'

export async function signIn(world: World, tab: Tab): Promise<Person> {
  const control = new Person(tab)
  await tab.open(`${world.origin}/dashboard/`)
  await control.fill(words.session.label, world.adminToken)
  await control.press(words.session.submit)
  await control.press(words.session.actor.unknown)
  await control.fill(words.session.actor.label, ACTOR)
  await control.press(words.session.actor.submit, 'answer')
  await control.sees(ACTOR)
  return control
}

/** An admission at a gate is on the screen without anything being pressed. */
export async function watchLive(world: World, control: Person): Promise<void> {
  await goTo(control, 'overview')
  await using north = await turnstile(world, 'North 1', 'north-in')
  const { data } = await world.admin.GET('/v1/admin/stats')
  const admitted = data?.admitted ?? Number.NaN
  const figure = (n: number) => `${words.overview.admitted} ${n} of`
  await control.sees(figure(admitted), 'main')
  await north.scan('DAY-20')
  await control.sees(figure(admitted + 1), 'main')
}

export async function holdGate(world: World, control: Person): Promise<void> {
  const { gates } = words
  await goTo(control, 'gates')
  await control.press(new RegExp(`^${gates.hold}`))
  await control.fill(gates.reason, 'Too many at the stage')
  await control.press(gates.hold, 'answer')
  await control.sees(gates.held, 'main')
  const { data } = await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'hold' } } })
  assert.equal(data?.rows[0]?.actor, ACTOR)
  await control.press(new RegExp(`^${gates.release}`))
  await control.press(gates.release, 'answer')
  await control.seesNo(gates.held, 'main')
}

export async function importFile(world: World, control: Person): Promise<void> {
  const { import: say } = actionWords
  await goTo(control, 'import')
  const file = world.write('late.csv', Buffer.from('code,tier\nNEW-1,day\nNEW-2,festival\nNEW-3,no such tier\n'))
  await control.choose(say.choose, file)
  await control.press(say.look)
  await control.sees('2 new would be imported.')
  await control.sees(say.rejected(1))
  await control.press(say.run(2))
  await control.sees('Imported: 2 new.')
}

/** @returns once the file that the page saved stands up to a check without the box */
export async function exportRecord(world: World, control: Person): Promise<void> {
  await goTo(control, 'record')
  await control.tab.run(() => {
    const create = URL.createObjectURL
    URL.createObjectURL = (blob) => {
      Object.assign(window, { saved: blob })
      return create.call(URL, blob)
    }
  })
  await control.press(actionWords.record.exportRun)
  await control.sees(actionWords.record.saveAgain)
  const text = await control.tab.run(() => (window as unknown as { saved: Blob }).saved.text())
  const { data: meta } = await world.admin.GET('/v1/meta')
  const file = world.write('taken-home.export', Buffer.from(text))
  const { code, output } = await world.command('verify-export', file, '--key', meta?.log_key ?? '')
  assert.equal(code, 0, output)
}

async function goTo(control: Person, path: string): Promise<void> {
  await control.tab.run((hash) => {
    location.hash = hash
  }, `#/${path}`)
}
