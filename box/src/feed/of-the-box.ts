/**
 * The configuration of the box's own feed: the ledger as an event stream, and to HQ where one is set. It is written anew at
 * each start; an operator who wants more sinks, or other columns, copies it and names the copy in GATEHOUSE_FEED_CONFIG.
 */

import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { stringify } from 'yaml'
import type { Config } from '../config.ts'
import { createDurably, readIfThere, replaceDurably } from '../durable-file.ts'
import type { Publication } from '../ledger/changelog.ts'
import { PUBLISHED } from '../ledger/published.ts'
import { hostInUrl } from '../listen.ts'
import { readFeedConfig } from './config/config.ts'
import { KINDS } from './daemon-kinds.ts'
import { readableByFeed } from './shared-ledger.ts'

export interface BoxFeed {
  /** Of the configuration that the feed is started with. */
  configPath: string
  /** The tables that the ledger logs for it; undefined when the operator's configuration names another source. */
  publication: Publication | undefined
  /** URL with the token; undefined where it is not known before the feed has started. */
  dashboard: string | undefined
}

/** @throws FeedConfigError with every mistake in the operator's configuration */
export async function prepareBoxFeed(config: Config): Promise<BoxFeed> {
  const configPath = config.feedConfig ?? (await writeDefault(config))
  const { source, server } = await readFeedConfig(configPath, {}, KINDS)
  const ledger = join(config.dataDir, 'ledger.db')
  const follows = source.kind === 'sqlite' && pathFrom(configPath, source.path) === ledger
  const { host, port, authToken, tls } = server
  const dashboard =
    port === 0 || authToken === undefined
      ? undefined
      : `${tls ? 'https' : 'http'}://${hostInUrl(host)}:${port}/ui/?token=${authToken}`
  return { configPath, publication: follows ? source : undefined, dashboard }
}

/** The certificate that the box shows to HQ, and its key, in one file that the box renews (`ca/feed-identity.ts`). */
export function hqIdentityPath(dataDir: string): string {
  return join(dataDir, 'feed', HQ_IDENTITY)
}

const HQ_IDENTITY = 'hq-identity.pem'
export const HQ_SINK = 'hq'

function hqSink(address: string, ca: string | undefined): object {
  return {
    id: HQ_SINK,
    name: 'HQ',
    kind: 'grpc',
    // HQ may be away for days, and nobody is there to resume a sink.
    maxAttempts: 0,
    backoff: { maxMs: 5000 },
    options: { address, ...(ca !== undefined && { ca }), cert: HQ_IDENTITY, key: HQ_IDENTITY },
  }
}

/** HQ gets a snapshot first, and another one where an incarnation begins. */
function snapshotFor(hq: string | undefined): { snapshot?: string } {
  return hq === undefined ? {} : { snapshot: hq }
}

async function writeDefault({ dataDir, feedPort, feedGroup, hq, hqCa }: Config): Promise<string> {
  const folder = join(dataDir, 'feed')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const access = readableByFeed(feedGroup)
  await createDurably(join(folder, 'token'), `${randomBytes(32).toString('base64url')}\n`, access)
  const path = join(folder, 'changefeed.yaml')
  const text = `# The change feed of this box, made anew at each start. To change it, copy it and name the copy in GATEHOUSE_FEED_CONFIG.
${stringify({
  server: { listen: `127.0.0.1:${feedPort}`, authTokenFile: 'token' },
  stateDir: 'state',
  source: {
    kind: 'sqlite',
    path: '../ledger.db',
    create: true,
    onSlotLost: 'recreate',
    ...snapshotFor(hq),
    tables: PUBLISHED,
  },
  sinks: [
    { id: 'events', name: 'Event stream', kind: 'event-stream' },
    ...(hq === undefined ? [] : [hqSink(hq, hqCa)]),
  ],
})}`
  // Each write wears the SD card.
  if ((await readIfThere(path)) !== text) await replaceDurably(path, text, access)
  return path
}

function pathFrom(configPath: string, path: string): string {
  return isAbsolute(path) ? path : resolve(configPath, '..', path)
}
