/** Giving the PIN once more, before what cannot be undone. */
import type { Forms } from '../widgets/forms.ts'
import { signInWords } from '../words/late.ts'
import { words } from '../words/words.ts'
import { refusalOf } from './answered.ts'
import type { Session } from './session.ts'

const say = words.session.person

/** True if the box asks for the PIN once more. */
export async function isUnconfirmed(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return (body as { code?: unknown } | undefined)?.code === 'confirm_needed'
}

/** Asks for the PIN. @returns false when the question was closed */
export async function askToConfirm(forms: Forms, name: string, boxFetch: Session['boxFetch']): Promise<boolean> {
  const given = await forms.ask({
    title: signInWords.confirmTitle,
    text: signInWords.confirmText(name),
    submit: signInWords.confirm,
    fields: [{ name: 'secret', label: say.secret, kind: 'secret', required: true, maxLength: 128 }],
    send: async ({ secret = '' }) => {
      const answer = await boxFetch('/v1/admin/session/confirm', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ secret }),
      })
      if (!answer.ok) throw await refusalOf(answer.status, await answer.json().catch(() => undefined))
    },
  })
  return given !== null
}
