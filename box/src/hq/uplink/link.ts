/** The state of the link to HQ, from the control plane of the box's change feed, which is a process beside the box. */
import { join } from 'node:path'
import { type Coded, type CodeOf, coded } from '@gatehouse/proto/said.ts'
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
    const { message, coded } = error instanceof FeedError ? error : new FeedError('it does not answer', UNANSWERED)
    return unreadable(hq, `The change feed of this box is not running: ${message}.`, coded)
  }
}

const UNANSWERED = coded('feed_unanswered')

type LinkCode = Coded<CodeOf<'link'>>

/** The feed could not be asked. */
class FeedError extends Error {
  override readonly name = 'FeedError'
  readonly coded: LinkCode

  constructor(message: string, coded: LinkCode) {
    super(message)
    this.coded = coded
  }
}

/** What goes wrong with a link, and after it the words of whoever reported it. */
export function reported(code: LinkCode['code'], words: string): LinkCode[] {
  return [coded(code), coded('reported', { words: words.replace(/\.$/, '') })]
}

/** Pure. */
export function upLinkOf({ engine, slot, source }: FeedStats, hq: string): UpLink {
  const sink = engine.sinks.find(({ id }) => id === HQ_SINK)
  if (!sink) {
    const message = 'The change feed was started before HQ was set: it has no such receiver yet.'
    return unreadable(hq, message, coded('feed_before_hq'))
  }
  const unread = source?.state === 'streaming' ? null : (source?.lastError ?? null)
  const trouble = sink.lastError ?? unread
  const code = sink.lastError === null || sink.lastError === undefined ? 'record_unread' : refusalOf(sink.lastError)
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
    ...(trouble !== null && { last_error_coded: reported(code, trouble) }),
    retained_events: events,
    retained_bytes: slot?.retainedWalBytes ?? null,
  }
}

/** @param error of the feed's sink, which begins with gRPC's status where nobody has answered */
function refusalOf(error: string): LinkCode['code'] {
  return /^gRPC (?:UNAVAILABLE|DEADLINE_EXCEEDED)\b/.test(error) ? 'hq_away' : 'hq_refuses'
}

async function askFeed(folder: string): Promise<FeedStats> {
  const [url, token] = await Promise.all([readIfThere(join(folder, 'state/url')), readIfThere(join(folder, 'token'))])
  if (url === undefined || token === undefined) throw new FeedError('it was never started', coded('feed_unstarted'))
  const answer = await fetch(new URL('/api/stats', url.trim()), {
    headers: { authorization: `Bearer ${token.trim()}` },
    signal: AbortSignal.timeout(WAIT_MS),
  })
  const { status } = answer
  if (!answer.ok) throw new FeedError(`it answers with status ${status}`, coded('feed_status', { status }))
  return (await answer.json()) as FeedStats
}

function unreadable(peer: string, lastError: string, coded: LinkCode): UpLink {
  return { ...UNKNOWN_LINK, configured: true, peer, last_error: lastError, last_error_coded: [coded] }
}
