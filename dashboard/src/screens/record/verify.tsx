/** Reads the whole record again, on the box. */
import type { components } from '@gatehouse/proto/client.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { Table } from '../../widgets/table.tsx'
import { actionWords as words } from '../../words/late.ts'
import { Panel, Progress, Run, Said, useNow } from '../parts/parts.tsx'
import { kindText } from './kinds.ts'

const say = words.record

export function VerifyPanel(model: Model): JSX.Element {
  const begun = useSignal<number | null>(null)
  const found = useSignal<components['schemas']['Verification'] | null>(null)
  const verifying = useAttempt(async () => {
    begun.value = Date.now()
    found.value = null
    try {
      found.value = await answered(model.session.client.GET('/v1/admin/verify'))
    } finally {
      begun.value = null
    }
  })
  const { value } = found
  return (
    <Panel title={say.verify} lead={say.verifyLead}>
      <div class="part-row">
        <Run work={verifying} class="part-main">
          {say.verifyRun}
        </Run>
      </div>
      {begun.value !== null && <Under begun={begun.value} model={model} />}
      <Said
        good={value?.ok ? say.verified(value.size, value.seals) : null}
        bad={
          verifying.problem.value ??
          (value && !value.ok ? `${say.broken(value.problems.length)} ${say.brokenNext}` : null)
        }
      />
      {value && value.problems.length > 0 && (
        <Table
          caption={say.verify}
          rows={value.problems}
          keyOf={({ kind }) => kind}
          empty=""
          columns={[
            { name: say.problem.kind, cell: ({ kind }) => kindText(kind) },
            { name: say.problem.index, cell: ({ index }) => index ?? '–', number: true },
            { name: say.problem.count, cell: ({ count }) => count, number: true },
            { name: say.problem.detail, cell: ({ detail }) => <span lang="en">{detail}</span> },
          ]}
        />
      )}
    </Panel>
  )
}

/** Asked for once a second beside the question itself, which is answered when all is read. */
function Under({ begun, model: { live, session } }: { begun: number; model: Model }): JSX.Element {
  const now = useNow()
  const fraction = useSignal(0)
  const second = Math.floor(now / 1000)
  useEffect(() => {
    // A look that fails says nothing: the verification itself will.
    void answered(session.client.GET('/v1/admin/verify/progress')).then(
      (progress) => (fraction.value = progress.fraction),
      () => {},
    )
  }, [second])
  return (
    <div>
      <Progress
        text={say.verifying(live.stats.value?.entries ?? 0, words.time.clock(Math.max(0, now - begun)))}
        label={say.verifyRun}
        value={fraction.value}
      />
    </div>
  )
}
