/** Pairing, and what an app asks about itself: initialize, update, info, event selection, revoke, version. */
import type { FastifyRequest } from 'fastify'
import type { Device, Roster } from '../ca/roster.ts'
import type { App } from '../http/app.ts'
import { inSteadyTime } from '../http/steady-time.ts'
import type { TokenBuckets } from '../http/token-bucket.ts'
import { networkOf } from '../network.ts'
import { VERSION } from './event-view.ts'
import { type EventIds, numberOf, ORGANIZER } from './ids.ts'
import { listsOf } from './lists.ts'
import type { Pace } from './pace.ts'
import { type PairingDeps, pairingProblem, pairPretixScan, softwareOf } from './pairing.ts'
import { both } from './paths.ts'
import { readBody, Setup, Update } from './shapes.ts'

export const API = '/api/v1'

export interface DeviceRouteDeps extends PairingDeps {
  roster: Pick<Roster, 'revoke'>
  ids: EventIds
  pace: Pace
  /** By network: whoever tries tokens. */
  pairBuckets: Pick<TokenBuckets, 'require'>
  /** Versions that apps have told since the box started, by device. */
  software: Map<string, string>
}

/** The one route without a login. */
export function initializeRoute(app: App, deps: DeviceRouteDeps): void {
  both(app, 'POST', `${API}/device/initialize`, async (request, reply) => {
    deps.pairBuckets.require(networkOf(request.ip), 'Too many tokens were tried from here: wait a moment.')
    const setup = readBody(Setup, request.body, 'token')
    try {
      const { id, name, token, mode, checkpoints } = await inSteadyTime(() => pairPretixScan(setup, deps))
      const device = { id, name, checkpoints: new Set(checkpoints) }
      // The app takes every other status for success, and then reads the answer.
      return { ...deviceView(device, deps), api_token: token, security_profile: PROFILES[mode] }
    } catch (error) {
      const problem = pairingProblem(error)
      if (problem === undefined) throw error
      return reply.code(400).send({ token: [problem] })
    }
  })
}

/** Without orders, an app that is switched to offline mode has nobody to admit. */
const PROFILES = { proxy: 'pretixscan', plain: 'pretixscan_online_noorders' } as const

export function deviceRoutes(app: App, deps: DeviceRouteDeps): void {
  both(app, 'GET', `${API}/version`, () => VERSION)
  both(app, 'GET', `${API}/device/info`, ({ device }) => ({
    device: deviceView(device, deps),
    server: { version: VERSION },
    medium_key_sets: [],
  }))
  both(app, 'POST', `${API}/device/update`, ({ device, body }) => {
    const told = readBody(Update, body, 'update')
    if (told.software_brand && told.software_version) deps.software.set(device.id, softwareOf(told))
    return deviceView(device, deps)
  })
  both(app, 'POST', `${API}/device/revoke`, async ({ device, ip }) => {
    const by = { actor: device.name, address: ip }
    await deps.roster.revoke(device.id, { ...by, reason: 'reset on the scanner', at: deps.now() })
    return {}
  })
  both(app, 'GET', `${API}/device/eventselection`, (request, reply) => {
    const wanted = selection(request, deps)
    if (wanted === undefined) return reply.code(304).send()
    return wanted
  })
}

/** Undefined where the app stands right already. */
function selection({ device, query }: FastifyRequest, { event, ids }: DeviceRouteDeps): object | undefined {
  const { current_event, current_checkinlist } = query as Record<string, unknown>
  const lists = listsOf(device, event).map(({ id }) => ids.listOf(id))
  if (current_event === event.id && lists.includes(Number(current_checkinlist))) return undefined
  // The name is a text here, and an object by language everywhere else.
  return { event: { slug: event.id, name: event.name }, subevent: null, checkinlist: lists[0] ?? null }
}

function deviceView(device: Pick<Device, 'id' | 'name' | 'checkpoints'>, { event, ids }: DeviceRouteDeps): object {
  const gates = new Set(listsOf(device, event).map(({ gate }) => gate))
  const [gate] = gates.size === 1 ? gates : []
  return {
    organizer: ORGANIZER,
    device_id: numberOf(`device ${device.id}`),
    unique_serial: device.id.toUpperCase(),
    name: device.name,
    gate: gate === undefined ? null : { id: ids.gateOf(gate), name: event.gateById.get(gate)?.name, identifier: gate },
  }
}
