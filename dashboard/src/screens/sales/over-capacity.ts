/** Asks for the reason, where the box says that a tier or a zone is full, and does it again with it. */
import type { Model } from '../../model.ts'
import { Refused } from '../../session/answered.ts'
import { salesWords as words } from '../../words/late.ts'

const say = words.sales

/**
 * @param send with a reason, or without one the first time
 * @returns null where it was refused, and nobody wanted to give a reason
 * @throws Refused for everything else
 */
export async function askWhenFull<T>(
  { askAndAct }: Pick<Model, 'askAndAct'>,
  send: (reason: string | undefined) => Promise<T>,
  saidAfter: (result: T) => string,
): Promise<T | null> {
  try {
    return await send(undefined)
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'over_capacity') throw error
    const done: { result?: T } = {}
    const field = { name: 'reason', label: say.reason, required: true, suggestions: say.fullSuggestions }
    const form = { title: say.full, text: error.message, submit: say.fullSubmit, fields: [field] }
    await askAndAct(form, async ({ reason = '' }) => {
      done.result = await send(reason.trim())
      return saidAfter(done.result)
    })
    return done.result ?? null
  }
}
