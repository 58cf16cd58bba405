/** Deciding without the box: reads the code, asks the mirror, and says it in the form of the box's own verdict. */
import { codeHash, FRESH_SLOTS, freshness, parseCode, verifyCode } from '@gatehouse/proto/code.ts'
import { format } from '@gatehouse/proto/hlc.ts'
import { ago, placeName, reasonFor, type SaidWhere, SEVERITY } from '@gatehouse/proto/verdict-words.ts'
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
  const say = (verdict: Verdict['verdict'], reason: string, evidence: Evidence = null): Verdict => ({
    ...{ scan_id: scanId, verdict, severity: SEVERITY[verdict], reason, evidence },
    ...{ tier_name: null, tier_colour: null, seat_label: null, occurrence: null },
    ...{ hlc: format(clock.hlc.now()), direction: checkpoint.direction, confidence: 'provisional' },
  })
  if (!mirror) {
    return { verdict: say('BLOCKED', words.alone.noList, { detail: words.alone.noList }), codeHash: undefined }
  }
  const code = await readCode(payload, at, { ...deps, mirror })
  if (code === 'no-crypto') {
    return { verdict: say('BLOCKED', words.alone.noCrypto, { detail: words.alone.noCrypto }), codeHash: undefined }
  }
  const zone = zoneOf(checkpoint)
  const decision = decideAlone({
    ...{ at, checkpoint, code: code.shown },
    standing: mirror.standing(code.codeHash, zone),
    own: deps.own.find(code.codeHash, zone),
    hold: mirror.holdOn(checkpoint.gate, at),
  })
  return { verdict: say(decision.verdict, reasonOf(decision, scan, deps), evidenceOf(decision, at, deps)), ...code }
}

/** The zone whose right a passage uses, '' for the outside: as redemptions name it. */
export function zoneOf({ direction, from, to }: Checkpoint): string {
  return (direction === 'in' ? to : from) ?? ''
}

async function readCode(
  payload: string,
  at: number,
  { mirror, clock, eventTag }: AloneDeps & { mirror: Mirror },
): Promise<{ shown: AloneFacts['code']; codeHash: Uint8Array } | 'no-crypto'> {
  const code = parseCode(payload)
  if (!code) return { shown: { kind: 'static' }, codeHash: await codeHash(mirror.salt, payload) }
  const hash = await codeHash(mirror.salt, code.publicKey)
  let signed: boolean
  try {
    signed = await verifyCode(code, eventTag)
  } catch {
    // An engine without Ed25519: the code may be as good as any, and this phone cannot tell.
    return 'no-crypto'
  }
  if (!signed) return { shown: { kind: 'forged' }, codeHash: hash }
  const slots = FRESH_SLOTS[clock.quality()]
  return { shown: { kind: 'rotating', ...freshness(code.slot, at, slots) }, codeHash: hash }
}

function reasonOf(decision: AloneDecision, scan: { at: number; checkpoint: Checkpoint }, deps: AloneDeps): string {
  const { at, checkpoint } = scan
  const where: SaidWhere = {
    ...{ at, checkpointName: checkpoint.name, timeZone: undefined },
    placeName: (id) => nameOf(id, deps),
  }
  if (decision.verdict === 'REVOKED') return words.alone.notValid
  if (decision.verdict !== 'ALREADY_USED') return reasonFor(decision, where)
  const { earlier, leftAt } = decision
  if (leftAt) return words.alone.leftSince(nameOf(leftAt.checkpoint, deps), ago(at - leftAt.at))
  return earlier ? reasonFor({ verdict: 'ALREADY_USED', earlier }, where) : words.alone.used
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
