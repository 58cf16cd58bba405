/**
 * The verdict on the screen. An admission clears by itself; anything else stays until a person has seen it, or the next
 * code is there. Verdicts that come quickly after one another wait their turn: a refusal is never gone before it was seen.
 */
import type { VerdictClass } from '@gatehouse/proto/ui/verdict-class.ts'

/** The least of a record that this needs. */
export interface Staged {
  scanId: string
  class: VerdictClass
}

export interface Stage<R extends Staged> {
  shown: R | null
  /** Ms, of the clock that the functions below are given. */
  since: number
  /** Somebody reads or edits it: it does not clear by itself. */
  pinned: boolean
  waiting: readonly R[]
}

export const EMPTY: Stage<never> = { shown: null, since: 0, pinned: false, waiting: [] }

/** An admission is gone after so long, ms. */
export const CLEARS_AFTER_MS = 1500
/** The shortest time that each is shown, ms. */
const REFUSAL_SEEN_MS = 600
const ADMISSION_SEEN_MS = 250

export function arrive<R extends Staged>(stage: Stage<R>, record: R, now: number): Stage<R> {
  return settle({ ...stage, waiting: [...stage.waiting, record] }, now)
}

/** To be called when `dueAt` has come. */
export function settle<R extends Staged>(stage: Stage<R>, now: number): Stage<R> {
  const { shown, since, waiting } = stage
  if (shown && now - since < seenMs(shown)) return stage
  if (waiting.length > 0) return next(stage, now)
  return shown && !stage.pinned && clearsItself(shown) && now - since >= CLEARS_AFTER_MS ? EMPTY : stage
}

/** A person has seen it: the next one that waits, or none. */
export function clear<R extends Staged>(stage: Stage<R>, now: number): Stage<R> {
  return next(stage, now)
}

/** The same scan, answered anew: a supervisor let the person in, or an admission was taken back. */
export function replace<R extends Staged>(stage: Stage<R>, record: R, now: number): Stage<R> {
  return { ...stage, shown: record, since: now, pinned: false }
}

export function pin<R extends Staged>(stage: Stage<R>): Stage<R> {
  return stage.shown ? { ...stage, pinned: true } : stage
}

/** The moment at which `settle` changes something; null where only a person or a scan does. */
export function dueAt(stage: Stage<Staged>): number | null {
  const { shown, since } = stage
  if (!shown) return null
  if (stage.waiting.length > 0) return since + seenMs(shown)
  return clearsItself(shown) && !stage.pinned ? since + CLEARS_AFTER_MS : null
}

function next<R extends Staged>({ waiting }: Stage<R>, now: number): Stage<R> {
  const [shown = null, ...rest] = waiting
  return { shown, since: now, pinned: false, waiting: rest }
}

function clearsItself({ class: name }: Staged): boolean {
  return name === 'admit' || name === 'exit'
}

function seenMs(record: Staged): number {
  return clearsItself(record) ? ADMISSION_SEEN_MS : REFUSAL_SEEN_MS
}
