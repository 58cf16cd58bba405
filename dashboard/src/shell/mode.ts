/** Telling the box that it may not hear every other one, and that it does again. */
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import { refresh } from '../live/live.ts'
import { answered } from '../session/answered.ts'
import { client } from '../session/session.ts'
import { askAndAct } from '../widgets/act.ts'
import { words } from '../words/en.ts'

const say = words.shell.mode

/** Asks for a reason, then switches to the other mode. */
export function changeMode(now: Stats['mode']): Promise<boolean> {
  const mode = now === 'STRICT' ? 'DEGRADED' : 'STRICT'
  return askAndAct(
    {
      title: say.title(mode),
      text: say.text[mode],
      fields: [{ name: 'reason', label: words.widgets.reason, required: true }],
      submit: say.submit(mode),
      danger: mode === 'DEGRADED',
    },
    async ({ reason = '' }, actor) => {
      await answered(client.PUT('/v1/admin/mode', { body: { mode, actor, reason: reason.trim() } }))
      refresh()
      return say.done(mode)
    },
  )
}
