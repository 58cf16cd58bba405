/** A refusal in the language of this page: one that any app may get, or one of the control room's own screens. */
import { type Refusal, refusalSentence } from '@gatehouse/proto/refusals.ts'
import { type Coded, REFUSAL_SUBJECTS, SAID } from '@gatehouse/proto/said.ts'
import { loadLate } from './late.ts'
import { saidBy } from './said.ts'

/** An error has one reason: what pretix itself has said comes as a value of it, and is the sentence after it. */
export async function refusedSentence(refusal: Refusal): Promise<string> {
  const { reason = '', values = {}, message } = refusal
  const subject = REFUSAL_SUBJECTS.find((one) => Object.hasOwn(SAID[one], reason))
  if (subject === undefined) return refusalSentence(refusal, { quote: true })
  await loadLate()
  const codes: Coded[] = [{ code: reason, values }]
  if (subject === 'pretix' && Object.hasOwn(values, 'words')) codes.push({ code: 'says', values })
  return saidBy(subject, codes, message)
}
