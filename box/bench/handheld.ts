/** A handheld with pretixSCAN as the box sees one: paired at the dashboard, then on a connection of its own. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { CHECKPOINT } from './crowd.ts'
import type { RunningBox } from './running-box.ts'

export interface Handheld {
  agent: Agent
  token: string
}

export async function pairHandheld(
  { crowd, server }: RunningBox,
  port: number,
  localAddress: string,
): Promise<Handheld> {
  const agent = new Agent({ keepAlive: true, localAddress, rejectUnauthorized: false })
  const admin = readFileSync(join(crowd.folder, 'data/admin-token'), 'utf8').trim()
  const wanted = { checkpoints: [CHECKPOINT], actor: 'bench' }
  const path = '/v1/admin/pretixscan/invite'
  const { token } = (await send(agent, server.ports.https, path, { wanted, authorization: `Bearer ${admin}` })) as {
    token: string
  }
  const setup = { token, software_brand: 'bench', software_version: '1' }
  const paired = (await send(agent, port, '/api/v1/device/initialize', { wanted: setup })) as { api_token: string }
  return { agent, token: paired.api_token }
}

export async function listOf(handheld: Handheld, port: number): Promise<number> {
  const path = '/api/v1/organizers/gatehouse/events/bench/checkinlists/'
  const { results } = (await call(handheld, port, path)) as { results: { id: number }[] }
  return results[0]?.id ?? 0
}

export function call({ agent, token }: Handheld, port: number, path: string, wanted?: object): Promise<unknown> {
  return send(agent, port, path, { wanted, authorization: `Device ${token}` })
}

function send(
  agent: Agent,
  port: number,
  path: string,
  { wanted, authorization }: { wanted?: object | undefined; authorization?: string },
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
  const method = wanted ? 'POST' : 'GET'
  const asked = request({ agent, host: '127.0.0.1', port, path, method, headers }, (answer) => {
    let body = ''
    answer.on('data', (bytes) => (body += bytes))
    answer.on('end', () => {
      if ((answer.statusCode ?? 500) < 300) resolve(JSON.parse(body))
      else reject(new Error(`${path}: ${answer.statusCode} ${body}`))
    })
  })
  asked.on('error', reject)
  asked.end(wanted && JSON.stringify(wanted))
  return promise
}
