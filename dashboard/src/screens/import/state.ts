/** An import from the file that was chosen to what the box made of it. */
import type { ImportReport, ShopFormat } from '@gatehouse/proto/wire/admin.ts'
import { COLUMNS_HEAD_BYTES, type ImportColumns } from '@gatehouse/proto/wire/import-columns.ts'
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { Refused, sentenceOf } from '../../session/answered.ts'
import { actionWords as words } from '../../words/late.ts'
import { keptTiers } from './changes.ts'
import { faultOf } from './file-check.ts'
import { gapOf, type Matching, matchingOf, matchQueryOf, withField, withStatusWords } from './matching.ts'
import {
  type ImportQuery,
  type Line,
  type Mapping,
  mappingsAfter,
  queryOf,
  statusesOf,
  warningLines,
} from './report.ts'
import type { Upload } from './upload.ts'

export type UsedTiers = NonNullable<ImportQuery['used_tiers']>

export interface Options {
  format: 'auto' | ShopFormat
  mappings: readonly Mapping[]
  /** Of a file of no known shop. */
  matching: Matching | null
  /** Treatment of used and revoked tickets that would change their tier; null until somebody was asked. */
  usedTiers: UsedTiers | null
}

/** Asks the box about the first bytes of a file. `importColumns` in the OpenAPI document. */
export type LookAt = (head: Blob) => Promise<ImportColumns>

/** Sends the file. `importTickets` in the OpenAPI document. */
export type Send = (query: ImportQuery, file: File, onProgress: (fraction: number) => void) => Upload<ImportReport>

/** Said of the file when the event was made of it. */
export interface SaidBefore {
  /** The column with the tier. */
  column: string | null
  /** Products that have another name than their tier. */
  mappings: readonly Mapping[]
}

export interface Importing {
  file: ReadonlySignal<File | null>
  options: Signal<Options>
  /** The columns of the file, where no known shop writes such a file. */
  columns: ReadonlySignal<ImportColumns | null>
  /** Choices for the file before were dropped. */
  hasDropped: ReadonlySignal<boolean>
  /** The newest report: of a look, or of the import itself. */
  report: ReadonlySignal<ImportReport | null>
  /** The report is of another file or other options than those that are chosen now. */
  stale: () => boolean
  /** 0 to 1 while a file is under way, 1 while the box works on it. */
  progress: ReadonlySignal<number | null>
  problem: ReadonlySignal<string | null>
  /** Goes up with each report and each problem that a press of a button ends in: it stands further down the page. */
  told: ReadonlySignal<number>
  /** @param before choices that were made for the file already */
  choose: (file: File | null, before?: SaidBefore) => Promise<void>
  look: () => Promise<void>
  /** Answers the question about used and revoked tickets, and looks again. */
  decide: (usedTiers: UsedTiers) => Promise<void>
  /** The report asks about used and revoked tickets, and nobody has answered. */
  asks: () => boolean
  /** Does nothing unless the newest report is of a look at just this. */
  run: (actor: string) => Promise<void>
  cancel: () => void
}

