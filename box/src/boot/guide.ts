/** Wires the guide: the event's folder, the tickets and scanners that exist, and the way to open the box again. */
import { EventEditor } from '../guide/editor.ts'
import { checkDraft } from './check-draft.ts'
import type { RouteDeps } from './routes.ts'

export function editorOf({ config, sold, roster, counts, mesh, ...rest }: RouteDeps): EventEditor {
  const { dataDir, eventDir, ownEvent } = config
  const existing = () => {
    const scanners = new Map<string, number>()
    for (const device of roster.list()) {
      if (device.revokedAt !== null) continue
      for (const checkpoint of device.checkpoints) scanners.set(checkpoint, (scanners.get(checkpoint) ?? 0) + 1)
    }
    return { tickets: sold.byTier(), scanners, inside: counts.tally.zones }
  }
  const otherBoxes = () => mesh.status()?.boxes.filter(({ self }) => !self).length ?? 0
  return new EventEditor({ ...rest, dataDir, eventDir, ownEvent, checkDraft, existing, otherBoxes })
}
