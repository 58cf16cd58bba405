/** An import from the file that was chosen to what the box made of it. */
import type { ImportReport, ShopFormat } from '@gatehouse/proto/wire/admin.ts'
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { Refused, sentenceOf } from '../../session/answered.ts'
import { actionWords as words } from '../../words/late.ts'
import { HEAD_BYTES, refusalOf } from './file-check.ts'
import { type ImportQuery, type Mapping, mappingsAfter, queryOf } from './report.ts'
import type { Upload } from './upload.ts'

export interface Options {
  format: 'auto' | ShopFormat
  mappings: readonly Mapping[]
}

/** Sends the file. `importTickets` in the OpenAPI document. */
export type Send = (query: ImportQuery, file: File, onProgress: (fraction: number) => void) => Upload<ImportReport>

export interface Importing {
  file: ReadonlySignal<File | null>
  options: Signal<Options>
  /** The newest report: of a look, or of the import itself. */
  report: ReadonlySignal<ImportReport | null>
  /** The report is of another file or other options than those that are chosen now. */
  stale: () => boolean
  /** 0 to 1 while a file is under way, 1 while the box works on it. */
  progress: ReadonlySignal<number | null>
  problem: ReadonlySignal<string | null>
  choose: (file: File | null) => Promise<void>
  look: () => Promise<void>
  /** Does nothing unless the newest report is of a look at just this. */
  run: (actor: string) => Promise<void>
  cancel: () => void
}

export function importing(send: Send): Importing {
  const file = signal<File | null>(null)
  const options = signal<Options>({ format: 'auto', mappings: [] })
  const report = signal<ImportReport | null>(null)
  const progress = signal<number | null>(null)
  const problem = signal<string | null>(null)
  let looked: { file: File | null; query: string } | undefined
  let underWay: Upload<ImportReport> | undefined

  const queryNow = () => JSON.stringify(queryOf({ ...options.value, dryRun: true }))
  const stale = () => looked?.file !== file.value || looked?.query !== queryNow()

  async function ask(dryRun: boolean, actor?: string): Promise<void> {
    const [asked, query] = [file.value, queryNow()]
    // Read and set in one go: a double press sends nothing twice.
    if (asked === null || progress.value !== null) return
    progress.value = 0
    problem.value = null
    try {
      const sent = queryOf({ ...options.value, dryRun, ...(actor !== undefined && { actor }) })
      underWay = send(sent, asked, (fraction) => (progress.value = fraction))
      report.value = await underWay.answer
      looked = { file: asked, query }
      // A line that is not chosen yet changes nothing of what is asked.
      takeProducts([...report.value.rejected.map(({ reason }) => reason), ...report.value.warnings])
    } catch (error) {
      looked = undefined
      report.value = null
      problem.value = !dryRun && isUnanswered(error) ? words.import.unlost : sentenceOf(error)
    } finally {
      underWay = undefined
      progress.value = null
    }
  }

  function takeProducts(sentences: readonly string[]): void {
    options.value = { ...options.value, mappings: mappingsAfter(sentences, options.value.mappings) }
  }

  return {
    file,
    options,
    report,
    progress,
    problem,
    stale,
    async choose(chosen) {
      file.value = null
      report.value = null
      problem.value = null
      looked = undefined
      if (!chosen) return
      problem.value = await faultOf(chosen)
      if (problem.value === null) file.value = chosen
    },
    look: () => ask(true),
    run: async (actor) => {
      if (!stale() && report.value?.dry_run) await ask(false, actor)
    },
    cancel: () => underWay?.cancel(),
  }
}

/** The fault in its first bytes that makes sending it pointless; null when the box should look at it. */
async function faultOf(file: File): Promise<string | null> {
  try {
    const refusal = refusalOf(file, new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()))
    return refusal && words.import.refused[refusal]
  } catch {
    return words.import.refused.unreadable
  }
}

/** The file may have arrived all the same. */
function isUnanswered(error: unknown): boolean {
  return error instanceof Refused && error.code === 'unreachable'
}
