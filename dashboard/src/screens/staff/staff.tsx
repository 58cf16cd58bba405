/** People who may sign in, their sessions at this box, tokens of programs, and the admin token. */
import type { StaffRole } from '@gatehouse/proto/operations.ts'
import type { StaffList, StaffPerson } from '@gatehouse/proto/wire/staff.ts'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import type { Field } from '../../widgets/forms.ts'
import { Table } from '../../widgets/table.tsx'
import { staffWords as say, actionWords as words } from '../../words/late.ts'
import { titles } from '../../words/words.ts'
import { Page, Panel, Said } from '../parts/parts.tsx'
import { type Read, useRead } from '../parts/read.ts'
import { inviteTablet, LinkShown, type ShownLink } from './invite-tablet.tsx'
import { Passkeys } from './passkeys.tsx'
import { roleField } from './role-field.ts'
import { Tokens } from './tokens.tsx'

export function Screen(model: Model): JSX.Element {
  const list = useRead(() => answered(model.session.client.GET('/v1/admin/staff')))
  useEffect(() => void list.read(), [])
  return (
    <Page title={titles.staff} lead={say.lead}>
      <Said bad={list.problem.value} />
      {list.found.value && <People model={model} list={list} people={list.found.value.people} />}
      {list.found.value && <Sessions model={model} list={list} sessions={list.found.value.sessions} />}
      <Passkeys model={model} />
      <Tokens model={model} />
    </Page>
  )
}

interface PeopleProps {
  model: Model
  list: Read<StaffList>
  people: StaffList['people']
}

function People({ model, list, people }: PeopleProps): JSX.Element {
  const shown = useSignal<ShownLink | null>(null)
  const buttons = (person: StaffPerson) => (
    <>
      <button type="button" aria-label={say.changeNamed(person.name)} onClick={() => void change(model, person, list)}>
        {say.change}
      </button>{' '}
      <button
        type="button"
        aria-label={say.inviteNamed(person.name)}
        onClick={() => void inviteTablet(model, person, shown)}
      >
        {say.invite}
      </button>{' '}
      <button
        type="button"
        class="danger"
        aria-label={say.removeNamed(person.name)}
        onClick={() => void remove(model, person, list)}
      >
        {say.remove}
      </button>
    </>
  )
  return (
    <Panel title={say.people}>
      <Table
        caption={say.people}
        rows={people}
        keyOf={({ id }) => id}
        empty={say.nobody}
        columns={[
          { name: say.name, cell: ({ name }) => name },
          { name: say.role, cell: ({ role }) => say.brief[role] },
          { name: say.since, cell: ({ added_at }) => words.time.at(added_at) },
          { name: say.action, cell: buttons },
        ]}
      />
      <button type="button" class="primary" onClick={() => void add(model, list)}>
        {say.add}
      </button>
      <LinkShown shown={shown} toasts={model.toasts} />
    </Panel>
  )
}

interface SessionsProps {
  model: Model
  list: Read<StaffList>
  sessions: StaffList['sessions']
}

function Sessions({ model, list, sessions }: SessionsProps): JSX.Element {
  const end = (one: StaffList['sessions'][number]) =>
    model.askAndAct(
      { title: say.endNamed(one.name), text: say.endText, submit: say.end, fields: [] },
      async (_, actor) => {
        const params = { path: { id: one.session } }
        await answered(model.session.client.POST('/v1/admin/sessions/{id}/end', { params, body: { actor } }))
        void list.read()
        return say.ended
      },
    )
  return (
    <Panel title={say.sessions}>
      <Table
        caption={say.sessions}
        rows={sessions}
        keyOf={({ session }) => session}
        empty={say.noSessions}
        columns={[
          { name: say.name, cell: ({ name }) => name },
          { name: say.device, cell: ({ device }) => device ?? say.browser },
          { name: say.from, cell: ({ address }) => address },
          { name: say.since, cell: ({ opened_at }) => words.time.at(opened_at) },
          { name: say.used, cell: ({ used_at }) => words.time.at(used_at) },
          {
            name: say.action,
            cell: (one) => (
              <button type="button" aria-label={say.endNamed(one.name)} onClick={() => void end(one)}>
                {say.end}
              </button>
            ),
          },
        ]}
      />
    </Panel>
  )
}

function add({ askAndAct, session: { client } }: Model, list: Read<StaffList>): Promise<boolean> {
  // The first one has to be able to add the others.
  const usual = list.found.value?.people.length === 0 ? 'admin' : 'viewer'
  const fields: Field[] = [
    { name: 'name', label: say.name, required: true, maxLength: 80 },
    roleField(usual),
    { name: 'secret', label: say.secret, kind: 'secret', required: true, maxLength: 128, hint: say.secretHint },
  ]
  return askAndAct({ title: say.add, submit: say.add, fields }, async ({ name = '', role, secret = '' }, actor) => {
    const body = { name: name.trim(), role: role as StaffRole, secret, actor }
    await answered(client.POST('/v1/admin/staff', { body }))
    void list.read()
    return say.added(body.name)
  })
}

function change(
  { askAndAct, session: { client } }: Model,
  person: StaffPerson,
  list: Read<StaffList>,
): Promise<boolean> {
  const fields: Field[] = [
    { name: 'name', label: say.name, value: person.name, required: true, maxLength: 80 },
    roleField(person.role),
    { name: 'secret', label: say.secret, kind: 'secret', maxLength: 128, hint: say.keptHint },
  ]
  const title = say.changeNamed(person.name)
  return askAndAct({ title, submit: say.change, fields }, async ({ name = '', role, secret = '' }, actor) => {
    const body = { name: name.trim(), role: role as StaffRole, ...(secret !== '' && { secret }), actor }
    await answered(client.POST('/v1/admin/staff/{id}', { params: { path: { id: person.id } }, body }))
    void list.read()
    return say.changed(body.name)
  })
}

function remove(
  { askAndAct, session: { client } }: Model,
  { id, name }: StaffPerson,
  list: Read<StaffList>,
): Promise<boolean> {
  const form = { title: say.removeNamed(name), text: say.removeText, submit: say.remove, danger: true, fields: [] }
  return askAndAct(form, async (_, actor) => {
    await answered(client.POST('/v1/admin/staff/{id}/remove', { params: { path: { id } }, body: { actor } }))
    void list.read()
    return say.removed(name)
  })
}
