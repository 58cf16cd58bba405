/** A box that has seen something of everything, by machines and by its API, so that no screen is inspected empty. */
import { randomUUID } from 'node:crypto'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import { tlsFetch } from '../box/src/device/tls-fetch.ts'
import { scanOf } from '../box/test/world/scan-of.ts'
import type { World } from './world.ts'

const ACTOR = 'Ines'

interface Turnstile extends AsyncDisposable {
  client: GatehouseClient
  /** @param more where it differs from a scan that the box is asked about at once */
  scan: (code: string, more?: Partial<ScanRequest>) => Promise<unknown>
}

/** A scanner that is not a browser, and stands at this checkpoint. */
export async function turnstile(world: World, name: string, checkpoint: string): Promise<Turnstile> {
  const { ca, certificate: cert, key, token } = await world.pairMachine({ name })
  const secure = tlsFetch({ ca, cert, key })
  const client = gatehouseClient({ baseUrl: world.deviceOrigin, token, fetch: secure })
  return {
    client,
    scan: (code, more) => client.POST('/v1/scan', { body: scanOf(code, Date.now(), { checkpoint, ...more }) }),
    [Symbol.asyncDispose]: () => secure[Symbol.asyncDispose](),
  }
}

export async function busyDay(world: World): Promise<void> {
  await using north = await turnstile(world, 'North 1', 'north-in')
  await using south = await turnstile(world, 'South 1', 'south-in')
  await using terrace = await turnstile(world, 'Terrace', 'lounge-in')
  for (let n = 1; n <= 24; n++) await (n % 3 === 0 ? south : north).scan(`DAY-${n}`)
  for (let n = 1; n <= 18; n++) await (n % 2 === 0 ? south : north).scan(`PASS-${n}`)
  for (const code of ['LOUNGE-1', 'LOUNGE-2']) {
    await north.scan(code)
    await terrace.scan(code)
  }
  for (const code of ['DAY-1', 'DAY-2', 'REVOKED-1', 'PENDING-1', 'FUTURE-1', 'CREW-1', 'nonsense'])
    await north.scan(code)
  // Two scanners that were alone let the same ticket in: a case.
  for (const scanner of [north, south]) await scanner.scan('DAY-30', { offline_admitted: true })

  const report = async (kind: 'medical' | 'need_staff', note: string) => {
    const incident_id = randomUUID()
    const body = { incident_id, kind, checkpoint: 'south-in', note, observed_at: new Date().toISOString() }
    const { error } = await south.client.POST('/v1/incidents', { body })
    if (error) throw new Error(error.message)
    return incident_id
  }
  const id = await report('need_staff', 'Two more hands at the left lane.')
  await report('medical', 'Somebody has fainted by the fence.')
  const { admin } = world
  const actions = [
    admin.POST('/v1/admin/incidents/{id}', {
      params: { path: { id } },
      body: { action: 'assign', actor: ACTOR, assignee: 'Team 2' },
    }),
    admin.POST('/v1/admin/announce', {
      body: { text: 'The headliner starts 20 minutes late.', severity: 'info', actor: ACTOR },
    }),
    admin.POST('/v1/admin/announce', {
      body: { text: 'Gate South is closed for now. Walk to Gate North.', severity: 'warning', actor: ACTOR },
    }),
    admin.POST('/v1/admin/gates/{id}/hold', {
      params: { path: { id: 'terrace' } },
      body: { actor: ACTOR, reason: 'The stairs are being cleared' },
    }),
    admin.POST('/v1/admin/seal'),
  ]
  for (const { error } of await Promise.all(actions)) if (error) throw new Error(error.message)
}
