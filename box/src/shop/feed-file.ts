/** Writes a shop feed's folder: its configuration, certificate and key, for the organiser or for the box's own feed. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { readIfThere, replaceDurably } from '../durable-file.ts'
import type { IssuedCertificate } from './certificates.ts'
import type { Mapping } from './mapping.ts'

export interface FeedFileOptions {
  folder: string
  /** host:port of the box's receiver. */
  address: string
  /** PEM: the box's authority. */
  authority: string
  mapping: Pick<Mapping, 'tables'>
  /** The configuration's `source`; an example to be filled in when absent. */
  source?: Record<string, unknown>
  /** Address of the control plane: another port where another feed has the usual one. */
  listen: string
  comment: string
}

const CERTIFICATE = 'shop.crt'
const KEY = 'shop.key'
const AUTHORITY = 'box-ca.crt'
export const FEED_FILE = 'changefeed.yaml'

/** Certificate and key, where the folder has both. */
export async function readPair(folder: string): Promise<{ certificate: string; key: string } | undefined> {
  const [certificate, key] = await Promise.all([CERTIFICATE, KEY].map((name) => readIfThere(join(folder, name))))
  return certificate && key ? { certificate, key } : undefined
}

/** @param issued undefined to keep what the folder has. @returns the configuration's path */
export async function writeFeedFolder(
  options: FeedFileOptions,
  issued: IssuedCertificate | undefined,
): Promise<string> {
  const { folder, authority } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, FEED_FILE)
  const files = {
    [AUTHORITY]: authority,
    ...(issued && { [KEY]: issued.key, [CERTIFICATE]: issued.certificate }),
    [FEED_FILE]: feedFile(options),
  }
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    // Each write wears the SD card. Files are written with access for their owner alone.
    if ((await readIfThere(file)) !== text) await replaceDurably(file, text)
  }
  return path
}

function feedFile({ address, mapping, source, listen, comment }: FeedFileOptions): string {
  const tables = [...mapping.tables.keys()].sort()
  const database = source ?? { url: 'postgres://changefeed@localhost:5432/shop', passwordEnv: 'SHOP_PASSWORD' }
  const { slot, publication, ...connection } = database as { slot?: object; publication?: object }
  return `# ${comment}
${stringify({
  server: { listen },
  stateDir: 'state',
  source: {
    kind: 'postgres',
    ...connection,
    slot: { name: 'gatehouse', create: true, ...slot },
    publication: { name: 'gatehouse', tables, ...publication },
  },
  sinks: [
    {
      id: 'box',
      name: 'Gatehouse box',
      kind: 'grpc',
      // The box may be away for days: deliveries are retried for ever.
      maxAttempts: 0,
      backoff: { maxMs: 5000 },
      options: { address, ca: AUTHORITY, cert: CERTIFICATE, key: KEY },
    },
  ],
})}`
}
