/** The whole record as a file, and what whoever gets it needs to check it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { answered, Refused, refusalOf, sentenceOf } from '../../session/answered.ts'
import { boxFetch, client, Dismissed, withActor } from '../../session/session.ts'
import { words } from '../../words/en-actions.ts'
import { once } from '../parts/once.ts'
import { Copy, Panel, Said } from '../parts/parts.tsx'
import { saveAs } from '../parts/save.ts'
import { nameIn, receive } from './receive.ts'

const say = words.record
const FILE = 'gatehouse-record.jsonl'

interface Exported {
  file: Blob
  name: string
}

export function ExportPanel(): JSX.Element {
  const fraction = useSignal<number | null>(null)
  const exported = useSignal<Exported | null>(null)
  const problem = useSignal<string | null>(null)
  const key = useSignal<string | null>(null)
  useEffect(() => {
    answered(client.GET('/v1/meta')).then(
      (meta) => (key.value = meta.verifier_key),
      () => {
        // The export itself will say that the box does not answer.
      },
    )
  }, [])
  const exporting = useMemo(
    () =>
      once(async () => {
        problem.value = null
        exported.value = null
        try {
          const actor = await withActor()
          fraction.value = 0
          exported.value = await fetchExport(actor, (part) => {
            // A record of a million entries comes in many thousand pieces: drawn by the hundredth.
            const hundredths = Math.floor(part * 100) / 100
            if (hundredths !== fraction.value) fraction.value = hundredths
          })
          saveAs(exported.value.file, exported.value.name)
        } catch (error) {
          if (!(error instanceof Dismissed)) problem.value = sentenceOf(error)
        } finally {
          fraction.value = null
        }
      }),
    [],
  )
  const { value } = exported
  const command = `node verify-export.ts ${value?.name ?? FILE} --key '${key.value ?? ''}'`
  return (
    <Panel title={say.export} lead={say.exportLead}>
      <div class="part-row">
        <button type="button" class="part-main" aria-busy={exporting.busy.value} onClick={() => void exporting.run()}>
          {say.exportRun}
        </button>
        {value && (
          <button type="button" class="part-main" onClick={() => saveAs(value.file, value.name)}>
            {say.saveAgain}
          </button>
        )}
      </div>
      {fraction.value !== null && (
        <div>
          <p>{fraction.value === 0 ? say.exportBegun : say.exporting(Math.round(fraction.value * 100))}</p>
          <progress
            class="part-progress"
            aria-label={say.exportRun}
            max={1}
            {...(fraction.value > 0 && { value: fraction.value })}
          />
        </div>
      )}
      <Said good={value && say.exported(value.name, words.import.size(value.file.size))} bad={problem.value} />
      {key.value !== null && (
        <div class="record-check">
          <h3>{say.key}</h3>
          <p class="quiet">{say.keyHow}</p>
          <code class="part-code">{key.value}</code>
          <h3>{say.check}</h3>
          <p class="quiet">{say.checkHow}</p>
          <code class="part-code">{command}</code>
          <div class="part-row">
            <Copy text={key.value} label={say.copyKey} />
            <Copy text={command} label={say.copyCommand} />
          </div>
        </div>
      )}
    </Panel>
  )
}

/** @throws Refused also for a file that was cut short: it would look like a record, and prove nothing */
async function fetchExport(actor: string, onProgress: (fraction: number) => void): Promise<Exported> {
  const unanswered = (error: unknown) => {
    throw error instanceof TypeError ? new Refused('unreachable', 0, say.cutShort) : error
  }
  const response = await boxFetch(`/v1/admin/export?${new URLSearchParams({ actor })}`).catch(unanswered)
  if (!response.ok) throw refusalOf(response.status, await response.json().catch(() => null))
  const file = await receive(response, onProgress).catch(unanswered)
  if (!file) throw new Refused('unknown', 0, say.cutShort)
  return { file, name: nameIn(response.headers.get('content-disposition'), FILE) }
}
