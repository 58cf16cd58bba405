import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Asker, Turns } from './turns.ts'

function started() {
  const turns = new Turns()
  const order: string[] = []
  const refused: string[] = []
  const open: (() => void)[] = []
  const ask = (name: string, asker: Asker) => {
    const work = () => {
      order.push(name)
      return new Promise<void>((resolve) => open.push(resolve))
    }
    turns.take(asker, work).catch(() => refused.push(name))
  }
  /** Ends what is computed, if anything has begun. */
  const next = async () => {
    open.shift()?.()
    await new Promise(setImmediate)
  }
  return { ask, order, refused, next, running: open }
}
const stranger = (lane: string): Asker => ({ lane, isKnown: false })
const known = (lane: string): Asker => ({ lane, isKnown: true })

describe('the order of PINs', () => {
  it('computes one at a time, and that of another network before the second of a network that sends hundreds', async () => {
    const { ask, order, refused, next, running } = started()
    for (let i = 0; i < 300; i++) ask(`flood ${i}`, stranger('198.51.100.1'))
    ask('Ada', stranger('192.0.2.1'))
    for (let i = 0; i < 3; i++) await next()
    assert.deepEqual(order.slice(0, 3), ['flood 0', 'Ada', 'flood 1'])
    assert.equal(running.length, 1)
    for (let i = 0; i < 40; i++) await next()
    assert.equal(refused.length, 300 - 31, 'of the flood alone')
    assert.ok(refused.every((name) => name.startsWith('flood')))
    assert.equal(order.length + refused.length, 301)
  })

  it('lets people where they are known pass strangers of any number of networks, and never stops for them', async () => {
    const { ask, order, refused, next } = started()
    for (let i = 0; i < 100; i++) ask(`stranger ${i}`, stranger(`2001:db8:0:${i}::/64`))
    for (const name of ['Ada', 'Otto', 'Vera']) ask(name, known(name))
    for (let i = 0; i < 6; i++) await next()
    assert.deepEqual(order, ['stranger 0', 'Ada', 'stranger 1', 'Otto', 'stranger 2', 'Vera'])
    assert.ok(!refused.some((name) => !name.startsWith('stranger')))
  })

  it('goes on after one that failed', async () => {
    const turns = new Turns()
    await assert.rejects(turns.take(stranger('a'), () => Promise.reject(new Error('no memory'))))
    assert.equal(await turns.take(stranger('a'), async () => 7), 7)
  })
})
