import '../../../scanner-pwa/src/words/in-english.ts'

/**
 * An offline scanner and its box, in the same world: on everything that both know, they decide alike. The scanner's facts
 * come from manifests, deltas and what it did itself; the box's from its ledger, and its answer is `decide`'s.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isServed, servingCheckpoints } from '@gatehouse/proto/serving.ts'
import type { Manifest, ManifestDelta } from '@gatehouse/proto/wire/device.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import fc from 'fast-check'
import { decideOffline } from '../../../scanner-pwa/src/gate/decide-offline.ts'
import { offlineFacts, zoneOf } from '../../../scanner-pwa/src/gate/offline.ts'
import { OwnPassages } from '../../../scanner-pwa/src/gate/own-passages.ts'
import { Mirror } from '../../../scanner-pwa/src/mirror/mirror.ts'
import { storedMirror } from '../../../scanner-pwa/src/mirror/stored-mirror.ts'
import { localDay } from '../../src/event/event.ts'
import { checkpointsOf } from '../../src/event/wire.ts'
import { type Decision, decide } from '../../src/scan/decide.ts'
import { signingKey } from '../../src/seal/verifier-key.ts'
import { Manifests } from '../../src/tickets/manifest.ts'
import { printedCodeStatus } from '../../src/tickets/printed-code.ts'
import { Redeemed } from '../../src/tickets/redeemed.ts'
import { Desk } from '../world/desk.ts'

const NOON = Date.parse('2026-07-04T12:00:00+01:00')
const HOUR = 3_600_000
const CODES = Array.from({ length: 10 }, (_, i) => `C-${i}`)
const TIERS = ['once', 'daily', 'reentry', 'crew', 'vip']
const DATES = ['', '2026-07-04T10:00:00Z', '2026-07-05T04:00:00Z', '2026-07-06T20:00:00Z']

const code = fc.constantFrom(...CODES)
const gate = fc.constantFrom('a-in', 'a-out', 'b-in', 'v-in', 'v-out')
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      code,
      tier: fc.constantFrom(...TIERS),
      status: fc.constantFrom('valid', 'valid', 'valid', 'pending'),
      from: fc.constantFrom(...DATES),
      until: fc.constantFrom(...DATES),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('elsewhere' as const), code, gate }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('delta' as const, 'whole' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 7, 24) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
const aloneStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('scan' as const), code, gate }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 7, 24) }) },
)
const world = fc.record({
  tickets: fc.array(fc.record({ tier: fc.constantFrom(...TIERS), until: fc.constantFrom('', '', ...DATES) }), {
    minLength: CODES.length - 2,
    maxLength: CODES.length - 2,
  }),
  before: fc.array(step, { maxLength: 14 }),
  alone: fc.array(aloneStep, { maxLength: 14 }),
  held: fc.subarray(['a', 'b', 'v'], { maxLength: 2 }),
  /** The checkpoints of the scanner; with all of them, it knows where everybody may go. */
  own: fc.constantFrom<string[]>(
    ['a-in', 'a-out', 'b-in', 'late-in', 'v-in', 'v-out'],
    ['a-in', 'a-out', 'v-in', 'v-out'],
  ),
})

class Phone {
  readonly own = new OwnPassages()
  readonly #desk: Desk
  readonly #manifests: Manifests
  readonly #checkpoints: ReadonlySet<string>
  #mirror: Mirror | undefined

