/** Finds out what a token is, what it may do, and which event of pretix it is for; before anything is written. */

import { hostname } from 'node:os'
import { coded } from '@gatehouse/proto/said.ts'
import { isObject, type Json, objects, text, translations } from '../../tickets/import/pretix-json.ts'
import { PretixApi, type PretixToken } from './api.ts'
import { eventPath } from './connection.ts'
import { PretixError } from './errors.ts'

export interface Access {
  token: PretixToken
  /** Null for the token of a team. */
  device: number | null
  /** The device's organizer; null for the token of a team, which may see several. */
  organizer: string | null
}

/** Description of an event of pretix. */
export interface Found {
  organizer: string
  event: Json
  items: readonly Json[]
  lists: readonly Json[]
  subevents: readonly Json[]
}

type Where = { url: string; ca: string | undefined }

/** A device's first token has 16 letters and digits, and works once. */
const FIRST_TOKEN = /^[a-z0-9]{16}$/

/**
 * Says what kind of token it is; a device's first one is exchanged for its lasting one.
 * @param version of this software, which pretix shows beside the device
 * @param keep called with the lasting token before anything else is asked: there is no second one
 * @throws PretixError
 */
export async function accessOf(
  text: string,
  where: Where,
  { version, keep }: { version: string; keep: (access: Access) => Promise<void> },
): Promise<Access> {
  if (FIRST_TOKEN.test(text)) {
    const access = await initialize(text, where, version)
    await keep(access)
    return access
  }
  const asTeam = { token: { kind: 'Token', secret: text }, device: null, organizer: null } as const
  try {
    await using api = new PretixApi({ ...where, token: asTeam.token })
    await api.get('organizers/')
    return asTeam
  } catch (error) {
    if (!(error instanceof PretixError) || error.kind !== 'token') throw error
    const token = { kind: 'Device', secret: text } as const
    await using api = new PretixApi({ ...where, token })
    const { json } = await api.get('device/info')
    const device = isObject(json) && isObject(json.device) ? json.device : {}
    return { token, device: numberOf(device.device_id), organizer: words(device.organizer) }
  }
}

async function initialize(token: string, where: Where, version: string): Promise<Access> {
  await using api = new PretixApi(where)
  const answer = await api.ask('POST', 'device/initialize', {
    body: {
      token,
      ...{ hardware_brand: 'Gatehouse', hardware_model: hostname().slice(0, 190) || 'box' },
      ...{ software_brand: 'Gatehouse', software_version: version },
    },
  })
  const { api_token: secret, device_id, organizer } = isObject(answer.json) ? answer.json : {}
  if (answer.status >= 300 || typeof secret !== 'string') {
    throw new PretixError(
      `pretix at ${api.host} does not know this device token, or it was used before: make a new device in pretix (Devices), and use its token.`,
      { kind: 'token', status: answer.status, coded: [coded('token_of_device')] },
    )
  }
  return { token: { kind: 'Device', secret }, device: numberOf(device_id), organizer: words(organizer) }
}

/** Names to choose from: the only one is chosen. */
export interface Choice {
  slug: string
  name: string
  /** ISO 8601, where pretix says one. */
  date?: string
}

/** @throws PretixError */
export async function organizersOf(api: PretixApi, access: Access): Promise<Choice[]> {
  if (access.organizer !== null) return [{ slug: access.organizer, name: access.organizer }]
  return choices(await api.all('organizers/'))
}

/** @throws PretixError */
export async function eventsOf(api: PretixApi, organizer: string): Promise<Choice[]> {
  return choices(await api.all(`organizers/${encodeURIComponent(organizer)}/events/`))
}

/**
 * Everything that is needed of an event. Orders are asked for too, so that a token that may not see them is refused here.
 * @throws PretixError
 */
export async function findEvent(api: PretixApi, names: { organizer: string; event: string }): Promise<Found> {
  const path = eventPath(names)
  const { json } = await api.get(path)
  const event = isObject(json) ? json : {}
  const items = objects(await api.all(`${path}items/`))
  const lists = objects(await api.all(`${path}checkinlists/`, { exclude: ['checkin_count', 'position_count'] }))
  await api.get(`${path}orders/`, { query: { page_size: 1 } })
  const subevents = event.has_subevents === true ? objects(await api.all(`${path}subevents/`)) : []
  return { organizer: names.organizer, event, items, lists, subevents }
}

/** Messages to pretix, each with whether the token may send it. */
export interface Rights {
  /** Check-ins. */
  redeem: boolean
  /** Taking a check-in back. */
  annul: boolean
  /** Orders for sales at the desk. */
  sell: boolean
}

/**
 * Asks for nothing that pretix would do: each call lacks what it needs, and pretix says first whether it would be allowed. A list that
 * the token may not use is one that pretix says it does not know.
 * @throws PretixError
 */
export async function rightsOf(api: PretixApi, { organizer, event, lists }: Found): Promise<Rights> {
  const names = { organizer, event: text(event.slug) }
  const rpc = `organizers/${encodeURIComponent(organizer)}/checkinrpc/`
  const [list] = lists
  const body = list === undefined ? {} : { lists: [list.id] }
  return {
    redeem: await mayPost(api, `${rpc}redeem/`, body),
    annul: await mayPost(api, `${rpc}annul/`, body),
    sell: await mayPost(api, `${eventPath(names)}orders/`, {}),
  }
}

async function mayPost(api: PretixApi, path: string, body: object): Promise<boolean> {
  try {
    const { json } = await api.ask('POST', path, { body })
    return !(isObject(json) && 'lists' in json)
  } catch (error) {
    if (error instanceof PretixError && (error.kind === 'forbidden' || error.status === 404)) return false
    throw error
  }
}

/** A translated name in English, or in its first language. */
export function nameOf(value: unknown): string {
  return translations(value)[0] ?? ''
}

function choices(found: readonly unknown[]): Choice[] {
  return objects(found).flatMap(({ slug, name, date_from }) => {
    if (typeof slug !== 'string') return []
    return [{ slug, name: nameOf(name) || slug, ...(typeof date_from === 'string' && { date: text(date_from) }) }]
  })
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

function words(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
