/** A ticket on the holder's own phone, from the link to a code that turns without network, in any engine. */
import { screenWords } from '../../wallet-pwa/src/words/en/screens.ts'
import { words as firstWords } from '../../wallet-pwa/src/words/en/words.ts'
import type { World } from '../world.ts'
import { Person } from './person.ts'
import type { Tab } from './tab.ts'
import { until } from './tab.ts'

const words = { ...firstWords, ...screenWords }

/** Until the ticket is claimed and every file is on the phone. */
export async function takeTicket(world: World, tab: Tab): Promise<Person> {
  const holder = new Person(tab)
  await tab.open(await world.walletLink('DAY-9'))
  await holder.sees('seat 9')
  await holder.press(words.claim.ask)
  await holder.press(words.claim.confirm, 'answer')
  await holder.sees(words.claim.mine)
  await holder.press(words.screens.more, 'link')
  await holder.sees(words.more.savedYes)
  await holder.press(words.screens.ticket, 'link')
  return holder
}

/** The code on the screen is drawn anew within a minute. */
export async function codeTurns(holder: Person): Promise<void> {
  await until('a code', async () => (await code(holder)) !== undefined)
  const before = await code(holder)
  await until('another code', async () => ![undefined, before].includes(await code(holder)))
}

/** Without the box: the app opens by itself, the claim is still this phone's, and the code goes on. */
export async function openAlone(world: World, holder: Person): Promise<void> {
  await world.stop()
  await holder.tab.reload()
  await holder.sees(words.offline)
  await holder.sees(words.claim.mine)
  await codeTurns(holder)
  await world.start()
}

/** The drawing of the code, over its white ground. Undefined where there is none. */
function code(holder: Person): Promise<string | undefined> {
  return holder.tab.run(
    (label) => document.querySelector(`[aria-label="${label}"] path:last-of-type`)?.getAttribute('d') ?? undefined,
    words.ticket.code,
  )
}
