/** Tickets from a shop's file: looked at first, then imported. */
import './import.css'
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered, sentenceOf } from '../../session/answered.ts'
import { Dismissed } from '../../session/session.ts'
import { FileField } from '../../widgets/file-field.tsx'
import { useOnce } from '../../widgets/once.ts'
import { actionWords as words } from '../../words/late.ts'
import { Page, Panel, Progress, Run, Said, useNow } from '../parts/parts.tsx'
import { ChangesPanel, UsedTiersPanel } from './changes-panel.tsx'
import { ColumnsPanel } from './columns.tsx'
import { OptionsPanel } from './options.tsx'
import { nextOf } from './report.ts'
import { ReportPanel } from './report-panel.tsx'
import { type Importing, importing } from './state.ts'
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
  const { report, problem } = state
  return (
    <Page title={say.title} lead={say.lead}>
      <FilePanel state={state} />
      {state.file.value && state.hasDropped.value && <p class="warn">{say.columns.dropped}</p>}
      {state.file.value && <ColumnsPanel state={state} tiers={live.stats.value?.tiers ?? []} />}
      {state.file.value && <OptionsPanel state={state} tiers={live.stats.value?.tiers ?? []} />}
      <UnderWay state={state} />
      <Said bad={problem.value} />
      {report.value && <ReportPanel report={report.value} />}
      {report.value && <ChangesPanel report={report.value} tiers={live.stats.value?.tiers ?? []} />}
      <UsedTiersPanel state={state} />
      {report.value?.dry_run && <RunPanel model={model} state={state} report={report.value} />}
    </Page>
  )
}

function FilePanel({ state }: { state: Importing }): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const { file, report } = state
  const done = report.value !== null && !report.value.dry_run
  const another = () => {
    if (field.current) field.current.value = ''
    void state.choose(null)
    field.current?.focus()
  }
  return (
    <Panel title={say.step.file}>
      <FileField
        field={field}
        label={say.choose}
        accept=".csv,.tsv,.txt,.json,text/csv,application/json"
        hint={say.chooseHint}
        file={file.value}
        disabled={state.progress.value !== null}
        choose={(chosen) => void state.choose(chosen)}
      />
      {done && (
        <div class="part-row">
          <button type="button" onClick={another}>
            {say.another}
          </button>
        </div>
      )}
    </Panel>
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
      if (value && !value.dry_run) toasts.toast(say.headline.done(value))
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
