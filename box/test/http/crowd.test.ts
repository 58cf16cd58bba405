/**
 * Requests of strangers and ticket holders that could slow a gate. How slow a gate becomes is measured by `npm run bench -- --only crowd`;
 * here each attack meets the rule that bounds it.
 */
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { claimBytes } from '@gatehouse/proto/claim.ts'
import Database from 'better-sqlite3'
import QRCode from 'qrcode'
import { CostlyAddresses } from '../../src/http/costly-addresses.ts'
import { ask, writeBytes } from '../world/ask.ts'
import { scanOf } from '../world/scan-of.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

let world: World
let device: Awaited<ReturnType<World['device']>>
/** Another scanner, at a live gate. Both are paired before the crowd comes, which uses up the tries of its network. */
let live: typeof device
let tls: { ca: string }
before(async () => {
  world = await World.open()
  device = await world.device()
  live = await world.device()
  tls = { ca: await world.ca }
})
after(() => world[Symbol.asyncDispose]())

/** @param about what the proof is about */
function claimOf(about: string, keys = generateKeyPairSync('ed25519')) {
  const { x = '' } = keys.publicKey.export({ format: 'jwk' })
  return {
    public_key: Buffer.from(x, 'base64url').toString('base64'),
    proof: sign(null, claimBytes(about), keys.privateKey).toString('base64'),
  }
}

function post(path: string, body: string) {
  const headers = { 'content-type': 'application/json' }
  return ask(world.box.ports.https, path, { method: 'POST', headers, body, tls })
}

