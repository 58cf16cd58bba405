/** Passkeys of everybody, for an admin: people add their own. */
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

export function Passkeys({ model }: { model: Model }): JSX.Element {
  const { client } = model.session
  const list = useRead(() => answered(client.GET('/v1/admin/passkeys')))
  const ways = useRead(() => readWays(location.origin))
  useEffect(() => {
    void list.read()
    void ways.read()
  }, [])
  const { value: known } = ways.found
  return (
    <Panel title={say.title} lead={say.lead}>
      <Said bad={list.problem.value} />
      {known?.passkeys === null && <WhyNone ways={known} />}
      {list.found.value && (
        <PasskeyTable
          rows={list.found.value.passkeys}
          withOwner
          remove={(passkey) =>
            void askToRemove(model, passkey, async (actor) => {
              const params = { path: { id: passkey.id } }
              await answered(client.POST('/v1/admin/passkeys/{id}/remove', { params, body: { actor } }))
              void list.read()
            })
          }
        />
      )}
    </Panel>
  )
}
