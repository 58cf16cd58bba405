/** Before doors: what is in order and what is not, and a sheet for each gate. */
import './ready.css'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { readyWords as say } from '../../words/late.ts'
import { titles } from '../../words/words.ts'
import { Greeting } from '../guide/greeting.tsx'
import { Page, Panel, Said } from '../parts/parts.tsx'
import { useRead } from '../parts/read.ts'
import { type Check, type Facts, gatesOff, linksCommand, REMEDIES, readiness, soundName } from './readiness.ts'
import { Rehearsal } from './rehearsal.tsx'
import { Sheets } from './sheets.tsx'

type Asked = Omit<Facts, 'tickets' | 'gates' | 'scanners' | 'now' | 'appliance'>

const EVERY_MS = 10_000

export function Screen(model: Model): JSX.Element {
  const { found, problem, read } = useRead(() => ask(model))
  useEffect(() => {
    void read()
    const timer = setInterval(() => void read(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const stats = model.live.stats.value
  const { value } = found
  return (
    <Page title={titles.ready} lead={say.lead}>
      {model.session.may('eventDraft') && <Greeting {...model} />}
      <Panel title={say.list}>
        <Said bad={problem.value} />
        {value && stats && (
          <List
            model={model}
            checks={readiness({
              ...{ ...value, tickets: stats.tickets, gates: stats.gates.length, scanners: stats.scanners },
              ...{ now: model.live.boxNow.value, appliance: model.machine.problems.value !== null },
            })}
          />
        )}
      </Panel>
      <Sheets model={model} />
      <Rehearsal model={model} />
    </Page>
  )
}

function List({ model, checks }: { model: Model; checks: readonly Check[] }): JSX.Element {
  return (
    <ul class="ready-list">
      {checks.map(({ id, standing, count, path }) => (
        <li key={id} data-standing={standing}>
          <strong>{say.standing[standing]}</strong>
          <span>
            {say.checks[id][standing](count)}{' '}
            {id === 'links' && <code>{linksCommand(location.hostname, model.machine.problems.value !== null)}</code>}
          </span>
          {/* The rehearsal is on this screen. */}
          {standing !== 'ok' && path !== null && path !== 'ready' && (
            <Remedy model={model} path={path} name={say.checks[id].name} />
          )}
        </li>
      ))}
    </ul>
  )
}

/** Somebody whose role does not have the screen would land on the overview. */
function Remedy({ model: { session }, path, name }: { model: Model; path: string; name: string }): JSX.Element {
  const needs = REMEDIES[path]
  if (!needs || !session.may(needs)) return <span class="quiet">{say.byAdmin}</span>
  return <a href={`#/${path}?from=ready`}>{say.remedy(name)}</a>
}

async function ask({ session: { client, may } }: Model): Promise<Asked> {
  const newest = (kind: 'backup' | 'paper' | 'rehearsal') =>
    answered(client.GET('/v1/admin/log', { params: { query: { kind, limit: 100 } } }))
  const [meta, named, plan, backups, papers, rehearsals, machine] = await Promise.all([
    answered(client.GET('/v1/meta')),
    answered(client.GET('/v1/admin/certificate')),
    answered(client.GET('/v1/venue')),
    newest('backup'),
    newest('paper'),
    newest('rehearsal'),
    may('appliance') ? answered(client.GET('/v1/admin/appliance')) : null,
  ])
  const printed = papers.rows.flatMap(({ entry }) => (entry.action === 'printed' ? [String(entry.place)] : []))
  return {
    trusted: await trustsBox(),
    publicName: soundName(named),
    synced: meta.time_quality === 'synced',
    gatesOffMap: plan.map === undefined ? null : gatesOff(plan.checkpoints, plan.map),
    lastBackup: backups.rows[0]?.at ?? null,
    stick: machine?.appliance ? machine.stick : null,
    printed: new Set(printed),
    rehearsed: rehearsals.rows.find(({ entry }) => entry.action === 'ended' && Number(entry.scans) > 0)?.at ?? null,
  }
}

/** No browser starts a service worker behind a certificate that somebody has clicked away. */
async function trustsBox(): Promise<boolean | null> {
  if (!('serviceWorker' in navigator)) return null
  return (await navigator.serviceWorker.getRegistration()) !== undefined
}
