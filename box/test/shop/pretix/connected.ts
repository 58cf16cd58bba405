/** Connects the box of a folder to a server of pretix's shapes, as `gatehouse shop connect` leaves it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeConnection } from '../../../src/shop/pretix/connection.ts'
import { type PretixServer, TOKEN } from './server.ts'

/** @param mapping content of `pretix.yaml` */
export async function connectFolder(
  { GATEHOUSE_DATA_DIR: data = '', GATEHOUSE_EVENT_DIR: event = '' }: Readonly<Record<string, string | undefined>>,
  { url }: PretixServer,
  mapping: string,
): Promise<void> {
  writeFileSync(join(event, 'pretix.yaml'), mapping)
  await writeConnection(data, {
    ...{ version: 1, shop: 'pretix', url, organizer: 'acme', event: 'summer', subevents: null },
    ...{ token: { kind: 'Token', secret: TOKEN }, device: null, ca: null, connectedAt: '2026-07-01T00:00:00Z' },
  })
}
