/** The built-in sources and sinks; each is loaded when a configuration names it. The compiler asks for every one that the schema names. */
import type { Kinds } from './config/config.ts'

export const KINDS: Kinds = {
  sources: {
    postgres: async () => (await import('./sources/postgres/options.ts')).PostgresOptions,
    sqlite: async () => (await import('./sources/sqlite/options.ts')).SqliteOptions,
  },
  sinks: {
    grpc: async () => (await import('./sinks/grpc.ts')).default,
    webhook: async () => (await import('./sinks/webhook.ts')).default,
    'event-stream': async () => (await import('./sinks/event-stream.ts')).default,
  },
}

/** The schema of every kind's options, by its title in the table of keys. */
export async function optionSchemas(): Promise<Record<string, object>> {
  const schemas: Record<string, object> = {}
  for (const [kind, load] of Object.entries(KINDS.sources)) schemas[`source (${kind})`] = await load()
  for (const [kind, load] of Object.entries(KINDS.sinks)) {
    schemas[`sinks[].options (${kind})`] = (await load()).options
  }
  return schemas
}
