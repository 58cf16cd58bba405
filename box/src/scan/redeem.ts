/** The shell around `decide`: reads the facts, decides, and writes verdict, movement and journal in one transaction. */
import { createHash } from 'node:crypto'
import { FRESH_SLOTS, freshness } from '@gatehouse/proto/code.ts'
import { format, type Heard, type HybridLogicalClock } from '@gatehouse/proto/hlc.ts'
import { isServed, servingCheckpoints } from '@gatehouse/proto/serving.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import { GatehouseError } from '../errors.ts'
import { type Checkpoint, type EntryPolicy, type Event, localDay, type Tier } from '../event/event.ts'
import type { Holds } from '../incidents/holds.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Ticket } from '../ledger/schema.ts'
import { flagDoubleUse } from '../mesh/reconcile/reconcile.ts'
import type { CodeReader, ShownCode } from '../tickets/codes.ts'
import { type PrintedStanding, printedStanding } from '../tickets/printed-code.ts'
import type { Tickets } from '../tickets/tickets.ts'
import type { Claim, Right, Secured, Wanted } from './claim.ts'
import { type Decision, decide, type Facts } from './decide.ts'
import type { ScanEntry } from './entry.ts'
import type { Flags } from './flags.ts'
import type { Overrides } from './overrides.ts'
import type { PhoneClocks } from './phone-clocks.ts'
import { admissions, rightToEnter } from './right-to-enter.ts'
import type { Scans } from './scans.ts'
import { verdictFor } from './verdict.ts'

export interface RedeemDeps {
  event: Event
  clock: HybridLogicalClock
  ledger: Ledger
  tickets: Tickets
  scans: Scans
  flags: Flags
  overrides: Overrides
  holds: Holds
  codes: CodeReader
  phoneClocks: PhoneClocks
  claim: Claim
  /** Seconds on foot between checkpoints; null where no map says. */
  walkingSeconds: (from: Checkpoint, to: Checkpoint) => number | null
  /** Whether the box's own clock may be trusted with fifteen-second slots. */
  timeQuality: () => 'synced' | 'unsynced'
}

/** What stands at the gate, before the ledger is asked. */
interface Shown {
  scan: ScanRequest
  checkpoint: Checkpoint
  code: ShownCode
  /** The phone that shows the code is off by a steady amount. */
  steady: boolean
}

/** How often a scan asks for another right, when its ticket keeps moving, before it is admitted unconfirmed. */
const MOST_TRIES = 5

/** Who scans, as far as a scan cares. */
export interface ScanningDevice {
  id: string
  checkpoints: ReadonlySet<string>
}

/**
 * Answers one scan.
 * @returns the verdict as JSON text, on disk before this resolves: the same text again for the same `scan_id`
 * @throws GatehouseError `not_found`, `not_allowed` for the checkpoint; `scan_id_reused`; `ledger_unavailable`
 */
export async function redeem(scan: ScanRequest, device: ScanningDevice, deps: RedeemDeps): Promise<string> {
  const checkpoint = checkpointOf(scan, device, deps.event)
  const code = deps.codes.read(scan.payload)
  const digest = digestOf(scan, device)
  // Outside the commit, whose work may be run twice: what is seen is noted once.
  const steady = deps.phoneClocks.isSteady(code, momentOf(scan, deps.clock))
  const shown: Shown = { scan, checkpoint, code, steady }
  for (let tries = 1; ; tries++) {
    // Not awaited for what has happened already: a queue that is uploaded is written in its order.
    using secured = scan.offline_admitted
      ? deps.claim.unasked(scan.scan_id)
      : await deps.claim.secure(() => wantedBy(shown, deps))

    const answer = await deps.ledger.commit(() => {
      const earlier = deps.scans.find(scan.scan_id)
      // Not thrown in there: the commit would be rolled back, and all who share it would be decided once more.
      if (earlier && !earlier.digest.equals(digest)) return settled(secured, 'reused')
      // A resend gets the first answer, not a second admission. Unless a scanner that never heard our refusal has let the
      // person in meanwhile: that has to be counted, and answered as what it is.
      if (earlier && (earlier.passed || !scan.offline_admitted)) return settled(secured, { text: earlier.response })

      const { ticket, facts } = factsOf(shown, deps)
      // A supervisor has let in whom we refused, on this very scan: they are counted.
      if (earlier && facts.movements.some(({ scanId }) => scanId === scan.scan_id)) {
        return settled(secured, { text: earlier.response })
      }
      const local = decide(facts)
      // Heard of since: an exit, an admission taken back. It is another right, and has to be asked for as well.
      if (local.verdict === 'ADMIT' && !secured.covers(() => rightOf(shown, ticket, facts)) && tries < MOST_TRIES) {
        return settled(secured, 'again')
      }
      const decision = secured.covers(() => rightOf(shown, ticket, facts)) ? inView(local, secured) : local
      return { text: record({ scan, device, checkpoint, code, digest, ticket, facts, decision, secured }, deps) }
    })
    if (answer === 'again') continue
    if (answer === 'reused') {
      throw new GatehouseError('scan_id_reused', 'This scan id was used for another scan: scan the code again.')
    }
    return answer.text
  }
}

