/** Reads settings from the environment, and collects their mistakes so that all are reported at once. */
import { resolve } from 'node:path'

/** The environment has mistakes; the message lists all of them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export interface Settings<Name extends string> {
  /** For further mistakes that the caller finds. */
  mistakes: string[]
  /** @returns undefined if the variable is absent or empty */
  text(name: Name): string | undefined
  /** An absolute path; a relative one is resolved from the working directory. */
  path(name: Name): string | undefined
  /** A whole number from `least` (0 by default) to `most`. */
  number(name: Name, fallback: number, most: number, least?: number): number
  oneOf<T extends string>(name: Name, values: readonly T[], fallback: T): T
  /** @throws ConfigError that lists every mistake, including variables with this prefix that are not in `known` */
  finish(prefix: string, known: object): void
}

/** @param environment of a process, or a part of it */
export function settingsOf<Name extends string>(
  environment: { readonly [name in Name]?: string | undefined },
): Settings<Name> {
  const mistakes: string[] = []
  const text = (name: Name) => environment[name] || undefined
  return {
    mistakes,
    text,
    path(name) {
      const value = text(name)
      return value === undefined ? undefined : resolve(value)
    },
    number(name, fallback, most, least = 0) {
      const value = text(name)
      if (value === undefined) return fallback
      if (/^\d+$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value)
      mistakes.push(`${name} is "${value}", not a whole number from ${least} to ${most}`)
      return fallback
    },
    oneOf(name, values, fallback) {
      const value = text(name)
      const found = value === undefined ? fallback : values.find((one) => one === value)
      if (found === undefined) mistakes.push(`${name} is "${value}", not one of ${values.join(', ')}`)
      return found ?? fallback
    },
    finish(prefix, known) {
      for (const name of Object.keys(environment)) {
        if (name.startsWith(prefix) && !Object.hasOwn(known, name))
          mistakes.push(`${name} is not a setting of this version`)
      }
      if (mistakes.length === 0) return
      throw new ConfigError(`The environment has mistakes:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`)
    },
  }
}
