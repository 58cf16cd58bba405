/** Wires the guide: the event's folder, the tickets and scanners that exist, and the way to open the box again. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Checks } from '../guide/checks.ts'
import { EventEditor } from '../guide/editor.ts'
import { MAP_FILE, revisionOf } from '../guide/event-folder.ts'
import { MapEditor } from '../guide/map-editor.ts'
import { checkDraft } from './check-draft.ts'
import type { RouteDeps } from './routes.ts'

export interface Editors {
  editor: EventEditor
  mapEditor: MapEditor
}

export function editorsOf({ config, sold, roster, counts, mesh, ...rest }: RouteDeps): Editors {
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
  const folder = ownEvent?.eventDir ?? eventDir
  const checks = new Checks()
  const mapEditor = new MapEditor({ ...rest, folder, checks, running: mapIn(folder) })
  const isMapPending = () => mapEditor.isPending()
  const editing = { dataDir, eventDir, ownEvent, checkDraft, existing, otherBoxes, checks, isMapPending }
  return { editor: new EventEditor({ ...rest, ...editing }), mapEditor }
}

/** Revision of the map with which the box opens, moments before; null for none. */
function mapIn(folder: string): string | null {
  try {
    return revisionOf(readFileSync(join(folder, MAP_FILE), 'utf8'))
  } catch {
    return null
  }
}
