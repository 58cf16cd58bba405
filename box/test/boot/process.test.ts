/** A box as a process: signals, ports, and other processes on the same ledger. */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { connect as connectPlain, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import type { PairedDevice } from '../../src/device/pair.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { audit } from '../ledger/crash-audit.ts'
import { BoxFolder, type Ports } from '../world/process-box.ts'
import { scanOf } from '../world/scan-of.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG === '1'
const DONE = { code: 0, signal: null }
const TICKETS = Array.from({ length: 1_000 }, (_, i) => `gate-${i},once,,,,,,valid`)

function clientOf({ ca, certificate: cert, key, token }: PairedDevice, ports: Ports) {
  const fetch = tlsFetch({ ca, cert, key })
  const client = gatehouseClient({ baseUrl: `https://127.0.0.1:${ports.device}`, token, fetch })
  return Object.assign(client, { [Symbol.asyncDispose]: () => fetch[Symbol.asyncDispose]() })
}

/** Connections that hold a box up if it lets them. */
function openLoiterers(ports: Ports, { ca, certificate: cert, key, token }: PairedDevice): Disposable {
  const secure = (port: number, text: string) => {
    const socket = connectTls({ host: '127.0.0.1', port, ca, cert, key })
    socket.on('secureConnect', () => socket.write(text))
    return socket
  }
  const plain = (port: number, text: string) =>
    connectPlain(port, '127.0.0.1').on('connect', function (this: Socket) {
      this.write(text)
    })
  const post = `POST /v1/scan HTTP/1.1\r\nhost: box\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`
  const sockets = [
    // Silent before, and after, the handshake; with half a header, and with half a body; and one that has been answered.
    ...[ports.http, ports.https, ports.device].map((port) => plain(port, '')),
    ...[ports.https, ports.device].map((port) => secure(port, '')),
    plain(ports.http, 'GET /healthz HTTP/1.1\r\nhost'),
    secure(ports.device, post),
    secure(ports.device, `${post}content-length: 1000\r\n\r\n{"scan_id":`),
    plain(ports.http, 'GET /healthz HTTP/1.1\r\nhost: box\r\n\r\n'),
  ]
  for (const socket of sockets) socket.on('error', () => {})
  return {
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe('a box that is told to stop', { concurrency: 2 }, () => {
  it('answers requests in flight, ends its streams, and exits', async (t: TestContext) => {
    using folder = new BoxFolder({ tickets: TICKETS })
    await using box = folder.start()
    const ports = await box.opened()
    const paired = await folder.pair(ports, 'scanner')
    await using client = clientOf(paired, ports)
    await using reader = clientOf(await folder.pair(ports, 'reader'), ports)
    const { response: stream } = await reader.GET('/v1/stream', { parseAs: 'stream' })
    assert.equal(stream.status, 200)
    using _loiterers = openLoiterers(ports, paired)
    // On connections that are there already: what is in flight is scans, not handshakes.
    await Promise.all(Array.from({ length: 40 }, (_, i) => client.POST('/v1/scan', { body: scanOf(`gate-${i}`) })))
    await sleep(200)

    const scans = Array.from({ length: 40 }, (_, i) => scanOf(`gate-${i + 40}`))
    const asked = scans.map((body) => client.POST('/v1/scan', { body }))
    await Promise.race(asked)
    const told = performance.now()
    box.signal('SIGTERM')
    const answers = await Promise.allSettled(asked)
    assert.deepEqual(await box.exited(), DONE, box.output)
    const seconds = (performance.now() - told) / 1000
    assert.ok(seconds < 6, `${seconds} s`)

    const { answers: stored } = audit(folder.dataDir)
    let admitted = 0
    for (const [i, answer] of answers.entries()) {
      if (answer.status === 'rejected') continue
      const { data, error } = answer.value
      assert.equal(data?.verdict, 'ADMIT', error?.message)
      assert.deepEqual(JSON.parse(stored.get(scans[i]?.scan_id ?? '') ?? '{}'), data)
      admitted++
    }
    t.diagnostic(`${admitted} of ${scans.length} scans in flight answered, gone after ${seconds.toFixed(2)} s`)
    // Closed in order: nothing waits in the WAL.
    assert.ok(!existsSync(join(folder.dataDir, 'ledger.db-wal')))
    await assert.rejects(stream.text())
  })

  for (const [first, second] of [
    ['SIGTERM', 'SIGTERM'],
    ['SIGINT', 'SIGTERM'],
  ] as const) {
    it(`stops after ${first}, and at once after ${second} as well`, async () => {
      using folder = new BoxFolder()
      await using box = folder.start()
      const ports = await box.opened()
      using _loiterers = openLoiterers(ports, await folder.pair(ports, 'scanner'))
      await sleep(300)
      box.signal(first)
      await box.said(/"event":"box_closing"/)
      box.signal(second)
      assert.deepEqual(await box.exited(), { code: null, signal: second })
      audit(folder.dataDir)
    })
  }

  it('stops while it is still opening', async () => {
    using folder = new BoxFolder()
    await using box = folder.start()
    while (!existsSync(join(folder.dataDir, 'ledger.db'))) await sleep(10)
    box.signal('SIGTERM')
    assert.deepEqual(await box.exited(), DONE)
  })
})

describe('a box', { concurrency: 2 }, () => {
  it('says in one sentence that its port is taken, and leaves no lock behind', async () => {
    using folder = new BoxFolder()
    await using first = folder.start()
    const { device } = await first.opened()
    // The last of the three: the others are open already when it is asked for.
    using other = new BoxFolder({ environment: { GATEHOUSE_DEVICE_PORT: String(device) } })
    await using second = other.start()
    assert.deepEqual(await second.exited(), { code: 2, signal: null })
    const spoken = second.output.split('\n').filter((line) => !line.startsWith('{'))
    const sentence = `Port ${device} is in use: stop what uses it, or set GATEHOUSE_DEVICE_PORT to another port.`
    assert.deepEqual(spoken, [sentence, ''])
    assert.ok(!existsSync(join(other.dataDir, 'ledger.db-wal')))
    audit(other.dataDir)
  })

  it('shares its ledger with commands that import: each waits for the other and nothing is lost', async (t: TestContext) => {
    const imported = LONG ? 100_000 : 5_000
    using folder = new BoxFolder({ tickets: TICKETS })
    await using box = folder.start()
    const ports = await box.opened()
    await using client = clientOf(await folder.pair(ports, 'scanner'), ports)
    const files = ['one', 'two'].map((name) => {
      const file = join(folder.path, `${name}.csv`)
      const rows = Array.from({ length: imported }, (_, i) => `${name}-${i},once,,,`)
      writeFileSync(file, ['code,tier,seat,holder_name,email', ...rows].join('\n'))
      return file
    })

    const commands = files.map((file) => folder.command('import', file, '--json'))
    let over = false
    const imports = Promise.all(commands.map((command) => command.exited())).finally(() => {
      over = true
    })
    const worst = { scan: 0, healthz: 0 }
    const time = async (what: keyof typeof worst, ask: () => Promise<unknown>) => {
      const from = performance.now()
      await ask()
      worst[what] = Math.max(worst[what], performance.now() - from)
    }
    let scanned = 0
    const scan = async () => {
      const { data, error } = await client.POST('/v1/scan', { body: scanOf(`gate-${scanned++ % TICKETS.length}`) })
      assert.ok(data, error?.message)
    }
    const health = async () => {
      while (!over) {
        await time('healthz', async () => (await fetch(`http://127.0.0.1:${ports.http}/healthz`)).text())
        await sleep(10)
      }
    }
    const healthy = health()
    const gates = Array.from({ length: 3 }, async () => {
      while (!over) await time('scan', scan)
    })
    for (const [i, exit] of (await imports).entries()) assert.deepEqual(exit, DONE, commands[i]?.output)
    await Promise.all([...gates, healthy])

    // The running box has the tickets that the command imported.
    const { data } = await client.POST('/v1/scan', { body: scanOf(`two-${imported - 1}`) })
    assert.equal(data?.verdict, 'ADMIT')
    box.signal('SIGTERM')
    await box.exited()
    const found = audit(folder.dataDir)
    assert.equal(found.refs.size, TICKETS.length + 2 * imported)
    assert.equal(found.answers.size, scanned + 1)
    for (const command of commands) await command[Symbol.asyncDispose]()
    t.diagnostic(JSON.stringify({ imported: 2 * imported, scans: scanned, worst_ms: worst }))
  })
})
