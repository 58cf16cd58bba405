/** The report on the screen, and on paper. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { answered, Refused, sentenceOf } from '../../session/answered.ts'
import type { Session } from '../../session/session.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { actionWords as words } from '../../words/late.ts'
import { type PageParts, pageParts } from '../parts/page-parts.ts'
import { Panel, Run, Said } from '../parts/parts.tsx'
import { PrintedPage } from '../parts/printed.tsx'

const say = words.record

export function ReportPanel({ session }: Model): JSX.Element {
  const report = useSignal<PageParts | null>(null)
  const making = useAttempt(
    async () => {
      report.value = await fetchReport(session)
    },
    { explain: (error) => (error instanceof TypeError ? say.unansweredReport : sentenceOf(error)) },
  )
  const { value } = report
  return (
    <Panel title={say.report} lead={say.reportLead} class="printed-panel">
      <div class="part-row">
        <Run work={making} class="part-main">
          {value ? say.reportAgain : say.reportRun}
        </Run>
        {value && (
          <button type="button" class="primary part-main" onClick={() => print()}>
            {say.print}
          </button>
        )}
      </div>
      <div class="part-said" role="status">
        {making.busy.value && <p class="quiet">{say.reporting}</p>}
      </div>
      <Said bad={making.problem.value} />
      {value && <PrintedPage parts={value} label={say.reportLabel} />}
    </Panel>
  )
}

async function fetchReport({ client }: Session): Promise<PageParts> {
  const parts = pageParts(String(await answered(client.GET('/v1/admin/report', { parseAs: 'text' }))))
  if (!parts) throw new Refused('unknown', 200, say.unreadableReport)
  return parts
}
