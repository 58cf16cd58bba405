import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { canonicalJson } from '@gatehouse/proto/canonical-json.ts'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import { Manifest, ManifestDelta } from '@gatehouse/proto/wire/device.ts'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { Mirror } from '../../test/scanner/mirror.ts'
import { Desk } from '../../test/world/desk.ts'
import { Phone } from '../../test/world/phone.ts'
import { iso, isoOrNull } from '../clock/iso.ts'
import { eq } from '../drizzle/core.ts'
import { localDay } from '../event/event.ts'
import { credentials } from '../ledger/schema.ts'
import { decide } from '../scan/decide.ts'
import { supervisorAdmit } from '../scan/supervise.ts'
import { undo } from '../scan/undo.ts'
import { signingKey } from '../seal/verifier-key.ts'
import { claimTicket, releaseClaim } from './claim.ts'
import { CodeListThreads } from './code-lists-thread.ts'
import { type ManifestDeps, Manifests } from './manifest.ts'
import { printedCodeStatus } from './printed-code.ts'
import { Redeemed } from './redeemed.ts'
import { reinstateTicket, revokeTicket } from './revoke.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const HOUR = 3_600_000
const EVERYWHERE = new Set(['a-in', 'a-out', 'b-in', 'late-in', 'v-in', 'v-out'])
const ZONES = ['arena', 'lounge']

function manifestsOf(desk: Desk, others: Partial<ManifestDeps> = {}): Manifests {
  const { event, ledger, clock, tickets, holds, identity } = desk.deps
  return new Manifests({
    event,
    ledger,
    clock,
    tickets,
    holds,
    salt: identity.manifestSalt,
    venueEtag: '"v"',
    mode: () => desk.mode,
    incarnation: identity.incarnationNumber,
    redeemed: new Redeemed({ event, ledger, tickets, now: () => desk.now }),
    signingKey: signingKey(identity.signingSeed),
    ...others,
  })
}

async function wholeOf(manifests: Manifests, checkpoints: ReadonlySet<string> = EVERYWHERE): Promise<Manifest> {
  const { pieces } = await manifests.whole(checkpoints)
  return JSON.parse(Buffer.concat(await pieces()).toString())
}

/** The box's own verdict on a code at the entrance of a zone, by the ticket alone. */
function verdictOfBox(desk: Desk, codeHash: Buffer, kind: 'static' | 'key', zone: string): string {
  const { event, tickets } = desk.deps
  const ticket = tickets.openedBy(
    kind === 'key' ? { kind: 'rotating', slot: 0, codeHash, publicKey: Buffer.alloc(32) } : { kind, codeHash },
  )
  const tier = ticket && event.tierById.get(ticket.tier)
  const { verdict } = decide({
    at: desk.now,
    day: localDay(event, desk.now),
    checkpoint: {
      id: 'x',
      name: 'x',
      gate: 'a',
      direction: 'in',
      from: null,
      to: zone,
      tiers: [tier?.id ?? ''],
    },
    ticket: ticket && tier && { ...ticket, policy: tier.entry },
    code:
      kind === 'key'
        ? { kind: 'rotating', retired: false, fresh: true, ageSeconds: 0, steady: false }
        : { kind, state: printedCodeStatus(tier, ticket?.claimedAt ?? null) },
    unanswered: [],
    movements: ticket ? tickets.movementsOf(ticket.id) : [],
    serving: [],
    everyGateHeld: false,
    hold: undefined,
    passedAlready: false,
  })
  const asScanner: Record<string, string> = { UNKNOWN: 'unknown', ALREADY_USED: 'used', ADMIT: 'fine' }
  return asScanner[verdict] ?? 'revoked'
}

function assertAgrees(mirror: Mirror, desk: Desk, codes: readonly string[]): void {
  assertAllAgree([mirror], desk, codes)
}

