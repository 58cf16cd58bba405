/** The build's folders and tools, for the tests. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const IMAGE = join(import.meta.dirname, '..')
const LIB = join(IMAGE, 'steps/lib.sh')

export const work = process.env.GATEHOUSE_IMAGE_WORK ?? join(IMAGE, '.work')
export const cache = process.env.GATEHOUSE_IMAGE_CACHE ?? join(IMAGE, '.cache')
export const out = process.env.GATEHOUSE_IMAGE_OUT ?? join(IMAGE, '.out')
export const keys = process.env.GATEHOUSE_IMAGE_KEYS ?? join(cache, 'keys')

const { version } = JSON.parse(readFileSync(join(IMAGE, '../package.json'), 'utf8'))
export const name = `gatehouse-${version}-arm64`

/**
 * Reason why the build's folders have no image of these sources; false if they have one. With a card of older sources a test could pass that fails
 * with these.
 */
export function notBuilt(): string | false {
  const contents = join(out, `${name}.contents.txt`)
  // The list's signature is what a build writes last.
  const whole = [contents, join(out, 'SHA256SUMS.minisig'), join(work, 'parts/card.img')].every((file) =>
    existsSync(file),
  )
  if (!whole) return 'no image is built here: npm run image'
  const [, of] = /^sources (\w+)$/m.exec(readFileSync(contents, 'utf8')) ?? []
  const here = execFileSync('bash', ['-c', `source ${LIB}; sources_digest`], { encoding: 'utf8' }).trim()
  return of === here ? false : 'the image here was built from other sources: npm run image'
}

/** Runs a command among Debian 13's tools, on files below the build's folders. @throws with what it said when it fails */
export async function inTools(...command: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', `source ${LIB}; in_tools "$@"`, 'bash', ...command], {
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/** Starts a command among Debian 13's tools, as the leader of a process group, so that the processes that it starts end with it. */
export function startInTools(...command: string[]): ChildProcess {
  return spawn('bash', ['-c', `source ${LIB}; in_tools "$@"`, 'bash', ...command], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
