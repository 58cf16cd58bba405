import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { formatCode, keyFromSeed, signCode, signedBytes, slotAt } from '@gatehouse/proto/code.ts'
import { compare, parse } from '@gatehouse/proto/hlc.ts'
import { runs } from '@gatehouse/proto/properties.testing.ts'
import type { ScanRequest, Verdict } from '@gatehouse/proto/wire/scan.ts'
import fc from 'fast-check'
import { Desk } from '../../test/world/desk.ts'
import { TEST_EVENT } from '../../test/world/event.ts'
import { GatehouseError } from '../errors.ts'
import type { EventFile } from '../event/event.ts'
import { TokenBuckets } from '../http/token-bucket.ts'
import { tickets } from '../ledger/schema.ts'
import { redeem } from './redeem.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const HOUR = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()

describe('a scan', () => {
  let desk: Desk
  before(async () => {
    desk = await Desk.open({ now: NOON })
    await desk.import(['ONCE-1,once', 'ONCE-2,once', 'ONCE-3,once', 'ONCE-4,once', 'ONCE-5,once', 'ONCE-6,once'])
    await desk.import(['VIP-1,vip', 'PHONE-1,phone', 'REVOKED-1,once,revoked', 'DAILY-1,daily', 'CREW-1,crew'])
  })
  after(() => desk[Symbol.dispose]())

  const fails = (promise: Promise<unknown>, code: string) =>
    assert.rejects(promise, (error) => error instanceof GatehouseError && error.code === code)

  it('of a ticket with a thousand passages is taken slowly, from each scanner by itself, and resends are answered', async () => {
    const { ledger, tickets: all, codes } = desk.deps
    const ticket = all.lookUp('CREW-1', codes)
    assert.ok(ticket)
    const hlc = '0000000000001.000000'
    const past = { ticket: ticket.id, direction: 'in', checkpoint: 'a-in', from: null, to: 'x', at: 1, hlc } as const
    ledger.transact(() => {
      for (let n = 0; n < 1_000; n++) {
        const slot = `x/${n}`
        all.recordMovement({ ...past, slot, surplus: 0, occurrence: n, scanId: slot, provisional: false, entry: 0 })
      }
    })
    const passageBuckets = new TokenBuckets({ perSecond: 1, burst: 2, now: () => desk.now })
    const scan = (device: string, one = desk.scanOf('CREW-1', { offline_admitted: true })) =>
      redeem(one, desk.device(device), { ...desk.deps, passageBuckets })
    const first = desk.scanOf('CREW-1', { offline_admitted: true })
    const answer = await scan('busy', first)
    await scan('busy')
    const size = ledger.size
    await fails(scan('busy'), 'rate_limited')
    assert.equal(ledger.size, size)
    assert.equal(await scan('busy', first), answer)
    await scan('calm')
    desk.now += 1_000
    await scan('busy')
    ledger.transact(() => {
      for (const movement of all.movementsOf(ticket.id)) all.removeMovement(movement)
    })
  })

  it('sent again gets the first answer, byte for byte, also from another life of the process', async () => {
    const scan = desk.scanOf('ONCE-1')
    const first = await desk.text(scan)
    desk.now += 61_000
    const later = { ...scan, device_hlc: '1.0', offline_admitted: true }
    assert.equal(await desk.text(scan), first)
    assert.equal(await desk.text(later), first)
    desk.restart()
    assert.equal(await desk.text(scan), first)
    assert.equal((await desk.scan('ONCE-1')).verdict, 'ALREADY_USED')
  })

  it('sent again with its time read anew, or written otherwise, gets the first answer', async () => {
    await desk.import(['AGAIN-1,once'])
    const scan = desk.scanOf('AGAIN-1')
    const first = await desk.text(scan)
    assert.equal((JSON.parse(first) as Verdict).verdict, 'ADMIT')
    const size = desk.deps.ledger.size
    const { observed_at } = scan
    for (const same of [observed_at.replace('Z', '+00:00'), observed_at.replace('.000Z', 'Z'), iso(NOON + 4000)]) {
      assert.equal(await desk.text({ ...scan, observed_at: same }), first)
    }
    assert.equal(await desk.text({ ...scan, payload: ' \ufeff]Q1AGAIN-1\r\n' }), first)
    assert.equal(desk.deps.ledger.size, size)
  })

  it('opens the ticket whose code was shown and no other, whatever surrounds the code', async () => {
    using gate = await Desk.open({ now: NOON })
    const part = fc.constantFrom(']Q1', ']C0', '\\000026', ']', '\\', ' ', 'A', 'a', '0', '1', '\u00a0')
    const cell = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
    await gate.import(
      fc
        .sample(fc.uniqueArray(cell, { minLength: 60, maxLength: 60 }), { numRuns: 1, seed: 18 })
        .flat()
        .map((code) => `"${code}",once`),
    )
    const there = gate.deps.ledger.db.drizzle.select({ code: tickets.code, ref: tickets.ref }).from(tickets).all()
    assert.ok(there.length > 30)
    for (const { code, ref } of there) {
      for (const payload of [code, `${code}\r\n`, ` ]Q1${code}`, `\ufeff\\000026${code}\0`]) {
        assert.equal(gate.deps.tickets.openedBy(gate.deps.codes.read(payload))?.ref, ref, JSON.stringify(payload))
      }
    }
  })

  it('with the id of another scan is an error, and changes nothing', async () => {
    const scan = desk.scanOf('ONCE-2')
    const first = await desk.text(scan)
    const size = desk.deps.ledger.size
    const others: Partial<ScanRequest>[] = [
      { payload: 'ONCE-3' },
      { payload: 'once-2' },
      { checkpoint: 'b-in' },
      // Told by what it is, also where its time differs.
      { payload: 'ONCE-3', observed_at: iso(NOON - 1) },
    ]
    for (const other of others) await fails(desk.text({ ...scan, ...other }), 'scan_id_reused')
    await fails(desk.text(scan, 'another device'), 'scan_id_reused')
    assert.equal(desk.deps.ledger.size, size)
    assert.equal(await desk.text(scan), first)
  })

  it('at a checkpoint that nobody knows, or that is not the device’s, is an error', async () => {
    await fails(desk.text(desk.scanOf('ONCE-3', { checkpoint: 'c-in' })), 'not_found')
    const { redeem } = await import('./redeem.ts')
    const elsewhere = { id: 'd', checkpoints: new Set(['b-in']) }
    await fails(redeem(desk.scanOf('ONCE-3'), elsewhere, desk.deps), 'not_allowed')
  })

  it('of which a hundred arrive in one turn admits one', async () => {
    const verdicts = await Promise.all(Array.from({ length: 100 }, (_, i) => desk.scan('ONCE-3', {}, `device ${i}`)))
    assert.equal(verdicts.filter(({ verdict }) => verdict === 'ADMIT').length, 1)
    assert.equal(verdicts.filter(({ verdict }) => verdict === 'ALREADY_USED').length, 99)
  })

  it('that was refused, and reported under the same id as let in alone, is recorded as inside, and flagged', async () => {
    const scan = desk.scanOf('REVOKED-1')
    assert.equal((JSON.parse(await desk.text(scan)) as Verdict).severity, 'refuse')
    const alone = { ...scan, offline_admitted: true }
    const second = await desk.text(alone)
    const { verdict, severity, confidence, occurrence, flag } = JSON.parse(second) as Verdict
    assert.deepEqual(
      { verdict, severity, confidence, occurrence },
      { verdict: 'REVOKED', severity: 'admit', confidence: 'provisional', occurrence: 1 },
    )
    assert.equal(await desk.text(alone), second)
    assert.equal(await desk.text(scan), second)
    const opened = desk.flags().find(({ id }) => id === flag)
    assert.equal(opened?.kind, 'revoked_admission')
    assert.deepEqual(
      opened.records.map((record) => [record.scan_id, record.offline_admitted]),
      [[scan.scan_id, true]],
    )
  })

  it('counts admissions in the verdict as in the journal', async () => {
    await desk.scan('ONCE-4')
    for (const [more, occurrence] of [
      [{}, 1],
      [{ offline_admitted: true }, 2],
      [{}, 2],
      [{ offline_admitted: true }, 3],
      [{ checkpoint: 'a-out' }, 3],
    ] as const) {
      const verdict = await desk.scan('ONCE-4', more)
      assert.equal(verdict.occurrence, occurrence)
      assert.equal(desk.journal().findLast(({ kind }) => kind === 'scan')?.occurrence, occurrence)
    }
  })

  it('by a device whose clock runs ahead is flagged once, and that clock is not believed', async () => {
    const ahead = (ms: number) => ({ device_hlc: `${desk.now + ms}.0` })
    const honest = await desk.scan('ONCE-5', ahead(60_000), 'fast')
    assert.ok(Number(honest.hlc.slice(0, 13)) >= desk.now + 60_000)
    desk.now += 120_000
    for (const hlc of [ahead(60_001), ahead(10 * HOUR), { device_hlc: '99999999999999.0' }]) {
      const { hlc: answered } = await desk.scan('ONCE-5', hlc, 'fast')
      assert.ok(compare(parse(answered) ?? assert.fail(), { ms: desk.now + 1, count: 0 }) < 0)
    }
    const flags = desk.flags().filter(({ kind }) => kind === 'clock_skew')
    assert.equal(flags.length, 1)
    assert.equal(flags[0]?.records.length, 1)
    assert.match(flags[0]?.records[0]?.device_hlc ?? '', /\.0$/)
  })

  it('that was let in alone is judged by when it was, as far as the past reaches', async () => {
    desk.now = NOON + 30 * HOUR
    const alone = (hours: number) => ({ offline_admitted: true, observed_at: iso(desk.now + hours * HOUR) })
    assert.equal((await desk.scan('DAILY-1', alone(-30))).verdict, 'ADMIT')
    assert.equal((await desk.scan('DAILY-1', alone(-29))).verdict, 'ALREADY_USED')
    assert.equal((await desk.scan('DAILY-1')).verdict, 'ADMIT')
    // A scanner set to next week does not get next week's right.
    assert.equal((await desk.scan('DAILY-1', alone(24 * 7))).verdict, 'ALREADY_USED')
    desk.now = NOON
  })

  it('takes a clock of the year 0 as it comes', async () => {
    const verdict = await desk.scan('DAILY-1', { offline_admitted: true, observed_at: '0000-01-01T00:00:00Z' })
    assert.equal(verdict.severity, 'admit')
  })

  it('is provisional in DEGRADED mode, whatever the verdict', async () => {
    desk.mode = 'DEGRADED'
    for (const code of ['ONCE-6', 'ONCE-6', 'NOBODY']) assert.equal((await desk.scan(code)).confidence, 'provisional')
    desk.mode = 'STRICT'
    assert.equal((await desk.scan('ONCE-6')).confidence, 'confirmed')
  })

  it('of an unknown code that a scanner let in alone opens a case about that scan', async () => {
    const { verdict, severity, occurrence, flag } = await desk.scan('NOBODY', { offline_admitted: true })
    assert.deepEqual({ verdict, severity, occurrence }, { verdict: 'UNKNOWN', severity: 'admit', occurrence: null })
    const opened = desk.flags().find(({ id }) => id === flag)
    assert.equal(opened?.kind, 'unknown_admission')
    assert.equal(opened?.records.length, 1)
  })

  it('out is an exit and no more, under any scan id and however often', async () => {
    for (const scan_id of ['1', '2', 'once', 'arena/1']) {
      assert.equal((await desk.scan('CREW-1', { checkpoint: 'a-out', scan_id })).verdict, 'EXIT')
      assert.equal((await desk.scan('CREW-1')).verdict, 'ADMIT')
    }
  })

  it('in the journal names nobody, and no code', () => {
    const text = JSON.stringify(desk.journal())
    for (const secret of ['ONCE-', 'VIP-1', 'NOBODY', 'payload']) assert.ok(!text.includes(secret), secret)
  })
})