export function importing(send: Send, lookAt: LookAt): Importing {
  const file = signal<File | null>(null)
  const options = signal<Options>(NOTHING_CHOSEN)
  const columns = signal<ImportColumns | null>(null)
  const hasDropped = signal(false)
  const report = signal<ImportReport | null>(null)
  const progress = signal<number | null>(null)
  const problem = signal<string | null>(null)
  const told = signal(0)
  let looked: { file: File | null; query: string } | undefined
  let choices = 0
  let underWay: Upload<ImportReport> | undefined

  const asked = (by: { dryRun: boolean; actor?: string }) => {
    const { matching, ...rest } = options.value
    const match = matching && columns.value ? matchQueryOf(matching, columns.value) : {}
    return queryOf({ ...rest, match, ...by })
  }
  const queryNow = () => JSON.stringify(asked({ dryRun: true }))
  const asks = () => keptTiers(report.value) > 0 && options.value.usedTiers === null
  const stale = () => looked?.file !== file.value || looked?.query !== queryNow()

  async function ask(dryRun: boolean, actor?: string): Promise<void> {
    const [chosen, query, gap] = [file.value, queryNow(), options.value.matching && gapOf(options.value.matching)]
    // Read and set in one go: a double press sends nothing twice.
    if (chosen === null || progress.value !== null) return
    problem.value = gap && words.import.columns.gap[gap]
    if (gap) {
      told.value++
      return
    }
    progress.value = 0
    try {
      const sent = asked({ dryRun, ...(actor !== undefined && { actor }) })
      underWay = send(sent, chosen, (fraction) => (progress.value = fraction))
      report.value = await underWay.answer
      looked = { file: chosen, query }
      // A line that is not chosen yet changes nothing of what is asked.
      takeWords([...report.value.rejected, ...warningLines(report.value)])
    } catch (error) {
      looked = undefined
      report.value = null
      problem.value = !dryRun && isUnanswered(error) ? words.import.unlost : sentenceOf(error)
    } finally {
      underWay = undefined
      progress.value = null
      told.value++
    }
  }

  function takeWords(lines: readonly Line[]): void {
    const { mappings, matching } = options.value
    options.value = {
      ...options.value,
      mappings: mappingsAfter(lines, mappings),
      matching: matching && withStatusWords(matching, lines.flatMap(statusesOf)),
    }
  }

  /** Choices for another file do not count for this one; those that the box has kept for its columns do. */
  async function lookAtHead(chosen: File, before?: SaidBefore): Promise<void> {
    const found = await lookAt(chosen.slice(0, COLUMNS_HEAD_BYTES))
    const isUnknown = found.format === 'unknown'
    columns.value = isUnknown ? found : null
    const tiers = (isUnknown && found.kept?.tiers) || []
    const kept = tiers.map(({ product, tier }) => ({ product, tier }))
    const isNew = ({ product }: Mapping) => !kept.some((one) => one.product === product)
    options.value = {
      ...NOTHING_CHOSEN,
      mappings: [...kept, ...(before?.mappings ?? []).filter(isNew)],
      matching: isUnknown ? withTier(matchingOf(found), found, before?.column ?? null) : null,
    }
  }

  return {
    file,
    options,
    columns,
    hasDropped,
    report,
    progress,
    problem,
    told,
    stale,
    async choose(chosen, before) {
      file.value = null
      report.value = null
      problem.value = null
      looked = undefined
      const { format, mappings, matching } = options.value
      const hadChoices = format !== 'auto' || mappings.length > 0 || matching !== null
      const mine = ++choices
      if (!chosen) return
      problem.value = await faultOf(chosen)
      if (problem.value !== null) return
      try {
        await lookAtHead(chosen, before)
      } catch (error) {
        if (mine === choices) problem.value = sentenceOf(error)
        return
      }
      if (mine !== choices) return
      hasDropped.value = hadChoices
      file.value = chosen
    },
    look: () => ask(true),
    async decide(usedTiers) {
      options.value = { ...options.value, usedTiers }
      await ask(true)
    },
    asks,
    run: async (actor) => {
      if (!stale() && !asks() && report.value?.dry_run) await ask(false, actor)
    },
    cancel: () => underWay?.cancel(),
  }
}

/** Unless an earlier file of these columns says which one it is. */
function withTier(matching: Matching, { columns, fits }: ImportColumns, column: string | null): Matching {
  const at = columns.findIndex(({ name }) => name === column)
  return at < 0 || fits ? matching : withField(matching, at, 'tier', columns)
}

const NOTHING_CHOSEN: Options = { format: 'auto', mappings: [], matching: null, usedTiers: null }

/** The file may have arrived all the same. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Refused && error.code === 'unreachable'
}
