/**
 * Schemathesis, a fuzzer of HTTP APIs that nobody of this project wrote: it reads the OpenAPI document and invents requests, valid
 * and invalid. It is installed once, from PyPI, into a virtual environment of its own in the project's cache.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/gatehouse')
const REQUIREMENTS = join(import.meta.dirname, 'requirements.txt')
const INSTALL_MS = 300_000

const run = promisify(execFile)

/** The path of the program; or why there is none. */
export type Tool = { file: string; whyNot?: never } | { file?: never; whyNot: string }

/** Finds it, or installs it. */
export async function schemathesis(): Promise<Tool> {
  const requirements = await readFile(REQUIREMENTS)
  // Other versions get another environment.
  const folder = join(CACHE, `schemathesis-${createHash('sha256').update(requirements).digest('hex').slice(0, 12)}`)
  const file = join(folder, 'bin/schemathesis')
  const finished = join(folder, 'installed')
  if (existsSync(finished)) return { file }
  await rm(folder, { recursive: true, force: true })
  await mkdir(dirname(folder), { recursive: true })
  try {
    await run('python3', ['-m', 'venv', folder], { timeout: INSTALL_MS })
  } catch (error) {
    return { whyNot: `python3 -m venv makes no virtual environment here (${lastLine(error)})` }
  }
  try {
    // A machine without a network is to find out soon.
    const patience = ['--retries', '1', '--timeout', '20', '--disable-pip-version-check']
    await run(join(folder, 'bin/pip'), ['install', '-q', ...patience, '-r', REQUIREMENTS], { timeout: INSTALL_MS })
    await writeFile(finished, '')
    return { file }
  } catch (error) {
    return { whyNot: `pip installs no schemathesis here (${lastLine(error)})` }
  }
}

function lastLine(error: unknown): string {
  const { message, stderr } = error as Error & { stderr?: string }
  return (
    (stderr || message)
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('WARNING'))
      .at(-1) ?? ''
  )
}