  constructor(desk: Desk, checkpoints: readonly string[]) {
    this.#desk = desk
    this.#checkpoints = new Set(checkpoints)
    const { event, ledger, clock, tickets, holds, identity } = desk.deps
    this.#manifests = new Manifests({
      event,
      ledger,
      clock,
      tickets,
      holds,
      salt: identity.manifestSalt,
      venueEtag: '"v"',
      mode: () => desk.mode,
      incarnation: identity.incarnationNumber,
      signingKey: signingKey(identity.signingSeed),
      redeemed: new Redeemed({ event, ledger, tickets, now: () => desk.now }),
    })
  }

  get mirror(): Mirror {
    return this.#mirror ?? assert.fail('no manifest yet')
  }

  async #whole(): Promise<Manifest> {
    const { pieces } = await this.#manifests.whole(this.#checkpoints)
    return JSON.parse(Buffer.concat(await pieces()).toString())
  }

  async refresh(whole: boolean): Promise<void> {
    const version = this.#mirror?.version
    const delta = whole || version === undefined ? undefined : await this.#manifests.since(version, this.#checkpoints)
    // As it comes over the wire.
    const wire: Manifest | ManifestDelta = delta ? structuredClone(delta) : await this.#whole()
    if ('filter' in wire) this.#mirror = new Mirror(storedMirror(wire), this.#mirror)
    else this.mirror.apply({ kind: 'delta', data: wire })
  }

  /** Decides without the box, and keeps every passage, as `Scanning` does. */
  scan(payload: string, checkpoint: Checkpoint) {
    const { now: at, deps } = this.#desk
    const codeHash = deps.codes.hash(payload)
    const facts = offlineFacts(this.mirror, this.own, { at, checkpoint, codeHash, shown: { kind: 'static' } })
    const decision = decideOffline(facts)
    if (decision.verdict === 'ADMIT' || decision.verdict === 'EXIT') {
      const { direction, id } = checkpoint
      const use = { checkpoint: id, at, hlc: `${at}.0`, occurrence: 0 }
      const scanId = crypto.randomUUID()
      this.own.put({ scanId, codeHash, zone: zoneOf(checkpoint), direction, use, confirmed: false })
    }
    return { decision, tier: facts.status.kind?.tier }
  }
}

/** The box's decision on the same scan at the same moment. */
function boxSays(desk: Desk, payload: string, checkpointId: string): { decision: Decision; tier: string | undefined } {
  const { event, tickets, codes, holds } = desk.deps
  const checkpoint = event.checkpointById.get(checkpointId) ?? assert.fail()
  const at = desk.now
  const ticket = tickets.openedBy({ kind: 'static', codeHash: codes.hash(payload) })
  const tier = ticket && event.tierById.get(ticket.tier)
  const isHeld = (gate: string) => holds.on(gate) !== undefined
  const serving = ticket ? servingCheckpoints(event.checkpoints, ticket.tier, checkpoint, { at, isHeld }) : []
  const decision = decide({
    at,
    checkpoint,
    serving,
    day: localDay(event, at),
    passedAlready: false,
    unanswered: [],
    ticket: ticket && { ...ticket, policy: tier?.entry ?? 'once' },
    code: { kind: 'static', state: printedCodeStatus(tier, ticket?.claimedAt ?? null) },
    movements: ticket ? tickets.movementsOf(ticket.id) : [],
    everyGateHeld: serving.length === 0 && ticket !== undefined && isServed(event.checkpoints, ticket.tier),
    hold: holds.on(checkpoint.gate),
  })
  return { decision, tier: ticket?.tier }
}