describe('a rotating code', () => {
  let desk: Desk
  let seed: Buffer
  let rawKey: Buffer
  before(async () => {
    desk = await Desk.open({ now: NOON })
    await desk.import(['PHONE-1,phone', 'CREW-1,crew'])
    const ticket = desk.deps.tickets.openedBy({ kind: 'static', codeHash: desk.deps.codes.hash('CREW-1') })
    seed = ticket?.seed ?? assert.fail()
    rawKey = ticket?.publicKey ?? assert.fail()
  })
  after(() => desk[Symbol.dispose]())

  const codeAt = async (slot: number, tag = desk.tag) => signCode(await keyFromSeed(seed), tag, slot)

  it('opens its ticket two slots before and after its own, eight while the box’s clock is unsynced', async () => {
    for (const [quality, window] of [
      ['synced', 2],
      ['unsynced', 8],
    ] as const) {
      desk.timeQuality = quality
      for (let age = -10; age <= 10; age++) {
        const { verdict, evidence } = await desk.scan(await codeAt(slotAt(desk.now) - age))
        assert.equal(verdict, Math.abs(age) <= window ? 'ADMIT' : 'STALE_CODE', `${quality}, ${age} slots`)
        if (verdict === 'STALE_CODE') {
          assert.equal((evidence as { code_age_seconds: number }).code_age_seconds, age * 15)
        }
      }
    }
    desk.timeQuality = 'synced'
  })

  it('shown to a scanner alone is as old as it was there, give or take a phone’s clock', async () => {
    const observed = { offline_admitted: true, observed_at: iso(desk.now - HOUR) }
    assert.equal((await desk.scan(await codeAt(slotAt(desk.now - HOUR) - 8), observed)).verdict, 'ADMIT')
    assert.equal((await desk.scan(await codeAt(slotAt(desk.now - HOUR) - 9), observed)).verdict, 'STALE_CODE')
  })

  it('of another event, by another key, or with a bit turned, opens nothing', async () => {
    const slot = slotAt(desk.now)
    const stranger = generateKeyPairSync('ed25519')
    const { x = '' } = stranger.publicKey.export({ format: 'jwk' })
    const publicKey = Buffer.from(x, 'base64url')
    const forged = (key: Buffer, signer = stranger.privateKey) =>
      formatCode({ publicKey: key, slot, signature: sign(null, signedBytes(desk.tag, key, slot), signer) })
    const good = await codeAt(slot)
    const turned = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0')
    const codes = {
      'another event': await codeAt(slot, new Uint8Array(8)),
      'a key of no ticket': forged(publicKey),
      'a ticket’s key, signed by another': forged(rawKey),
      'no point of the curve': forged(Buffer.alloc(32, 0xff)),
      'a small point': forged(Buffer.alloc(32)),
      'a turned bit': turned,
    }
    for (const [what, code] of Object.entries(codes)) {
      assert.equal((await desk.scan(code)).verdict, 'UNKNOWN', what)
    }
    assert.equal((await desk.scan(good)).verdict, 'ADMIT')
  })

  it('is a key, and its bytes typed in as a printed code are none', async () => {
    for (const encoding of ['latin1', 'utf8', 'base64', 'hex', 'base64url'] as const) {
      assert.equal((await desk.scan(rawKey.toString(encoding))).verdict, 'UNKNOWN', encoding)
    }
    // Even where the bytes are good UTF-8, so that both hash alike.
    const { tickets, codes, ledger } = desk.deps
    const text = 'a public key that is also a text'
    assert.equal(Buffer.byteLength(text), 32)
    const { id, ...like } = tickets.openedBy({ kind: 'static', codeHash: codes.hash('CREW-1') }) ?? assert.fail()
    const publicKey = Buffer.from(text)
    await ledger.commit(() =>
      tickets.insert(
        {
          ...like,
          ref: 'ref',
          code: 'CREW-2',
          publicKey,
          codeHash: codes.hash('CREW-2'),
          keyHash: codes.hash(publicKey),
        },
        ledger.size,
      ),
    )
    assert.equal((await desk.scan('CREW-2')).verdict, 'ADMIT')
    assert.equal((await desk.scan(text)).verdict, 'UNKNOWN')
  })

  it('enters where the printed one does not', async () => {
    const phone = desk.deps.tickets.openedBy({ kind: 'static', codeHash: desk.deps.codes.hash('PHONE-1') })
    const key = await keyFromSeed(phone?.seed ?? assert.fail())
    assert.equal((await desk.scan('PHONE-1')).verdict, 'BLOCKED')
    assert.equal((await desk.scan(await signCode(key, desk.tag, slotAt(desk.now)))).verdict, 'ADMIT')
    assert.equal((await desk.scan('PHONE-1', { checkpoint: 'a-out' })).verdict, 'EXIT')
  })
})

