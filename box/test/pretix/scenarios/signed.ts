/** Codes that pretix signs: a ticket that was sold while the box could not ask. */
import assert from 'node:assert/strict'
import { until } from '../../world/until.ts'
import { Gate } from '../gate.ts'
import type { RealPretix, Sold } from '../real.ts'
import type { Scenario } from '../scenario.ts'
import { dayTicket } from './down.ts'

const signed: Scenario = {
  name: 'signed codes: sold while pretix was away from the box, admitted once and marked; withdrawn ones are refused',
  inShort: true,
  async run({ pretix, say }) {
    await using _ = await signing(pretix)
    const { made } = pretix
    const first = codeOf(await pretix.sell([dayTicket(pretix)]))
    await using gate = await Gate.open(pretix, made.token, '--event', 'summer')
    await gate.ready()
    await gate.knows(first, 'ADMIT')
    const withdrawn = await pretix.sell([dayTicket(pretix)])
    const old = codeOf(withdrawn)
    await pretix.act(withdrawn.code, 'mark_canceled')
    await gate.knows(old, 'REVOKED')

    // Sold, and gone before the box has asked again.
    await gate.box.stop()
    const late = [await pretix.sell([dayTicket(pretix)]), await pretix.sell([dayTicket(pretix)])].map(codeOf)
    await pretix.stop('SIGKILL')
    await gate.box.start()
    const [one = '', other = ''] = late
    const began = performance.now()
    const verdict = await gate.scanner.scan(one, { checkpoint: 'entrance-in' })
    say(`a code that nobody here knew: ${verdict.verdict} after ${Math.round(performance.now() - began)} ms`)
    assert.equal(verdict.verdict, 'ADMIT')
    assert.match(JSON.stringify(verdict), /Sold a moment ago/)
    assert.equal(await gate.scan(one), 'ALREADY_USED')
    assert.equal(await gate.scan(`${other.slice(0, 30)}x${other.slice(31)}`), 'UNKNOWN')
    await pretix.launch()
    await gate.tryAgain()
    const order = async (code: string) => {
      const { json } = await pretix.api.get('organizers/acme/events/summer/orderpositions/', {
        query: { secret: code },
      })
      return (json as { results: { checkins: unknown[] }[] }).results[0]
    }
    await until(async () => (await order(one))?.checkins.length === 1, 'pretix has the admission')
    await gate.ready()
    assert.equal(await gate.scan(one), 'ALREADY_USED')
    assert.equal((await order(one))?.checkins.length, 1)
  },
}

function codeOf({ positions: [position] }: Sold): string {
  assert.ok(position)
  return position.secret
}

/** The event makes signed codes, until it is disposed of. */
async function signing(pretix: RealPretix): Promise<AsyncDisposable> {
  const set = async (generator: string) => {
    await pretix.shell(`Event.objects.get(slug="summer").settings.ticket_secret_generator = "${generator}"`)
  }
  await set('pretix_sig1')
  return { [Symbol.asyncDispose]: () => set('random') }
}

export const signedCodes: readonly Scenario[] = [signed]