describe('an offline scanner', () => {
  it("gives the box's verdict on every ticket, at every gate, after every history that both know", async () => {
    const runs = process.env.GATEHOUSE_TEST_LONG === '1' ? 2000 : 60
    const seen = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(world, async ({ tickets, before, alone, held, own }) => {
        using desk = await Desk.open({ now: NOON })
        await desk.import(tickets.map(({ tier, until }, i) => `C-${i},${tier},valid,,${until}`))
        const phone = new Phone(desk, own)
        await phone.refresh(true)
        for (const each of before) await perform(each, desk, phone)
        const by = { actor: 'a', address: 'x', reason: 'crowd' }
        for (const gate of held) await desk.deps.holds.place({ id: gate, gate, reason: 'crowd', expiresAt: null }, by)
        await phone.refresh(false)

        // From here on the phone is offline; the box gets the phone's scans later, and nothing else.
        const checkpoints = checkpointsOf(desk.event, desk.event.checkpoints).filter(({ id }) => own.includes(id))
        for (const each of alone) {
          if (each.kind === 'wait') desk.now += each.hours * HOUR
          else if (own.includes(each.gate)) {
            const checkpoint = checkpoints.find(({ id }) => id === each.gate) ?? assert.fail()
            const agreed = compare(each.code, checkpoint)
            if (agreed === 'ADMIT' || agreed === 'EXIT') {
              await desk.scan(each.code, { checkpoint: each.gate, offline_admitted: true })
            }
          }
        }
        for (const each of CODES) for (const checkpoint of checkpoints) peek(each, checkpoint)

        function compare(payload: string, checkpoint: Checkpoint): string {
          const expected = boxSays(desk, payload, checkpoint.id)
          const said = phone.scan(payload, checkpoint)
          assertAgree(said, expected, checkpoint, own.length > 4)
          seen.set(said.decision.verdict, (seen.get(said.decision.verdict) ?? 0) + 1)
          return said.decision.verdict
        }

        function peek(payload: string, checkpoint: Checkpoint): void {
          const facts = { at: desk.now, checkpoint, codeHash: desk.deps.codes.hash(payload) }
          const decision = decideOffline(offlineFacts(phone.mirror, phone.own, { ...facts, shown: { kind: 'static' } }))
          const tier = phone.mirror.statusOf(facts.codeHash, '').kind?.tier
          assertAgree({ decision, tier }, boxSays(desk, payload, checkpoint.id), checkpoint, own.length > 4)
          seen.set(decision.verdict, (seen.get(decision.verdict) ?? 0) + 1)
        }
      }),
      { numRuns: runs },
    )
    const verdicts = ['ADMIT', 'ALREADY_USED', 'BLOCKED', 'EXIT', 'NOT_VALID_NOW', 'REDIRECT', 'REVOKED', 'UNKNOWN']
    assert.deepEqual([...seen.keys()].sort(), verdicts, 'every verdict that needs no phone was compared')
  })
})

async function perform(each: Step, desk: Desk, phone: Phone): Promise<void> {
  switch (each.kind) {
    case 'import': {
      const ordered = each.from !== '' && each.until !== '' && each.from >= each.until ? '' : each.from
      await desk.import([`${each.code},${each.tier},${each.status},${ordered},${each.until}`])
      return
    }
    case 'elsewhere':
      await desk.scan(each.code, { checkpoint: each.gate })
      return
    case 'wait':
      desk.now += each.hours * HOUR
      return
    default:
      await phone.refresh(each.kind === 'whole')
  }
}

type Said = ReturnType<Phone['scan']>

function assertAgree(
  said: Said,
  expected: ReturnType<typeof boxSays>,
  checkpoint: Checkpoint,
  knowsAll: boolean,
): void {
  const { decision: alone } = said
  const { decision: box } = expected
  const what = `${JSON.stringify(said)} at ${checkpoint.id}, and the box ${JSON.stringify(expected)}`
  if (alone.verdict !== 'UNKNOWN') assert.equal(said.tier, expected.tier, what)
  switch (alone.verdict) {
    case 'REVOKED':
      // The list says that it must not enter, and not why.
      assert.ok(['REVOKED', 'NOT_PAID', 'BLOCKED'].includes(box.verdict), what)
      return
    case 'REDIRECT':
      if (box.verdict === 'REDIRECT' && knowsAll) assert.equal(alone.to?.id, box.to.id, what)
      // The scanner does not know the gates of other devices.
      else assert.ok(!knowsAll && (box.verdict === 'REDIRECT' || box.verdict === 'BLOCKED'), what)
      return
    case 'BLOCKED':
      if (knowsAll || alone.detail === 'crowd') assert.ok(box.verdict === 'BLOCKED' && box.held, what)
      else assert.ok(box.verdict === 'BLOCKED' || box.verdict === 'REDIRECT', what)
      return
    case 'ALREADY_USED': {
      assert.equal(box.verdict, 'ALREADY_USED', what)
      if (box.verdict === 'ALREADY_USED' && alone.earlier)
        assert.equal(alone.earlier.checkpoint, box.earlier.checkpoint)
      return
    }
    case 'NOT_VALID_NOW':
      assert.ok(box.verdict === 'NOT_VALID_NOW', what)
      assert.deepEqual([alone.from, alone.until, alone.what], [box.from, box.until, box.what], what)
      return
    default:
      assert.equal(alone.verdict, box.verdict, what)
  }
}
