/** From what was seen or typed to a verdict on the screen. Lives as long as the app: a verdict finds its way over any screen. */

import type { Sight } from '@gatehouse/proto/ui/camera/frames.ts'
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import { createRepeatGuard } from '../../camera/repeat-guard.ts'
import type { Scanner, ScanRecord } from '../../gate/model.ts'
import { PATTERNS } from '../../sound/patterns.ts'
import type { Sound } from '../../sound/sound.ts'
import { arrive, clear, dueAt, EMPTY, pin, replace, type Stage, settle } from './stage.ts'

/** Dialog about a ticket that is open. */
export type Asked = { what: 'answers' | 'past'; scanId: string } | { what: 'group'; scanId: string; more: number }

export interface ScanFlow {
  stage: ReadonlySignal<Stage<ScanRecord>>
  /** A code was not answered, which only a fault of this app can bring about. */
  failed: ReadonlySignal<boolean>
  /** The dialog that is open; null for none. */
  asked: ReadonlySignal<Asked | null>
  ask(what: Asked | null): void
  /** Shows a scan that was made in such a dialog. */
  show(record: ScanRecord): void
  /** Takes the codes that the camera sees, the one nearest to the middle first: it alone may count. */
  sighted(sight: Sight): void
  /** Takes a code that a hand scanner has typed. */
  read(text: string): void
  /** Takes a code that a person has typed: it counts, even if it was scanned a moment ago. */
  typed(text: string): void
  clear(): void
  pin(): void
  replace(record: ScanRecord): void
}

/** On the clock of `performance.now()`: the camera took the frame, a code was read in it, and it was answered. */
interface Timing {
  capturedAt: number
  readAt: number
  answeredAt: number
}

/** A browser keeps every measure for ever; a shift has thousands. */
const MEASURES_KEPT = 2000

export function createScanFlow(scanner: Pick<Scanner, 'scan' | 'ended' | 'locked'>, sound: Sound): ScanFlow {
  const stage = signal<Stage<ScanRecord>>(EMPTY)
  const failed = signal(false)
  const asked = signal<Asked | null>(null)
  const guard = createRepeatGuard()
  /** Of verdicts that are yet to be shown. */
  const timings = new Map<string, Timing>()
  const measure = createMeasure()

  const become = (next: Stage<ScanRecord>) => {
    const before = stage.peek().shown
    stage.value = next
    if (next.shown && next.shown !== before && !next.pinned) announce(next.shown)
  }

  const announce = (record: ScanRecord) => {
    sound.play(PATTERNS[record.class])
    const timing = timings.get(record.scanId)
    timings.delete(record.scanId)
    if (timing) measure(record, timing)
  }

  const scan = async (payload: string, seen?: Omit<Timing, 'answeredAt'>) => {
    try {
      const record = await scanner.scan(payload)
      if (record.verdict.severity === 'retry') guard.expectAnother(payload)
      if (seen) timings.set(record.scanId, { ...seen, answeredAt: performance.now() })
      failed.value = false
      become(arrive(stage.peek(), record, performance.now()))
    } catch (error) {
      console.error(error)
      guard.forget(payload)
      failed.value = true
    }
  }

  settleInTime(stage, become)
  // A verdict may name somebody: it goes with the right to scan.
  effect(() => {
    if (scanner.ended.value === null && !scanner.locked.value) return
    asked.value = null
    become(EMPTY)
  })
  return {
    stage,
    failed,
    asked,
    ask: (what) => {
      asked.value = what
    },
    show: (record) => become(arrive(stage.peek(), record, performance.now())),
    sighted({ texts, capturedAt }) {
      const readAt = performance.now()
      const text = guard.fresh(texts, readAt)
      if (text !== undefined) void scan(text, { capturedAt, readAt })
    },
    read(text) {
      if (guard.freshByHand(text, performance.now()) !== undefined) void scan(text)
    },
    typed(text) {
      guard.freshByHand(text, performance.now())
      void scan(text)
    },
    clear: () => become(clear(stage.peek(), performance.now())),
    pin: () => become(pin(stage.peek())),
    replace: (record) => become(replace(stage.peek(), record, performance.now())),
  }
}

/** Sees to what clears by itself, and to whoever waits their turn, when it is due. */
function settleInTime(stage: ReadonlySignal<Stage<ScanRecord>>, become: (next: Stage<ScanRecord>) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    clearTimeout(timer)
    const due = dueAt(stage.value)
    if (due === null) return
    // A timer takes whole milliseconds, cut off: one that comes too early changes nothing, and no other follows it.
    const wait = Math.ceil(due - performance.now()) + 1
    timer = setTimeout(() => become(settle(stage.peek(), performance.now())), wait)
  })
}

/** Measures from the camera's frame to the verdict on the screen, which the tests of speed and whoever debugs read. */
function createMeasure(): (record: ScanRecord, timing: Timing) => void {
  let measured = 0
  return ({ class: name, alone, scanId }, { capturedAt: start, readAt, answeredAt }) => {
    // The first callback comes before the verdict is painted, the second after.
    requestAnimationFrame(() =>
      requestAnimationFrame((end) => {
        if (++measured % MEASURES_KEPT === 0) performance.clearMeasures('frame-to-verdict')
        performance.measure('frame-to-verdict', {
          start,
          end: Math.max(start, end),
          detail: { class: name, alone, scanId, readMs: readAt - start, answeredMs: answeredAt - readAt },
        })
      }),
    )
  }
}
