/** Starting the machine again, with what it runs, what is new, or what it ran before. Asks first. */
import { answered } from '../../session/answered.ts'
import { client } from '../../session/session.ts'
import { askAndAct } from '../../widgets/act.ts'
import { words as say } from '../../words/en-appliance.ts'

/** @param text what it means */
export function restart(text: string): Promise<boolean> {
  return askAndAct(
    { title: say.restartTitle, text, fields: [], submit: say.restart, danger: true },
    async (_values, actor) => {
      await answered(client.POST('/v1/admin/update/restart', { body: { actor } }))
      return say.restarting
    },
  )
}

/** @param version of the slot to go back to */
export function rollBack(version: string | null): Promise<boolean> {
  return askAndAct(
    { title: say.rollbackTitle, text: say.rollbackText, fields: [], submit: say.rollback(version), danger: true },
    takeBack,
  )
}

/** An update that is installed stays where it is. */
export function leaveUnstarted(): Promise<boolean> {
  return askAndAct({ title: say.unstartTitle, text: say.unstartText, fields: [], submit: say.unstart }, takeBack)
}

async function takeBack(_values: unknown, actor: string): Promise<string> {
  const { restarting } = await answered(client.POST('/v1/admin/update/rollback', { body: { actor } }))
  return restarting ? say.restarting : say.unstarted
}
