/** The result of a run with traitors: what they did, what the boxes refused, and T1 to T3 over what the boxes hold in the end. */
import type { MeshView } from '@gatehouse/proto/wire/mesh.ts'
import { heldBy, journalsOf } from './account.ts'
import type { History } from './history.ts'
import type { Violation } from './invariants.ts'
import type { Lab } from './lab.ts'
import type { TraitorReport } from './traitor.ts'
import { betrayals, type Made } from './traitor-invariants.ts'
import type { TraitorName } from './traitors.ts'

export interface Betrayal {
  traitors: Record<string, TraitorReport>
  /** Messages that the boxes have refused, by reason. */
  refused: Record<string, number>
  /** By whom they were delivered, as the boxes show it. */
  deliveredBy: Record<string, number>
}

/** A member may read everything. */
const MAY_READ: ReadonlySet<string> = new Set<TraitorName>(['wrong clock'])

/** Asks traitors and boxes, which still run. */
export async function betrayalIn({ boxes, traitors }: Lab): Promise<Betrayal> {
  const reports = await Promise.all(traitors.map(async (traitor) => [traitor.name, await traitor.report()] as const))
  const betrayal: Betrayal = { traitors: Object.fromEntries(reports), refused: {}, deliveredBy: {} }
  for (const box of boxes) {
    const admin = await box.admin()
    const { data, error } = await admin.GET('/v1/admin/mesh')
    if (!data) throw new Error(error.message)
    for (const { why, delivered_by, name, count } of (data as MeshView).standing?.refused ?? []) {
      const by = name ?? delivered_by ?? 'nobody'
      betrayal.refused[why] = (betrayal.refused[why] ?? 0) + count
      betrayal.deliveredBy[by] = (betrayal.deliveredBy[by] ?? 0) + count
    }
  }
  return betrayal
}

/** Reads what the boxes hold, which have stopped. @param options.attacks names of the faults */
export async function betrayalsIn(
  { boxes, removed, imported }: Lab,
  {
    history,
    made,
    betrayal,
    attacks,
  }: { history: History; made: Made; betrayal: Betrayal; attacks: readonly string[] },
): Promise<Violation[]> {
  if (!removed) throw new Error('No box was removed.')
  await removed.stop()
  const read = Object.entries(betrayal.traitors).flatMap(([name, report]) =>
    MAY_READ.has(name) ? [] : [[name, report.read] as const],
  )
  return betrayals({
    ...{
      history,
      made: { ...made, tickets: made.tickets + imported },
      attacks,
      read: new Map(read),
      held: boxes.map(heldBy),
    },
    removed: { box: removed.id, journals: journalsOf(removed) },
  })
}
