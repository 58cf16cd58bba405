/** A scanner's mirror over the network: its offline verdicts are those of the box. */
import assert from 'node:assert/strict'
import { createHash, createPublicKey, type KeyObject, randomBytes, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bloomAdd, bloomFromWire, bloomHas } from '@gatehouse/proto/bloom.ts'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { codeHash } from '@gatehouse/proto/code.ts'
import type { Manifest, ManifestDelta } from '@gatehouse/proto/wire/device.ts'
import type { VERDICTS, Verdict } from '@gatehouse/proto/wire/scan.ts'
import fc from 'fast-check'
import { tickets as ticketRows } from '../../src/ledger/schema.ts'
import { Mirror } from '../scanner/mirror.ts'
import type { TestDevice } from '../world/device.ts'
import { StreamReader } from '../world/stream-reader.ts'
import { World } from '../world/world.ts'

const FAST = { GATEHOUSE_SCANS_PER_SECOND: '10000', GATEHOUSE_SCAN_BURST: '100000' }
const HEADER = 'code,tier,status'

/** The public key of a verifier key (C2SP signed-note): `<name>+<hex of the hash>+<base64 of algorithm and key>`. */
function keyOf(vkey: string, name: string): KeyObject {
  const [, id, encoded = ''] = /^.+?\+([0-9a-f]{8})\+(.+)$/.exec(vkey) ?? assert.fail(vkey)
  assert.ok(vkey.startsWith(`${name}+`))
  const bytes = Buffer.from(encoded, 'base64')
  assert.equal(bytes.length, 33)
  assert.equal(bytes[0], 0x01, 'Ed25519')
  const hash = createHash('sha256').update(`${name}\n`).update(bytes).digest('hex')
  assert.equal(id, hash.slice(0, 8))
  const x = bytes.subarray(1).toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

class Fetcher {
  readonly #device: TestDevice
  readonly #key: KeyObject
  version = 0

  constructor(device: TestDevice, key: KeyObject) {
    this.#device = device
    this.#key = key
  }

  async get(since?: number): Promise<Manifest | ManifestDelta> {
    const query = since === undefined ? {} : { since }
    const { data, response } = await this.#device.client.GET('/v1/manifest', { params: { query }, parseAs: 'text' })
    if (response.status === 429) return sleep(1000).then(() => this.get(since))
    assert.equal(response.status, 200)
    const { signature, ...rest } = JSON.parse(data as string)
    assert.ok(verify(null, Buffer.from(canonicalJson(rest)), this.#key, Buffer.from(signature, 'base64')))
    assert.ok(rest.version >= this.version, 'a version never goes back')
    this.version = rest.version
    return rest
  }
}

async function boxKey(world: World): Promise<KeyObject> {
  const { data: meta } = await (await world.admin()).GET('/v1/meta')
  assert.ok(meta)
  return keyOf(meta.verifier_key, `gatehouse/${meta.event_id}/${meta.box_id}`)
}

async function importRows(admin: GatehouseClient, rows: readonly string[]): Promise<void> {
  const { response } = await admin.POST('/v1/admin/import/tickets', {
    body: [HEADER, ...rows, ''].join('\n') as never,
    bodySerializer: (body) => body,
    headers: { 'content-type': 'application/octet-stream' },
  })
  assert.equal(response.status, 200)
}

const CODES = Array.from({ length: 12 }, (_, i) => `C-${i}`)
const anyCode = fc.constantFrom(...CODES)
const anyOperation = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant('scan' as const),
      code: anyCode,
      alone: fc.boolean(),
      checkpoint: fc.constantFrom('a-in', 'b-in', 'a-out', 'v-in', 'v-out'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      code: anyCode,
      tier: fc.constantFrom('once', 'daily', 'reentry', 'crew', 'vip'),
      status: fc.constantFrom('valid', 'valid', 'revoked', 'pending'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('revoke' as const, 'reinstate' as const), code: anyCode }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('admit' as const, 'undo' as const),
      code: anyCode,
      checkpoint: fc.constantFrom('a-in', 'v-in'),
    }),
  },
)
type Operation = typeof anyOperation extends fc.Arbitrary<infer T> ? T : never

/** The mirror's verdict for a box's verdict; undefined when the box decided by facts that a mirror does not have. */
const AS_SCANNER: Record<(typeof VERDICTS)[number], string | undefined> = {
  ADMIT: 'fine',
  ALREADY_USED: 'used',
  UNKNOWN: 'unknown',
  REVOKED: 'revoked',
  NOT_PAID: 'revoked',
  BLOCKED: 'revoked',
  EXIT: undefined,
  REDIRECT: undefined,
  NOT_VALID_NOW: undefined,
  STALE_CODE: undefined,
}

