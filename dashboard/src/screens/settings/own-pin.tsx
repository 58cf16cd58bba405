/** One's own PIN or password: changed with the one before. Every session of the person ends, this one too. */
import type { JSX } from 'preact'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { staffWords } from '../../words/late.ts'
import { Panel } from '../parts/parts.tsx'

const say = staffWords.ownPin

export function OwnPin({ session, forms }: Pick<Model, 'session' | 'forms'>): JSX.Element {
  const change = async () => {
    const given = await forms.ask({
      title: say.change,
      text: say.text,
      submit: say.change,
      fields: [
        { name: 'current', label: say.current, kind: 'secret', required: true, maxLength: 128 },
        {
          name: 'secret',
          label: say.next,
          kind: 'secret',
          required: true,
          maxLength: 128,
          hint: staffWords.secretHint,
        },
      ],
      send: async ({ current = '', secret = '' }) => {
        await answered(session.client.POST('/v1/admin/session/secret', { body: { current, secret } }))
      },
    })
    if (given) session.signOut(say.changed, 'locked')
  }
  return (
    <Panel title={say.title} lead={say.lead}>
      <button type="button" onClick={() => void change()}>
        {say.change}
      </button>
    </Panel>
  )
}
