/** Who has a right, found out by compare-and-set: asked again for as long as what stands there is nobody's. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 } from './names.ts'
import { boxesOf, type ClaimRecord, encodeClaim } from './record.ts'
import type { ClaimStream, Patience } from './stream.ts'

/**
 * `unheard`: the claim may have been carried out, or may be yet. `unclear`: the voters answer, and nobody can say who has the
 * right. Neither is ever a refusal.
 */
export type Contest =
  | { outcome: 'mine' }
  | { outcome: 'elsewhere'; by: ClaimRecord }
  | { outcome: 'unheard' | 'unclear'; why: string }

/** The stream may be between two states for a moment, and a right may change hands while it is asked about. */
const MOST_ROUNDS = 8
const PAUSE_MS = 20

/**
 * Claims the right of `subject` for `mine`.
 * @param isVoid whether nobody was admitted on a claim: it may be taken over
 * @param happened the admission is a fact: what nobody can read is written over with it
 */
export async function contest(
  stream: ClaimStream,
  subject: string,
  mine: ClaimRecord,
  options: {
    patience: Patience
    /** By when all of it has to be over, on the clock of `monotonic`. */
    deadline?: number
    monotonic: () => number
    isVoid: (claim: ClaimRecord) => boolean
    happened?: boolean
    onSilence?: () => void
  },
): Promise<Contest> {
  const { isVoid, happened = false, onSilence, deadline = Number.POSITIVE_INFINITY, monotonic } = options
  /** What is left of the patience. */
  const left = (): Patience => {
    const ms = Math.max(0, deadline - monotonic())
    const firstMs = Math.min(options.patience.firstMs, ms)
    return { firstMs, againMs: Math.min(options.patience.againMs, ms - firstMs) }
  }
  /** Boxes that this scan was sent to before. */
  let also: string[] = []
  let isInTheWay = false
  for (let [round, expected] = [0, 0]; round < MOST_ROUNDS; round++) {
    const id = attemptId(mine, expected)
    const body = encodeClaim(also.length > 0 ? { ...mine, also } : mine)
    const written = await stream.write(subject, { body, id, expected }, left(), onSilence)
    if (written.outcome === 'written') return { outcome: 'mine' }
    if (written.outcome === 'unheard') return written
    const last = await stream.last(subject, left().firstMs)
    if (last === 'unheard') {
      // That there is something does not say that somebody is inside: it may be a release, or a claim of one's own.
      onSilence?.()
      return { outcome: 'unheard', why: 'who has this ticket could not be read' }
    }
    also = []
    isInTheWay = last === 'nothing'
    if (last === 'nothing') {
      // Another write of the same moment was in the way, and has not been carried out yet.
      expected = 0
      await sleep(PAUSE_MS)
      continue
    }
    const { sequence, record } = last
    if (record?.kind === 'claim') {
      const boxes = boxesOf(record)
      const isSameScan = record.scan_id === mine.scan_id
      if (isSameScan && boxes.includes(mine.box)) return { outcome: 'mine' }
      // A box that died before it wrote this scan down would take its claim back, and has to see who admits on it now.
      if (isSameScan) also = boxes
      else if (!isVoid(record)) return { outcome: 'elsewhere', by: record }
    } else if (!record && !happened) {
      return { outcome: 'unclear', why: 'who has this ticket cannot be read' }
    }
    expected = sequence
    if (left().firstMs === 0) return { outcome: 'unheard', why: 'no answer in time' }
  }
  // Whoever leads has a write, perhaps this one, that the other voters do not carry out: they are not there.
  if (isInTheWay) return { outcome: 'unheard', why: 'what was written about this ticket is not carried out' }
  return { outcome: 'unclear', why: 'this ticket is being shown in many places at once' }
}

/**
 * Gives a right back, if it is still this scan's. Where the scan was sent to other boxes too, it stays theirs.
 * @param options.undone the admission was taken back: nobody has the right by this scan any more, at whichever box
 * @returns whether it is certain that the scan has it no longer at the box of `mine`
 */
export async function release(
  stream: ClaimStream,
  subject: string,
  mine: ClaimRecord,
  { patience, undone }: { patience: Patience; undone: boolean },
): Promise<boolean> {
  const last = await stream.last(subject, patience.firstMs)
  if (last === 'unheard') return false
  if (last === 'nothing' || last.record?.kind !== 'claim' || last.record.scan_id !== mine.scan_id) return true
  const { sequence: expected, record } = last
  const boxes = boxesOf(record)
  if (!undone && !boxes.includes(mine.box)) return true
  const [box, ...also] = undone ? [] : boxes.filter((other) => other !== mine.box)
  const body = encodeClaim(box === undefined ? { ...mine, kind: 'release' } : { ...record, box, also })
  const id = attemptId({ ...mine, kind: 'release' }, expected)
  const written = await stream.write(subject, { body, id, expected }, patience)
  return written.outcome === 'written'
}

/** The same for the same attempt alone: what was written once under another expectation says nothing about this one. */
function attemptId({ kind, scan_id, box }: ClaimRecord, expected: number): string {
  return sha256(JSON.stringify([kind, scan_id, box, expected]))
}
