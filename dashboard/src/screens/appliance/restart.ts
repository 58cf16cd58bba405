/** Starts the machine again, with what it runs, what is new, or what it ran before. Asks first. */
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import type { Session } from '../../session/session.ts'
import { applianceWords as say } from '../../words/late.ts'

/** @param text what it means */
export function restart({ askAndAct, session: { client } }: Model, text: string): Promise<boolean> {
  return askAndAct(
    { title: say.restartTitle, text, fields: [], submit: say.restart, danger: true },
    async (_values, actor) => {
      await answered(client.POST('/v1/admin/update/restart', { body: { actor } }))
      return say.restarting
    },
  )
}

/** @param version of the slot to go back to */
export function rollBack({ askAndAct, session }: Model, version: string | null): Promise<boolean> {
  return askAndAct(
    { title: say.rollbackTitle, text: say.rollbackText, fields: [], submit: say.rollback(version), danger: true },
    takeBack(session),
  )
}

/** An update that is installed stays where it is. */
export function leaveUnstarted({ askAndAct, session }: Model): Promise<boolean> {
  return askAndAct(
    { title: say.unstartTitle, text: say.unstartText, fields: [], submit: say.unstart },
    takeBack(session),
  )
}

function takeBack({ client }: Session): (values: unknown, actor: string) => Promise<string> {
  return async (_values, actor) => {
    const { restarting } = await answered(client.POST('/v1/admin/update/rollback', { body: { actor } }))
    return restarting ? say.restarting : say.unstarted
  }
}