describe('a redirect', () => {
  it('names a gate that is open, and the nearest of those', async () => {
    const late = { from: null, to: 'arena', direction: 'in' as const, opens_at: iso(NOON + HOUR) }
    const gate = (id: string, over: object) => ({ id, name: id, gate: 'a', ...late, tiers: ['vip'], ...over })
    const event: EventFile = {
      ...TEST_EVENT,
      checkpoints: [
        ...TEST_EVENT.checkpoints.filter(({ id }) => id !== 'b-in'),
        gate('late', {}),
        gate('over', { opens_at: undefined, closes_at: iso(NOON) }),
        gate('open-elsewhere', { gate: 'b', opens_at: iso(NOON) }),
      ].map((checkpoint) => JSON.parse(JSON.stringify(checkpoint))),
    }
    using desk = await Desk.open({ event, now: NOON })
    await desk.import(['VIP-1,vip'])
    const to = async () => ((await desk.scan('VIP-1')).evidence as { checkpoint: string }).checkpoint
    assert.equal(await to(), 'open-elsewhere')
    desk.now += HOUR
    assert.equal(await to(), 'late')
  })
})

/** A model of what the box remembers of a ticket, written from the contract and not from `decide`. */
class Remembered {
  readonly policy: string
  admissions = 0
  readonly #uses = new Map<string, string[]>()
  readonly #passages: Passage[] = []
  #stays = 0
  readonly flagged = new Map<string, Set<string>>()

