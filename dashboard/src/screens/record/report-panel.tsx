/** The report on the screen, and on paper. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Refused, refusalOf, sentenceOf } from '../../session/answered.ts'
import { boxFetch } from '../../session/session.ts'
import { words } from '../../words/en-actions.ts'
import { once } from '../parts/once.ts'
import { Panel, Said } from '../parts/parts.tsx'
import { type ReportParts, reportParts } from './report.ts'

const say = words.record

export function ReportPanel(): JSX.Element {
  const report = useSignal<ReportParts | null>(null)
  const problem = useSignal<string | null>(null)
  const making = useMemo(
    () =>
      once(async () => {
        problem.value = null
        try {
          report.value = await fetchReport()
        } catch (error) {
          problem.value = error instanceof TypeError ? say.unansweredReport : sentenceOf(error)
        }
      }),
    [],
  )
  const { value } = report
  return (
    <Panel title={say.report} lead={say.reportLead} class="record-paper">
      <div class="part-row">
        <button type="button" class="part-main" aria-busy={making.busy.value} onClick={() => void making.run()}>
          {value ? say.reportAgain : say.reportRun}
        </button>
        {value && (
          <button type="button" class="primary part-main" onClick={() => print()}>
            {say.print}
          </button>
        )}
      </div>
      <div class="part-said" role="status">
        {making.busy.value && <p class="quiet">{say.reporting}</p>}
      </div>
      <Said bad={problem.value} />
      {value && <Paper parts={value} />}
    </Panel>
  )
}

/** In a shadow tree, which has the report's own style and none of ours. */
function Paper({ parts: { css, body } }: { parts: ReportParts }): JSX.Element {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!host.current) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets = [sheet]
    // Once drawn the nodes are gone from the fragment: a report is drawn once.
    if (body.hasChildNodes()) root.replaceChildren(body)
  }, [css, body])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen it scrolls sideways, by keyboard too
    <section class="record-report" aria-label={say.reportLabel} tabIndex={0}>
      <div ref={host} />
    </section>
  )
}

async function fetchReport(): Promise<ReportParts> {
  const response = await boxFetch('/v1/admin/report')
  if (!response.ok) throw refusalOf(response.status, await response.json().catch(() => null))
  const parts = reportParts(await response.text())
  if (!parts) throw new Refused('unknown', response.status, say.unreadableReport)
  return parts
}
