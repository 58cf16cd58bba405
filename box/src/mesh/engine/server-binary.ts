/** Finds this machine's nats-server: Debian's package `nats-server`, or the program that GATEHOUSE_NATS_SERVER names. */
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** In older versions a stream could vanish when its servers restarted one after the other, and `sync_interval: always` is missing. */
export const OLDEST = '2.10.27'

const HOW_TO_GET =
  'Several boxes need it: install the package nats-server (Debian 13 or newer), or name the program in GATEHOUSE_NATS_SERVER.'

/** There is no suitable nats-server. The message is for the operator. */
export class NoServerError extends Error {
  override readonly name = 'NoServerError'
}

/**
 * @param named by the operator; looked for in `path` when undefined
 * @throws NoServerError with what to install
 */
export async function findServer(
  named: string | undefined,
  path = process.env.PATH ?? '',
): Promise<{ file: string; version: string }> {
  const file = named ?? (await inPath(path))
  if (file === undefined) throw new NoServerError(`There is no nats-server on this machine. ${HOW_TO_GET}`)
  const version = await versionOf(file)
  if (!isAtLeast(version, OLDEST))
    throw new NoServerError(
      `${file} is nats-server ${version}, and ${OLDEST} is the oldest that will do. ${HOW_TO_GET}`,
    )
  return { file, version }
}

/** Compares versions of the form `1.2.3`; one with a hyphen and a suffix comes before the one without. */
export function isAtLeast(version: string, oldest: string): boolean {
  const parse = (text: string) => /^(\d+)\.(\d+)\.(\d+)(-.*)?$/.exec(text)
  const [have, want] = [parse(version), parse(oldest)]
  if (!have || !want) return false
  for (const part of [1, 2, 3]) {
    const difference = Number(have[part]) - Number(want[part])
    if (difference !== 0) return difference > 0
  }
  return have[4] === undefined
}

async function inPath(path: string): Promise<string | undefined> {
  // Debian installs it where the path of an ordinary user does not lead.
  for (const folder of [...path.split(delimiter).filter(Boolean), '/usr/sbin', '/usr/local/bin']) {
    const file = join(folder, 'nats-server')
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file
  }
  return undefined
}

async function versionOf(file: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 20_000 })
    return /v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1] ?? 'of no version'
  } catch (cause) {
    throw new NoServerError(`${file} does not run. ${HOW_TO_GET}`, { cause })
  }
}
