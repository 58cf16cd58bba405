/** The list of a gate: made, looked at, printed. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { answered, Refused } from '../../session/answered.ts'
import { useAttempt } from '../../widgets/attempt.ts'
import { salesWords as words } from '../../words/late.ts'
import type { PageParts } from '../parts/page-parts.ts'
import { Choices, Panel, Run, Said, Select } from '../parts/parts.tsx'
import { PageActions, PrintedPage, readPage } from '../parts/printed.tsx'

const say = words.paper

export function ListPanel({ live, session }: Model): JSX.Element {
  const gate = useSignal('')
  const order = useSignal<'name' | 'order'>('name')
  const page = useSignal<PageParts | null>(null)
  const making = useAttempt(async () => {
    if (gate.value === '') throw new Refused('bad_request', 0, say.noGate)
    const actor = await session.withActor()
    const query = { gate: gate.value, order: order.value, actor }
    page.value = readPage(
      await answered(session.client.GET('/v1/admin/paper/list', { params: { query }, parseAs: 'text' })),
    )
  })
  const gates = live.stats.value?.gates ?? []
  const { value } = page
  return (
    <Panel title={say.print} lead={say.printLead} class="printed-panel">
      <Select
        label={say.gate}
        options={[{ value: '', label: say.noGate }, ...gates.map(({ id, name }) => ({ value: id, label: name }))]}
        value={gate.value}
        set={(id) => (gate.value = id)}
      />
      <Choices
        label={say.order.label}
        options={[
          { value: 'name', label: say.order.name },
          { value: 'order', label: say.order.order },
        ]}
        value={order.value}
        set={(chosen) => (order.value = chosen)}
      />
      <div class="part-row">
        <Run work={making} class={value ? 'part-main' : 'primary part-main'}>
          {value ? say.again : say.run}
        </Run>
        {value && <PageActions parts={value} name={`paper-list-${gate.value}.html`} />}
      </div>
      <div class="part-said" role="status">
        {making.busy.value && <p class="quiet">{say.making}</p>}
      </div>
      <Said bad={making.problem.value} />
      {value && <PrintedPage parts={value} label={say.listLabel} />}
    </Panel>
  )
}
