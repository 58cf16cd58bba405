/** Loads a sink of the operator's own: a module, by its path. It runs with all the rights of the daemon. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SinkKind } from './sink.ts'

/**
 * @param path relative to the working folder
 * @throws Error that names the path, and what is wrong with it
 */
export async function loadPlugin(path: string): Promise<SinkKind> {
  const file = resolve(path)
  let module: { default?: unknown }
  try {
    module = await import(pathToFileURL(file).href)
  } catch (error) {
    throw new Error(`The plugin ${file} cannot be loaded: ${describe(error)}`, { cause: error })
  }
  const missing = missingFrom(module.default)
  if (missing.length > 0) throw new Error(`The plugin ${file} is not a sink: ${missing.join('; ')}.`)
  return module.default as SinkKind
}

function missingFrom(kind: unknown): string[] {
  if (typeof kind !== 'object' || kind === null) {
    return ['its default export must be an object with durability, options and open']
  }
  const { durability, options, open, check } = kind as Record<keyof SinkKind, unknown>
  const missing: string[] = []
  if (durability !== 'durable' && durability !== 'ephemeral')
    missing.push('durability must be "durable" or "ephemeral"')
  if (typeof options !== 'object' || options === null) missing.push('options must be the JSON Schema of its options')
  if (typeof open !== 'function') missing.push('open must be a function')
  if (check !== undefined && typeof check !== 'function') missing.push('check must be a function, or absent')
  return missing
}

/** A module may throw anything. */
function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