/** What was asked for was used for nothing. */
function settled<T>(secured: Secured, answer: T): T {
  secured.settle(null)
  return answer
}

/** The decision, when what another gate has answered is known too. */
function inView(local: Decision, { usedElsewhere }: Secured): Decision {
  if (local.verdict !== 'ADMIT' || !usedElsewhere) return local
  const occurrence = Math.max(local.occurrence - 1, usedElsewhere.occurrence)
  return { verdict: 'ALREADY_USED', occurrence, earlier: usedElsewhere }
}

/** What is to be secured before this scan can be answered: nothing, for a refusal and for an exit. */
function wantedBy(shown: Shown, deps: RedeemDeps): Wanted {
  const { scan_id: scanId, checkpoint } = shown.scan
  const { ticket, facts } = factsOf(shown, deps)
  const admits = !deps.scans.find(scanId) && decide(facts).verdict === 'ADMIT'
  const right = admits ? rightOf(shown, ticket, facts) : null
  const occurrence = admissions(facts.movements) + 1
  return { scanId, right, checkpoint, at: facts.at, hlc: format(deps.clock.now()), occurrence }
}

/** What this passage uses up that no other may use after it; null when there is no such thing. */
function rightOf({ scan }: Pick<Shown, 'scan'>, ticket: Ticket | undefined, facts: Facts): Right | null {
  if (!ticket || !facts.ticket) return null
  return claimable(ticket.ref, facts, facts.ticket.policy, scan.scan_id)
}

function checkpointOf(scan: ScanRequest, device: ScanningDevice, event: Event): Checkpoint {
  const checkpoint = event.checkpointById.get(scan.checkpoint)
  if (!checkpoint) {
    throw new GatehouseError(
      'not_found',
      'This box knows no such checkpoint: choose the checkpoint again on the scanner.',
    )
  }
  if (!device.checkpoints.has(checkpoint.id)) {
    throw new GatehouseError(
      'not_allowed',
      `This scanner was not invited to ${checkpoint.name}: pair it again with an invite for that checkpoint.`,
    )
  }
  return checkpoint
}

/**
 * What makes a scan the same scan. Not the device's clock, which ticks between two tries, and not `offline_admitted`,
 * which turns true when the answer to the first try never came.
 */
function digestOf(scan: ScanRequest, device: ScanningDevice): Buffer {
  const same = JSON.stringify([device.id, scan.payload, scan.checkpoint, scan.observed_at])
  return createHash('sha256').update(same).digest()
}

function factsOf({ scan, checkpoint, code, steady }: Shown, deps: RedeemDeps) {
  const { event, tickets, holds } = deps
  const ticket = tickets.openedBy(code)
  const at = momentOf(scan, deps.clock)
  const tier = ticket && event.tierById.get(ticket.tier)
  const facts: Facts = {
    at,
    day: localDay(event, at),
    checkpoint,
    // A tier that has left the event file lets nobody in by itself, and its tickets are not unknown either.
    ticket: ticket && { ...ticket, policy: tier?.entry ?? 'once' },
    code:
      code?.kind === 'rotating'
        ? {
            kind: 'rotating',
            retired:
              ticket !== undefined &&
              !ticket.publicKey.equals(code.publicKey) &&
              (ticket.claimedAt === null ? 'released' : 'claimed'),
            ...freshness(code.slot, at, freshSlots(scan, deps)),
            steady,
          }
        : { kind: 'static', standing: standingOf(code, ticket, tier, deps.codes) },
    movements: ticket ? tickets.movementsOf(ticket.id) : [],
    ...servingFacts(ticket, { checkpoint, at }, deps),
    hold: scan.offline_admitted ? holds.at(checkpoint.gate, at) : holds.on(checkpoint.gate),
    passedAlready: scan.offline_admitted,
  }
  return { ticket, facts }
}

