/** Decides without the box: reads the code, looks it up in the mirror, and answers in the form of the box's verdict. */
import { codeHash, FRESH_SLOTS, freshness, parseCode, verifyCode } from '@gatehouse/proto/code.ts'
import type { Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import { isServed, servingCheckpoints } from '@gatehouse/proto/serving.ts'
import { placeName, reasonFor, SEVERITY, type VerdictPlace } from '@gatehouse/proto/verdict-words.ts'
import type { Evidence, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import type { DeviceClock } from '../box/clock.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { verdictSentences, gateWords as words } from '../words/core.ts'
import { decideOffline, type OfflineDecision, type OfflineFacts } from './decide-offline.ts'
import type { OwnPassages } from './own-passages.ts'
import type { Places } from './places.ts'

export interface OfflineDeps {
  clock: DeviceClock
  mirror: Mirror | undefined
  own: OwnPassages
  /** 8 bytes, `eventTag(event id)`. */
  eventTag: Uint8Array
  ed25519: Ed25519Verifier
  places: Pick<Places, 'of'>
}

export interface OfflineAnswer {
  verdict: Verdict
  /** The hash by which the mirror knows the code; undefined without a mirror. */
  codeHash: Uint8Array | undefined
}

/** @param scan `codeAt`: when the code was shown, unix ms. Never throws for what `payload` may contain: whoever shows the code wrote it. */
export async function answerOffline(
  scan: { scanId: string; payload: string; at: number; codeAt: number; checkpoint: Checkpoint },
  deps: OfflineDeps,
): Promise<OfflineAnswer> {
  const { mirror, clock } = deps
  const { scanId, checkpoint, at, codeAt, payload } = scan
  const verdictOf = (
    verdict: Verdict['verdict'],
    reason: string,
    evidence: Evidence = null,
    tier: Tier = NO_TIER,
  ): Verdict => ({
    scan_id: scanId,
    verdict,
    severity: SEVERITY[verdict],
    reason,
    evidence,
    ...tier,
    seat_label: null,
    occurrence: null,
    hlc: format(clock.hlc.now()),
    direction: checkpoint.direction,
    confidence: 'provisional',
  })
  if (!mirror) {
    return {
      verdict: verdictOf('BLOCKED', words.offline.noList, { detail: words.offline.noList }),
      codeHash: undefined,
    }
  }
  const code = await readCode(payload, codeAt, { ...deps, mirror })
  const facts = offlineFacts(mirror, deps.own, { at, checkpoint, ...code })
  const decision = decideOffline(facts)
  const { kind } = facts.status
  const tier = decision.verdict === 'UNKNOWN' || !kind ? NO_TIER : tierOf(kind.tier, mirror)
  const evidence = evidenceOf(decision, at, deps)
  return {
    verdict: verdictOf(decision.verdict, reasonOf(decision, scan, deps), evidence, tier),
    codeHash: code.codeHash,
  }
}

type Tier = Pick<Verdict, 'tier_name' | 'tier_colour'>
const NO_TIER: Tier = { tier_name: null, tier_colour: null }

function tierOf(id: string, mirror: Mirror): Tier {
  const tier = mirror.tier(id)
  return { tier_name: tier?.name ?? id, tier_colour: tier?.colour ?? null }
}

/** The facts on which the decision about this code rests. */
export function offlineFacts(
  mirror: Mirror,
  own: OwnPassages,
  {
    at,
    checkpoint,
    codeHash,
    shown,
  }: { at: number; checkpoint: Checkpoint; codeHash: Uint8Array; shown: OfflineFacts['code'] },
): OfflineFacts {
  const zone = zoneOf(checkpoint)
  const status = mirror.statusOf(codeHash, zone)
  const tier = status.kind?.tier ?? ''
  const isHeld = (gate: string) => mirror.holdOn(gate, at) !== undefined
  const serving = servingCheckpoints(mirror.checkpoints, tier, checkpoint, { at, isHeld })
  return {
    at,
    checkpoint,
    status,
    serving,
    code: shown,
    days: mirror.days,
    // As the box does: a tier that is no longer in the event file admits once.
    policy: mirror.tier(tier)?.entry ?? 'once',
    own: own.find(codeHash, zone),
    ownEntry: own.entry(codeHash, zone)?.use,
    hold: mirror.holdOn(checkpoint.gate, at),
    everyGateHeld: serving.length === 0 && isServed(mirror.checkpoints, tier),
  }
}

/** The zone whose right a passage uses, as redemptions name it; '' for the outside. */
export function zoneOf({ direction, from, to }: Checkpoint): string {
  return (direction === 'in' ? to : from) ?? ''
}

async function readCode(
  payload: string,
  at: number,
  { mirror, clock, eventTag, ed25519 }: OfflineDeps & { mirror: Mirror },
): Promise<{ shown: OfflineFacts['code']; codeHash: Uint8Array }> {
  const code = parseCode(payload)
  if (!code) return { shown: { kind: 'static' }, codeHash: await codeHash(mirror.salt, payload) }
  const hash = await codeHash(mirror.salt, code.publicKey)
  if (!(await verifyCode(code, eventTag, ed25519))) return { shown: { kind: 'forged' }, codeHash: hash }
  const slots = FRESH_SLOTS[clock.quality()]
  return { shown: { kind: 'rotating', ...freshness(code.slot, at, slots) }, codeHash: hash }
}

function reasonOf(decision: OfflineDecision, scan: { at: number; checkpoint: Checkpoint }, deps: OfflineDeps): string {
  const { at, checkpoint } = scan
  const where: VerdictPlace = {
    at,
    checkpointName: checkpoint.name,
    timeZone: undefined,
    placeName: (id) => nameOf(id, deps),
  }
  switch (decision.verdict) {
    case 'REVOKED':
      return words.offline.notValid
    case 'ALREADY_USED': {
      const { earlier } = decision
      return earlier ? reasonFor(verdictSentences, { verdict: 'ALREADY_USED', earlier }, where) : words.offline.used
    }
    case 'REDIRECT': {
      const { to } = decision
      return to ? reasonFor(verdictSentences, { verdict: 'REDIRECT', to }, where) : words.offline.elsewhere
    }
    default:
      return reasonFor(verdictSentences, decision, where)
  }
}

function evidenceOf(decision: OfflineDecision, at: number, deps: OfflineDeps): Evidence {
  switch (decision.verdict) {
    case 'ADMIT':
    case 'EXIT':
    case 'UNKNOWN':
      return null
    case 'ALREADY_USED': {
      const { earlier } = decision
      if (!earlier) return null
      const place = deps.places.of(earlier.checkpoint)
      return {
        checkpoint: earlier.checkpoint,
        checkpoint_name: place?.name ?? earlier.checkpoint,
        gate_name: place?.gateName ?? earlier.checkpoint,
        used_at: new Date(earlier.at).toISOString(),
        seconds_ago: Math.max(0, Math.floor((at - earlier.at) / 1000)),
        hlc: earlier.hlc,
        occurrence: earlier.occurrence,
      }
    }
    case 'REDIRECT': {
      const { to } = decision
      if (!to) return null
      return { checkpoint: to.id, checkpoint_name: to.name, gate_name: to.gate_name, walking_seconds: null }
    }
    case 'NOT_VALID_NOW':
      return { valid_from: isoOrNull(decision.from), valid_until: isoOrNull(decision.until), of: decision.what }
    case 'STALE_CODE':
      return { code_age_seconds: decision.ageSeconds, phone_clock: decision.phoneClock }
    case 'REVOKED':
      return { revoked_at: null, revoked_reason: null }
    case 'BLOCKED':
      return { detail: decision.detail, ...(decision.held && { held: true }) }
  }
}

function nameOf(checkpoint: string, { places }: OfflineDeps): string {
  const place = places.of(checkpoint)
  return place ? placeName(place) : checkpoint
}

const isoOrNull = (unixMs: number | null) => (unixMs === null ? null : new Date(unixMs).toISOString())
