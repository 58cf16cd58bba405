/** A refusal in the language of this page: one that any app may get, or one of the control room's own screens. */
import { type Refusal, refusalSentence } from '@gatehouse/proto/refusals.ts'
import { type Coded, REFUSAL_SUBJECTS, SAID } from '@gatehouse/proto/said.ts'
import { loadLate } from './late.ts'
import { saidBy } from './said.ts'

/** By each of its codes, where it has several, or by its one reason. */
export async function refusedSentence(refusal: Refusal): Promise<string> {
  const { reason = '', values = {}, coded = [{ code: reason, values }], message } = refusal
  if (!coded.every(isOfAScreen)) return refusalSentence(refusal, { quote: true })
  await loadLate()
  return saidBy(REFUSAL_SUBJECTS, coded, message)
}

function isOfAScreen({ code }: Coded): boolean {
  return REFUSAL_SUBJECTS.some((subject) => Object.hasOwn(SAID[subject], code))
}
