/** The state of the link to HQ, from the control plane of the box's change feed, which is a process beside the box. */
import { join } from 'node:path'
import { UNKNOWN_LINK, type UpLink } from '@gatehouse/proto/wire/links.ts'
import { readIfThere } from '../../durable-file.ts'
import { HQ_SINK } from '../../feed/of-the-box.ts'

/** The part of the feed's `GET /api/stats` that is used; a feed of another version may lack any of it. */
interface FeedStats {
  engine: {
    sinks: {
      id: string
      status?: string
      lastError?: string | null
      lastDeliveredAt?: number | null
      ackedLsn?: string
      lagMs?: number
      connection?: string | null
    }[]
  }
  slot: { retainedEvents?: number; retainedWalBytes?: number } | null
  source?: { state?: string; lastError?: string | null }
}

export interface UpLinkOptions {
  /** `host:port` of HQ; undefined where nothing goes up. */
  hq: string | undefined
  dataDir: string
}

const WAIT_MS = 2000

/** Never rejects: where the feed does not answer, `last_error` says so. */
export async function readUpLink({ hq, dataDir }: UpLinkOptions): Promise<UpLink> {
  if (hq === undefined) return UNKNOWN_LINK
  try {
    return upLinkOf(await askFeed(join(dataDir, 'feed')), hq)
  } catch (error) {
    const { name, message } = error as Error
    const why = name === 'TimeoutError' ? 'it does not answer' : message
    return unreadable(hq, `The change feed of this box is not running: ${why}.`)
  }
}

/** Pure. */
export function upLinkOf({ engine, slot, source }: FeedStats, hq: string): UpLink {
  const sink = engine.sinks.find(({ id }) => id === HQ_SINK)
  if (!sink) return unreadable(hq, 'The change feed was started before HQ was set: it has no such receiver yet.')
  const trouble = sink.lastError ?? (source?.state === 'streaming' ? null : (source?.lastError ?? null))
  // Counted in the ledger's change log and not in the feed's queue: the feed may not have read it yet, or not be able to.
  const events = slot?.retainedEvents ?? null
  return {
    configured: true,
    connected: sink.status === 'running' && sink.connection === 'ready' && trouble === null,
    peer: hq,
    position: sink.ackedLsn ?? null,
    last_at: sink.lastDeliveredAt ? new Date(sink.lastDeliveredAt).toISOString() : null,
    lag_events: events,
    lag_seconds: events === null || sink.lagMs === undefined ? null : sink.lagMs / 1000,
    last_error: trouble,
    retained_events: events,
    retained_bytes: slot?.retainedWalBytes ?? null,
  }
}

async function askFeed(folder: string): Promise<FeedStats> {
  const [url, token] = await Promise.all([readIfThere(join(folder, 'state/url')), readIfThere(join(folder, 'token'))])
  if (url === undefined || token === undefined) throw new Error('it was never started')
  const answer = await fetch(new URL('/api/stats', url.trim()), {
    headers: { authorization: `Bearer ${token.trim()}` },
    signal: AbortSignal.timeout(WAIT_MS),
  })
  if (!answer.ok) throw new Error(`it answers with status ${answer.status}`)
  return (await answer.json()) as FeedStats
}

function unreadable(peer: string, lastError: string): UpLink {
  return { ...UNKNOWN_LINK, configured: true, peer, last_error: lastError }
}
