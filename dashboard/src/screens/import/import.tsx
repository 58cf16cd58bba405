/** Tickets from a shop's file: looked at first, then imported. */
import './import.css'
import '../../widgets/file-field.css'
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { JSX } from 'preact'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { refresh } from '../../live/live.ts'
import { sentenceOf } from '../../session/answered.ts'
import { Dismissed, token, withActor } from '../../session/session.ts'
import { toast } from '../../widgets/toasts.ts'
import { words } from '../../words/en-actions.ts'
import { once } from '../parts/once.ts'
import { Page, Panel, Said, useNow } from '../parts/parts.tsx'
import { OptionsPanel } from './options.tsx'
import { nextOf } from './report.ts'
import { ReportPanel } from './report-panel.tsx'
import { type Importing, importing } from './state.ts'
import { upload } from './upload.ts'

const say = words.import

export function Screen(): JSX.Element {
  const state = useMemo(
    () =>
      importing((query, file, onProgress) =>
        upload<ImportReport>(`/v1/admin/import/tickets?${query}`, { file, token: token.value ?? '', onProgress }),
      ),
    [],
  )
  // Whoever leaves the screen has not seen what would come of it.
  useEffect(() => state.cancel, [])
  const { report, problem } = state
  return (
    <Page title={say.title} lead={say.lead}>
      <FilePanel state={state} />
      {state.file.value && <OptionsPanel state={state} />}
      <Progress state={state} />
      <Said bad={problem.value} />
      {report.value && <ReportPanel report={report.value} />}
      {report.value?.dry_run && <RunPanel state={state} report={report.value} />}
    </Page>
  )
}

function FilePanel({ state }: { state: Importing }): JSX.Element {
  const id = useId()
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
      <div class="file-field">
        <label for={id}>{say.choose}</label>
        <input
          ref={field}
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.json,text/csv,application/json"
          aria-describedby={`${id}-hint`}
          disabled={state.progress.value !== null}
          onChange={(event) => void state.choose(event.currentTarget.files?.[0] ?? null)}
        />
        <p class="quiet" id={`${id}-hint`}>
          {file.value ? `${file.value.name}, ${say.size(file.value.size)}` : say.chooseHint}
        </p>
      </div>
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

function Progress({ state: { progress, cancel } }: { state: Importing }): JSX.Element | null {
  const { value } = progress
  if (value === null) return null
  return (
    <div class="part-panel">
      <p>{value < 1 ? say.uploading(Math.floor(value * 100)) : <Reading />}</p>
      <progress
        class="part-progress"
        aria-label={value < 1 ? say.sending : say.reading}
        max={1}
        {...(value < 1 && { value })}
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

function RunPanel({ state, report }: { state: Importing; report: ImportReport }): JSX.Element {
  const running = useMemo(
    () =>
      once(async () => {
        try {
          await state.run(await withActor())
          refresh()
          const { value } = state.report
          if (value && !value.dry_run) toast(say.headline.done(value))
        } catch (error) {
          if (!(error instanceof Dismissed)) toast(sentenceOf(error), 'bad')
        }
      }),
    [],
  )
  const next = nextOf(report)
  const stale = state.stale()
  return (
    <Panel title={say.step.done}>
      {next === 'nothing new' && <p class="quiet">{say.nothing}</p>}
      {next === 'nothing usable' && <p class="bad">{say.nothingUsable}</p>}
      {next === 'import' && stale && <p class="warn">{say.stale}</p>}
      {next === 'import' && (
        <div class="part-row">
          <button
            type="button"
            class="primary part-main"
            disabled={stale || state.progress.value !== null}
            aria-busy={running.busy.value}
            onClick={() => void running.run()}
          >
            {say.run(report.added + report.changed)}
          </button>
        </div>
      )}
    </Panel>
  )
}