describe('a scanner with a mirror of the manifest', () => {
  it("gives the box's verdicts offline, after whatever happened at other gates", async () => {
    const runs = process.env.GATEHOUSE_TEST_LONG === '1' ? 40 : 2
    const plan = fc.array(fc.array(anyOperation, { minLength: 5, maxLength: 25 }), { minLength: 4, maxLength: 4 })
    for (const rounds of fc.sample(plan, runs)) await follow(rounds)
  })

  async function follow(rounds: Operation[][]): Promise<void> {
    const tickets = CODES.slice(0, 9).map((code, i) => `${code},${['once', 'reentry', 'vip'][i % 3]},,,,,,valid`)
    await using world = await World.open({ environment: FAST, tickets })
    const [mirrored, gate] = await Promise.all([world.device(), world.supervisor()])
    const [admin, key] = await Promise.all([world.admin(), boxKey(world)])
    const fetcher = new Fetcher(mirrored, key)
    const mirror = new Mirror()
    let fetching = Promise.resolve()
    const refresh = () => {
      fetching = fetching.then(async () => mirror.take(await fetcher.get(mirror.version)))
    }
    // First the stream, then the manifest: what happens in between is in both.
    await using reader = new StreamReader(world, mirrored, {
      onEvent({ event, data }) {
        if (event === 'redemption') mirror.redeemed(data)
        else if (event === 'revocation') mirror.revoked(data)
        else if (event === 'ticket') refresh()
      },
    })
    await connected(reader, admin)
    const whole = await fetcher.get()
    mirror.take(whole)
    const salt = Buffer.from('filter' in whole ? whole.filter.salt : '', 'base64')

    for (const operations of rounds) {
      for (const operation of operations) await perform(operation)
      const last = await gate.scan('C-0', { checkpoint: 'a-out' })
      await reader.event(({ data }) => data.hlc === last.hlc)
      await fetching
      for (const code of CODES) {
        // The mirror first, then the box, whose answer may use the ticket up: the mirror receives that before it goes on.
        for (const [zone, checkpoint] of Object.entries({ arena: 'b-in', lounge: 'v-in' })) {
          const said = mirror.verdict(await codeHash(salt, code), zone)
          const { verdict, hlc } = await gate.scan(code, { checkpoint })
          const expected = AS_SCANNER[verdict]
          if (expected !== undefined) assert.equal(said, expected, `${code} into ${zone}: ${verdict}`)
          if (verdict === 'ADMIT') await reader.event(({ data }) => data.hlc === hlc)
        }
      }
    }

    async function perform(operation: Operation): Promise<Verdict | undefined> {
      const { code } = operation
      if (operation.kind === 'scan') {
        return gate.scan(code, { checkpoint: operation.checkpoint, offline_admitted: operation.alone })
      }
      if (operation.kind === 'admit' || operation.kind === 'undo') {
        const { scan_id } = await gate.scan(code, { checkpoint: operation.checkpoint })
        const override = { params: { path: { scan_id } }, body: { actor: 'a', reason: 'r' } }
        await gate.client.POST('/v1/scan/{scan_id}/admit', override)
        if (operation.kind === 'undo') await gate.client.POST('/v1/scan/{scan_id}/undo', override)
        return undefined
      }
      if (operation.kind === 'import') await importRows(admin, [`${code},${operation.tier},${operation.status}`])
      else {
        const path = `/v1/admin/tickets/{id}/${operation.kind}` as const
        await admin.POST(path, { params: { path: { id: code } }, body: { actor: 'a', reason: 'r' } })
      }
      return undefined
    }
  }

  async function connected(reader: StreamReader, admin: GatehouseClient): Promise<void> {
    for (let i = 0; i < 100; i++) {
      await admin.PUT('/v1/admin/mode', { body: { mode: 'STRICT', actor: 'a', reason: 'r' } })
      if (await reader.event(() => true, 20).catch(() => undefined)) return
    }
    assert.fail('the stream does not connect')
  }
})

