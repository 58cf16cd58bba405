/** Asks this box's own nats-server to read its configuration again, and to end connections of members that may no longer connect. */
import type { NatsConnection } from '@nats-io/transport-node'
import { ACCOUNTS } from './accounts.ts'

const ASK_MS = 5_000
const MOST_CONNECTIONS = 1_024

interface Answer<T> {
  data?: T
  error?: { description?: string }
}

/** Resolves when the server goes by the new configuration. @throws where it cannot take it without a restart, or does not answer */
export async function reload(sys: NatsConnection): Promise<void> {
  await ask(sys, 'RELOAD', {})
}

/**
 * Ends connections to other servers that are no routes, of members here and of this server elsewhere.
 * @param sys of the system account
 * @param isOver tells by the public key that a member has connected with; empty for a connection that this server has made
 * @returns how many there were
 */
export async function endLinks(sys: NatsConnection, isOver: (key: string) => boolean): Promise<number> {
  let ended = 0
  for (const account of ACCOUNTS) {
    const about = { acc: account, auth: true, limit: MOST_CONNECTIONS }
    const { connections } = (await ask<Connections>(sys, 'CONNZ', about)) ?? {}
    for (const { cid, kind, authorized_user: key = '' } of connections ?? []) {
      if (kind !== 'Leafnode' || !isOver(key)) continue
      await ask(sys, 'KICK', { cid }).catch(() => {})
      ended++
    }
  }
  return ended
}

interface Connections {
  connections?: { cid: number; kind?: string; authorized_user?: string }[] | null
}

async function ask<T>(sys: NatsConnection, what: string, about: object): Promise<T | undefined> {
  const subject = `$SYS.REQ.SERVER.${sys.info?.server_id ?? ''}.${what}`
  const answer = await sys.request(subject, JSON.stringify(about), { timeout: ASK_MS })
  const { data, error } = answer.json<Answer<T>>()
  if (error) throw new Error(`nats-server refuses ${what}: ${error.description}`)
  return data
}
