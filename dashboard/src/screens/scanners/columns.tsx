/** Columns of the list of scanners: what somebody at the gate has to know, and the way to take a scanner out of service. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { isLow, isSkewed } from '../../live/scanners.ts'
import type { Model } from '../../model.ts'
import type { Column } from '../../widgets/table.tsx'
import { actionWords, liveWords } from '../../words/late.ts'
import { ageWords, count } from '../../words/time.ts'
import { checkpointName } from '../parts/places.ts'
import type { Listed } from './listed.ts'
import { revoke } from './revoke.ts'

const say = liveWords.scanners
const { app: sayOfApp, supervisorMark } = actionWords.devices

/** @param open ids of the scanners of which everything is shown */
export function columnsOf(model: Model, open: Signal<ReadonlySet<string>>): readonly Column<Listed>[] {
  const { boxNow, stats } = model.live
  return [
    { name: say.columns.name, header: true, cell: (row) => <Name row={row} open={open} /> },
    { name: say.columns.state, cell: stateCell },
    {
      name: say.columns.where,
      cell: ({ checkpoint }) => (checkpoint === null ? '–' : checkpointName(stats.value, checkpoint)),
    },
    {
      name: say.columns.heard,
      number: true,
      cell: ({ last_seen }) => say.ago(ageWords(boxNow.value - Date.parse(last_seen))),
    },
    {
      name: say.columns.unsent,
      number: true,
      cell: ({ unsent }) => (unsent === null ? '–' : unsent > 0 ? <b class="warn">{count(unsent)}</b> : '0'),
    },
    {
      name: say.columns.clock,
      number: true,
      cell: (row) => row.clock_offset_ms !== null && warned(isSkewed(row), say.skew(row.clock_offset_ms / 1000)),
    },
    {
      name: say.columns.battery,
      number: true,
      cell: (row) => row.battery !== null && warned(isLow(row), `${Math.round(row.battery * 100)} %`),
    },
    { name: say.columns.scans, number: true, cell: ({ scans }) => count(scans) },
    {
      name: say.columns.action,
      cell: (row) =>
        row.state !== 'revoked' &&
        model.session.may('revokeDevice') && (
          <button
            type="button"
            class="danger"
            aria-label={say.revokeNamed(row.name)}
            onClick={() => void revoke(model, row)}
          >
            {say.revoke}
          </button>
        ),
    },
  ]
}

export function toneOf(row: Listed): 'bad' | 'warn' | 'quiet' | undefined {
  if (row.state === 'revoked') return 'quiet'
  if (row.state === 'lost') return 'bad'
  return row.state === 'quiet' || isSkewed(row) || isLow(row) ? 'warn' : undefined
}

function warned(isBad: boolean, text: string): ComponentChildren {
  return isBad ? <b class="warn">{text}</b> : text
}

interface NameProps {
  row: Listed
  open: Signal<ReadonlySet<string>>
}

/** Pressed, it shows the rest. What a handheld is, and that it was slowed down, is said at once. */
function Name({ row: { device_id: id, name, device }, open }: NameProps): JSX.Element {
  const isOpen = open.value.has(id)
  const toggle = () => {
    const others = [...open.value].filter((one) => one !== id)
    open.value = new Set(isOpen ? others : [...others, id])
  }
  const app = device?.app
  return (
    <div class="scanners-name">
      <button type="button" class="scanners-open" aria-expanded={isOpen} onClick={toggle}>
        {name}
      </button>
      {device?.supervisor && <span class="tag">{app ? sayOfApp.looksUp : supervisorMark}</span>}
      {app && (
        <>
          <span class="tag">{sayOfApp.bearer}</span>
          <p class="quiet">{app.software}</p>
          {app.slowed_at !== null && <p class="warn">{sayOfApp.slowed(actionWords.time.at(app.slowed_at))}</p>}
        </>
      )}
    </div>
  )
}

/** A state has a mark of its own form beside its word. */
function stateCell({ state, device }: Listed): JSX.Element {
  return (
    <>
      <span class="scanner-state" data-state={state}>
        <span class="scanner-mark" aria-hidden="true" />
        {say.states[state] ?? state}
      </span>
      {device && device.revoked_at !== null && (
        <p class="quiet">{say.revokedSince(actionWords.time.at(device.revoked_at), device.revoked_reason ?? '')}</p>
      )}
    </>
  )
}
