/**
 * Joins an event at the first start of a box whose settings contain an invite. Retries until it succeeds: boxes are turned on in
 * any order, and the network may come later.
 */
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MeshInvite } from '../../ca/box-invite.ts'
import type { Config } from '../../config.ts'
import type { Logger } from '../../log.ts'
import { namesOneHost } from '../../one-host.ts'
import { joinFromSettings } from './join-from-settings.ts'

const AGAIN_MS = 5_000

/** @returns false when `signal` was aborted before. A box with a ledger has joined already or never will, and opens as it is */
export async function joinAtStart(
  config: Config,
  invite: MeshInvite,
  { logger, signal, againMs = AGAIN_MS }: { logger: Logger; signal: AbortSignal; againMs?: number },
): Promise<boolean> {
  if (existsSync(join(config.dataDir, 'ledger.db'))) return true
  let problem = ''
  // Answers health checks with 200: the machine is alive, and can do nothing but wait.
  const server = createServer(({ url, rawHeaders }, response) => {
    if (!namesOneHost(rawHeaders)) return void response.writeHead(400).end()
    if (url === '/') {
      response.writeHead(200, {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        refresh: '10',
      })
      response.end(pageOf(invite.eventId, problem))
      return
    }
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    response.end(JSON.stringify({ ok: false, joining: invite.eventId, problem }))
  })
  server.on('error', (error) => logger.warn({ event: 'joining_unseen', err: error }))
  server.listen(config.httpPort, config.host)
  try {
    while (!signal.aborted) {
      try {
        const { boxId, from, entries } = await joinFromSettings(config, invite)
        logger.info({ event: 'mesh_joined', box: boxId, from, entries })
        return true
      } catch (error) {
        const { message } = error as Error
        if (message !== problem) logger.warn({ event: 'mesh_not_joined', problem: message })
        problem = message
        await sleep(againMs, undefined, { signal }).catch(() => {})
      }
    }
    return false
  } finally {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
}

/** The page at this box's address meanwhile. */
function pageOf(eventId: string, problem: string): string {
  return `This Gatehouse box is joining the event "${eventId}", by the invite in its settings. It opens when it is in, and lets nobody in before.
${problem === '' ? '' : `\nIt is not in yet:\n\n  ${problem}\n\nIt tries again every few seconds. An invite that has expired or was used does not work again: make a new one at the\nother box, put it into the settings of this one, and start it again.\n`}`
}
