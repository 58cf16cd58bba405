/** Wires connecting a pretix from the screen Shop: the folders of the event that is connected, and the guide, which writes its file. */
import type { EventEditor } from '../guide/editor.ts'
import { Connecting } from '../shop/pretix/connecting.ts'
import { namesErased } from '../tickets/erasure.ts'
import type { RouteDeps } from './routes.ts'

export function connectingOf(
  { config, tickets, codes, ledger, logger, now }: RouteDeps,
  editor: EventEditor,
): Connecting {
  const { ownEvent, shopFile } = config
  const { dataDir, eventDir } = ownEvent ?? config
  return new Connecting({
    ...{ dataDir, eventDir, shopFile, logger, now },
    known: ownEvent ? undefined : { tickets, codes },
    isErased: () => ownEvent === undefined && namesErased(ledger.db),
    writeEvent: async (json, by) => void (await editor.save({ event: { ...json }, revision: null }, by)),
    isPending: async () => (await editor.read()).pending,
  })
}
