/**
 * The client in `box/docs/clients/`, which is written from `box/docs/clients.md` alone, in another language: it enrols, scans, follows
 * the stream, and decides without the box as the box does.
 */
import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { eventTag, keyFromSeed, signCode, slotAt } from '@gatehouse/proto/code.ts'
import type { Verdict } from '@gatehouse/proto/wire/scan.ts'
import { eq } from '../../src/drizzle/core.ts'
import { tickets } from '../../src/ledger/schema.ts'
import { Phone } from '../world/phone.ts'
import { freePorts } from '../world/ports.ts'
import { World } from '../world/world.ts'
import { type ClientVectors, decideVectors } from './client-vectors.ts'

const FAST = { GATEHOUSE_SCANS_PER_SECOND: '10000', GATEHOUSE_SCAN_BURST: '100000' }
const DAY = 86_400_000
const SECONDS_15 = 15_000
const run = promisify(execFile)
const CLIENT = join(import.meta.dirname, '../../docs/clients')

/** Reason why the client cannot run here; undefined where it can. */
function whyNot(): string | undefined {
  if (spawnSync('python3', ['-c', 'import ssl']).status !== 0) return 'there is no python3 with ssl'
  if (spawnSync('openssl', ['version']).status !== 0) return 'there is no openssl command'
  return undefined
}
const skip = whyNot() ?? false

/** The client with a folder of its own, in which nothing is compiled beside the sources. */
class Client {
  readonly folder: string
  readonly #script: string

  constructor(world: World) {
    this.folder = join(world.folder, 'client')
    cpSync(CLIENT, join(world.folder, 'clients'), { recursive: true })
    this.#script = join(world.folder, 'clients/client.py')
  }

