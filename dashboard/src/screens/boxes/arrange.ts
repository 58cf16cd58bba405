/** Gives a vote to another box, and takes a box off the list: each after the one question that only a person can answer. */
import type { MeshStanding, Neighbour } from '@gatehouse/proto/wire/mesh.ts'
import type { Model } from '../../model.ts'
import { answered, Refused } from '../../session/answered.ts'
import { actionWords as words } from '../../words/late.ts'
import { replaced } from './neighbours.ts'

const say = words.boxes

/** @param box gets a vote */
export function promote(model: Model, box: Neighbour, mesh: MeshStanding): Promise<boolean> {
  const { askAndAct, live, session } = model
  const voters = replaced(mesh)
  const last = voters.at(-1)
  return askAndAct(
    {
      title: say.promoteTitle(box.name),
      text: say.promoteText(box.name, voters.length === 1 ? (last?.name ?? '') : null),
      submit: say.promoteSubmit,
      danger: true,
      fields: [
        ...(voters.length > 1
          ? [
              {
                name: 'instead',
                label: say.instead,
                kind: 'choice' as const,
                required: true,
                value: last?.box_id ?? '',
                options: voters.map(({ box_id, name }) => ({ value: box_id, label: name })),
              },
            ]
          : []),
        fenced(say.fence.promote),
        reason,
      ],
    },
    async (values, actor) => {
      requireSeen(values.seen)
      const instead = values.instead || last?.box_id
      const body = {
        actor,
        reason: values.reason?.trim() ?? '',
        box_id: box.box_id,
        is_off: true,
        ...(instead !== undefined && { instead }),
      }
      await answered(session.client.POST('/v1/admin/mesh/promote', { body }))
      live.refresh()
      return say.promoted(box.name)
    },
  )
}

/** A box that is heard is told, and stops by itself; of one that is not, somebody has to know that it is off. */
export function remove({ askAndAct, live, session }: Model, box: Neighbour): Promise<boolean> {
  return askAndAct(
    {
      title: say.removeTitle(box.name),
      text: say.removeText,
      submit: say.removeSubmit,
      danger: true,
      fields: [fenced(say.fence.remove), reason],
    },
    async (values, actor) => {
      requireSeen(values.seen)
      const body = { actor, reason: values.reason?.trim() ?? '', box_id: box.box_id, is_off: true }
      await answered(session.client.POST('/v1/admin/mesh/remove', { body }))
      live.refresh()
      return say.removed(box.name)
    },
  )
}

const reason = { name: 'reason', label: words.reason, required: true }

/** Two boxes that both decide alone let one ticket in twice: whoever presses must have looked. */
function fenced(label: string) {
  const options = (['yes', 'no'] as const).map((value) => ({ value, label: say.fence[value] }))
  return { name: 'seen', label, kind: 'choice' as const, required: true, options }
}

function requireSeen(seen: string | undefined): void {
  if (seen !== 'yes') throw new Refused('conflict', 0, say.fence.look)
}
