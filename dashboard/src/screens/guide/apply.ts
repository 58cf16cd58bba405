/** Has the box begin anew with the event on its disk. */
import { answered } from '../../session/answered.ts'
import type { Session } from '../../session/session.ts'
import { markRestart } from '../../session/whose-file.ts'
import { forgetWorkers } from './forget-workers.ts'

/**
 * @param demo the box runs the demo
 * @returns whether the box begins anew
 * @throws Refused with what is wrong
 */
export async function applyEvent(
  { client, withActor }: Pick<Session, 'client' | 'withActor'>,
  demo: boolean,
): Promise<boolean> {
  const actor = await withActor()
  // Before it is asked: an answer that is lost may be of a restart.
  markRestart(true, Date.now())
  const { restarting } = await answered(client.POST('/v1/admin/event/apply', { body: { actor } }))
  if (!restarting) markRestart(false, Date.now())
  else if (demo) await forgetWorkers()
  return restarting
}