/** A printed code that the shop has replaced is still known, and opens nothing. */
function standingOf(
  code: ShownCode,
  ticket: Ticket | undefined,
  tier: Tier | undefined,
  codes: CodeReader,
): PrintedStanding {
  const replaced = code && ticket && !codes.hash(ticket.code).equals(code.codeHash)
  return replaced ? 'replaced' : printedStanding(tier, ticket?.claimedAt ?? null)
}

/** Where else the ticket would be let in. Only asked for where this is the wrong place. */
function servingFacts(
  ticket: Ticket | undefined,
  { checkpoint, at }: { checkpoint: Checkpoint; at: number },
  { event, holds }: RedeemDeps,
): Pick<Facts, 'serving' | 'everyGateHeld'> {
  if (!ticket || checkpoint.tiers.includes(ticket.tier)) return { serving: [], everyGateHeld: false }
  const isHeld = (gate: string) => holds.on(gate) !== undefined
  const serving = servingCheckpoints(event.checkpoints, ticket.tier, checkpoint, { at, isHeld })
  return { serving, everyGateHeld: serving.length === 0 && isServed(event.checkpoints, ticket.tier) }
}

/**
 * When the person stood there: now, or, for somebody whom a scanner let in alone, when it says that it did. Its clock is
 * believed only as far as the past reaches.
 */
function momentOf(scan: ScanRequest, clock: HybridLogicalClock): number {
  const now = clock.wall()
  return scan.offline_admitted ? Math.min(Date.parse(scan.observed_at), now) : now
}

function freshSlots(scan: ScanRequest, deps: RedeemDeps): number {
  return FRESH_SLOTS[scan.offline_admitted ? 'unsynced' : deps.timeQuality()]
}

interface Scanned {
  scan: ScanRequest
  device: ScanningDevice
  checkpoint: Checkpoint
  code: ShownCode
  digest: Buffer
  ticket: Ticket | undefined
  facts: Facts
  decision: Decision
  secured: Secured
}

/** Writes everything that this scan changes. Within a transaction. */
function record(scanned: Scanned, deps: RedeemDeps): string {
  const { scan, device, checkpoint, code, ticket, facts, decision, secured } = scanned
  const heard = deps.clock.hear(scan.device_hlc)
  const admitted = decision.verdict === 'ADMIT' || decision.verdict === 'EXIT'
  const passed = admitted || scan.offline_admitted
  const passage = passed && facts.ticket ? passageOf(facts, facts.ticket.policy, scan.scan_id) : null
  const right = passage?.surplus === 0 ? rightOf(scanned, ticket, facts) : null
  // A ticket that keeps moving is admitted in the end, and nobody has confirmed it.
  const confidence = admitted && !secured.covers(() => right) ? 'provisional' : secured.confidence
  const occurrence = passage?.occurrence ?? ('occurrence' in decision ? decision.occurrence : null)

  const entry: ScanEntry = {
    at: new Date(deps.clock.wall()).toISOString(),
    checkpoint: checkpoint.id,
    code: code?.codeHash.toString('hex') ?? null,
    confidence,
    device: device.id,
    device_hlc: scan.device_hlc,
    direction: checkpoint.direction,
    observed_at: scan.observed_at,
    occurrence,
    offline_admitted: scan.offline_admitted,
    scan_id: scan.scan_id,
    slot: passage?.slot ?? null,
    surplus: passage?.surplus ?? null,
    ticket: ticket?.ref ?? null,
    tier: ticket?.tier ?? null,
    verdict: decision.verdict,
  }
  const { index, hlc } = deps.ledger.append('scan', { ...entry })
  if (ticket && passage) {
    deps.tickets.recordMovement({
      ...passage,
      ticket: ticket.id,
      direction: checkpoint.direction,
      checkpoint: checkpoint.id,
      from: checkpoint.from,
      to: checkpoint.to,
      at: facts.at,
      hlc,
      scanId: scan.scan_id,
      provisional: confidence === 'provisional',
      entry: index,
    })
  }
  secured.settle(right && { right, entry: index })
  const flag =
    passed && !admitted ? flagFor(scanned, { slot: passage?.slot ?? null, occurrence, hlc }, deps) : undefined
  // Whatever else is against it, two people on one right are a case of their own, as at every box that hears of both.
  if (ticket && passage && passage.surplus > 0) flagDoubleUse(ticket.ref, passage.slot, deps)
  flagClock(scanned, heard, hlc, deps)

  const verdict = verdictFor(decision, {
    scanId: scan.scan_id,
    event: deps.event,
    checkpoint,
    at: facts.at,
    ticket,
    hlc,
    confidence,
    why: confidence === 'provisional' ? secured.why : undefined,
    occurrence,
    flag,
    passedAlready: scan.offline_admitted,
    walkingSeconds: decision.verdict === 'REDIRECT' ? deps.walkingSeconds(checkpoint, decision.to) : null,
  })
  const response = JSON.stringify(verdict)
  deps.scans.put({ scanId: scan.scan_id, digest: scanned.digest, passed, response, entry: index })
  return response
}

