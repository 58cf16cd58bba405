/** Opens the configured source, and checks whether it could be opened. */
import { join } from 'node:path'
import type { Logger } from '../log.ts'
import type { Finding } from './check.ts'
import type { FeedConfig } from './config/config.ts'
import type { Source } from './source.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface SourceDeps {
  logger: Logger
  /** Unix ms. */
  now: () => number
  environment: Environment
}

/** Does not connect yet: `start` does. @throws for a configuration that no connection can be made of */
export async function openSource({ source, stateDir }: FeedConfig, deps: SourceDeps): Promise<Source> {
  const { logger: log, now, environment } = deps
  if (source.kind === 'sqlite') {
    const { SqliteSource } = await import('./sources/sqlite/source.ts')
    return new SqliteSource(source, { stateDir, log, now })
  }
  const { PostgresSource } = await import('./sources/postgres/source.ts')
  const slotFile = join(stateDir, 'slot.json')
  const snapshotFile = join(stateDir, 'snapshot.json')
  return new PostgresSource(source, { log, now, environment, slotFile, snapshotFile })
}

/** Changes nothing in the database. */
export async function checkSource({ source }: FeedConfig, environment: Environment): Promise<Finding[]> {
  if (source.kind === 'sqlite') return (await import('./check-sqlite.ts')).checkSqlite(source)
  const { check } = await import('./sources/postgres/preflight.ts')
  const findings = await check(source, environment)
  return findings.map(({ check: what, ok, needed, message }) => ({
    level: ok ? 'ok' : what === 'connection' ? 'unknown' : needed ? 'error' : 'warning',
    about: `source, ${what}`,
    text: message,
  }))
}
