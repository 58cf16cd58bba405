/** A handheld as the box sees it: the calls of pretixSCAN over TLS, by address and without asking for a certificate, as the apps do. */
import { Agent, request } from 'node:https'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import type { World } from './world.ts'

export interface Answer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
  /** Undefined where the body is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  json: any
}

export interface Call {
  method?: string
  body?: unknown
  /** The body as it is sent, in place of `body`. */
  text?: string
  headers?: Record<string, string>
  /** Closes the connection once the request was sent. */
  hangUp?: 'when sent'
}

export class PretixApp implements Disposable {
  readonly #agent = new Agent({ rejectUnauthorized: false, keepAlive: true, maxSockets: 32 })
  readonly #port: number
  token: string | undefined

  constructor(port: number, token?: string) {
    this.#port = port
    this.token = token
  }

  /** The same with another token, on connections of its own. */
  withToken(token: string | undefined): PretixApp {
    return new PretixApp(this.#port, token)
  }

  call(path: string, { method, body, text: sentAs, headers, hangUp }: Call = {}): Promise<Answer> {
    const text = sentAs ?? (body === undefined ? undefined : JSON.stringify(body))
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const sent = request(
      {
        ...{ host: '127.0.0.1', port: this.#port, path, agent: this.#agent },
        method: method ?? (text === undefined ? 'GET' : 'POST'),
        headers: {
          ...(this.token !== undefined && { authorization: `Device ${this.token}` }),
          ...(text !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
          ...headers,
        },
      },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.once('end', () => {
          const said = Buffer.concat(parts).toString()
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: said, json: parsed(said) })
        })
      },
    )
    sent.once('error', reject)
    sent.end(text, () => hangUp && sent.destroy())
    return promise
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.call(path, { body })
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface Pairing {
  checkpoints?: readonly string[]
  supervisor?: boolean
  mode?: 'proxy' | 'plain'
  name?: string
  seconds?: number
}

/** Request with which the app pairs. */
export const SETUP = {
  hardware_brand: 'Zebra',
  hardware_model: 'TC57',
  os_name: 'Android',
  os_version: '13',
  software_brand: 'pretixSCAN Android',
  software_version: '3.3.4',
}

/** Text of a QR code, read as the app reads it. */
export interface PairingCode {
  handshake_version: number
  url: string
  token: string
}

/** Has the admin make a QR code. */
export async function pairingCode(world: World, pairing: Pairing = {}): Promise<PairingCode> {
  const checkpoints = world.box.event.checkpoints.map(({ id }) => id)
  return pairingCodeOf(await world.admin(), { checkpoints, ...pairing })
}

async function pairingCodeOf(admin: GatehouseClient, pairing: Pairing): Promise<PairingCode> {
  const { checkpoints = [], supervisor, mode, name, seconds } = pairing
  const body = {
    checkpoints: [...checkpoints],
    ...(supervisor !== undefined && { supervisor }),
    ...(mode && { mode }),
    ...(name && { name }),
    ...(seconds && { expires_in_seconds: seconds }),
    actor: 'Rita',
  }
  const { data, error } = await admin.POST('/v1/admin/pretixscan/invite', { body })
  if (!data) throw new Error(JSON.stringify(error))
  return JSON.parse(data.qr_payload)
}

export function portOf(world: World): number {
  const { pretixscan } = world.box.ports
  if (pretixscan === undefined) throw new Error('pretixSCAN is off')
  return pretixscan
}

export type PairedApp = PretixApp & { paired: Answer['json'] }

/** A handheld that is paired. */
export async function pairApp(world: World, pairing?: Pairing): Promise<PairedApp> {
  const { token } = await pairingCode(world, pairing)
  return initialized(new PretixApp(portOf(world)), token)
}

/** A handheld that is paired at a box in a process of its own: at the address in the QR code. */
export async function pairAppBy(
  admin: GatehouseClient,
  pairing: Pairing & { checkpoints: readonly string[] },
): Promise<PairedApp> {
  const { url, token } = await pairingCodeOf(admin, pairing)
  return initialized(new PretixApp(Number(new URL(url).port)), token)
}

async function initialized(app: PretixApp, token: string): Promise<PairedApp> {
  const { status, json, text } = await app.post('/api/v1/device/initialize', { token, ...SETUP })
  if (status !== 200) throw new Error(`not paired: ${status} ${text}`)
  app.token = json.api_token
  return Object.assign(app, { paired: json })
}

/** Numbers of the check-in lists that the app may choose, by name. */
export async function listsOf(app: PretixApp): Promise<Record<string, number>> {
  const { json } = await app.call('/api/v1/organizers/gatehouse/events/test-fair/checkinlists/')
  return Object.fromEntries(json.results.map(({ id, name }: { id: number; name: string }) => [name, id]))
}

/** A question as the Android app sends it. */
export function checkBody(list: number, ticketid: string, more: object = {}): object {
  return {
    ...{ events_and_checkin_lists: { 'test-fair': list }, ticketid, answers: [], ignore_unpaid: false },
    ...{ with_badge_data: false, type: 'ENTRY', source_type: 'barcode', allowQuestions: true, useOrderLocale: false },
    ...{ nonce: null, exchange_medium_type: null, exchange_medium_identifier: null, ...more },
  }
}
