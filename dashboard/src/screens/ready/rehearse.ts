/** Starts a rehearsal, and ends it. */
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { readyWords } from '../../words/late.ts'
import { ageWords } from '../../words/time.ts'

const say = readyWords.rehearsal

/** Minutes. */
const LENGTHS = ['15', '30', '60', '120'] as const

/** Asks how long. What speaks against it is said there: whoever starts it all the same has read that. */
export async function startRehearsal({ askAndAct, live, session }: Model): Promise<boolean> {
  const { objections } = await answered(session.client.GET('/v1/admin/rehearsal'))
  const isAgainst = objections.length > 0
  return askAndAct(
    {
      title: say.start,
      text: [say.text, ...objections.map((one) => say.objections[one]), ...(isAgainst ? [say.anyway] : [])].join(' '),
      fields: [
        {
          name: 'minutes',
          label: say.length,
          kind: 'choice',
          value: '30',
          options: LENGTHS.map((value) => ({ value, label: ageWords(Number(value) * 60_000) })),
        },
      ],
      submit: isAgainst ? say.startAnyway : say.start,
      danger: isAgainst,
    },
    async ({ minutes = '' }, actor) => {
      const body = { actor, minutes: Number(minutes), ...(isAgainst && { anyway: true }) }
      await answered(session.client.POST('/v1/admin/rehearsal', { body }))
      live.refresh()
      return say.started
    },
  )
}

/** One press: nobody waits for a question while people stand at the gates. */
export function endRehearsal({ act, live, session }: Model): Promise<boolean> {
  return act(async (actor) => {
    const { scans, devices } = await answered(session.client.POST('/v1/admin/rehearsal/end', { body: { actor } }))
    live.refresh()
    return say.ended(scans, devices)
  })
}
