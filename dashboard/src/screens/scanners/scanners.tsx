/** Every scanner, the ones in trouble first. */
import './scanners.css'
import type { JSX } from 'preact'
import { byTrouble, isLow, isSkewed, type Scanner, troubles } from '../../live/scanners.ts'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { type Column, Table } from '../../widgets/table.tsx'
import { liveWords } from '../../words/late.ts'
import { ageWords, count } from '../../words/time.ts'
import { words } from '../../words/words.ts'
import { checkpointName } from '../parts/places.ts'

const say = liveWords.scanners

export function Screen(model: Model): JSX.Element {
  const { stats } = model.live
  const columns = columnsOf(model)
  const all = [...(stats.value?.scanners ?? [])].sort(byTrouble)
  const inService = all.filter(({ state }) => state !== 'revoked')
  const revoked = all.filter(({ state }) => state === 'revoked')
  const { live, quiet, lost, unsent } = troubles(inService)
  return (
    <div class="scanners">
      <div class="scanners-head">
        <h1>{words.screens.scanners}</h1>
        <ul class="scanners-sums" aria-label={say.sums}>
          <li>
            <State state="live" /> <b>{live}</b>
          </li>
          <li>
            <State state="quiet" /> <b>{quiet}</b>
          </li>
          <li>
            <State state="lost" /> <b>{lost}</b>
          </li>
          <li>
            {say.unsent} <b>{count(unsent.scans)}</b>
          </li>
        </ul>
      </div>
      <Table
        caption={say.caption}
        columns={columns}
        rows={inService}
        keyOf={({ device_id }) => device_id}
        toneOf={toneOf}
        empty={say.none}
      />
      {revoked.length > 0 && (
        <details class="scanners-revoked">
          <summary>{say.revoked(revoked.length)}</summary>
          <Table
            caption={say.revokedCaption}
            columns={columns.slice(0, -1)}
            rows={revoked}
            keyOf={({ device_id }) => device_id}
            toneOf={() => 'quiet'}
            empty=""
          />
        </details>
      )}
    </div>
  )
}

function columnsOf(model: Model): readonly Column<Scanner>[] {
  const { boxNow, stats } = model.live
  return [
    { name: say.columns.name, header: true, cell: ({ name }) => name },
    { name: say.columns.state, cell: ({ state }) => <State state={state} /> },
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
      cell: (scanner) => {
        if (scanner.clock_offset_ms === null) return '–'
        const text = say.skew(scanner.clock_offset_ms / 1000)
        return isSkewed(scanner) ? <b class="warn">{text}</b> : text
      },
    },
    {
      name: say.columns.battery,
      number: true,
      cell: (scanner) => {
        if (scanner.battery === null) return '–'
        const text = `${Math.round(scanner.battery * 100)} %`
        return isLow(scanner) ? <b class="warn">{text}</b> : text
      },
    },
    { name: say.columns.scans, number: true, cell: ({ scans }) => count(scans) },
    { name: say.columns.version, cell: ({ app_version }) => app_version ?? '–' },
    {
      name: say.columns.action,
      cell: (scanner) =>
        model.session.may('revokeDevice') && (
          <button
            type="button"
            class="danger"
            aria-label={`${say.revoke}: ${scanner.name}`}
            onClick={() => void revoke(model, scanner)}
          >
            {say.revoke}
          </button>
        ),
    },
  ]
}

/** A state has a mark of its own form beside its word. */
function State({ state }: { state: Scanner['state'] }): JSX.Element {
  return (
    <span class="scanner-state" data-state={state}>
      <span class="scanner-mark" aria-hidden="true" />
      {say.states[state] ?? state}
    </span>
  )
}

function toneOf(scanner: Scanner): 'bad' | 'warn' | undefined {
  if (scanner.state === 'lost') return 'bad'
  return scanner.state === 'quiet' || isSkewed(scanner) || isLow(scanner) ? 'warn' : undefined
}

function revoke({ askAndAct, live, session }: Model, { device_id: id, name, unsent }: Scanner): Promise<boolean> {
  return askAndAct(
    {
      title: say.revokeTitle(name),
      text: (unsent ?? 0) > 0 ? say.revokeUnsent(count(unsent ?? 0)) : say.revokeText,
      fields: [{ name: 'reason', label: words.widgets.reason, required: true, suggestions: say.reasons }],
      submit: say.revokeSubmit,
      danger: true,
    },
    async ({ reason = '' }, actor) => {
      const body = { actor, reason: reason.trim() }
      await answered(session.client.POST('/v1/admin/devices/{id}/revoke', { params: { path: { id } }, body }))
      live.refresh()
      return say.revokedNow(name)
    },
  )
}
