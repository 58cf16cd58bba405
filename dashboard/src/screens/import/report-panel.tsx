/** The report of an import: what it would do, or has done. */
import type { ImportReport } from '@gatehouse/proto/wire/admin.ts'
import type { JSX } from 'preact'
import { actionWords as words } from '../../words/late.ts'
import { speech } from '../../words/words.ts'
import { Note, Panel } from '../parts/parts.tsx'
import { grouped, lineText, rowsText, warningLines } from './report.ts'

const say = words.import
/** Reasons that a person still reads; the box's answer has every row. */
const MOST_REASONS = 50

interface ReportProps {
  report: ImportReport
  /** In place of the import's own step. */
  title?: string
  /** Names the place where a product without a tier gets one. */
  chooseHint?: string
}

export function ReportPanel({ report, title, chooseHint = say.chooseAbove }: ReportProps): JSX.Element {
  const { dry_run, rejected } = report
  const warnings = warningLines(report)
  const figures = { ...report, rejected: rejected.length }
  const groups = grouped(rejected)
  const format = (say.formats as Readonly<Record<string, string>>)[report.format] ?? report.format
  return (
    <Panel title={title ?? (dry_run ? say.step.report : say.finished)}>
      <p class="import-headline" role="status">
        {dry_run ? say.headline.dry(report) : say.headline.done(report)}
      </p>
      <p class="quiet">{report.matched ? say.columns.readAs : say.readAs(format)}</p>
      <dl class="import-figures">
        {(['read', 'added', 'changed', 'unchanged', 'rejected'] as const).map((name) => (
          <div key={name} data-tone={name === 'rejected' && rejected.length > 0 ? 'bad' : undefined}>
            <dt>{say.figures[name]}</dt>
            <dd>{speech.number(figures[name])}</dd>
          </div>
        ))}
      </dl>
      {groups.length > 0 && (
        <section aria-label={say.figures.rejected}>
          <Note tone="bad">{dry_run ? say.rejected(rejected.length) : say.rejectedDone(rejected.length)}</Note>
          <ul class="import-rejected">
            {groups.slice(0, MOST_REASONS).map((group) => {
              const { reason, product, rows } = group
              const { text, more } = rowsText(rows)
              return (
                <li key={reason}>
                  <p>
                    <strong>{rows.length === 1 ? `${say.row} ${text}` : say.rows(text)}</strong>
                    {more > 0 && ` ${say.moreRows(more)}`}
                  </p>
                  <p>
                    {lineText(group)} {product !== null && chooseHint}
                  </p>
                </li>
              )
            })}
          </ul>
          {groups.length > MOST_REASONS && <p class="quiet">{say.moreReasons(groups.length - MOST_REASONS)}</p>}
        </section>
      )}
      {warnings.length > 0 && (
        <section aria-label={say.warnings}>
          <h3>{say.warnings}</h3>
          <ul>
            {warnings.map((warning) => {
              const { rows, more, reason } = warning
              const { text } = rowsText(rows)
              return (
                <li key={reason}>
                  {rows.length > 0 && (
                    <strong>
                      {rows.length + more === 1 ? `${say.row} ${text}` : say.rows(text)}
                      {more > 0 && ` ${say.moreRows(more)}`}:{' '}
                    </strong>
                  )}
                  {lineText(warning)}
                </li>
              )
            })}
          </ul>
        </section>
      )}
    </Panel>
  )
}