  constructor(policy: string) {
    this.policy = policy
  }

  expected(at: Place, day: number): Verdict['verdict'] {
    if (at.direction === 'out') return 'EXIT'
    if (!at.serves(this.policy)) return 'REDIRECT'
    if (at.closed) return 'NOT_VALID_NOW'
    return this.#uses.has(this.#right(at.zone, day)) ? 'ALREADY_USED' : 'ADMIT'
  }

  /** @param hour when the person stood there @param offline whether a scanner admitted alone @returns cases opened */
  pass(at: Place, day: number, hour: number, offline: boolean, scanId: string, verdict: Verdict['verdict']): number {
    const right = this.#right(at.zone, day)
    const stay = at.direction === 'in' ? (this.#inside(at.zone) ?? ++this.#stays) : 0
    this.#passages.push({ at, offline, hour, stay, right, order: this.#passages.length })
    if (at.direction === 'out') return 0
    const before = this.#uses.get(right) ?? []
    this.#uses.set(right, [...before, scanId])
    this.admissions++
    if (verdict === 'ADMIT') return 0
    // Two people on one right are a double use, also when the ticket was refused for another reason.
    const shared = before.length > 0 && this.#isShared(right, at.zone)
    const kinds = verdict === 'ALREADY_USED' ? ['double_use'] : ['refused_admission', ...(shared ? ['double_use'] : [])]
    for (const kind of kinds) {
      const records = this.flagged.get(`${kind} ${right}`) ?? []
      this.flagged.set(`${kind} ${right}`, new Set([...records, ...before, scanId]))
    }
    return kinds.length
  }

  /** The stay in a zone that has not ended: what the box saw, in its order; what was uploaded later, by its own time. */
  #inside(zone: string): number | undefined {
    const here = this.#passages.filter(({ at }) => at.zone === zone)
    const left = (came: Passage) => here.some((went) => went.at.direction === 'out' && isLater(went, came))
    return here.findLast((came) => came.at.direction === 'in' && !left(came))?.stay
  }

