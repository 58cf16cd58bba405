/** The dry run: how many orders were read, and then the report that imports have. */
import '../import/import.css'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { shopWords } from '../../words/late.ts'
import { saidBy } from '../../words/said.ts'
import { ReportPanel } from '../import/report-panel.tsx'
import { Progress, Said } from '../parts/parts.tsx'
import { useRead } from '../parts/read.ts'

const say = shopWords.connect
const EVERY_MS = 1_000

export function Trial({ model }: { model: Model }): JSX.Element {
  const { client } = model.session
  const { found, problem, read } = useRead(() => answered(client.GET('/v1/admin/shop/connect')))
  useEffect(() => {
    void read()
    const timer = setInterval(() => {
      if (found.value === null || found.value.state === 'reading') void read()
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const trial = found.value
  return (
    <>
      <Said
        bad={
          problem.value ?? (trial?.problem ? saidBy(['pretix', 'mapping'], trial.problem_coded, trial.problem) : null)
        }
      />
      {trial?.state === 'reading' && (
        <Progress
          text={say.reading(trial.read, trial.orders)}
          label={say.dryRun}
          value={trial.orders === null ? null : trial.read}
          max={Math.max(1, trial.orders ?? 1)}
        />
      )}
      {trial?.report && <ReportPanel report={trial.report} title={say.report} chooseHint={say.chooseThere} />}
    </>
  )
}
