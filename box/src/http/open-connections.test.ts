import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { markKnown, OpenConnections } from './open-connections.ts'

let port = 0

class FakeSocket extends EventEmitter {
  destroyed = false
  readonly remoteAddress: string
  readonly remotePort = port++

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.emit('close')
  }
}

function listener(mostOfAddress = 3, mostOfNetwork = 6) {
  const clock = { ms: 0 }
  const open = new OpenConnections({ mostOfAddress, mostOfNetwork, now: () => clock.ms })
  const connect = (address = '192.0.2.1') => {
    const socket = new FakeSocket(address)
    const isOpen = open.add(socket as unknown as Socket)
    return Object.assign(socket, { isOpen, ask: () => open.begin(socket as unknown as Socket) })
  }
  return { clock, open, connect }
}

describe('open connections of one address', () => {
  it('that do nothing give way to a new one, the oldest first; one that has just begun does not', () => {
    const { clock, connect } = listener()
    const [a, b, c] = [connect(), connect(), connect()]
    assert.equal(connect().isOpen, false)
    clock.ms += 2_000
    const d = connect()
    assert.deepEqual([d.isOpen, a.destroyed, b.destroyed, c.destroyed], [true, true, false, false])
    b.destroy()
    assert.equal(connect().isOpen, true)
    assert.equal(c.destroyed, false)
  })

  it('count from their handshake or their last answer on', () => {
    const { clock, open, connect } = listener()
    const [a, b, c] = [connect(), connect(), connect()]
    const answered = b.ask()
    clock.ms += 2_000
    open.ready(a as unknown as Socket)
    answered()
    assert.deepEqual([connect().isOpen, connect().isOpen], [true, false])
    assert.deepEqual([a.destroyed, b.destroyed, c.destroyed], [false, false, true])
  })

  it('with a request give way last, after ten seconds; those of devices and admins keep theirs', () => {
    const { clock, connect } = listener()
    const [stranger, device, idleDevice] = [connect(), connect(), connect()]
    for (const one of [device, idleDevice]) markKnown(one as unknown as Socket)
    stranger.ask()
    device.ask()
    idleDevice.ask()()
    clock.ms += 2_000
    const next = connect()
    assert.deepEqual([next.isOpen, idleDevice.destroyed, stranger.destroyed], [true, true, false])
    next.ask()
    clock.ms += 8_000
    assert.equal(connect().isOpen, true)
    assert.deepEqual([stranger.destroyed, next.destroyed, device.destroyed], [true, false, false])
    clock.ms += 60_000
    for (let n = 0; n < 5; n++) connect()
    assert.equal(device.destroyed, false)
  })

  it('of a device, while it asks for nothing, give way after those of strangers', () => {
    const { clock, connect } = listener()
    const device = connect()
    markKnown(device as unknown as Socket)
    device.ask()()
    clock.ms += 1_000
    const strangers = [connect(), connect()]
    clock.ms += 2_000
    connect()
    connect()
    assert.deepEqual([device.destroyed, ...strangers.map(({ destroyed }) => destroyed)], [false, true, true])
  })

  it('with two requests under way are busy until both are answered', () => {
    const { clock, connect } = listener(1)
    const one = connect()
    const [first, second] = [one.ask(), one.ask()]
    first()
    clock.ms += 5_000
    assert.equal(connect().isOpen, false)
    second()
    clock.ms += 2_000
    assert.equal(connect().isOpen, true)
  })
})

describe('open connections of one IPv6 network', () => {
  it('are bounded together, an address by itself; the oldest idle one of the network gives way', () => {
    const { clock, connect } = listener()
    const held = Array.from({ length: 6 }, (_, n) => connect(`2001:db8::${n + 1}`))
    assert.ok(held.every(({ isOpen }) => isOpen))
    assert.equal(connect('2001:db8::ffff').isOpen, false)
    // Another network is not concerned, and within it an address has fewer than the network.
    const other = Array.from({ length: 4 }, () => connect('2001:db8:0:1::1'))
    assert.deepEqual(
      other.map(({ isOpen }) => isOpen),
      [true, true, true, false],
    )
    clock.ms += 2_000
    assert.equal(connect('2001:db8::ffff').isOpen, true)
    assert.deepEqual(
      held.map(({ destroyed }) => destroyed),
      [true, false, false, false, false, false],
    )
  })
})
