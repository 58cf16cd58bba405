/**
 * A box whose settings have an invite in them joins before it opens for the first time, and tries until it is in: boxes are
 * turned on in any order, and the network comes when it comes.
 */
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import type { Logger } from '../../log.ts'
import type { MeshInvite } from './invite.ts'
import { joinAs } from './join-as.ts'

const AGAIN_MS = 5_000

/** @returns false when `signal` came first. A box that has a ledger has joined, or never will, and opens as it is */
export async function joinFirst(
  config: Config,
  invite: MeshInvite,
  { logger, signal, againMs = AGAIN_MS }: { logger: Logger; signal: AbortSignal; againMs?: number },
): Promise<boolean> {
  if (existsSync(join(config.dataDir, 'ledger.db'))) return true
  let problem = ''
  // Whoever looks whether this machine is alive must not take it for dead: waiting is all that it can do.
  const server = createServer(({ url }, response) => {
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
        const { boxId, from, entries } = await joinAs(config, invite)
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

/** What a person sees who opens the address of this box meanwhile. */
function pageOf(eventId: string, problem: string): string {
  return `This Gatehouse box is joining the event "${eventId}", by the invite in its settings. It opens when it is in, and lets nobody in before.
${problem === '' ? '' : `\nIt is not in yet:\n\n  ${problem}\n\nIt tries again every few seconds. An invite that has expired or was used does not work again: make a new one at the\nother box, put it into the settings of this one, and start it again.\n`}`
}
