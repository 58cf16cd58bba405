/** Holds a gate, and lets people in again. */
import type { Stats } from '@gatehouse/proto/wire/stats.ts'
import type { Model } from '../../model.ts'
import { answered } from '../../session/answered.ts'
import { liveWords } from '../../words/late.ts'
import { ageWords } from '../../words/time.ts'

type Gate = Pick<Stats['gates'][number], 'id' | 'name' | 'hold'>
const say = liveWords.gates

/** In seconds; '' for until it is released. */
const EXPIRIES = ['300', '900', '1800', '3600', ''] as const

/** Asks for reason and expiry. A gate that is held gets both anew. */
export function holdGate({ askAndAct, live, session }: Model, { id, name, hold }: Gate): Promise<boolean> {
  return askAndAct(
    {
      title: hold ? say.changeTitle(name) : say.holdTitle(name),
      text: say.holdText,
      fields: [
        {
          name: 'reason',
          label: say.reason,
          required: true,
          maxLength: 200,
          hint: say.reasonHint,
          value: hold?.reason ?? '',
          suggestions: say.reasons,
        },
        {
          name: 'expiry',
          label: say.expiry,
          kind: 'choice',
          value: '900',
          options: EXPIRIES.map((value) => ({
            value,
            label: value === '' ? say.untilReleased : ageWords(Number(value) * 1000),
          })),
        },
      ],
      submit: hold ? say.change : say.hold,
      danger: true,
    },
    async ({ reason = '', expiry = '' }, actor) => {
      const body = {
        actor,
        reason: reason.trim(),
        ...(expiry !== '' && { expires_in_seconds: Number(expiry) }),
      }
      await answered(session.client.POST('/v1/admin/gates/{id}/hold', { params: { path: { id } }, body }))
      live.refresh()
      return say.isHeld(name)
    },
  )
}

export function releaseGate({ askAndAct, live, session }: Model, { id, name }: Gate): Promise<boolean> {
  return askAndAct(
    {
      title: say.releaseTitle(name),
      text: say.releaseText,
      fields: [{ name: 'reason', label: say.releaseReason, maxLength: 200 }],
      submit: say.release,
    },
    async ({ reason = '' }, actor) => {
      const body = { actor, ...(reason.trim() && { reason: reason.trim() }) }
      await answered(session.client.POST('/v1/admin/gates/{id}/release', { params: { path: { id } }, body }))
      live.refresh()
      return say.released(name)
    },
  )
}
