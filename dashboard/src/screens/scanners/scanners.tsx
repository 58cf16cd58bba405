/** Scanners: one list of every paired phone and handheld, the ones in trouble first, and invites for more. */
import './scanners.css'
import { useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { type Scanner, troubles } from '../../live/scanners.ts'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { Table } from '../../widgets/table.tsx'
import { actionWords, liveWords } from '../../words/late.ts'
import { count } from '../../words/time.ts'
import { words } from '../../words/words.ts'
import { Choices, Said } from '../parts/parts.tsx'
import { useRead } from '../parts/read.ts'
import { WhatIsLeft } from '../ready/what-is-left.tsx'
import { Agreed } from './agreed.tsx'
import { columnsOf, toneOf } from './columns.tsx'
import { InviteForm } from './invite-form.tsx'
import { InviteShown, type ShownInvite } from './invite-shown.tsx'
import { FILTERS, type Filter, isShown, listed, rosterKey } from './listed.ts'

const say = liveWords.scanners

export function Screen(model: Model): JSX.Element {
  const { live, session, toasts } = model
  const { stats } = live
  const shown = useSignal<ShownInvite | null>(null)
  const inviting = useSignal<boolean | null>(null)
  const filter = useSignal<Filter>('inService')
  const open = useSignal<ReadonlySet<string>>(new Set())
  const roster = useRead(async () => (await answered(session.client.GET('/v1/admin/devices'))).devices)
  const scanners = stats.value?.scanners ?? []
  useEffect(() => void roster.read(), [rosterKey(scanners)])
  // Where no scanner is in service, the form is what somebody comes for. It stays while phones are paired one after another.
  useSignalEffect(() => {
    if (stats.value === null || inviting.value !== null) return
    inviting.value = !stats.value.scanners.some((one) => isShown(one, 'inService'))
  })
  const rows = listed(scanners, roster.found.value)
  return (
    <div class="scanners">
      <div class="scanners-head">
        <h1>{words.screens.scanners}</h1>
        <p class="scanners-unsent">
          {say.unsent} <b>{count(troubles(scanners.filter((one) => isShown(one, 'inService'))).unsent.scans)}</b>
        </p>
        {session.may('invite') && (
          <button
            type="button"
            aria-expanded={inviting.value === true}
            onClick={() => (inviting.value = !inviting.value)}
          >
            {actionWords.devices.invite}
          </button>
        )}
        <WhatIsLeft model={model} />
      </div>
      {session.may('invite') && inviting.value && <InviteForm model={model} roster={roster} shown={shown} />}
      <Filters scanners={scanners} value={filter.value} set={(next) => (filter.value = next)} />
      <Said bad={roster.problem.value} />
      {roster.problem.value !== null && (
        <button type="button" onClick={() => void roster.read()}>
          {actionWords.list.again}
        </button>
      )}
      {stats.value === null ? (
        <p class="quiet">{actionWords.list.loading}</p>
      ) : (
        <Table
          caption={say.caption}
          columns={columnsOf(model, open)}
          rows={rows.filter((row) => isShown(row, filter.value))}
          keyOf={({ device_id }) => device_id}
          toneOf={toneOf}
          more={(row) => open.value.has(row.device_id) && <Agreed model={model} scanner={row} />}
          empty={scanners.length === 0 ? say.none : say.noneSo}
        />
      )}
      {shown.value && (
        <InviteShown shown={shown.value} roster={roster} toasts={toasts} close={() => (shown.value = null)} />
      )}
    </div>
  )
}

interface FiltersProps {
  scanners: readonly Scanner[]
  value: Filter
  set: (filter: Filter) => void
}

/** Each with how many it shows, so that the numbers are there at a glance. */
function Filters({ scanners, value, set }: FiltersProps): JSX.Element {
  const labels: Record<Filter, string> = { ...say.states, ...say.filters }
  const options = FILTERS.map((each) => ({
    value: each,
    label: `${labels[each]} (${count(scanners.filter((one) => isShown(one, each)).length)})`,
  }))
  return <Choices inline label={say.filter} value={value} set={set} options={options} />
}
