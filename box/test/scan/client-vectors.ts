/** The decisions of `box/docs/clients/vectors.json`, made by the scanner app's own functions. */
import { FRESH_SLOTS, freshness } from '@gatehouse/proto/code.ts'
import type { Manifest } from '@gatehouse/proto/wire/device.ts'
import { decideOffline, type OfflineFacts } from '../../../scanner-pwa/src/gate/decide-offline.ts'
import { offlineFacts } from '../../../scanner-pwa/src/gate/offline.ts'
import { OwnPassages } from '../../../scanner-pwa/src/gate/own-passages.ts'
import type { MirrorChange } from '../../../scanner-pwa/src/mirror/changes.ts'
import { Mirror } from '../../../scanner-pwa/src/mirror/mirror.ts'
import { storedMirror } from '../../../scanner-pwa/src/mirror/stored-mirror.ts'
import { CodeReader } from '../../src/tickets/codes.ts'

/** A code that is held out, and what is to be said. */
export interface Shown {
  payload: string
  checkpoint: string
  /** Unix ms. */
  at: number
  /** Base64; null for a rotating code with a wrong signature. */
  code_hash?: string | null
  verdict?: string
}

export interface ClientVectors {
  comment: string
  manifest: Manifest
  /** Hex. */
  event_tag: string
  decisions: Shown[]
  events: { event: string; data: object }[]
  afterwards: Shown[]
}

/** The vectors with `code_hash` and `verdict` of each decision filled in anew. */
export function decideVectors(vectors: ClientVectors): ClientVectors {
  const { manifest, events } = vectors
  const mirror = new Mirror(storedMirror(structuredClone(manifest)))
  const reader = new CodeReader(mirror.salt, Buffer.from(vectors.event_tag, 'hex'))
  const decided = (shown: Shown): Shown => ({ ...shown, ...decide(shown, mirror, reader) })
  const decisions = vectors.decisions.map(decided)
  for (const { event, data } of events) mirror.apply({ kind: event, data } as MirrorChange)
  return { ...vectors, decisions, afterwards: vectors.afterwards.map(decided) }
}

function decide({ payload, checkpoint: id, at }: Shown, mirror: Mirror, reader: CodeReader) {
  const code = reader.read(payload)
  if (!code) return { code_hash: null, verdict: 'UNKNOWN' }
  const checkpoint = mirror.checkpoints.find((each) => each.id === id)
  if (!checkpoint) throw new Error(`no checkpoint ${id}`)
  const shown: OfflineFacts['code'] =
    code.kind === 'static' ? { kind: 'static' } : { kind: 'rotating', ...freshness(code.slot, at, FRESH_SLOTS.synced) }
  const { codeHash } = code
  const { verdict } = decideOffline(offlineFacts(mirror, new OwnPassages(), { at, checkpoint, codeHash, shown }))
  return { code_hash: codeHash.toString('base64'), verdict }
}
