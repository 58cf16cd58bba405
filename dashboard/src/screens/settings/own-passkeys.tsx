/** The passkeys of whoever is signed in: made on this device, and removed. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { readWays } from '../../session/provider.ts'
import { staffWords } from '../../words/late.ts'
import { Panel, Said } from '../parts/parts.tsx'
import { askToRemove, PasskeyTable, WhyNone } from '../parts/passkeys.tsx'
import { useRead } from '../parts/read.ts'

const say = staffWords.passkeys

export function OwnPasskeys(model: Model): JSX.Element {
  const { client } = model.session
  const list = useRead(() => answered(client.GET('/v1/admin/session/passkeys')))
  const ways = useRead(() => readWays(location.origin))
  useEffect(() => {
    void list.read()
    void ways.read()
  }, [])
  const isHere = ways.found.value?.passkeys && new URL(ways.found.value.address).origin === location.origin
  return (
    <Panel title={say.own} lead={say.ownLead}>
      <Said bad={list.problem.value ?? ways.problem.value} />
      {ways.found.value && <WhyNone ways={ways.found.value} />}
      {list.found.value && (isHere || list.found.value.passkeys.length > 0) && (
        <PasskeyTable
          rows={list.found.value.passkeys}
          remove={(passkey) =>
            void askToRemove(model, passkey, async () => {
              const params = { path: { id: passkey.id } }
              await answered(client.POST('/v1/admin/session/passkeys/{id}/remove', { params }))
              void list.read()
            })
          }
        />
      )}
      {isHere && (
        <button type="button" onClick={() => void add(model, () => void list.read())}>
          {say.add}
        </button>
      )}
    </Panel>
  )
}

async function add({ askAndAct, session: { client } }: Model, read: () => void): Promise<boolean> {
  const { makePasskey } = await import('../../session/passkey.ts')
  const fields = [{ name: 'name', label: say.called, hint: say.calledHint, required: true, maxLength: 80 }]
  return askAndAct({ title: say.add, text: say.addText, submit: say.add, fields }, async ({ name = '' }) => {
    const made = await makePasskey(await answered(client.POST('/v1/admin/session/passkeys/begin')))
    await answered(client.POST('/v1/admin/session/passkeys', { body: { name: name.trim(), ...made } }))
    read()
    return say.added
  })
}
