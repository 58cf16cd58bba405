/**
 * The feed of a box that the shop cannot connect to: a process beside the box reads the shop's database, and delivers to the
 * box's own receiver as any other feed does.
 */
import { dirname, join, resolve } from 'node:path'
import type { By } from '../ca/actor.ts'
import { type Authority, fingerprint256 } from '../ca/authority.ts'
import type { Config } from '../config.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { issueCertificate, sourceOf } from './certificates.ts'
import { readPair, writeFeedFolder } from './feed-file.ts'
import type { Mapping } from './mapping.ts'

export interface OwnFeedDeps {
  authority: Authority
  ledger: Ledger
  mapping: Mapping
  /** Unix ms. */
  now: () => number
  /** Of the box's receiver. */
  port: number
}

const OWN_SOURCE = 'shop'
const OWN: By = { actor: 'admin', address: 'shop.yaml' }

/** @returns the path of its configuration; undefined where shop.yaml names no database */
export async function prepareOwnFeed(
  { dataDir, host, shopFile }: Pick<Config, 'dataDir' | 'host'> & { shopFile: string },
  { authority, ledger, mapping, now, port }: OwnFeedDeps,
): Promise<string | undefined> {
  if (!mapping.source) return undefined
  const folder = join(dataDir, 'shop')
  const kept = await readPair(folder)
  const good = kept && sourceOf(fingerprint256(kept.certificate), now(), ledger) === OWN_SOURCE
  const issued = good ? undefined : await issueCertificate({ source: OWN_SOURCE, by: OWN }, { authority, ledger, now })
  return writeFeedFolder(
    {
      folder,
      mapping,
      authority: authority.certificate,
      listen: '127.0.0.1:0',
      address: `${host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`,
      source: withPathsFrom(dirname(shopFile), mapping.source),
      comment: "The feed over the shop's database, made anew at each start of the box from shop.yaml.",
    },
    issued,
  )
}

/** Relative paths of shop.yaml are relative to its own folder, and not to that of the feed's file. */
function withPathsFrom(folder: string, source: Record<string, unknown>): Record<string, unknown> {
  const paths = new Set(['passwordFile', 'ca', 'cert', 'key'])
  return Object.fromEntries(
    Object.entries(source).map(([name, value]) => {
      if (name === 'tls') return [name, withPathsFrom(folder, value as Record<string, unknown>)]
      return [name, paths.has(name) && typeof value === 'string' ? resolve(folder, value) : value]
    }),
  )
}
