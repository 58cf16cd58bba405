/** Reads what the environment sets, and gathers every mistake in it, so that all of them are said at once. */

/** The environment cannot be used; every mistake is in the message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export interface Settings<Name extends string> {
  /** Add to it what is wrong besides. */
  mistakes: string[]
  /** @returns undefined also for what is set to nothing */
  text(name: Name): string | undefined
  /** A whole number from `least`, 0 unless it is told, to `most`. */
  number(name: Name, fallback: number, most: number, least?: number): number
  oneOf<T extends string>(name: Name, values: readonly T[], fallback: T): T
  /** @throws ConfigError that lists every mistake, a name of the prefix that is none of `known` among them */
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
          mistakes.push(`${name} is no setting of this version`)
      }
      if (mistakes.length === 0) return
      throw new ConfigError(`The environment has mistakes:\n${mistakes.map((mistake) => `  ${mistake}`).join('\n')}`)
    },
  }
}
