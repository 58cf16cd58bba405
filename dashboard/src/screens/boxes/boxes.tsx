/** The boxes of this event: whom this one hears, and who may decide about a ticket. */
import './boxes.css'
import type { MeshBoxes, MeshStanding, Neighbour } from '@gatehouse/proto/wire/mesh.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { boxNow, stats } from '../../live/live.ts'
import { answered, sentenceOf } from '../../session/answered.ts'
import { client } from '../../session/session.ts'
import { changeMode } from '../../shell/mode.ts'
import { Table } from '../../widgets/table.tsx'
import { words } from '../../words/en-actions.ts'
import { once } from '../parts/once.ts'
import { Page, Panel, Said } from '../parts/parts.tsx'
import { promote, remove } from './arrange.ts'
import { InviteBox } from './invite-box.tsx'
import { hearingOf, promotable, votesOf, warningsOf } from './standing.ts'

const say = words.boxes

/** What the list of boxes says: it changes when somebody changes it, and not by the second. */
interface Listed {
  boxes: Signal<MeshBoxes['boxes']>
  problem: Signal<string | null>
  read: () => Promise<void>
}

export function Screen(): JSX.Element {
  const listed: Listed = {
    boxes: useSignal<MeshBoxes['boxes']>([]),
    problem: useSignal<string | null>(null),
    async read() {
      try {
        listed.boxes.value = (await answered(client.GET('/v1/admin/mesh'))).listed?.boxes ?? []
        listed.problem.value = null
      } catch (error) {
        listed.problem.value = sentenceOf(error)
      }
    },
  }
  const mesh = stats.value?.mesh
  const count = mesh?.boxes.length ?? 0
  useEffect(() => void listed.read(), [count])
  return (
    <Page title={say.title} lead={say.lead}>
      <Said bad={listed.problem.value} />
      {mesh ? (
        <>
          <ModePanel mesh={mesh} />
          <BoxesPanel mesh={mesh} listed={listed} />
        </>
      ) : (
        stats.value && (
          <Panel title={say.alone}>
            <p>{say.aloneText}</p>
          </Panel>
        )
      )}
      <InviteBox />
    </Page>
  )
}

function ModePanel({ mesh }: { mesh: MeshStanding }): JSX.Element {
  const changing = useMemo(() => once(changeMode), [])
  const { mode, reason, since, forced, unconfirmed } = mesh
  const votes = votesOf(mesh)
  return (
    <Panel title={say.mode}>
      <p class="boxes-mode" data-mode={mode} role="status">
        <strong>{mode}</strong>
        <span>{say.modeMeans[mode]}</span>
      </p>
      <dl class="part-facts">
        <dt>{say.why}</dt>
        <dd>{reason}</dd>
        <dt>{say.since}</dt>
        <dd>{`${words.time.at(since)}, ${words.time.ago(boxNow.value - Date.parse(since))}`}</dd>
        <dt>{say.votes}</dt>
        <dd class={votes.heard < votes.needed ? 'warn' : undefined}>{say.votesHeard(votes)}</dd>
        <dt>{say.unconfirmed}</dt>
        <dd class={unconfirmed > 0 ? 'warn' : undefined}>{say.unconfirmedCount(unconfirmed)}</dd>
      </dl>
      <div class="part-row">
        <button type="button" aria-busy={changing.busy.value} onClick={() => void changing.run(mode, mesh)}>
          {forced ? say.lift : say.force}
        </button>
      </div>
    </Panel>
  )
}

function BoxesPanel({ mesh, listed }: { mesh: MeshStanding; listed: Listed }): JSX.Element {
  const outside = new Set(listed.boxes.value.filter(({ data_centre }) => data_centre).map(({ box_id }) => box_id))
  const able = new Set(promotable(mesh, outside).map(({ box_id }) => box_id))
  const arranging = useMemo(
    () =>
      once(async (work: () => Promise<unknown>) => {
        await work()
        await listed.read()
      }),
    [],
  )
  return (
    <Panel title={say.list} lead={say.listLead(mesh.epoch)}>
      {warningsOf(mesh, stats.value?.seal.contradicted).map(({ box, text }) => (
        <Said key={box} bad={text} />
      ))}
      <Table
        caption={say.list}
        rows={mesh.boxes}
        keyOf={({ box_id }) => box_id}
        toneOf={(box) => (hearingOf(box) === 'unheard' ? 'warn' : undefined)}
        empty=""
        columns={[
          { name: say.column.name, cell: nameCell },
          { name: say.column.role, cell: ({ role, box_id }) => say.roles[outside.has(box_id) ? 'outside' : role] },
          { name: say.column.heard, cell: heardCell },
          { name: say.column.behind, number: true, cell: (box) => (box.self ? '–' : box.behind.toLocaleString('en')) },
          {
            name: say.column.action,
            cell: (box) => (
              <div class="part-row">
                {able.has(box.box_id) && (
                  <button
                    type="button"
                    aria-label={say.promoteNamed(box.name)}
                    onClick={() => void arranging.run(() => promote(box, mesh))}
                  >
                    {say.promote}
                  </button>
                )}
                {!box.self && (
                  <button
                    type="button"
                    class="danger"
                    aria-label={say.removeNamed(box.name)}
                    onClick={() => void arranging.run(() => remove(box))}
                  >
                    {say.remove}
                  </button>
                )}
              </div>
            ),
          },
        ]}
      />
    </Panel>
  )
}

function nameCell({ name, self, url }: Neighbour): JSX.Element {
  return (
    <>
      {self || url === null ? name : <a href={`${url}/dashboard/`}>{name}</a>}{' '}
      {self && <span class="tag">{say.thisOne}</span>}
    </>
  )
}

function heardCell(box: Neighbour): JSX.Element {
  const hearing = hearingOf(box)
  const silence = box.last_heard === null ? null : words.time.ago(boxNow.value - Date.parse(box.last_heard))
  return (
    <span class={`boxes-heard ${{ self: 'quiet', heard: 'good', behind: 'warn', unheard: 'bad' }[hearing]}`}>
      {hearing === 'unheard' ? say.unheard(silence) : say.heard[hearing]}
    </span>
  )
}