  async command(name: string, ...rest: string[]): Promise<string> {
    const { stdout } = await run('python3', [this.#script, name, ...rest])
    return stdout
  }

  /** `alone` or `run`: a line in, a line out. */
  talk(name: 'alone' | 'run'): Talk {
    return new Talk(this.#script, name, this.folder)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows the one line that it looks at
type Line = any

class Talk implements AsyncDisposable {
  readonly #child
  readonly #lines: AsyncIterator<string>
  readonly #ended: Promise<unknown>

  constructor(script: string, name: string, folder: string) {
    this.#child = spawn('python3', ['-B', script, name, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
    this.#ended = new Promise((resolve) => this.#child.once('close', resolve))
  }

  async ask(line: object): Promise<Line> {
    this.#child.stdin.write(`${JSON.stringify(line)}\n`)
    return this.next()
  }

  async next(): Promise<Line> {
    const { value, done } = await this.#lines.next()
    assert.ok(!done, 'the client has ended')
    return JSON.parse(value)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end()
    await this.#ended
  }
}

const TIERS = { ONCE: 'once', DAILY: 'daily', FLEX: 'reentry', CREW: 'crew', VIP: 'vip', PHONE: 'phone' }
const codesOf = (name: string) => Array.from({ length: 40 }, (_, i) => `${name}-${i}`)
const ROWS = [
  ...Object.entries(TIERS).flatMap(([name, tier]) => codesOf(name).map((code) => `${code},${tier},,,,,,valid`)),
  ...['pending', 'blocked', 'revoked'].flatMap((status) =>
    Array.from({ length: 8 }, (_, i) => `${status.toUpperCase()}-${i},once,,,,,,${status}`),
  ),
  ...Array.from(
    { length: 8 },
    (_, i) => `FUTURE-${i},once,,,,2036-07-02T10:00:00+01:00,2036-07-02T22:00:00+01:00,valid`,
  ),
  ...Array.from(
    { length: 8 },
    (_, i) => `PAST-${i},daily,,,,2020-07-02T10:00:00+01:00,2020-07-02T22:00:00+01:00,valid`,
  ),
]
const CODES = ROWS.map((row) => row.slice(0, row.indexOf(',')))
const CHECKPOINTS = ['a-in', 'a-in', 'a-in', 'a-out', 'b-in', 'late-in', 'v-in', 'v-out']

/** The same choices at every run. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The code that a phone shows for a ticket, `age` slots ago. */
async function shownBy(world: World, code: string, age: number): Promise<string> {
  const { drizzle } = world.box.ledger.db
  const row = drizzle.select({ seed: tickets.seed }).from(tickets).where(eq(tickets.code, code)).get()
  const key = await keyFromSeed(row?.seed ?? assert.fail())
  return signCode(key, await eventTag('test-fair'), slotAt(world.now()) - age)
}

/** The payload that a gate reads: every fifth ticket from a phone, some of them late; printed codes also with what hardware adds. */
async function payloadOf(world: World, code: string, roll: (below: number) => number): Promise<string> {
  const isPhone = CODES.includes(code) && (code.startsWith('PHONE') || Number(code.split('-')[1]) % 5 === 0)
  const text = isPhone ? await shownBy(world, code, roll(6) === 0 ? 40 : 0) : code
  return roll(4) === 0 ? `]Q1${text}\r\n` : text
}

/** Verdicts of the box that agree with one of a device that knows less: a list without reasons, and gates of its own only. */
const SAME: Record<string, readonly string[]> = { REVOKED: ['REVOKED', 'NOT_PAID', 'BLOCKED'] }

const VECTORS = JSON.parse(readFileSync(join(CLIENT, 'vectors.json'), 'utf8')) as ClientVectors

describe('the vectors for clients', () => {
  it('say what the scanner app decides', () => assert.deepEqual(decideVectors(VECTORS), VECTORS))

  it('say what the client in another language decides', { skip }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-client-'))
    try {
      writeFileSync(join(folder, 'manifest.json'), JSON.stringify(VECTORS.manifest))
      await using talk = new Talk(join(CLIENT, 'client.py'), 'alone', folder)
      for (const { payload, checkpoint, at, verdict } of VECTORS.decisions) {
        assert.deepEqual(await talk.ask({ payload, checkpoint, at }), { verdict }, payload)
      }
      for (const event of VECTORS.events) assert.deepEqual(await talk.ask(event), { again: false })
      for (const { payload, checkpoint, at, verdict } of VECTORS.afterwards) {
        assert.deepEqual(await talk.ask({ payload, checkpoint, at }), { verdict }, payload)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('a client in another language', { skip }, () => {
  it('enrols and scans; a stranger’s box, and a manifest of another key, are refused', async () => {
    await using world = await World.open()
    const client = new Client(world)
    await client.command('enrol', await world.inviteLink(), client.folder)
    const said = async (code: string) =>
      JSON.parse(await client.command('scan', client.folder, 'a-in', code)) as Verdict
    assert.equal((await said('ONCE-1')).verdict, 'ADMIT')
    assert.deepEqual([(await said('ONCE-1\r\n')).verdict, (await said('NOBODY')).verdict], ['ALREADY_USED', 'UNKNOWN'])
    await client.command('fetch', client.folder)
    const link = await world.inviteLink()
    const [page, part = ''] = link.split('#i=')
    const invite = JSON.parse(Buffer.from(part, 'base64url').toString())
    const false_ = Buffer.from(JSON.stringify({ ...invite, fp: `sha256:${'0'.repeat(64)}` })).toString('base64url')
    await assert.rejects(client.command('enrol', `${page}#i=${false_}`, join(world.folder, 'no')), /not the box/)
    const device = join(client.folder, 'device.json')
    const kept = JSON.parse(readFileSync(device, 'utf8'))
    await using other = await World.open()
    const { verifier_key } = (await (await other.admin()).GET('/v1/meta')).data ?? assert.fail()
    writeFileSync(device, JSON.stringify({ ...kept, verifier_key }))
    await assert.rejects(client.command('fetch', client.folder), /not signed/)
  })

  it('decides a thousand scans without the box as the box does', async (t) => {
    await using world = await World.open({ environment: FAST, tickets: ROWS })
    const [gate, admin] = await Promise.all([world.device(), world.admin()])
    const client = new Client(world)
    await client.command('enrol', await world.inviteLink(), client.folder)
    const roll = dice(18)
    // A history that the manifest has: printed codes where the client will see the phone's, and the other way round.
    for (let i = 0; i < 120; i++) {
      const [code, checkpoint] = [CODES[roll(CODES.length)] ?? '', CHECKPOINTS[roll(CHECKPOINTS.length)] ?? '']
      await gate.scan(code.startsWith('PHONE') ? await shownBy(world, code, 0) : code, { checkpoint })
    }
    for (const id of ['ONCE-30', 'VIP-30', 'CREW-5']) {
      await admin.POST('/v1/admin/tickets/{id}/revoke', { params: { path: { id } }, body: { actor: 'a', reason: 'r' } })
    }
    for (const code of ['ONCE-31', 'DAILY-36']) {
      const path = { id: world.ticketIdOf(code) }
      await admin.POST('/v1/ticket/{id}/claim', { params: { path }, body: new Phone().claim(path.id) })
    }
    const seen = new Map<string, number>()
    const round = async (scans: number, talk: Talk) => {
      for (let i = 0; i < scans; i++) {
        const known = CODES[roll(CODES.length)] ?? ''
        const checkpoint = CHECKPOINTS[roll(CHECKPOINTS.length)] ?? ''
        const payload = await payloadOf(world, roll(12) === 0 ? `NOBODY-${i}` : known, roll)
        // Not within a moment of the next slot, in which the two would see another age of the code.
        const at = Math.floor(world.now() / SECONDS_15) * SECONDS_15 + 7_000
        const { verdict } = await talk.ask({ payload, checkpoint, at })
        const box = (await gate.scan(payload, { checkpoint })).verdict
        assert.ok((SAME[verdict] ?? [verdict]).includes(box), `${known} at ${checkpoint}: ${verdict}, the box ${box}`)
        seen.set(verdict, (seen.get(verdict) ?? 0) + 1)
      }
    }
    await client.command('fetch', client.folder)
    {
      await using talk = client.talk('alone')
      await round(500, talk)
      // A festival day begins, and no manifest says that the rights of the day are back.
      world.offsetMs += DAY
      await round(250, talk)
    }
    await admin.POST('/v1/admin/gates/{id}/hold', { params: { path: { id: 'v' } }, body: { actor: 'a', reason: 'r' } })
    await client.command('fetch', client.folder)
    await using talk = client.talk('alone')
    await round(250, talk)
    t.diagnostic([...seen].map(([verdict, times]) => `${verdict} ${times}`).join(', '))
    const all = ['ADMIT', 'ALREADY_USED', 'BLOCKED', 'EXIT', 'NOT_VALID_NOW', 'REDIRECT', 'REVOKED', 'STALE_CODE']
    assert.deepEqual([...seen.keys()].sort(), [...all, 'UNKNOWN'])
  })

  it('keeps its knowledge in step by the stream, also through a restart of the box', async () => {
    // The client goes on at the same address after a restart.
    const [device] = await freePorts(1)
    await using world = await World.open({ environment: { GATEHOUSE_DEVICE_PORT: String(device) } })
    const [gate, admin] = await Promise.all([world.device(), world.admin()])
    const client = new Client(world)
    await client.command('enrol', await world.inviteLink(), client.folder)
    await using talk = client.talk('run')
    const event = async (name: string) => {
      for (;;) {
        const line = await talk.next()
        if (line.event === name) return line
      }
    }
    const said = async (payload: string, checkpoint = 'a-in') => (await talk.ask({ payload, checkpoint })).verdict
    assert.match((await event('position')).id, /-\d+$/)
    await gate.scan('ONCE-1', { checkpoint: 'b-in' })
    assert.equal((await event('redemption')).data.checkpoint, 'b-in')
    assert.deepEqual(
      [await said('ONCE-1'), await said(await shownBy(world, 'ONCE-1', 0))],
      ['ALREADY_USED', 'ALREADY_USED'],
    )
    const revoke = { params: { path: { id: 'ONCE-2' } }, body: { actor: 'a', reason: 'r' } }
    await admin.POST('/v1/admin/tickets/{id}/revoke', revoke)
    await event('revocation')
    assert.equal(await said('ONCE-2'), 'REVOKED')
    await admin.POST('/v1/admin/tickets/{id}/reinstate', revoke)
    await event('ticket')
    assert.equal(await said('ONCE-2'), 'ADMIT')
    await admin.POST('/v1/admin/gates/{id}/hold', { params: { path: { id: 'a' } }, body: { actor: 'a', reason: 'r' } })
    await event('hold')
    assert.deepEqual([await said('CREW-1'), await said('CREW-1', 'b-in')], ['BLOCKED', 'ADMIT'])
    await world.restart()
    const again = world.deviceOf(gate.paired)
    await again.scan('DAILY-1', { checkpoint: 'b-in' })
    await event('redemption')
    assert.equal(await said('DAILY-1', 'b-in'), 'ALREADY_USED')
  })
})
