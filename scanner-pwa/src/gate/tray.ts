/**
 * Tickets that a person has yet to look at or to answer for, apart from the verdict on the screen. In memory alone: it names people, and is gone
 * with the page, the shift and the pairing.
 */
import type { Answers } from '@gatehouse/proto/questions.ts'
import type { AskedQuestion, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { ScanRecord } from './model.ts'

export interface TrayItem {
  /** The scan whose verdict it is. */
  scanId: string
  /** Unix ms, corrected. */
  at: number
  verdict: Verdict
  /** The person is not in: the admission waits for the answers. */
  waits: boolean
  questions: readonly AskedQuestion[]
  /** Answers that were typed so far. */
  draft: Answers
  /** Attention and note have been seen. */
  seen: boolean
}

/** Code and checkpoint with which the scan that was asked about is sent again. */
export interface Asked {
  payload: string
  checkpoint: Checkpoint
  /** Origin of the box that asked. */
  by: string
}

interface Entry {
  item: TrayItem
  /** Undefined where the box need not be shown the code again. */
  asked: Asked | undefined
}

/** Questions that nobody has to answer are offered for the last of the scans, unless somebody has begun to answer them. */
const OFFERED = 20

export class Tray {
  readonly #entries = signal<readonly Entry[]>([])
  /** Newest first: what stays until a person takes it away. */
  readonly items: ReadonlySignal<readonly TrayItem[]> = computed(() =>
    this.#entries.value.map(({ item }) => item).filter(stays),
  )

  find(scanId: string): TrayItem | undefined {
    return this.#entry(scanId)?.item
  }

  asked(scanId: string): Asked | undefined {
    return this.#entry(scanId)?.asked
  }

  /**
   * Takes in what the verdict of a scan leaves to be done.
   * @param before the scan that asked first: this one takes its place, and its draft
   */
  take(record: ScanRecord, asked: Asked | undefined, before = this.#waitingFor(asked?.payload)): void {
    const draft = (before !== undefined && this.find(before)?.draft) || {}
    if (before !== undefined) this.remove(before)
    const item = itemOf(record, draft)
    if (!item) return
    const others = this.#entries.peek().filter((entry) => entry.item.scanId !== record.scanId)
    const offered = others.filter(({ item }) => !stays(item)).slice(0, OFFERED - 1)
    this.#entries.value = [{ item, asked }, ...others.filter((entry) => stays(entry.item) || offered.includes(entry))]
  }

  draft(scanId: string, draft: Answers): void {
    this.#change(scanId, (item) => ({ ...item, draft }))
  }

  /** The box has taken answers of somebody who is in. @param left those whose answer was none */
  answered(scanId: string, left: readonly AskedQuestion[]): void {
    this.#change(scanId, (item) => ({ ...item, questions: left, draft: left.length === 0 ? {} : item.draft }))
  }

  /** A person has seen attention and note. Questions stay. */
  seen(scanId: string): void {
    this.#change(scanId, (item) => ({ ...item, seen: true }))
  }

  remove(scanId: string): void {
    this.#entries.value = this.#entries.peek().filter(({ item }) => item.scanId !== scanId)
  }

  clear(): void {
    this.#entries.value = []
  }

  /** Questions are not answered here. */
  drop(scanId: string): void {
    this.#change(scanId, (item) => ({ ...item, waits: false, questions: [], draft: {} }))
  }

  /** The scan of the same code that waits already. */
  #waitingFor(payload: string | undefined): string | undefined {
    if (payload === undefined) return undefined
    return this.#entries.peek().find(({ item, asked }) => item.waits && asked?.payload === payload)?.item.scanId
  }

  #entry(scanId: string): Entry | undefined {
    return this.#entries.value.find(({ item }) => item.scanId === scanId)
  }

  #change(scanId: string, change: (item: TrayItem) => TrayItem): void {
    this.#entries.value = this.#entries
      .peek()
      .map((entry) => (entry.item.scanId === scanId ? { ...entry, item: change(entry.item) } : entry))
      .filter(({ item }) => item.questions.length > 0 || isToSee(item))
  }
}

/** Undefined where the verdict leaves nothing to be done: whoever is sent away need not be looked at. */
function itemOf({ scanId, at, verdict, undone }: ScanRecord, draft: Answers): TrayItem | undefined {
  const waits = isAsking(verdict)
  if (undone || (verdict.verdict !== 'ADMIT' && !waits)) return undefined
  const { questions = [] } = verdict
  const open = Object.fromEntries(Object.entries(draft).filter(([id]) => questions.some((one) => one.id === id)))
  const item = { scanId, at, verdict, waits, questions, draft: open, seen: false }
  return item.questions.length > 0 || isToSee(item) ? item : undefined
}

/** The verdict is no refusal for good: the person waits until the questions are answered. */
export function isAsking({ verdict, questions = [] }: Pick<Verdict, 'verdict' | 'questions'>): boolean {
  return verdict === 'BLOCKED' && questions.length > 0
}

function stays(item: TrayItem): boolean {
  return item.waits || isToSee(item) || Object.keys(item.draft).length > 0
}

/** There is something that a person has to see. */
export function isToSee({ verdict, seen }: Pick<TrayItem, 'verdict' | 'seen'>): boolean {
  return !seen && (verdict.attention !== undefined || verdict.note !== undefined)
}
