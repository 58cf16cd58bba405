/** Actions: in whose name, what becomes of them, and what is said of it. */
import { sentenceOf } from '../session/answered.ts'
import { Dismissed, withActor } from '../session/session.ts'
import { ask, type Form, type Values } from './forms.ts'
import { toast } from './toasts.ts'

/**
 * Does something in the name of whoever sits here, without another question. What `work` answers is said as a notice; so is
 * the reason when it fails. False when nothing was done.
 */
export async function act(work: (actor: string) => Promise<string>): Promise<boolean> {
  try {
    toast(await work(await withActor()))
    return true
  } catch (error) {
    if (!(error instanceof Dismissed)) toast(sentenceOf(error), 'bad')
    return false
  }
}

/**
 * Asks first, then does it in the name of whoever sits here. A refusal is shown in the dialog, which stays. False when nothing
 * was done.
 */
export async function askAndAct(
  form: Omit<Form, 'send' | 'actor'>,
  work: (values: Values, actor: string) => Promise<string>,
): Promise<boolean> {
  try {
    const actor = await withActor()
    const values = await ask({ ...form, actor, send: async (values) => toast(await work(values, actor)) })
    return values !== null
  } catch (error) {
    if (!(error instanceof Dismissed)) toast(sentenceOf(error), 'bad')
    return false
  }
}
