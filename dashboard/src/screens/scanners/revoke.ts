/** Takes a scanner out of service, once somebody has said why. */
import type { Scanner } from '../../live/scanners.ts'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { liveWords } from '../../words/late.ts'
import { count } from '../../words/time.ts'
import { words } from '../../words/words.ts'

const say = liveWords.scanners

/** Asks for the reason, and says which scans would be lost with it. */
export function revoke(
  { askAndAct, live, session }: Model,
  { device_id: id, name, unsent }: Scanner,
): Promise<boolean> {
  return askAndAct(
    {
      title: say.revokeTitle(name),
      text: (unsent ?? 0) > 0 ? say.revokeUnsent(count(unsent ?? 0)) : say.revokeText,
      fields: [
        {
          name: 'reason',
          label: words.widgets.reason,
          required: true,
          hint: say.revokeHint,
          suggestions: say.reasons,
        },
      ],
      submit: say.revokeSubmit,
      danger: true,
    },
    async ({ reason = '' }, actor) => {
      const body = { actor, reason: reason.trim() }
      await answered(session.client.POST('/v1/admin/devices/{id}/revoke', { params: { path: { id } }, body }))
      live.refresh()
      return say.revokedNow(name)
    },
  )
}
