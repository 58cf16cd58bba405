/** Actions: in whose name they are recorded, what becomes of them, and the notice that follows. */
import { sentenceOf } from '../session/answered.ts'
import { Dismissed, type Session } from '../session/session.ts'
import type { Form, Forms, Values } from './forms.ts'
import type { Toasts } from './toasts.ts'

export interface Actions {
  /**
   * Does something in the name of whoever sits here, without another question. What `work` answers is shown as a notice; so is
   * the reason when it fails. False when nothing was done.
   */
  act(work: (actor: string) => Promise<string>): Promise<boolean>
  /**
   * Asks first, then does it in the name of whoever sits here. A refusal is shown in the dialog, which stays. False when nothing
   * was done.
   */
  askAndAct(
    form: Omit<Form, 'send' | 'actor'>,
    work: (values: Values, actor: string) => Promise<string>,
  ): Promise<boolean>
}

export function createActions({ withActor }: Session, { ask }: Forms, { toast }: Toasts): Actions {
  const attempt = async (work: (actor: string) => Promise<boolean>) => {
    try {
      return await work(await withActor())
    } catch (error) {
      if (!(error instanceof Dismissed)) toast(sentenceOf(error), 'bad')
      return false
    }
  }
  return {
    act: (work) =>
      attempt(async (actor) => {
        toast(await work(actor))
        return true
      }),
    askAndAct: (form, work) =>
      attempt(async (actor) => {
        const send = async (values: Values) => toast(await work(values, actor))
        return (await ask({ ...form, actor, send })) !== null
      }),
  }
}
