/** The checks before doors that the core can answer. Pure. */

import type { Keeping } from '../store/keeping.ts'
import { gateWords } from '../words/core.ts'
import type { KnownBox, Link, MirrorState, PreflightItem } from './model.ts'

const words = gateWords.preflight
const DAY_MS = 86_400_000

export interface PreflightFacts {
  /** Unix ms, corrected. */
  now: number
  clockOffsetMs: number | null
  mirror: MirrorState | null
  /** Unix ms. */
  certificateExpiresAt: number
  storageKeeping: Keeping
  /** Megabytes, where they are few. */
  scantRoom?: number | undefined
  link: Link['state']
  /** The event's other boxes, and whether each answers this phone. */
  boxes: readonly (KnownBox & { answers: boolean })[]
}

export function preflightItems(facts: PreflightFacts): PreflightItem[] {
  return [clock(facts), manifest(facts), certificate(facts), storage(facts), link(facts), ...boxes(facts)]
}

function clock({ clockOffsetMs: offset }: PreflightFacts): PreflightItem {
  if (offset === null) return item('clock', 'fail', words.clock.unknown, words.clock.measure)
  const off = Math.abs(offset)
  const state = off < 2_000 ? 'ok' : off < 60_000 ? 'warn' : 'fail'
  return item('clock', state, state === 'ok' ? words.clock.fine : words.clock.off(offset), words.clock.remedy)
}

function manifest({ mirror, now }: PreflightFacts): PreflightItem {
  if (!mirror) return item('manifest', 'fail', words.manifest.none, words.manifest.remedy)
  const detail = words.manifest.is(mirror.tickets, mirror.version, now - mirror.asOf)
  return item('manifest', mirror.stale ? 'warn' : 'ok', detail, words.manifest.remedy)
}

function certificate({ certificateExpiresAt, now }: PreflightFacts): PreflightItem {
  const left = certificateExpiresAt - now
  const state = left <= 0 ? 'fail' : left < DAY_MS ? 'warn' : 'ok'
  return item('certificate', state, words.certificate.left(left), words.certificate.remedy)
}

function storage({ storageKeeping: keeping, scantRoom }: PreflightFacts): PreflightItem {
  const { asking, kept, notKept, unknown, remedy, small, smallRemedy } = words.storage
  if (scantRoom !== undefined) return item('storage', 'warn', small(scantRoom), smallRemedy)
  if (keeping === 'asking') return item('storage', 'checking', asking, '')
  if (keeping === undefined) return item('storage', 'warn', unknown, remedy)
  return item('storage', keeping ? 'ok' : 'warn', keeping ? kept : notKept, remedy)
}

function link(facts: PreflightFacts): PreflightItem {
  const { reachable, offline: alone, remedy } = words.link
  return facts.link === 'reachable' ? item('link', 'ok', reachable, remedy) : item('link', 'warn', alone, remedy)
}

/** One line for all other boxes: the first problem among them. No line where the event has one box. */
function boxes({ boxes }: PreflightFacts): PreflightItem[] {
  if (boxes.length === 0) return []
  const { ready, silent, silentRemedy, later, laterRemedy } = words.boxes
  const names = (some: readonly KnownBox[]) => some.map(({ name }) => name).join(', ')
  const closed = boxes.filter(({ open }) => !open)
  if (closed.length > 0) return [item('boxes', 'warn', later(names(closed)), laterRemedy)]
  const gone = boxes.filter(({ answers }) => !answers)
  if (gone[0]) return [item('boxes', 'warn', silent(names(gone)), silentRemedy(`${gone[0].origin}/scanner/`))]
  return [item('boxes', 'ok', ready(names(boxes)), '')]
}

function item(id: PreflightItem['id'], state: PreflightItem['state'], detail: string, remedy: string): PreflightItem {
  return { id, state, detail, remedy: state === 'ok' || state === 'checking' ? null : remedy }
}
