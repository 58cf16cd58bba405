/** Switches the consistency mode of the box; among several boxes, forces DEGRADED and lifts it again. */
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { Model } from '../model.ts'
import { answered } from '../session/answered.ts'
import { liveWords } from '../words/late.ts'
import { words } from '../words/words.ts'

const say = liveWords.mode

/**
 * Asks for a reason, then switches to the other mode; among several boxes, where the box knows its mode itself, forces DEGRADED
 * or lifts that.
 */
export function changeMode(
  { askAndAct, live, session: { client } }: Model,
  now: Stats['mode'],
  mesh?: Stats['mesh'],
): Promise<boolean> {
  const mode = (mesh ? mesh.forced : now === 'DEGRADED') ? 'STRICT' : 'DEGRADED'
  const { done, ...asked } = mesh ? AMONG_SEVERAL[mode] : alone(mode)
  return askAndAct(
    {
      ...asked,
      fields: [{ name: 'reason', label: words.widgets.reason, required: true }],
      danger: mode === 'DEGRADED',
    },
    async ({ reason = '' }, actor) => {
      await answered(client.PUT('/v1/admin/mode', { body: { mode, actor, reason: reason.trim() } }))
      live.refresh()
      return done
    },
  )
}

const AMONG_SEVERAL = {
  DEGRADED: { title: say.forceTitle, text: say.forceText, submit: say.submit('DEGRADED'), done: say.forced },
  STRICT: { title: say.liftTitle, text: say.liftText, submit: say.lift, done: say.lifted },
}

function alone(mode: Stats['mode']) {
  return { title: say.title(mode), text: say.text[mode], submit: say.submit(mode), done: say.done(mode) }
}