/** The right that a passage uses up, and its place among those that used it too. */
export function passageOf(facts: Pick<Facts, 'checkpoint' | 'day' | 'movements'>, policy: EntryPolicy, scanId: string) {
  const before = admissions(facts.movements)
  // The device made up the scan id. No zone's id starts with a slash, so it cannot name an admission's slot.
  if (facts.checkpoint.direction === 'out') return { slot: `/exit/${scanId}`, surplus: 0, occurrence: before }
  const { slot } = rightToEnter({ ...facts, zone: facts.checkpoint.to ?? '' }, policy)
  // Past the last one, and not how many there are: one of them may have been taken back.
  const surplus = Math.max(-1, ...facts.movements.filter((m) => m.slot === slot).map((m) => m.surplus)) + 1
  return { slot, surplus, occurrence: before + 1 }
}

/** The right that an admission uses up and no other may after it: none for an exit, and where a tier enters at will. */
export function claimable(
  ref: string,
  facts: Pick<Facts, 'checkpoint' | 'day' | 'movements'>,
  policy: EntryPolicy,
  scanId: string,
): Right | null {
  if (facts.checkpoint.direction === 'out' || policy === 'unlimited') return null
  return { ticket: ref, slot: passageOf(facts, policy, scanId).slot }
}

function flagFor(
  scanned: Scanned,
  { slot, occurrence, hlc }: { slot: string | null; occurrence: number | null; hlc: string },
  deps: RedeemDeps,
): string {
  const { decision, facts, scan, ticket } = scanned
  const used = decision.verdict === 'ALREADY_USED' ? decision.earlier : undefined
  const earlier = facts.movements.filter((m) => m.slot === slot || m === used).map((m) => m.scanId)
  const kind =
    decision.verdict === 'ALREADY_USED'
      ? 'double_use'
      : decision.verdict === 'REVOKED'
        ? 'revoked_admission'
        : ticket
          ? 'refused_admission'
          : 'unknown_admission'
  return deps.flags.open({
    kind,
    about: ticket ? `${ticket.ref}/${slot}` : scan.scan_id,
    ticketRef: ticket?.ref ?? null,
    device: scanned.device.id,
    occurrence,
    scanIds: [...earlier, scan.scan_id],
    since: hlc,
  })
}

/** A device whose clock runs ahead is believed no more than the box's own, and somebody should look at it: once. */
function flagClock({ scan, device }: Scanned, heard: Heard, hlc: string, deps: RedeemDeps): void {
  if (heard.merged) return
  deps.flags.open({
    kind: 'clock_skew',
    about: device.id,
    ticketRef: null,
    device: device.id,
    occurrence: null,
    scanIds: [scan.scan_id],
    since: hlc,
    onlyFirst: true,
  })
}
