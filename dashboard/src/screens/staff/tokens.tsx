/** Tokens of programs, and the admin token: each is shown once, when it is made. */
import type { StaffRole } from '@gatehouse/proto/operations.ts'
import type { ApiToken } from '@gatehouse/proto/wire/staff.ts'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import type { Field } from '../../widgets/forms.ts'
import { Table } from '../../widgets/table.tsx'
import { staffWords as say, actionWords as words } from '../../words/late.ts'
import { Copy, Panel, Said } from '../parts/parts.tsx'
import { useRead } from '../parts/read.ts'
import { roleField } from './role-field.ts'

export function Tokens({ model }: { model: Model }): JSX.Element {
  const list = useRead(() => answered(model.session.client.GET('/v1/admin/tokens')))
  useEffect(() => void list.read(), [])
  const [made, rotated] = [useSignal<string | null>(null), useSignal<string | null>(null)]
  const read = () => void list.read()
  return (
    <>
      <Panel title={say.tokens} lead={say.tokensLead}>
        <Said bad={list.problem.value} />
        {list.found.value && (
          <Table
            caption={say.tokens}
            rows={list.found.value.tokens}
            keyOf={({ id }) => id}
            empty={say.noTokens}
            toneOf={({ revoked_at }) => (revoked_at === null ? undefined : 'quiet')}
            columns={[
              { name: say.name, cell: ({ name }) => name },
              {
                name: say.role,
                cell: ({ role, operations }) => (operations ? operations.join(', ') : say.brief[role]),
              },
              { name: say.expires, cell: endOf },
              { name: say.used, cell: lastUse },
              { name: say.action, cell: (token) => <Revoke model={model} token={token} read={read} /> },
            ]}
          />
        )}
        <Shown token={made} model={model} />
        <button type="button" onClick={() => void makeToken(model, made, read)}>
          {say.makeToken}
        </button>
      </Panel>
      <Panel title={say.adminToken} lead={say.adminTokenLead}>
        <Shown token={rotated} model={model} />
        <button type="button" class="danger" onClick={() => void rotate(model, rotated)}>
          {say.rotate}
        </button>
      </Panel>
    </>
  )
}

function Shown({ token, model }: { token: Signal<string | null>; model: Model }): JSX.Element | null {
  if (token.value === null) return null
  return (
    <div role="status">
      <p>{say.shownOnce}</p>
      <code class="part-code">{token.value}</code>
      <Copy text={token.value} label={say.copy} toasts={model.toasts} />
    </div>
  )
}

function Revoke({ model, token, read }: { model: Model; token: ApiToken; read: () => void }): JSX.Element | null {
  if (token.revoked_at !== null) return null
  const { id, name } = token
  const form = { title: say.revokeNamed(name), text: say.revokeText, submit: say.revoke, danger: true, fields: [] }
  const revoke = () =>
    model.askAndAct(form, async (_, actor) => {
      const params = { path: { id } }
      await answered(model.session.client.POST('/v1/admin/tokens/{id}/revoke', { params, body: { actor } }))
      read()
      return say.revoked(name)
    })
  return (
    <button type="button" class="danger" aria-label={say.revokeNamed(name)} onClick={() => void revoke()}>
      {say.revoke}
    </button>
  )
}

function endOf({ revoked_at, expires_at }: ApiToken): string {
  return revoked_at === null ? words.time.at(expires_at) : `${say.revokedAt} ${words.time.at(revoked_at)}`
}

function lastUse({ last_used_at, last_address }: ApiToken): string {
  return last_used_at === null ? say.never : `${words.time.at(last_used_at)}, ${last_address ?? ''}`
}

function makeToken({ askAndAct, session: { client } }: Model, made: Signal<string | null>, read: () => void) {
  const fields: Field[] = [
    { name: 'name', label: say.name, required: true, maxLength: 80 },
    roleField('viewer'),
    { name: 'days', label: say.days, kind: 'number', value: '7', required: true },
    { name: 'operations', label: say.operations, hint: say.operationsHint },
  ]
  return askAndAct({ title: say.makeToken, submit: say.makeToken, fields }, async (values, actor) => {
    const { name = '', role, days = '', operations = '' } = values
    const only = operations.split(/[\s,]+/).filter((id) => id !== '')
    const limited = only.length > 0 ? { operations: only } : {}
    const body = { name: name.trim(), role: role as StaffRole, days: Number(days), ...limited, actor }
    const { token } = await answered(client.POST('/v1/admin/tokens', { body }))
    made.value = token
    read()
    return say.shownOnce
  })
}

function rotate({ askAndAct, session: { client, role, signIn } }: Model, rotated: Signal<string | null>) {
  const form = { title: say.rotate, text: say.rotateText, submit: say.rotate, danger: true, fields: [] }
  return askAndAct(form, async (_, actor) => {
    const { token } = await answered(client.POST('/v1/admin/token/rotate', { body: { actor } }))
    rotated.value = token
    // This page used the one before.
    if (role.value === null) await signIn(token)
    return say.rotated
  })
}
