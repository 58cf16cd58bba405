/** From what was seen or typed to a verdict on the screen. Lives as long as the app: a verdict finds its way over any screen. */
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import type { Sight } from '../../camera/frames.ts'
import { createRepeatGuard } from '../../camera/repeat-guard.ts'
import type { Scanner, ScanRecord } from '../../model.ts'
import { PATTERNS } from '../../sound/patterns.ts'
import type { Sound } from '../../sound/sound.ts'
import { arrive, clear, dueAt, EMPTY, pin, reopen, replace, type Stage, settle } from './stage.ts'

export interface ScanFlow {
  stage: ReadonlySignal<Stage<ScanRecord>>
  /** A code was not answered, which only a fault of this app can bring about. */
  failed: ReadonlySignal<boolean>
  /** What the camera shows. */
  sighted(sight: Sight): void
  /** What a hand scanner has typed. */
  read(text: string): void
  /** What a person has typed: meant, even if it was there a moment ago. */
  typed(text: string): void
  clear(): void
  pin(): void
  reopen(record: ScanRecord): void
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

export function createScanFlow(scanner: Pick<Scanner, 'scan'>, sound: Sound): ScanFlow {
  const stage = signal<Stage<ScanRecord>>(EMPTY)
  const failed = signal(false)
  const guard = createRepeatGuard()
  /** Of verdicts that are yet to be shown. */
  const timings = new Map<string, Timing>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let measured = 0

  const become = (next: Stage<ScanRecord>) => {
    const before = stage.peek().shown
    stage.value = next
    if (next.shown && next.shown !== before && !next.pinned) announce(next.shown)
  }

  const announce = (record: ScanRecord) => {
    sound.play(PATTERNS[record.class])
    const timing = timings.get(record.scanId)
    timings.delete(record.scanId)
    if (!timing) return
    // The first callback comes before the verdict is painted, the second after.
    requestAnimationFrame(() =>
      requestAnimationFrame((end) => {
        if (++measured % MEASURES_KEPT === 0) performance.clearMeasures('frame-to-verdict')
        const { class: name, alone, scanId } = record
        const { capturedAt: start, readAt, answeredAt } = timing
        performance.measure('frame-to-verdict', {
          start,
          end: Math.max(start, end),
          detail: { class: name, alone, scanId, readMs: readAt - start, answeredMs: answeredAt - readAt },
        })
      }),
    )
  }

  effect(() => {
    clearTimeout(timer)
    const due = dueAt(stage.value)
    if (due === null) return
    // A timer takes whole milliseconds, cut off: one that comes too early changes nothing, and no other follows it.
    const wait = Math.ceil(due - performance.now()) + 1
    timer = setTimeout(() => become(settle(stage.peek(), performance.now())), wait)
  })

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

  return {
    stage,
    failed,
    // All of a frame at once: none waits for the answer to another.
    sighted({ texts, capturedAt }) {
      const readAt = performance.now()
      for (const text of guard.fresh(texts, readAt)) void scan(text, { capturedAt, readAt })
    },
    read(text) {
      for (const one of guard.fresh([text], performance.now())) void scan(one)
    },
    typed(text) {
      guard.fresh([text], performance.now())
      void scan(text)
    },
    clear: () => become(clear(stage.peek(), performance.now())),
    pin: () => become(pin(stage.peek())),
    reopen: (record) => become(reopen(stage.peek(), record, performance.now())),
    replace: (record) => become(replace(stage.peek(), record, performance.now())),
  }
}
