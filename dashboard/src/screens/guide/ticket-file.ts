/** The shop's file in the guide: the box says what it is and which ticket types it names, and the browser keeps it for the import. */
import type { ImportKinds } from '@gatehouse/proto/wire/import-columns.ts'
import { type ReadonlySignal, signal } from '@preact/signals'
import { sentenceOf } from '../../session/answered.ts'
import type { KeptFile } from '../../session/kept-file.ts'
import { faultOf } from '../import/file-check.ts'
import type { Upload } from '../import/upload.ts'
import { type Json, listOf } from './draft.ts'
import { NONE, tierColumn, UNSAID } from './tier-column.ts'

/** Sends the file. `importKinds` in the OpenAPI document. */
export type LookAtTiers = (file: File, onProgress: (fraction: number) => void) => Upload<ImportKinds>

export interface Shelf {
  read(): Promise<KeptFile | undefined>
  keep(kept: KeptFile): Promise<boolean>
  forget(): void
}

export interface TicketFile {
  file: ReadonlySignal<File | null>
  found: ReadonlySignal<ImportKinds | null>
  /** Of a file of no known shop: the column with the ticket type, `NONE`, or `UNSAID`. */
  column: ReadonlySignal<string | null>
  /** Somebody has to say first which column it is. */
  asks: () => boolean
  /** This browser has the file for the import. */
  isKept: ReadonlySignal<boolean>
  /** 0 to 1 while the file is under way, 1 while the box works on it. */
  progress: ReadonlySignal<number | null>
  problem: ReadonlySignal<string | null>
  /** Goes on with the file of before, where there is one. */
  open(): Promise<void>
  choose(file: File | null): Promise<void>
  chooseColumn(column: string): void
  /** Names for the tiers of the event. */
  tierNames(): readonly string[]
  /** The file belongs to this event from now on: it is offered when the event's tickets are imported. */
  belongsTo(event: Json): Promise<void>
}

/** @param now Unix ms */
export function ticketFile(look: LookAtTiers, shelf: Shelf, now: () => number): TicketFile {
  const file = signal<File | null>(null)
  const found = signal<ImportKinds | null>(null)
  const column = signal<string | null>(null)
  const isKept = signal(false)
  const progress = signal<number | null>(null)
  const problem = signal<string | null>(null)
  let choices = 0
  let underWay: Upload<ImportKinds> | undefined

  const keep = async (event: string | null, tiers: KeptFile['tiers']) => {
    const { value } = file
    if (value) isKept.value = await shelf.keep({ file: value, column: column.value, event, tiers, at: now() })
  }

  async function take(chosen: File | null, before: string | null): Promise<void> {
    const mine = ++choices
    underWay?.cancel()
    ;[file.value, found.value, column.value, problem.value] = [null, null, null, null]
    ;[progress.value, isKept.value] = [null, false]
    if (!chosen) return
    try {
      const fault = await faultOf(chosen)
      if (mine !== choices) return
      if (fault !== null) {
        problem.value = fault
        return
      }
      progress.value = 0
      underWay = look(chosen, (fraction) => {
        if (mine === choices) progress.value = fraction
      })
      const answer = await underWay.answer
      if (mine !== choices) return
      const names = [NONE, ...answer.columns.map(({ name }) => name)]
      file.value = chosen
      found.value = answer
      const said = [before, answer.tier_column].find((name) => name !== null && names.includes(name))
      if (answer.format === 'unknown') column.value = said ?? tierColumn(answer.columns)
    } catch (error) {
      if (mine === choices) problem.value = sentenceOf(error)
    } finally {
      if (mine === choices) [progress.value, underWay] = [null, undefined]
    }
  }

  const tierNames = () => {
    const { value } = found
    if (value?.format !== 'unknown') return value?.kinds ?? []
    const chosen = value.columns.find(({ name }) => name === column.value)
    return !chosen || chosen.more ? [] : chosen.values
  }

  return {
    ...{ file, found, column, isKept, progress, problem, tierNames },
    asks: () => found.value?.format === 'unknown' && column.value === UNSAID,
    async open() {
      const kept = await shelf.read()
      if (!kept || choices > 0) return
      await take(kept.file, kept.column)
      isKept.value = file.value !== null
    },
    async choose(chosen) {
      shelf.forget()
      await take(chosen, null)
      await keep(null, [])
    },
    chooseColumn(name) {
      column.value = name
      void keep(null, [])
    },
    belongsTo: (event) => {
      const tiers = listOf(event, 'tiers')
      const made = tierNames().flatMap((product, i) => {
        const id = tiers[i]?.id
        return typeof id === 'string' ? [{ product, tier: id }] : []
      })
      return keep(typeof event.id === 'string' ? event.id : null, made)
    },
  }
}