  /** True if two people stand on it. Somebody who may come back, and whom a gate saw leave in between, is one. */
  #isShared(right: string, zone: string): boolean {
    if (this.policy !== 'reentry') return true
    const came = this.#passages.filter((passage) => passage.right === right && passage.at.direction === 'in')
    const exits = this.#passages.filter(({ at }) => at.direction === 'out' && at.zone === zone)
    return came.some((first) =>
      came.some((then) => isLater(then, first) && !exits.some((exit) => isLater(exit, first) && isLater(then, exit))),
    )
  }

  #right(zone: string, day: number): string {
    const stay = this.#inside(zone) ?? this.#stays + 1
    const rights: Record<string, string> = {
      once: zone,
      vip: zone,
      daily: `${zone} day ${day}`,
      reentry: `${zone} stay ${stay}`,
      crew: `${zone} time ${this.admissions + 1}`,
    }
    return rights[this.policy] ?? assert.fail()
  }
}

interface Passage {
  at: Place
  offline: boolean
  hour: number
  stay: number
  right: string
  order: number
}

/** By the order in which the box saw them; what was uploaded later, by its own time. */
function isLater(a: Passage, b: Passage): boolean {
  return (a.offline || b.offline) && a.hour !== b.hour ? a.hour > b.hour : a.order > b.order
}

