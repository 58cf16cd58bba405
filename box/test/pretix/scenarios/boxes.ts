/** Two boxes of one event, each a process, connected to one pretix: one tells it, and when that one is killed the other goes on. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MeshBox, MeshWorld } from '../../mesh/world.ts'
import { gatehouse } from '../../world/command.ts'
import { natsServer } from '../../world/nats-server.ts'
import { until } from '../../world/until.ts'
import { checkinsOf, sellInBulk } from '../bulk.ts'
import type { RealPretix } from '../real.ts'
import type { Scenario } from '../scenario.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG === '1'
const CHECKPOINT = 'a-in'

/** As an operator does it at each box: the mapping in its event's folder, and the command. */
async function connect({ folder: { environment } }: MeshBox, { url, made }: RealPretix): Promise<void> {
  const { items, lists } = made
  const mapping = `tiers:\n  item:${items.day}: once\nlists:\n  ${lists.entrance}: [a-in, b-in, a-out]\n`
  writeFileSync(join(environment.GATEHOUSE_EVENT_DIR ?? '', 'pretix.yaml'), mapping)
  const ran = await gatehouse(['shop', 'connect', url, made.token, '--event', 'summer'], {
    environment: environment as Record<string, string>,
  })
  assert.equal(ran.code, 0, ran.out + ran.err)
}

async function upOf(box: MeshBox) {
  const { data } = await box.admin().GET('/v1/admin/shop')
  return data?.pretix?.up
}

const twoBoxes: Scenario = {
  name: 'boxes: two of one event and a voter; the one that tells pretix is killed, the other takes over, and each admission is there once',
  inShort: false,
  async run({ pretix, say }) {
    const { whyNot } = await natsServer()
    if (whyNot) {
      say(`skipped: ${whyNot}`)
      return
    }
    const kills = LONG ? 6 : 1
    const each = 12
    const secrets = await sellInBulk(pretix, { prefix: 'BOX', orders: (kills + 1) * each })
    await using world = await MeshWorld.open({ boxes: 3, voter: 2, start: false })
    const [one, other, voter] = world.boxes as [MeshBox, MeshBox, MeshBox]
    for (const box of [one, other]) await connect(box, pretix)
    await Promise.all([one, other, voter].map((box) => box.start()))
    const gates = [await one.device(), await other.device()]
    const speaker = async () => {
      const states = await Promise.all([one, other].map(async (box) => (await upOf(box))?.state))
      return states.indexOf('sending')
    }
    await until(async () => (await speaker()) >= 0, 'one of the two tells pretix', 3)
    const takeovers: number[] = []
    for (let round = 0; round <= kills; round++) {
      const own = secrets.slice(round * each, (round + 1) * each)
      const speaks = await speaker()
      const gone = [one, other][speaks] as MeshBox
      const isKilled = round < kills
      for (const [n, secret] of own.entries()) {
        const at = isKilled && n >= each / 2 ? 1 - speaks : n % 2
        // Killed when half of its own were answered, and not all of them told.
        if (isKilled && n === each / 2) await gone.kill()
        const verdict = await gates[at]?.scan(secret, { checkpoint: CHECKPOINT })
        assert.equal(verdict?.verdict, 'ADMIT')
      }
      const began = performance.now()
      const wanted = (round + 1) * each
      if (isKilled) {
        // Scans that the killed box alone had seen come when it is there again.
        const left = own.filter((_, n) => n >= each / 2)
        await until(
          async () => {
            const there = new Set((await checkinsOf(pretix, 'BOX')).map(({ secret }) => secret))
            return left.every((secret) => there.has(secret))
          },
          'the other tells pretix',
          3,
        )
        takeovers.push(Math.round((performance.now() - began) / 1000))
        await gone.start()
      }
      await until(async () => (await checkinsOf(pretix, 'BOX')).length >= wanted, 'pretix has them all', 3)
    }
    const found = await checkinsOf(pretix, 'BOX')
    assert.deepEqual(found.map(({ secret }) => secret).sort(), secrets.toSorted())
    assert.ok(found.every(({ successful }) => successful))
    say(`${secrets.length} admissions at two boxes, each once in pretix; taken over after ${takeovers.join(', ')} s`)
  },
}

export const boxes: readonly Scenario[] = [twoBoxes]
