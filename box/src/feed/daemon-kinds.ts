/** The sources and sinks that are built in. Each is loaded when a configuration names it. */
import type { Kinds } from './config/config.ts'

const SINKS = ['grpc', 'webhook', 'event-stream'] as const
const SOURCES = ['postgres', 'sqlite'] as const

export const KINDS: Kinds = {
  async source(kind) {
    if (kind === 'postgres') return (await import('./sources/postgres/options.ts')).PostgresOptions
    return (await import('./sources/sqlite/options.ts')).SqliteOptions
  },
  async sink(kind) {
    if (kind === 'grpc') return (await import('./sinks/grpc.ts')).default
    if (kind === 'webhook') return (await import('./sinks/webhook.ts')).default
    return (await import('./sinks/event-stream.ts')).default
  },
}

/** By the title that each has in the table of keys. */
export async function optionSchemas(): Promise<Record<string, object>> {
  const schemas: Record<string, object> = {}
  for (const kind of SOURCES) schemas[`source (${kind})`] = await KINDS.source(kind)
  for (const kind of SINKS) schemas[`sinks[].options (${kind})`] = (await KINDS.sink(kind)).options
  return schemas
}
