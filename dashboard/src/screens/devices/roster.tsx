/** Every device that was ever paired, with the way to take it out of service. */
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { useOnce } from '../../widgets/once.ts'
import { Table } from '../../widgets/table.tsx'
import { actionWords as words } from '../../words/late.ts'
import { Choices, Panel, Said } from '../parts/parts.tsx'
import { checkpointName } from '../parts/places.ts'
import type { Device, RosterState } from './devices.tsx'
import { daysLeft, type Filter, rosterOf } from './invite.ts'

const say = words.devices

export function Roster({ model, roster }: { model: Model; roster: RosterState }): JSX.Element {
  const { boxNow, stats } = model.live
  const filter = useSignal<Filter>('inService')
  const revoking = useOnce((device: Device) => revoke(model, device, roster))
  const { found: devices, problem } = roster
  return (
    <Panel title={say.roster}>
      <Choices
        inline
        label={say.filter.label}
        value={filter.value}
        set={(value) => (filter.value = value)}
        options={(['inService', 'revoked', 'all'] as const).map((value) => ({
          value,
          label: `${say.filter[value]}${devices.value ? ` (${rosterOf(devices.value, value).length})` : ''}`,
        }))}
      />
      <Said bad={problem.value} />
      {devices.value === null && problem.value === null && <p class="quiet">{words.list.loading}</p>}
      {problem.value !== null && (
        <button type="button" onClick={() => void roster.read()}>
          {words.list.again}
        </button>
      )}
      {devices.value && (
        <Table
          caption={say.roster}
          rows={rosterOf(devices.value, filter.value)}
          keyOf={(device) => device.device_id}
          toneOf={(device) => (device.revoked_at === null ? undefined : 'quiet')}
          empty={say.rosterEmpty[filter.value]}
          columns={[
            { name: say.column.name, cell: nameCell },
            { name: say.column.state, cell: (device) => stateCell(device, stats.value) },
            { name: say.column.checkpoints, cell: (device) => checkpointsCell(device, stats.value) },
            { name: say.column.enrolled, cell: (device) => words.time.at(device.enrolled_at) },
            { name: say.column.certificate, cell: (device) => certificateCell(device, boxNow.value) },
            {
              name: say.column.action,
              cell: (device) =>
                device.revoked_at === null &&
                model.session.may('revokeDevice') && (
                  <button
                    type="button"
                    class="danger"
                    aria-label={say.revokeNamed(device.name)}
                    onClick={() => void revoking.run(device)}
                  >
                    {say.revoke}
                  </button>
                ),
            },
          ]}
        />
      )}
    </Panel>
  )
}

function nameCell({ name, supervisor, app }: Device) {
  return (
    <div class="devices-name">
      {name} {supervisor && <span class="tag">{app ? say.app.looksUp : say.supervisorMark}</span>}
      {app && (
        <>
          {' '}
          <span class="tag">{say.app.bearer}</span>
          <p class="quiet">
            {app.software}
            {app.slowed_at !== null && `. ${say.app.slowed(words.time.at(app.slowed_at))}`}
          </p>
        </>
      )}
    </div>
  )
}

function stateCell(device: Device, stats: Stats | null) {
  if (device.revoked_at !== null) {
    const since = say.revokedSince(words.time.at(device.revoked_at), device.revoked_reason ?? '')
    return (
      <>
        {say.state.revoked}
        <br />
        <span class="quiet">{since}</span>
      </>
    )
  }
  const state = stats?.scanners.find((scanner) => scanner.device_id === device.device_id)?.state ?? 'unheard'
  const tone = state === 'live' ? 'good' : state === 'lost' ? 'bad' : 'quiet'
  return <span class={tone}>{say.state[state]}</span>
}

function checkpointsCell({ checkpoints }: Device, stats: Stats | null) {
  return <div class="devices-checkpoints">{checkpoints.map((id) => checkpointName(stats, id)).join(', ')}</div>
}

function certificateCell({ certificate_expires_at }: Device, now: number) {
  const days = daysLeft(certificate_expires_at, now)
  return <span class={days < 0 ? 'bad' : days < 2 ? 'warn' : undefined}>{say.days(days)}</span>
}

async function revoke({ askAndAct, session }: Model, device: Device, roster: RosterState): Promise<void> {
  await askAndAct(
    {
      title: say.revokeTitle(device.name),
      text: say.revokeText,
      submit: say.revoke,
      danger: true,
      fields: [
        {
          name: 'reason',
          label: words.reason,
          required: true,
          hint: say.revokeHint,
          suggestions: say.revokeSuggestions,
        },
      ],
    },
    async ({ reason = '' }, actor) => {
      const params = { path: { id: device.device_id } }
      const body = { actor, reason: reason.trim() }
      await answered(session.client.POST('/v1/admin/devices/{id}/revoke', { params, body }))
      void roster.read()
      return say.revoked(device.name)
    },
  )
}
