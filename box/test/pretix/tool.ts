/** The newest pretix from PyPI, in a virtual environment of its own in the user's cache, outside of the tree; made anew once a week. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const INSTALL_MS = 900_000
const WEEK_MS = 7 * 86_400_000

const run = promisify(execFile)

/** The path of its Python, and which version it is; or why there is none. */
export type Tool = { python: string; version: string; whyNot?: never } | { python?: never; whyNot: string }

/** Finds it, or installs it. `GATEHOUSE_TEST_PRETIX` names a folder with a virtual environment that is used as it is. */
export async function pretixTool(): Promise<Tool> {
  const given = process.env.GATEHOUSE_TEST_PRETIX
  const folder = given ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gatehouse', 'pretix')
  const python = join(folder, 'bin/python')
  const finished = join(folder, 'installed')
  const isNew = given !== undefined || (existsSync(finished) && Date.now() - (await stat(finished)).mtimeMs < WEEK_MS)
  if (!isNew) {
    const whyNot = await install(folder, finished)
    if (whyNot !== undefined) return { whyNot }
  }
  try {
    const { stdout } = await run(python, ['-c', 'import pretix; print(pretix.__version__)'])
    return { python, version: stdout.trim() }
  } catch (error) {
    return { whyNot: `pretix does not start here (${lastLine(error)})` }
  }
}

/** @returns why it cannot be done */
async function install(folder: string, finished: string): Promise<string | undefined> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(dirname(folder), { recursive: true })
  try {
    await run('python3', ['-m', 'venv', folder], { timeout: INSTALL_MS })
  } catch (error) {
    return `python3 -m venv makes no virtual environment here (${lastLine(error)})`
  }
  try {
    // A machine without a network is to find out soon.
    const patience = ['--retries', '1', '--timeout', '20', '--disable-pip-version-check']
    const packages = ['pretix', 'gunicorn', 'psycopg2-binary']
    await run(join(folder, 'bin/pip'), ['install', '-q', ...patience, ...packages], { timeout: INSTALL_MS })
    await writeFile(finished, '')
    return undefined
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    return `pip installs no pretix here (${lastLine(error)})`
  }
}

function lastLine(error: unknown): string {
  const { message, stderr } = error as Error & { stderr?: string }
  const lines = (stderr || message).trim().split('\n')
  return lines.filter((line) => !line.startsWith('WARNING')).at(-1) ?? ''
}