/** The head of a request, without its body. */
function headOf(path: string, bytes: number, more = ''): string {
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${more}content-length: ${bytes}\r\n\r\n`
}

/** Connections that are opened at once. @returns those that stay */
async function connections(port: number, count: number, options?: { ca: string }): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    options ? connectTls({ host: '127.0.0.1', port, servername: 'localhost', ...options }) : connect(port, '127.0.0.1'),
  )
  for (const socket of sockets) socket.on('error', () => {}).resume()
  const ready = options ? 'secureConnect' : 'connect'
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, ready), once(socket, 'close')])))
  return sockets
}

describe('a crowd that wants to slow a gate', () => {
  it('opens more connections than an address may have: the others are closed, and a scanner is answered', async () => {
    const sockets = await connections(world.box.ports.http, 530)
    try {
      await until(() => sockets.filter(({ destroyed }) => destroyed).length >= 18)
      assert.equal((await device.scan('CREW-1', { checkpoint: 'a-in' })).verdict, 'ADMIT')
    } finally {
      for (const socket of sockets) socket.destroy()
    }
    await until(async () => (await ask(world.box.ports.http, '/healthz').catch(() => undefined))?.status === 200)
  })

  it('holds 512 connections of an address and asks for nothing: others behind it are answered at once', async () => {
    const { http } = world.box.ports
    const ask = (socket: Socket) => socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
    const held = await connections(http, 512)
    const others: Socket[] = []
    try {
      // Each has had an answer, and would be kept for 75 seconds.
      held.forEach(ask)
      await until(() => held.every(({ bytesRead, destroyed }) => bytesRead > 0 || destroyed))
      world.elapsedMs += 2_000
      others.push(...(await connections(http, 20)))
      others.forEach(ask)
      await until(() => others.every(({ bytesRead, destroyed }) => bytesRead > 0 || destroyed))
      assert.equal(others.filter(({ destroyed }) => destroyed).length, 0)
      await until(() => held.filter(({ destroyed }) => destroyed).length >= 10)
      assert.ok(held.filter(({ destroyed }) => destroyed).length < 40)
    } finally {
      for (const socket of [...held, ...others]) socket.destroy()
    }
  })

  it('begins three hundred handshakes at once: each is done in its turn, and none is reset', async () => {
    const sockets = await connections(world.box.ports.https, 300, tls)
    assert.equal(sockets.filter(({ destroyed }) => destroyed).length, 0)
    for (const socket of sockets) socket.destroy()
  })

  it('asks for the API document and the QR page without end: each is made once', async (t: TestContext) => {
    const drawn = t.mock.method(QRCode, 'toString')
    const written = t.mock.method(JSON, 'stringify')
    for (const path of ['/v1/openapi.json', '/']) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(world.box.ports.http, path)))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]), path)
    }
    assert.ok(drawn.mock.callCount() <= 1, `${drawn.mock.callCount()} drawn`)
    const documents = written.mock.calls.filter(({ arguments: [value] }) => value?.openapi !== undefined)
    assert.ok(documents.length <= 1, `${documents.length} written`)
  })

  it('asks for the certificate and the venue without end: neither is encoded again', async (t: TestContext) => {
    const encoded = t.mock.method(Buffer, 'from')
    const timesEncoded = (body: string) => encoded.mock.calls.filter(({ arguments: [text] }) => text === body).length
    for (const path of ['/ca.crt', '/v1/venue']) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(world.box.ports.http, path)))
      const [{ status, text } = { status: 0, text: '' }] = answers
      assert.equal(status, 200, path)
      assert.ok(text.length > 100, path)
      assert.equal(timesEncoded(text), 0, path)
    }
  })

  it('claims its own ticket again, and with bad proofs: the ledger is not asked', async () => {
    const id = world.ticketIdOf('ONCE-1')
    const keys = generateKeyPairSync('ed25519')
    const own = JSON.stringify(claimOf(id, keys))
    assert.equal((await post(`/v1/ticket/${id}/claim`, own)).status, 200)
    const other = new Database(join(world.folder, 'data/ledger.db'))
    // While another process writes, whatever needs a transaction waits for fifteen seconds.
    other.exec('BEGIN IMMEDIATE')
    try {
      const started = performance.now()
      assert.equal((await post(`/v1/ticket/${id}/claim`, own)).status, 200)
      const bad = JSON.stringify(claimOf('another ticket', keys))
      assert.equal((await post(`/v1/ticket/${id}/claim`, bad)).status, 400)
      assert.ok(performance.now() - started < 10_000)
    } finally {
      other.exec('ROLLBACK')
      other.close()
    }
  })

  it('claims one ticket again and again: refused before the body is read', async () => {
    const id = world.ticketIdOf('ONCE-2')
    const answers = await Promise.all(Array.from({ length: 140 }, () => post(`/v1/ticket/${id}/claim`, '[')))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([400, 429]))
    // Another ticket of the same address is claimed meanwhile.
    const other = world.ticketIdOf('FLEX-1')
    assert.equal((await post(`/v1/ticket/${other}/claim`, JSON.stringify(claimOf(other)))).status, 200)
  })

  it('sends brackets to /v1/enroll: too large, too deep, and no invite; a good invite enrols all the same', async () => {
    world.elapsedMs += 60_000
    // Nothing of the body is sent: a box that reads it before it answers would wait.
    const long = await writeBytes(world.box.ports.https, headOf('/v1/enroll', 60_000), { tls })
    assert.match(long, /^HTTP\/1.1 413 [\s\S]*connection: close[\s\S]*"too_large"/)
    const deep = await post('/v1/enroll', '['.repeat(1000))
    assert.deepEqual([deep.status, JSON.parse(deep.text).message], [400, NESTED])
    const statuses = await Promise.all(Array.from({ length: 25 }, async () => (await post('/v1/enroll', '[')).status))
    assert.deepEqual(new Set(statuses), new Set([400]))
    assert.equal((await (await world.device()).scan('CREW-1')).verdict, 'ADMIT')
  })

  it('sends lists of boxes to a box alone: refused before they are read, and its address pays for it', async (t: TestContext) => {
    const charged = t.mock.method(CostlyAddresses.prototype, 'add')
    // Nothing of the body is sent: a box that reads it before it answers would wait.
    const answer = await writeBytes(world.box.ports.https, headOf('/v1/mesh/topology', 590_000), { tls })
    assert.match(answer, /^HTTP\/1.1 409 [\s\S]*connection: close[\s\S]*"This box is alone/)
    assert.deepEqual(
      charged.mock.calls.map(({ arguments: args }) => args),
      [['127.0.0.1']],
    )
    // A short one is thrown away, and the connection goes on.
    assert.equal((await post('/v1/mesh/topology', JSON.stringify({ topology: 'A' }))).status, 409)
    assert.equal(charged.mock.callCount(), 1)
  })

  it('uploads a batch with one paired scanner: a live scan is recorded before its end', async () => {
    const { ledger } = world.box
    const scans = Array.from({ length: 200 }, () => ({
      ...scanOf('DAILY-1', world.now()),
      scan_id: randomUUID(),
      offline_admitted: true as const,
    }))
    const size = ledger.size
    const upload = device.client.POST('/v1/scans', { body: { scans } })
    while (ledger.size === size) await turn()
    const { hlc } = await live.scan('VIP-1', { checkpoint: 'a-in' })
    assert.equal((await upload).response.status, 200)
    const last = ledger.read(ledger.size - 1, 1)[0]
    assert.ok(last && last.hlc > hlc, 'the live scan waited for the whole upload')
  })
})

const NESTED = 'The body is nested too deeply: update the app that sent it.'
