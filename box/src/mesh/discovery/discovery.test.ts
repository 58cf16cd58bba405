import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Bonjour } from 'bonjour-service'
import fc from 'fast-check'
import { type Advertisement, urlsOf } from './announcement.ts'
import { advertise, find } from './discovery.ts'

const LOOPBACK = '127.0.0.1'
const GROUP = '224.0.0.251'
const north: Advertisement = {
  boxId: 'box-0a1b2c3d',
  eventId: 'lantern-quay',
  name: 'Lantern Quay, Gate Nørth',
  ports: { http: 8080, https: 8443, device: 8444 },
  caFingerprint: `sha256:${'ab'.repeat(32)}`,
}
const south: Advertisement = { ...north, boxId: 'box-ffffffff' }
const failOnProblem = (problem: Error) => assert.fail(problem)

test('a box is reached at each of its addresses, of either family', () => {
  assert.deepEqual(urlsOf({ addresses: ['192.0.2.7', 'fe80::1'], ports: north.ports }), [
    'https://192.0.2.7:8443',
    'https://[fe80::1]:8443',
  ])
})

describe('boxes on one network', { skip: await whyNoMulticast(), concurrency: true }, () => {
  test('find each other by what they announce, sorted by id', async () => {
    const port = await freePort()
    const where = { interface: LOOPBACK, port, onProblem: failOnProblem }
    await using _south = advertise(south, where)
    await using _north = advertise(north, where)
    const found = await find({ ...where, timeoutMs: 600 })
    assert.deepEqual(
      found.map(({ addresses, ...box }) => box),
      [north, south],
    )
    for (const { addresses } of found) assert.equal(addresses[0], LOOPBACK)
  })

  test('are not found where nobody is', async () => {
    assert.deepEqual(await find({ interface: LOOPBACK, port: await freePort(), timeoutMs: 100 }), [])
  })

  test('say goodbye when they stop', async () => {
    await using wire = await tap(await freePort())
    await advertise(north, { interface: LOOPBACK, port: wire.port, onProblem: failOnProblem })[Symbol.asyncDispose]()
    const last = await wire.heard(2)
    // The first record of the last packet: name (pointer-free), type, class, then the time to live.
    const afterName = last.indexOf(0, 12) + 1
    assert.equal(last.readUInt16BE(afterName), 12, 'PTR')
    assert.equal(last.readUInt32BE(afterName + 4), 0, 'time to live')
  })

  test('with a long name are found, the name cut between two characters', async () => {
    const where = { interface: LOOPBACK, port: await freePort(), onProblem: failOnProblem }
    await using _box = advertise({ ...north, name: `x${'é'.repeat(60)}` }, where)
    const [found] = await find({ ...where, timeoutMs: 600 })
    assert.match(found?.name ?? '', /^xé{20,}$/)
  })

  test('with one id and two fingerprints are both listed', async () => {
    const where = { interface: LOOPBACK, port: await freePort(), onProblem: failOnProblem }
    const liar = { ...north, caFingerprint: `sha256:${'00'.repeat(32)}` }
    await using _box = advertise(north, where)
    await using _liar = advertise(liar, where)
    const found = await find({ ...where, timeoutMs: 600 })
    assert.deepEqual(
      found.map((box) => box.caFingerprint),
      [liar.caFingerprint, north.caFingerprint],
    )
  })

  test('hide no stranger behind them: what is not well-formed is not listed', async () => {
    const port = await freePort()
    const txt = { id: 'box-1', event: 'x', name: 'x', fp: north.caFingerprint, http: '1', https: '2', device: '3' }
    const stranger = new Bonjour({ ...{ interface: LOOPBACK, bind: '0.0.0.0' }, port }, failOnProblem)
    const changes: Record<string, string>[] = [
      { id: 'Box 1' },
      { id: '../../etc' },
      { name: '\u001b[2Jgotcha' },
      { fp: 'sha256:00' },
      { https: '65536' },
      { http: '0' },
      { device: '1e3' },
      { event: '' },
    ]
    for (const [i, change] of changes.entries()) {
      stranger.publish({ name: `bad ${i}`, type: 'gatehouse', port: 1, probe: false, txt: { ...txt, ...change } })
    }
    stranger.publish({ name: 'no txt', type: 'gatehouse', port: 1, probe: false })
    stranger.publish({ name: 'good', type: 'gatehouse', port: 1, probe: false, txt })
    const found = await find({ interface: LOOPBACK, port, timeoutMs: 600 })
    await new Promise<void>((closed) => stranger.destroy(closed))
    assert.deepEqual(
      found.map((box) => box.boxId),
      ['box-1'],
    )
  })

  test('neither crash nor fall silent when the air is full of broken packets', async () => {
    const problems: Error[] = []
    await using wire = await tap(await freePort())
    const where = { interface: LOOPBACK, port: wire.port, onProblem: (problem: Error) => problems.push(problem) }
    await using _box = advertise(north, where)
    const real = await wire.heard(1)
    const broken = fc
      .tuple(fc.nat(real.length), fc.uint8Array({ maxLength: 40 }), fc.boolean())
      .map(([at, noise, cut]) => {
        const end = cut ? real.subarray(real.length) : real.subarray(at + noise.length)
        return Buffer.concat([real.subarray(0, at), noise, end])
      })
    const searching = find({ ...where, timeoutMs: 1800 })
    for (const packet of fc.sample(broken, 400)) {
      // As an answer and as a question.
      await wire.say(packet)
      if (packet.length > 2) packet[2] = 0
      await wire.say(packet)
    }
    const found = await searching
    assert.ok(found.some((box) => box.boxId === north.boxId))
    assert.deepEqual(problems, [])
  })

  test('answer a flood of questions at their own pace', async () => {
    await using wire = await tap(await freePort())
    await using _box = advertise(north, { interface: LOOPBACK, port: wire.port, onProblem: failOnProblem })
    await wire.heard(1)
    const question = Buffer.concat([
      Buffer.from('\x0a_gatehouse\x04_tcp\x05local\0', 'latin1'),
      Buffer.from([0, 12, 0, 1]),
    ])
    const header = (questions: number) => Buffer.from([0, 0, 0, 0, questions >> 8, questions & 255, 0, 0, 0, 0, 0, 0])
    await wire.say(Buffer.concat([header(40), ...Array(40).fill(question)]))
    const start = performance.now()
    for (let i = 0; i < 500; i++) {
      await wire.say(Buffer.concat([header(1), question]))
      // Slow enough for the kernel to drop none.
      if (i % 20 === 0) await sleep(1)
    }
    await sleep(100)
    const answers = wire.packets.length - 1
    const seconds = Math.ceil((performance.now() - start) / 1000)
    assert.ok(answers >= 50 && answers <= 50 * (1 + seconds), `${answers} answers in ${seconds} s`)
  })
})