describe('the manifest on the wire', () => {
  it('is signed with the key of /v1/meta, has an ETag, and is sent once', async () => {
    await using world = await World.open()
    const [device, key] = await Promise.all([world.device(['a-in', 'a-out']), boxKey(world)])
    const get = (since?: number, etag?: string) =>
      device.client.GET('/v1/manifest', {
        params: {
          ...(since !== undefined && { query: { since } }),
          ...(etag !== undefined && { header: { 'if-none-match': etag } }),
        },
      })
    const { data, response } = await get()
    assert.ok(data && 'filter' in data)
    const { signature, ...rest } = data
    assert.ok(verify(null, Buffer.from(canonicalJson(rest)), key, Buffer.from(signature, 'base64')))
    assert.deepEqual(
      [data.event_id, data.mode, data.checkpoints.map(({ id }) => id)],
      ['test-fair', 'STRICT', ['a-in', 'a-out']],
    )
    const venue = await device.client.GET('/v1/venue')
    assert.equal(data.venue_etag, venue.response.headers.get('etag'))

    const etag = response.headers.get('etag') ?? ''
    assert.match(etag, /^"sha256-[0-9a-f]{64}"$/)
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { response: unchanged } = await get(undefined, tags)
      assert.equal(unchanged.status, 304, tags)
      assert.equal(unchanged.headers.get('etag'), etag)
    }
    assert.equal((await get(undefined, '"x"')).response.status, 200)
    await device.scan('ONCE-1')
    const { data: changed, response: after } = await get(undefined, etag)
    assert.notEqual(after.headers.get('etag'), etag)
    assert.ok(changed && changed.version > data.version)

    const { data: delta } = await get(data.version)
    assert.ok(delta && 'since' in delta)
    assert.deepEqual([delta.since, delta.version, delta.added, delta.revoked], [data.version, changed.version, [], []])
    assert.deepEqual(
      delta.redeemed.map(({ zone, used }) => [zone, used]),
      [
        ['arena', true],
        ['arena', true],
        ['lounge', false],
        ['lounge', false],
      ],
    )
    assert.ok('filter' in ((await get(1_000_000)).data ?? {}), 'a version of another ledger')
    assert.equal((await get(-1)).error?.code, 'bad_request')
    await world.restart()
    const { data: anew } = await world.deviceOf(device.paired).client.GET('/v1/manifest', {
      params: { query: { since: 1 } },
    })
    assert.ok(anew && 'filter' in anew && anew.version >= changed.version)
  })

  it('rarely takes an unknown code for a ticket, even with twice the tickets', async (t) => {
    const tickets = Array.from({ length: 2000 }, (_, i) => `T-${i},once,,,,,,valid`)
    await using world = await World.open({ tickets })
    const { data } = await (await world.device()).client.GET('/v1/manifest')
    assert.ok(data && 'filter' in data)
    const filter = bloomFromWire(data.filter)
    assert.equal(filter.n, 4000, 'the printed code and the key of each')
    const rows = world.box.ledger.db.drizzle
      .select({ key: ticketRows.publicKey, code: ticketRows.code })
      .from(ticketRows)
    for (const { key, code } of rows.all()) {
      assert.ok(
        bloomHas(filter, await codeHash(filter.salt, key)) && bloomHas(filter, await codeHash(filter.salt, code)),
      )
    }
    const samples = 200_000
    const falsePositives = () => {
      const noise = randomBytes(16 * samples)
      let hits = 0
      for (let i = 0; i < samples; i++) if (bloomHas(filter, noise.subarray(16 * i, 16 * i + 16))) hits++
      return hits / samples
    }
    const sold = falsePositives()
    for (let i = 0; i < 4000; i++) bloomAdd(filter, randomBytes(16))
    const twice = falsePositives()
    const bytes = Math.ceil(filter.m / 8)
    t.diagnostic(
      `${bytes} bytes for 2,000 tickets; false positives ${sold * 100} %, with twice the tickets ${twice * 100} %`,
    )
    assert.ok(sold < 1e-4)
    // Sized for one in ten thousand, around which so many samples scatter.
    assert.ok(twice < 2.5e-4)
  })

  it('is limited in rate', async () => {
    await using world = await World.open()
    const device = await world.device()
    world.holdRates()
    const answers = await Promise.all(Array.from({ length: 40 }, () => device.client.GET('/v1/manifest')))
    const limited = answers.filter(({ response }) => response.status === 429)
    assert.ok(limited.length >= 15)
    assert.ok(Number(limited[0]?.response.headers.get('retry-after')) >= 1)
    world.elapsedMs += 1100
    assert.equal((await device.client.GET('/v1/manifest')).response.status, 200)
  })
})
