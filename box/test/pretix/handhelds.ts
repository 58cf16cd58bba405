/** One handheld at a real pretix and one at the box that is connected to it, which make the same calls. */

import { freePorts } from '../world/ports.ts'
import { type Answer, PretixApp, SETUP } from '../world/pretix-app.ts'
import type { Gate } from './gate.ts'
import type { RealPretix } from './real.ts'

export interface Handheld {
  /** Sends a request as pretixSCAN does. */
  call(path: string, body?: unknown, token?: string): Promise<Answer>
  /** `organizers/...` and `organizers/.../events/...`, without a slash at the end. */
  organizer: string
  event: string
  /** Numbers of the check-in lists, by name. */
  lists: Record<string, number>
}

const PLAIN = { 'content-type': 'application/json; charset=utf-8' }

/** Pairs with the first token of a device of pretix. */
export async function handheldOfPretix({ url }: RealPretix, firstToken: string): Promise<Handheld> {
  let token: string | undefined
  const call: Handheld['call'] = async (path, body, other) => {
    const shown = other ?? token
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(shown !== undefined && { authorization: `Device ${shown}` }), ...PLAIN },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return answerOf(answer.status, Object.fromEntries(answer.headers), await answer.text())
  }
  token = (await call('device/initialize', { token: firstToken, ...SETUP })).json.api_token
  return withLists(call, 'organizers/acme', 'summer')
}

/** Switches pretixSCAN on at the box, and pairs in plain mode. */
export async function handheldOfBox({ box, checkpoints }: Gate): Promise<Handheld & Disposable> {
  const [port = 0] = await freePorts(1)
  await box.stop()
  Object.assign(box.folder.environment, { GATEHOUSE_PRETIXSCAN_PORT: String(port) })
  await box.start()
  const { data, error } = await box.admin().POST('/v1/admin/pretixscan/invite', {
    body: { checkpoints, mode: 'plain', actor: 'Rita' },
  })
  if (!data) throw new Error(JSON.stringify(error))
  const app = new PretixApp(port)
  const call: Handheld['call'] = (path, body, token) =>
    app.call(`/api/v1/${path}`, {
      body,
      ...(token !== undefined && { headers: { authorization: `Device ${token}` } }),
    })
  const { token } = JSON.parse(data.qr_payload)
  app.token = (await call('device/initialize', { token, ...SETUP })).json.api_token
  return Object.assign(await withLists(call, 'organizers/gatehouse', 'summer'), {
    [Symbol.dispose]: () => app[Symbol.dispose](),
  })
}

async function withLists(call: Handheld['call'], organizer: string, slug: string): Promise<Handheld> {
  const event = `${organizer}/events/${slug}`
  const { json } = await call(`${event}/checkinlists/`)
  const lists = Object.fromEntries(json.results.map(({ id, name }: { id: number; name: string }) => [name, id]))
  return { call, organizer, event, lists }
}

function answerOf(status: number, headers: Answer['headers'], text: string): Answer {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    // No JSON.
  }
  return { status, headers, text, json }
}