/** The box is asked once for all of the mirrors. */
function assertAllAgree(mirrors: readonly Mirror[], desk: Desk, codes: readonly string[]): void {
  const { tickets, ledger } = desk.deps
  const assertVerdict = (hash: Buffer, zone: string, expected: string, what: string) => {
    for (const mirror of mirrors) assert.equal(mirror.verdict(hash, zone), expected, what)
  }
  for (const { codeHash, ticket: id } of ledger.db.drizzle.select().from(credentials).all()) {
    const { tier, validFrom, validUntil } = tickets.byId(id) ?? assert.fail()
    const expected = { tier, valid_from: isoOrNull(validFrom), valid_until: isoOrNull(validUntil) }
    for (const mirror of mirrors) assert.deepEqual(mirror.kindOf(codeHash), expected, 'the kind of a code')
  }
  const retired = ledger.db.drizzle.select().from(credentials).where(eq(credentials.kind, 'retired')).all()
  for (const { codeHash } of retired) {
    for (const zone of ZONES) assertVerdict(codeHash, zone, 'revoked', 'a key before a claim or release')
  }
  for (const code of codes) {
    const printed = desk.deps.codes.hash(code)
    const ticket = tickets.openedBy({ kind: 'static', codeHash: printed })
    const shown = [[printed, 'static'] as const]
    const key = ticket && desk.deps.codes.hash(ticket.publicKey)
    for (const [hash, kind] of [...shown, ...(key ? [[key, 'key'] as const] : [])]) {
      for (const zone of ZONES)
        assertVerdict(hash, zone, verdictOfBox(desk, hash, kind, zone), `${code} as ${kind} into ${zone}`)
    }
  }
}

const TIERS = ['once', 'daily', 'reentry', 'crew', 'vip', 'phone']
const CODES = ['C-0', 'C-1', 'C-2', 'C-3', 'C-4', 'C-5', 'C-6', 'C-7']
const anyCode = fc.constantFrom(...CODES)
const anyOperation = fc.oneof(
  fc.record({
    kind: fc.constant('import' as const),
    rows: fc.uniqueArray(
      fc.record({
        code: anyCode,
        tier: fc.constantFrom(...TIERS),
        status: fc.constantFrom('valid', 'valid', 'valid', 'revoked', 'pending', 'blocked'),
        until: fc.constantFrom('', '', '2036-07-05T02:00:00Z', '2036-07-06T02:00:00Z'),
      }),
      { selector: ({ code }) => code, minLength: 1, maxLength: 4 },
    ),
  }),
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('scan' as const),
      code: anyCode,
      checkpoint: fc.constantFrom('a-in', 'b-in', 'a-out', 'v-in', 'v-out'),
      alone: fc.boolean(),
      hoursAgo: fc.constantFrom(0, 0, 26),
    }),
  },
  fc.record({ kind: fc.constantFrom('revoke' as const, 'reinstate' as const), code: anyCode }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('admit' as const, 'undo' as const),
      code: anyCode,
      checkpoint: fc.constantFrom('a-in', 'v-in'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('claim' as const, 'release' as const), code: anyCode }) },
  fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 10, 24) }),
)
type Operation = typeof anyOperation extends fc.Arbitrary<infer T> ? T : never

async function perform(operation: Operation, desk: Desk): Promise<unknown> {
  switch (operation.kind) {
    case 'import':
      return desk.import(operation.rows.map(({ code, tier, status, until }) => `${code},${tier},${status},,${until}`))
    case 'scan': {
      const { code, checkpoint, alone, hoursAgo } = operation
      const observed_at = new Date(desk.now - hoursAgo * HOUR).toISOString()
      return desk.scan(code, { checkpoint, offline_admitted: alone, observed_at })
    }
    case 'admit':
    case 'undo': {
      const { code, checkpoint, kind } = operation
      const scan = desk.scanOf(code, { checkpoint })
      await desk.text(scan)
      const device = { id: 'd', checkpoints: EVERYWHERE, supervisor: true }
      const over = (act: typeof supervisorAdmit | typeof undo) =>
        act(scan.scan_id, { actor: 'a', reason: 'r' }, device, desk.deps).catch(() => 'not a scan for that')
      await over(supervisorAdmit)
      return kind === 'undo' ? over(undo) : undefined
    }
    case 'revoke':
    case 'reinstate':
      return (operation.kind === 'revoke' ? revokeTicket : reinstateTicket)(
        operation.code,
        { actor: 'a', address: 'x', reason: 'r' },
        { ...desk.deps, now: () => desk.now },
      ).catch(() => 'no such ticket yet')
    case 'claim':
    case 'release': {
      const deps = { ...desk.deps, now: () => desk.now }
      const ticket = deps.tickets.lookUp(operation.code, deps.codes)
      if (!ticket) return undefined
      const done =
        operation.kind === 'claim'
          ? claimTicket(ticket.capability, new Phone().claim(ticket.capability), deps)
          : releaseClaim(ticket.ref, { actor: 'a', address: 'x', reason: 'r' }, deps)
      return done.catch(() => 'claimed already, or by nobody yet')
    }
    case 'wait':
      desk.now += operation.hours * HOUR
      return undefined
  }
}