interface Place {
  id: string
  direction: 'in' | 'out'
  zone: string
  closed?: true
  serves(policy: string): boolean
}
const anyTier = () => true
const PLACES: Place[] = [
  { id: 'a-in', direction: 'in', zone: 'arena', serves: (policy) => policy !== 'vip' },
  { id: 'b-in', direction: 'in', zone: 'arena', serves: anyTier },
  { id: 'late-in', direction: 'in', zone: 'arena', closed: true, serves: (policy) => policy !== 'vip' },
  { id: 'v-in', direction: 'in', zone: 'lounge', serves: (policy) => ['vip', 'crew'].includes(policy) },
  { id: 'a-out', direction: 'out', zone: 'arena', serves: anyTier },
  { id: 'v-out', direction: 'out', zone: 'lounge', serves: anyTier },
]
const TIERS = ['once', 'daily', 'reentry', 'crew', 'vip']

describe('any sequence of scans', () => {
  const step = fc.record({
    tier: fc.constantFrom(...TIERS),
    place: fc.constantFrom(...PLACES),
    /** Undefined for a scan that asks first; otherwise how many hours ago a scanner let the person pass alone. */
    alone: fc.option(fc.constantFrom(0, 5, 20), { nil: undefined, freq: 3 }),
    hours: fc.constantFrom(0, 0, 0, 1, 7, 24),
    afterwards: fc.constantFrom('go on', 'go on', 'go on', 'resend', 'restart'),
  })

  it('is answered as the contract says, and every answer stands', async () => {
    let run = 0
    const sequence = fc.array(step, { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        const name = (tier: string) => `${tier}-${run}`
        run++
        using desk = await Desk.open({ now: NOON })
        await desk.import(TIERS.map((tier) => `${name(tier)},${tier}`))
        const model = new Map(TIERS.map((tier) => [tier, new Remembered(tier)]))
        const answers: { scan: ScanRequest; text: string }[] = []
        for (const { tier, place, alone, hours, afterwards } of steps) {
          desk.now += hours * HOUR
          const ticket = model.get(tier) ?? assert.fail()
          const at = desk.now - (alone ?? 0) * HOUR
          const day = Math.floor((at - Date.parse('2026-07-04T06:00:00+01:00')) / (24 * HOUR))
          const more = { checkpoint: place.id, offline_admitted: alone !== undefined, observed_at: iso(at) }
          const scan = desk.scanOf(name(tier), more)
          const size = desk.deps.ledger.size
          const text = await desk.text(scan)
          const answer = JSON.parse(text) as Verdict
          answers.push({ scan, text })

          const verdict = ticket.expected(place, day)
          const welcome = verdict === 'ADMIT' || verdict === 'EXIT'
          const passed = welcome || alone !== undefined
          const cases = passed ? ticket.pass(place, day, at / HOUR, alone !== undefined, scan.scan_id, verdict) : 0
          assert.equal(answer.verdict, verdict)
          assert.equal(answer.occurrence, ticket.admissions)
          assert.equal(answer.severity === 'admit', passed)
          assert.equal(answer.confidence, alone === undefined ? 'confirmed' : 'provisional')
          assert.equal(answer.flag !== undefined, alone !== undefined && !welcome)
          assert.equal(desk.deps.ledger.size, size + 1 + cases)

          if (afterwards === 'restart') desk.restart()
          if (afterwards === 'go on') continue
          for (const { scan, text } of answers) assert.equal(await desk.text(scan), text)
        }
        for (const [tier, { flagged }] of model) {
          const { tickets, codes } = desk.deps
          const ref = tickets.openedBy({ kind: 'static', codeHash: codes.hash(name(tier)) })?.ref
          const opened = desk.flags().filter((flag) => flag.ticket_ref === ref)
          const shape = (kind: string, ids: Iterable<string>) => `${kind} ${[...ids].sort()}`
          assert.deepEqual(
            opened
              .map(({ kind, records }) =>
                shape(
                  kind,
                  records.map((record) => record.scan_id),
                ),
              )
              .sort(),
            [...flagged].map(([key, ids]) => shape(key.split(' ')[0] ?? '', ids)).sort(),
          )
        }
      }),
      runs(20, 500),
    )
  })
})
