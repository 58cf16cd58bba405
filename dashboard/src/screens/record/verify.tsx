/** Reads the whole record again, on the box. */
import type { components } from '@gatehouse/proto/client.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { stats } from '../../live/live.ts'
import { answered, sentenceOf } from '../../session/answered.ts'
import { client } from '../../session/session.ts'
import { Table } from '../../widgets/table.tsx'
import { words } from '../../words/en-actions.ts'
import { once } from '../parts/once.ts'
import { Panel, Said, useNow } from '../parts/parts.tsx'

const say = words.record

export function VerifyPanel(): JSX.Element {
  const begun = useSignal<number | null>(null)
  const found = useSignal<components['schemas']['Verification'] | null>(null)
  const problem = useSignal<string | null>(null)
  const verifying = useMemo(
    () =>
      once(async () => {
        begun.value = Date.now()
        found.value = null
        problem.value = null
        try {
          found.value = await answered(client.GET('/v1/admin/verify'))
        } catch (error) {
          problem.value = sentenceOf(error)
        } finally {
          begun.value = null
        }
      }),
    [],
  )
  const { value } = found
  return (
    <Panel title={say.verify} lead={say.verifyLead}>
      <div class="part-row">
        <button type="button" class="part-main" aria-busy={verifying.busy.value} onClick={() => void verifying.run()}>
          {say.verifyRun}
        </button>
      </div>
      {begun.value !== null && <Under begun={begun.value} />}
      <Said
        good={value?.ok ? say.verified(value.size, value.seals) : null}
        bad={problem.value ?? (value && !value.ok ? `${say.broken(value.problems.length)} ${say.brokenNext}` : null)}
      />
      {value && value.problems.length > 0 && (
        <Table
          caption={say.verify}
          rows={value.problems}
          keyOf={({ kind }) => kind}
          empty=""
          columns={[
            { name: say.problem.kind, cell: ({ kind }) => kind.replaceAll('_', ' ') },
            { name: say.problem.index, cell: ({ index }) => index ?? '–', number: true },
            { name: say.problem.count, cell: ({ count }) => count, number: true },
            { name: say.problem.detail, cell: ({ detail }) => detail },
          ]}
        />
      )}
    </Panel>
  )
}

/** Asked for once a second beside the question itself, which is answered when all is read. */
function Under({ begun }: { begun: number }): JSX.Element {
  const now = useNow()
  const fraction = useSignal(0)
  const second = Math.floor(now / 1000)
  useEffect(() => {
    // A look that fails says nothing: the verification itself will.
    void answered(client.GET('/v1/admin/verify/progress')).then(
      (progress) => {
        fraction.value = progress.fraction
      },
      () => {},
    )
  }, [second])
  return (
    <div>
      <p>{say.verifying(stats.value?.entries ?? 0, words.time.clock(Math.max(0, now - begun)))}</p>
      <progress class="part-progress" aria-label={say.verifyRun} max={1} value={fraction.value} />
    </div>
  )
}