describe('a mirror of the box', () => {
  it('kept by manifest and deltas says what the box says, after whatever has happened', async () => {
    const rounds = fc.array(fc.array(anyOperation, { maxLength: 5 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(rounds, async (rounds) => {
        using desk = await Desk.open({ now: NOON })
        const manifests = manifestsOf(desk)
        const kept = new Mirror()
        kept.take(await wholeOf(manifests))
        for (const operations of rounds) {
          // A manifest that is asked for in the middle of it all may show any moment; with the next delta it is right.
          const amid = new Mirror()
          const early = wholeOf(manifests)
          for (const operation of operations) await perform(operation, desk)
          amid.take(await early)
          for (const mirror of [kept, amid]) {
            const delta = await manifests.since(mirror.version, EVERYWHERE)
            assert.ok(!delta || Value.Check(ManifestDelta, delta))
            mirror.take(delta ?? (await wholeOf(manifests)))
          }
          const whole = await wholeOf(manifests)
          assert.ok(Value.Check(Manifest, whole))
          const fresh = new Mirror()
          fresh.take(whole)
          assertAllAgree([kept, amid, fresh], desk, CODES)
        }
      }),
      runs(20, 1000),
    )
  })

  it('is whole for each of many scanners that ask at once, before anything was read', async () => {
    using desk = await Desk.open({ now: NOON })
    const codes = Array.from({ length: 1200 }, (_, i) => `T-${i}`)
    await desk.import(codes.map((code) => `${code},once`))
    await Promise.all(codes.map((code) => desk.scan(code)))
    const manifests = manifestsOf(desk)
    const changes = async () => {
      for (let i = 0; i < 20; i++) await desk.import([`T-${i},once,revoked`, `NEW-${i},once`])
    }
    const [wholes] = await Promise.all([Promise.all(Array.from({ length: 5 }, () => wholeOf(manifests))), changes()])
    const mirrors = wholes.map(() => new Mirror())
    for (const [i, mirror] of mirrors.entries()) {
      mirror.take(wholes[i] ?? assert.fail())
      mirror.take((await manifests.since(mirror.version, EVERYWHERE)) ?? (await wholeOf(manifests)))
    }
    assertAllAgree(mirrors, desk, [...codes, 'NEW-0', 'NEW-19', 'NEVER'])
  })
})

describe('the lists of all codes', () => {
  it('are built in another thread, once for all who ask, and again when many tickets have changed', async (t) => {
    using desk = await Desk.open({ now: NOON })
    const { event, identity } = desk.deps
    const path = join(desk.folder, 'ledger.db')
    const threads = new CodeListThreads({ path, event, salt: identity.manifestSalt })
    t.after(() => threads[Symbol.asyncDispose]())
    const builds: number[] = []
    const manifests = manifestsOf(desk, {
      build: async (capacity) => {
        builds.push(capacity)
        return threads.build(capacity)
      },
    })
    const file = (count: number, tier: string) => Array.from({ length: count }, (_, n) => `T-${n},${tier}`)
    const assertKnown = async (built: number, of: readonly Manifest[]) => {
      assert.equal(builds.length, built)
      const mirrors = of.map((whole) => {
        const mirror = new Mirror()
        mirror.take(whole)
        return mirror
      })
      assertAllAgree(mirrors, desk, ['T-0', 'T-1', 'T-99', 'T-2099', 'NEVER'])
    }
    await desk.import([...file(99, 'once'), 'T-99,once,revoked'])
    await assertKnown(1, await Promise.all([1, 2, 3].map(() => wholeOf(manifests))))
    await desk.import(file(98, 'vip'))
    await assertKnown(1, [await wholeOf(manifests)])
    await desk.import(file(2100, 'daily'))
    const all = [1, 2, 3].map(() => wholeOf(manifests))
    await desk.scan('T-1')
    await assertKnown(2, await Promise.all(all))
    const kept = new Mirror()
    kept.take(await wholeOf(manifests))
    await desk.import(file(2100, 'crew'))
    kept.take((await manifests.since(kept.version, EVERYWHERE)) ?? (await wholeOf(manifests)))
    await assertKnown(3, [])
    assertAgrees(kept, desk, ['T-0', 'T-1', 'T-99', 'T-2099', 'NEVER'])
    assert.equal(builds.at(-1), 4200 * 2, 'the filter has room, and keeps its size')
  })

  it('are refused by a box that is closing, and a build that failed is begun again', async () => {
    using desk = await Desk.open({ now: NOON })
    await desk.import(['A,once'])
    const { event, identity } = desk.deps
    const threads = new CodeListThreads({ path: join(desk.folder, 'ledger.db'), event, salt: identity.manifestSalt })
    const asked = manifestsOf(desk, { build: (capacity) => threads.build(capacity) }).whole(EVERYWHERE)
    const refused = assert.rejects(asked, { code: 'ledger_unavailable' })
    await threads[Symbol.asyncDispose]()
    await refused
    let failures = 1
    const again: Manifests = manifestsOf(desk, {
      build: async (capacity) => {
        if (failures-- > 0) throw new Error('the disk cannot be read')
        await using working = new CodeListThreads({
          path: join(desk.folder, 'ledger.db'),
          event,
          salt: identity.manifestSalt,
        })
        return await working.build(capacity)
      },
    })
    await assert.rejects(again.whole(EVERYWHERE), /cannot be read/)
    assert.equal((await wholeOf(again)).tickets, 1)
  })
})

describe('a manifest', () => {
  it('is signed by the box over everything else in it, and so is a delta', async () => {
    using desk = await Desk.open({ now: NOON })
    await desk.import(['A,once'])
    const manifests = manifestsOf(desk)
    const key = createPublicKey(signingKey(desk.deps.identity.signingSeed))
    const whole = await wholeOf(manifests)
    const delta = await manifests.since(0, EVERYWHERE)
    for (const { signature, ...rest } of [whole, await manifests.since(whole.version, EVERYWHERE)].filter((m) => !!m)) {
      assert.ok(verify(null, Buffer.from(canonicalJson(rest)), key, Buffer.from(signature, 'base64')))
      const changed = { ...rest, version: rest.version + 1 }
      assert.ok(!verify(null, Buffer.from(canonicalJson(changed)), key, Buffer.from(signature, 'base64')))
    }
    assert.equal(delta, undefined, 'nothing has that version: the filter is younger')
  })

  it('says nothing new in a delta since now, and has none since tomorrow', async () => {
    using desk = await Desk.open({ now: NOON })
    await desk.import(['A,once', 'B,once,pending'])
    const manifests = manifestsOf(desk)
    const { version } = await wholeOf(manifests)
    const delta = await manifests.since(version, EVERYWHERE)
    assert.deepEqual([delta?.version, delta?.added, delta?.revoked, delta?.redeemed], [version, [], [], []])
    assert.equal(await manifests.since(version + 1, EVERYWHERE), undefined)
  })

  it('is asked for anew on a new festival day, which gives rights back without an entry', async () => {
    using desk = await Desk.open({ now: Date.parse('2026-07-04T23:00:00+01:00') })
    await desk.import(['A,daily'])
    const manifests = manifestsOf(desk)
    await desk.scan('A')
    const tonight = await wholeOf(manifests)
    assert.notEqual(tonight.redeemed, '')
    desk.now = Date.parse('2026-07-05T05:59:59+01:00')
    assert.deepEqual((await manifests.since(tonight.version, EVERYWHERE))?.redeemed, [])
    desk.now += 1000
    assert.equal(await manifests.since(tonight.version, EVERYWHERE), undefined)
    assert.equal((await wholeOf(manifests)).redeemed, '')
  })

  it('says in a delta that an import gave a used ticket its right back, on another tier', async () => {
    using desk = await Desk.open({ now: NOON })
    await desk.import(['A,once'])
    const manifests = manifestsOf(desk)
    await desk.scan('A')
    const mirror = new Mirror()
    mirror.take(await wholeOf(manifests))
    assertAgrees(mirror, desk, ['A'])
    await desk.import(['A,crew'])
    mirror.take((await manifests.since(mirror.version, EVERYWHERE)) ?? assert.fail())
    assertAgrees(mirror, desk, ['A'])
  })

  it('knows that a used ticket stays used under the key of whoever claims it, and after a release', async () => {
    using desk = await Desk.open({ now: NOON })
    await desk.import(['A,once'])
    const manifests = manifestsOf(desk)
    await desk.scan('A')
    const mirror = new Mirror()
    mirror.take(await wholeOf(manifests))
    for (const kind of ['claim', 'release'] as const) {
      await perform({ kind, code: 'A' }, desk)
      const ticket = desk.deps.tickets.lookUp('A', desk.deps.codes) ?? assert.fail()
      const key = desk.deps.codes.hash(ticket.publicKey)
      const delta = (await manifests.since(mirror.version, EVERYWHERE)) ?? assert.fail()
      const fresh = new Mirror()
      fresh.take(await wholeOf(manifests))
      mirror.take(delta)
      assert.deepEqual([mirror.verdict(key, 'arena'), fresh.verdict(key, 'arena')], ['used', 'used'], kind)
    }
  })

  it('grows its filter when the tickets outgrow it, and then starts everybody anew', async () => {
    using desk = await Desk.open({ now: NOON })
    await desk.import(['A,once'])
    const manifests = manifestsOf(desk)
    const small = await wholeOf(manifests)
    await desk.import(Array.from({ length: 600 }, (_, i) => `T-${i},once`))
    assert.equal(await manifests.since(small.version, EVERYWHERE), undefined)
    const large = await wholeOf(manifests)
    assert.ok(large.filter.m > small.filter.m)
    assert.equal(large.filter.n, 2 * 601)
  })

  it('tells tiers with their rules, and when the next festival days begin', async () => {
    using desk = await Desk.open({ now: NOON })
    const { tiers, days, life } = await wholeOf(manifestsOf(desk))
    assert.deepEqual(tiers[1], { id: 'daily', name: 'Pass', colour: '#219653', entry: 'once_per_day' })
    assert.equal(tiers.length, desk.event.tiers.length)
    assert.deepEqual(days.slice(0, 2), [iso(NOON - 6 * HOUR), iso(NOON + 18 * HOUR)])
    assert.equal(life, NOON / 1000)
  })

  it('knows the kind of each of many codes, in few bits, also of those that come late', async () => {
    using desk = await Desk.open({ now: NOON })
    const rows = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `T-${from + i},${TIERS[(from + i) % TIERS.length]}`)
    await desk.import(rows(0, 3000))
    const manifests = manifestsOf(desk)
    const whole = await wholeOf(manifests)
    const { buckets, cells, width } = whole.kind_table
    assert.deepEqual([buckets, width, whole.kinds.length], [8, 3, 6])
    assert.deepEqual([whole.late_codes, whole.late_kinds], [[], []])
    assert.ok(buckets * cells < 1.8 * 6000)
    const late = new Mirror()
    late.take(whole)
    for (const to of [3100, 6000]) {
      await desk.import(rows(3000, to))
      const fresh = new Mirror()
      fresh.take(await wholeOf(manifests))
      late.take((await manifests.since(late.version, EVERYWHERE)) ?? (await wholeOf(manifests)))
      for (const mirror of [fresh, late]) {
        const codes = Array.from({ length: to }, (_, i) => [i, desk.deps.codes.hash(`T-${i}`)] as const)
        for (const [i, hash] of codes) assert.equal(mirror.kindOf(hash)?.tier, TIERS[i % TIERS.length])
      }
    }
  })

  it('does not list as many dates as there are tickets', async () => {
    using desk = await Desk.open({ now: NOON })
    const until = (i: number) => iso(NOON + i * 1000)
    await desk.import(Array.from({ length: 4200 }, (_, i) => `T-${i},once,valid,,${until(i)}`))
    const whole = await wholeOf(manifestsOf(desk))
    assert.equal(whole.kinds.length, 4097)
    const mirror = new Mirror()
    mirror.take(whole)
    const told = Array.from({ length: 4200 }, (_, i) => mirror.kindOf(desk.deps.codes.hash(`T-${i}`)))
    told.forEach((kind, i) => {
      assert.ok(kind?.tier === 'once' && (kind.valid_until === null || kind.valid_until === until(i)))
    })
    assert.equal(new Set(told).size, 4097)
  })

  it('counts each code in its filter once, however often its ticket changes', async () => {
    using desk = await Desk.open({ now: NOON })
    const manifests = manifestsOf(desk)
    for (const tier of ['once', 'vip', 'daily']) {
      await desk.import([`A,${tier}`])
      assert.equal((await wholeOf(manifests)).filter.n, 2)
    }
  })

  it('lists for a device what its own checkpoints would refuse', async () => {
    using desk = await Desk.open({ now: NOON })
    await desk.import(['A,vip'])
    await desk.scan('A', { checkpoint: 'b-in' })
    const manifests = manifestsOf(desk)
    const lounge = await wholeOf(manifests, new Set(['v-in', 'v-out']))
    assert.deepEqual(
      lounge.checkpoints.map(({ id }) => id),
      ['v-in', 'v-out'],
    )
    assert.deepEqual([lounge.redeemed, lounge.redeemed_by_zone], ['', { lounge: '' }])
    const arena = await wholeOf(manifests, new Set(['b-in']))
    const prefixes = Buffer.from(arena.redeemed, 'base64')
    assert.equal(prefixes.length, 2 * 8)
    assert.ok(prefixes.subarray(0, 8).compare(prefixes.subarray(8)) < 0, 'sorted')
    assert.equal(arena.redeemed_by_zone.arena, arena.redeemed)
  })
})
