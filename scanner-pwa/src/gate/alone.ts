/** Deciding without the box: reads the code, asks the mirror, and says it in the form of the box's own verdict. */
import { codeHash, FRESH_SLOTS, freshness, parseCode, verifyCode } from '@gatehouse/proto/code.ts'
import type { Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import { isServed, servingCheckpoints } from '@gatehouse/proto/serving.ts'
import { placeName, reasonFor, type SaidWhere, SEVERITY } from '@gatehouse/proto/verdict-words.ts'
import type { Evidence, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import { gateWords as words } from '../words/en-gate.ts'
import type { DeviceClock } from './clock.ts'
import { type AloneDecision, type AloneFacts, decideAlone } from './decide-alone.ts'
import type { Mirror } from './mirror.ts'
import type { OwnPassages } from './own-passages.ts'
import type { Place } from './places.ts'

export interface AloneDeps {
  clock: DeviceClock
  mirror: Mirror | undefined
  own: OwnPassages
  /** 8 bytes, `eventTag(event id)`. */
  eventTag: Uint8Array
  ed25519: Ed25519Verifier
  placeOf: (checkpoint: string) => Place | undefined
}

export interface AloneAnswer {
  verdict: Verdict
  /** What the mirror knows the code by; undefined where it could not be read. */
  codeHash: Uint8Array | undefined
}

/** Never throws for what `payload` may hold: whoever shows the code wrote it. */
export async function answerAlone(
  scan: { scanId: string; payload: string; at: number; checkpoint: Checkpoint },
  deps: AloneDeps,
): Promise<AloneAnswer> {
  const { mirror, clock } = deps
  const { scanId, checkpoint, at, payload } = scan
  const say = (
    verdict: Verdict['verdict'],
    reason: string,
    evidence: Evidence = null,
    tier: Tier = NO_TIER,
  ): Verdict => ({
    ...{ scan_id: scanId, verdict, severity: SEVERITY[verdict], reason, evidence },
    ...{ ...tier, seat_label: null, occurrence: null },
    ...{ hlc: format(clock.hlc.now()), direction: checkpoint.direction, confidence: 'provisional' },
  })
  if (!mirror) {
    return { verdict: say('BLOCKED', words.alone.noList, { detail: words.alone.noList }), codeHash: undefined }
  }
  const code = await readCode(payload, at, { ...deps, mirror })
  const facts = aloneFacts(mirror, deps.own, { at, checkpoint, ...code })
  const decision = decideAlone(facts)
  const { kind } = facts.standing
  const tier = decision.verdict === 'UNKNOWN' || !kind ? NO_TIER : tierOf(kind.tier, mirror)
  const evidence = evidenceOf(decision, at, deps)
  return { verdict: say(decision.verdict, reasonOf(decision, scan, deps), evidence, tier), codeHash: code.codeHash }
}

type Tier = Pick<Verdict, 'tier_name' | 'tier_colour'>
const NO_TIER: Tier = { tier_name: null, tier_colour: null }

function tierOf(id: string, mirror: Mirror): Tier {
  const tier = mirror.tier(id)
  return { tier_name: tier?.name ?? id, tier_colour: tier?.colour ?? null }
}

/** What the decision about this code rests on. */
export function aloneFacts(
  mirror: Mirror,
  own: OwnPassages,
  {
    at,
    checkpoint,
    codeHash,
    shown,
  }: { at: number; checkpoint: Checkpoint; codeHash: Uint8Array; shown: AloneFacts['code'] },
): AloneFacts {
  const zone = zoneOf(checkpoint)
  const standing = mirror.standing(codeHash, zone)
  const tier = standing.kind?.tier ?? ''
  const isHeld = (gate: string) => mirror.holdOn(gate, at) !== undefined
  const serving = servingCheckpoints(mirror.checkpoints, tier, checkpoint, { at, isHeld })
  return {
    ...{ at, checkpoint, standing, serving, code: shown, days: mirror.days },
    // As the box does it: a tier that has left the event file lets nobody in twice.
    policy: mirror.tier(tier)?.entry ?? 'once',
    own: own.find(codeHash, zone),
    ownEntry: own.entry(codeHash, zone)?.use,
    hold: mirror.holdOn(checkpoint.gate, at),
    everyGateHeld: serving.length === 0 && isServed(mirror.checkpoints, tier),
  }
}

/** The zone whose right a passage uses, '' for the outside: as redemptions name it. */
export function zoneOf({ direction, from, to }: Checkpoint): string {
  return (direction === 'in' ? to : from) ?? ''
}

async function readCode(
  payload: string,
  at: number,
  { mirror, clock, eventTag, ed25519 }: AloneDeps & { mirror: Mirror },
): Promise<{ shown: AloneFacts['code']; codeHash: Uint8Array }> {
  const code = parseCode(payload)
  if (!code) return { shown: { kind: 'static' }, codeHash: await codeHash(mirror.salt, payload) }
  const hash = await codeHash(mirror.salt, code.publicKey)
  if (!(await verifyCode(code, eventTag, ed25519))) return { shown: { kind: 'forged' }, codeHash: hash }
  const slots = FRESH_SLOTS[clock.quality()]
  return { shown: { kind: 'rotating', ...freshness(code.slot, at, slots) }, codeHash: hash }
}

function reasonOf(decision: AloneDecision, scan: { at: number; checkpoint: Checkpoint }, deps: AloneDeps): string {
  const { at, checkpoint } = scan
  const where: SaidWhere = {
    ...{ at, checkpointName: checkpoint.name, timeZone: undefined },
    placeName: (id) => nameOf(id, deps),
  }
  switch (decision.verdict) {
    case 'REVOKED':
      return words.alone.notValid
    case 'ALREADY_USED': {
      const { earlier } = decision
      return earlier ? reasonFor({ verdict: 'ALREADY_USED', earlier }, where) : words.alone.used
    }
    case 'REDIRECT': {
      const { to } = decision
      return to ? reasonFor({ verdict: 'REDIRECT', to }, where) : words.alone.elsewhere
    }
    default:
      return reasonFor(decision, where)
  }
}

function evidenceOf(decision: AloneDecision, at: number, deps: AloneDeps): Evidence {
  switch (decision.verdict) {
    case 'ADMIT':
    case 'EXIT':
    case 'UNKNOWN':
      return null
    case 'ALREADY_USED': {
      const { earlier } = decision
      if (!earlier) return null
      const place = deps.placeOf(earlier.checkpoint)
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
      return { valid_from: isoOrNull(decision.from), valid_until: isoOrNull(decision.until) }
    case 'STALE_CODE':
      return { code_age_seconds: decision.ageSeconds, phone_clock: decision.phoneClock }
    case 'REVOKED':
      return { revoked_at: null, revoked_reason: null }
    case 'BLOCKED':
      return { detail: decision.detail, ...(decision.held && { held: true }) }
  }
}

function nameOf(checkpoint: string, { placeOf }: AloneDeps): string {
  const place = placeOf(checkpoint)
  return place ? placeName(place) : checkpoint
}

const isoOrNull = (unixMs: number | null) => (unixMs === null ? null : new Date(unixMs).toISOString())
