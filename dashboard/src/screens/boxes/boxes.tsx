/** The boxes of this event: those that this one hears, and those that may decide about a ticket. */
import './boxes.css'
import type { MeshBoxes, MeshStanding, Neighbour } from '@gatehouse/proto/wire/mesh.ts'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { changeMode } from '../../shell/mode.ts'
import { useOnce } from '../../widgets/once.ts'
import { Table } from '../../widgets/table.tsx'
import { actionWords as words } from '../../words/late.ts'
import { modeReason } from '../../words/said.ts'
import { speech } from '../../words/words.ts'
import { Facts, Page, Panel, Said } from '../parts/parts.tsx'
import { type Read, useRead } from '../parts/read.ts'
import { promote, remove } from './arrange.ts'
import { InviteBox } from './invite-box.tsx'
import { promotable, reachabilityOf, votesOf, warningsOf } from './neighbours.ts'

const say = words.boxes

/** The list of boxes: it changes when somebody changes it, and not by the second. */
type Listed = Read<MeshBoxes['boxes']>

export function Screen(model: Model): JSX.Element {
  const { client } = model.session
  const { stats } = model.live
  const listed = useRead(async () => (await answered(client.GET('/v1/admin/mesh'))).listed?.boxes ?? [])
  const mesh = stats.value?.mesh
  const count = mesh?.boxes.length ?? 0
  useEffect(() => void listed.read(), [count])
  return (
    <Page title={say.title} lead={say.lead}>
      <Said bad={listed.problem.value} />
      {mesh ? (
        <>
          <ModePanel model={model} mesh={mesh} />
          <BoxesPanel model={model} mesh={mesh} listed={listed} />
        </>
      ) : (
        stats.value && (
          <Panel title={say.alone}>
            <p>{say.aloneText}</p>
          </Panel>
        )
      )}
      {model.session.may('inviteBox') && <InviteBox {...model} />}
    </Page>
  )
}

interface MeshProps {
  model: Model
  mesh: MeshStanding
}

function ModePanel({ model, mesh }: MeshProps): JSX.Element {
  const changing = useOnce((mode: MeshStanding['mode'], mesh: MeshStanding) => changeMode(model, mode, mesh))
  const { mode, since, forced, unconfirmed } = mesh
  const votes = votesOf(mesh)
  return (
    <Panel title={say.mode}>
      <p class="boxes-mode" data-mode={mode} role="status">
        <strong>{mode}</strong>
        <span>{say.modeMeans[mode]}</span>
      </p>
      <Facts
        rows={[
          [say.why, modeReason(mesh)],
          [say.since, `${words.time.at(since)}, ${words.time.ago(model.live.boxNow.value - Date.parse(since))}`],
          [say.votes, say.votesHeard(votes), votes.heard < votes.needed ? 'warn' : undefined],
          [say.unconfirmed, say.unconfirmedCount(unconfirmed), unconfirmed > 0 ? 'warn' : undefined],
        ]}
      />
      {model.session.may('setMode') && (
        <div class="part-row">
          <button type="button" aria-busy={changing.busy.value} onClick={() => void changing.run(mode, mesh)}>
            {forced ? say.lift : say.force}
          </button>
        </div>
      )}
    </Panel>
  )
}

function BoxesPanel({ model, mesh, listed }: MeshProps & { listed: Listed }): JSX.Element {
  const { stats, boxNow } = model.live
  const { may } = model.session
  const boxes = listed.found.value ?? []
  const outside = new Set(boxes.filter(({ data_centre }) => data_centre).map(({ box_id }) => box_id))
  const able = new Set(promotable(mesh, outside).map(({ box_id }) => box_id))
  const arranging = useOnce(async (work: () => Promise<unknown>) => {
    await work()
    await listed.read()
  })
  return (
    <Panel title={say.list} lead={say.listLead(mesh.epoch)}>
      {warningsOf(mesh, stats.value?.seal.contradicted).map(({ box, text }) => (
        <Said key={box} bad={text} />
      ))}
      <Table
        caption={say.list}
        rows={mesh.boxes}
        keyOf={({ box_id }) => box_id}
        toneOf={(box) => (reachabilityOf(box) === 'unheard' ? 'warn' : undefined)}
        empty=""
        columns={[
          { name: say.column.name, cell: nameCell },
          { name: say.column.role, cell: ({ role, box_id }) => say.roles[outside.has(box_id) ? 'outside' : role] },
          { name: say.column.heard, cell: (box) => heardCell(box, boxNow.value) },
          { name: say.column.behind, number: true, cell: (box) => (box.self ? '–' : speech.number(box.behind)) },
          {
            name: say.column.action,
            cell: (box) => (
              <div class="part-row">
                {able.has(box.box_id) && may('promoteBox') && (
                  <button
                    type="button"
                    aria-label={say.promoteNamed(box.name)}
                    onClick={() => void arranging.run(() => promote(model, box, mesh))}
                  >
                    {say.promote}
                  </button>
                )}
                {!box.self && may('removeBox') && (
                  <button
                    type="button"
                    class="danger"
                    aria-label={say.removeNamed(box.name)}
                    onClick={() => void arranging.run(() => remove(model, box))}
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

function heardCell(box: Neighbour, now: number): JSX.Element {
  const hearing = reachabilityOf(box)
  const silence = box.last_heard === null ? null : words.time.ago(now - Date.parse(box.last_heard))
  return (
    <span class={`boxes-heard ${{ self: 'quiet', heard: 'good', behind: 'warn', unheard: 'bad' }[hearing]}`}>
      {hearing === 'unheard' ? say.unheard(silence) : say.heard[hearing]}
    </span>
  )
}