describe('a box without a network to announce on', () => {
  test('says so, and neither throws nor waits', async () => {
    const problems: Error[] = []
    const where = { interface: '203.0.113.7', port: await freePort() }
    await advertise(north, { ...where, onProblem: (problem) => problems.push(problem) })[Symbol.asyncDispose]()
    assert.equal(problems.length, 1)
    assert.match(problems[0]?.message ?? '', /^no multicast DNS on 203\.0\.113\.7: /)
    await assert.rejects(find({ ...where, timeoutMs: 1000 }), /no network could be asked/)
  })

  test('says so when another program keeps the port for itself', async () => {
    const greedy = createSocket('udp4').bind(0, '0.0.0.0')
    await once(greedy, 'listening')
    const where = { interface: LOOPBACK, port: greedy.address().port }
    const problems: Error[] = []
    await advertise(north, { ...where, onProblem: (problem) => problems.push(problem) })[Symbol.asyncDispose]()
    greedy.close()
    assert.match(problems[0]?.message ?? '', /EADDRINUSE/)
  })
})

/** A socket in the group that keeps what others said and can say anything. */
async function tap(port: number) {
  const socket = await join(port)
  const packets: Buffer[] = []
  socket.on('message', (packet: Buffer) => {
    // Boxes answer; what this socket asks comes back to it as well.
    if (packet.length > 2 && packet.readUInt8(2) >= 0x80) packets.push(packet)
  })
  return {
    port,
    packets,
    say: (packet: Buffer) => new Promise((said) => socket.send(packet, port, GROUP, said)),
    async heard(count: number): Promise<Buffer> {
      for (let i = 0; i < 200 && packets.length < count; i++) await sleep(10)
      return packets[count - 1] ?? assert.fail(`heard ${packets.length} packets, not ${count}`)
    },
    async [Symbol.asyncDispose]() {
      socket.close()
    },
  }
}

async function join(port: number): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true }).bind(port, '0.0.0.0')
  await once(socket, 'listening')
  try {
    socket.addMembership(GROUP, LOOPBACK)
    socket.setMulticastInterface(LOOPBACK)
    return socket
  } catch (error) {
    socket.close()
    throw error
  }
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, LOOPBACK)
  await once(socket, 'listening')
  const { port } = socket.address()
  await new Promise<void>((closed) => socket.close(closed))
  return port
}

/** Some sandboxes have no multicast, not even on loopback. */
async function whyNoMulticast(): Promise<string | false> {
  try {
    await using wire = await tap(await freePort())
    await wire.say(Buffer.from([0, 0, 0x80]))
    await wire.heard(1)
    return false
  } catch (error) {
    return `no multicast on loopback here: ${error}`
  }
}
