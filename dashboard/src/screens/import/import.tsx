/** Tickets from a shop's file: looked at first, then imported. */
import './import.css'
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import { useSignal } from '@preact/signals'
import type { JSX, RefObject } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered, sentenceOf } from '../../session/answered.ts'
import { forgetKeptFile, readKeptFile } from '../../session/kept-file.ts'
import { Dismissed } from '../../session/session.ts'
import { FileField } from '../../widgets/file-field.tsx'
import { useOnce } from '../../widgets/once.ts'
import { reach } from '../../widgets/reach.ts'
import { readyWords, actionWords as words } from '../../words/late.ts'
import { Greeting } from '../guide/greeting.tsx'
import { Page, Panel, Progress, Run, Said, useNow } from '../parts/parts.tsx'
import { ChangesPanel, UsedTiersPanel } from './changes-panel.tsx'
import { ColumnsPanel } from './columns.tsx'
import { OptionsPanel } from './options.tsx'
import { nextOf, renamed } from './report.ts'
import { ReportPanel } from './report-panel.tsx'
import { type Importing, importing, type SaidBefore } from './state.ts'
import { upload } from './upload.ts'

const say = words.import

export function Screen(model: Model): JSX.Element {
  const { live, session } = model
  const state = useMemo(
    () =>
      importing(
        (query, file, onProgress) =>
          upload(
            file,
            (request, send) =>
              session.client.POST('/v1/admin/import/tickets', {
                params: { query },
                ...request,
                fetch: (sent) => session.boxFetch(sent, undefined, send),
              }),
            onProgress,
          ),
        (head) =>
          answered(
            session.client.POST('/v1/admin/import/columns', {
              body: head as never,
              bodySerializer: () => head,
              headers: { 'content-type': 'application/octet-stream' },
            }),
          ),
      ),
    [],
  )
  // A person who leaves the screen has not seen what the import would do.
  useEffect(() => state.cancel, [])
  const kept = useSignal<File | null>(null)
  useEffect(() => {
    void keptFor(session).then(async (found) => {
      if (!found || state.file.value || state.progress.value !== null) return
      kept.value = found.file
      await state.choose(found.file, found.before)
    })
  }, [])
  const { report, problem, told } = state
  const field = useRef<HTMLInputElement>(null)
  const result = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A large file takes a minute: somebody who types meanwhile is not interrupted.
    const isTyping = document.activeElement?.matches('input, select') === true
    if (told.value > 0 && !isTyping) reach(result.current, 'start')
  }, [told.value])
  const another = () => {
    if (field.current) field.current.value = ''
    void state.choose(null)
    reach(field.current)
  }
  return (
    <Page title={say.title} lead={say.lead}>
      <Greeting {...model} />
      <FilePanel state={state} field={field} />
      {state.file.value !== null && state.file.value === kept.value && <p>{say.fromGuide}</p>}
      {state.file.value && state.hasDropped.value && <p class="warn">{say.columns.dropped}</p>}
      {state.file.value && <ColumnsPanel state={state} tiers={live.stats.value?.tiers ?? []} />}
      {state.file.value && <OptionsPanel state={state} tiers={live.stats.value?.tiers ?? []} />}
      <UnderWay state={state} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, and this is a report */}
      <div class="import-result" ref={result} role="group" aria-label={say.step.report} tabIndex={-1}>
        <Said bad={problem.value} />
        {report.value && <ReportPanel report={report.value} />}
        {report.value && <ChangesPanel report={report.value} tiers={live.stats.value?.tiers ?? []} />}
        <UsedTiersPanel state={state} />
        {report.value?.dry_run && <RunPanel model={model} state={state} report={report.value} />}
        {report.value?.dry_run === false && <Done another={another} />}
      </div>
    </Page>
  )
}

/** The file of which the guide has made the event that this box runs. */
async function keptFor({ client }: Model['session']): Promise<{ file: File; before: SaidBefore } | undefined> {
  const kept = await readKeptFile(Date.now())
  if (!kept || kept.event === null) return undefined
  try {
    const { event, demo, pending } = await answered(client.GET('/v1/admin/event'))
    if (!event || demo || event.id !== kept.event) return undefined
    return { file: kept.file, before: { column: kept.column, mappings: pending ? [] : renamed(kept.tiers, event) } }
  } catch {
    // Then the file is chosen by hand, on a screen that says what the box answers.
    return undefined
  }
}

function FilePanel({ state, field }: { state: Importing; field: RefObject<HTMLInputElement | null> }): JSX.Element {
  return (
    <Panel title={say.step.file}>
      <FileField
        field={field}
        label={say.choose}
        accept=".csv,.tsv,.txt,.json,text/csv,application/json"
        hint={say.chooseHint}
        file={state.file.value}
        disabled={state.progress.value !== null}
        choose={(chosen) => void state.choose(chosen)}
      />
    </Panel>
  )
}

/** Below the report of what was done, where somebody has just pressed the button. */
function Done({ another }: { another: () => void }): JSX.Element {
  return (
    <div class="part-row">
      <a class="button primary part-main" href="#/ready">
        {readyWords.whatIsLeft}
      </a>
      <button type="button" onClick={another}>
        {say.another}
      </button>
    </div>
  )
}

function UnderWay({ state: { progress, cancel } }: { state: Importing }): JSX.Element | null {
  const { value } = progress
  if (value === null) return null
  return (
    <div class="part-panel">
      <Progress
        text={value < 1 ? say.uploading(Math.floor(value * 100)) : <Reading />}
        label={value < 1 ? say.sending : say.reading}
        value={value < 1 ? value : null}
      />
      {value < 1 && (
        <div class="part-row">
          <button type="button" onClick={cancel}>
            {say.cancel}
          </button>
        </div>
      )}
    </div>
  )
}

/** The box does not say how far it is: a large file takes it a minute, and somebody waits. */
function Reading(): JSX.Element {
  const begun = useMemo(() => Date.now(), [])
  return <>{say.readingFor(words.time.clock(Math.max(0, useNow() - begun)))}</>
}

interface RunPanelProps {
  model: Model
  state: Importing
  report: ImportReport
}

function RunPanel({ model: { live, session, toasts }, state, report }: RunPanelProps): JSX.Element {
  const running = useOnce(async () => {
    try {
      await state.run(await session.withActor())
      live.refresh()
      const { value } = state.report
      if (value && !value.dry_run) {
        forgetKeptFile()
        toasts.toast(say.headline.done(value))
      }
    } catch (error) {
      if (!(error instanceof Dismissed)) toasts.toast(sentenceOf(error), 'bad')
    }
  })
  const next = nextOf(report)
  const stale = state.stale()
  const asks = state.asks()
  return (
    <Panel title={say.step.done}>
      {asks && <p class="warn">{say.changes.decideFirst}</p>}
      {next === 'nothing new' && !asks && <p class="quiet">{say.nothing}</p>}
      {next === 'nothing usable' && <p class="bad">{say.nothingUsable}</p>}
      {next === 'import' && stale && <p class="warn">{say.stale}</p>}
      {next === 'import' && (
        <div class="part-row">
          <Run work={running} class="primary part-main" disabled={stale || asks || state.progress.value !== null}>
            {say.run(report.added + report.changed)}
          </Run>
        </div>
      )}
    </Panel>
  )
}
