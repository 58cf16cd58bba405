/** People of a test's event, and requests in their name. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import type { StaffRole } from '@gatehouse/proto/operations.ts'
import { type Answer, ask } from '../world/ask.ts'
import type { World } from '../world/world.ts'

export const PIN = '274951'

/** @returns the id of somebody who may sign in with `PIN` */
export async function addPerson(admin: GatehouseClient, name: string, role: StaffRole, secret = PIN): Promise<string> {
  const { data, error } = await admin.POST('/v1/admin/staff', { body: { name, role, secret } })
  return data?.id ?? assert.fail(JSON.stringify(error))
}

/** True if a text is in any byte of the ledger, or of another file of the box but the one that is named. */
export function isOnDisk(world: World, text: string, ...but: string[]): boolean {
  const folder = world.environment.GATEHOUSE_DATA_DIR ?? assert.fail()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return files.some(
    ({ name, parentPath }) => !but.includes(name) && readFileSync(join(parentPath, name)).includes(text),
  )
}

export interface SignedIn {
  session: string
  token: string
  client: GatehouseClient
}

export function trySignIn(
  world: World,
  name: string,
  secret = PIN,
  headers: Record<string, string> = {},
  from = '127.0.0.1',
): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
  return world.ca.then((ca) =>
    ask(world.box.ports.https, '/v1/admin/session', {
      method: 'POST',
      tls: { ca },
      headers: { authorization, ...headers },
      from,
    }),
  )
}

export async function signIn(world: World, name: string, secret = PIN): Promise<SignedIn> {
  const { status, text } = await trySignIn(world, name, secret)
  assert.equal(status, 201, text)
  const { session, token } = JSON.parse(text)
  return { session, token, client: await world.admin(token) }
}
