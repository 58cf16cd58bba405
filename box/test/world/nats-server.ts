/**
 * The nats-server that tests run boxes with: this machine's own where it has one that will do, else Debian's, fetched through
 * the machine's package manager from the mirror that it is set up with, unpacked, and kept. Nothing is installed, and root is
 * not needed.
 */
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findServer } from '../../src/mesh/engine/server-binary.ts'

/** The first release whose nats-server will do. */
const RELEASE = 'trixie'
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/gatehouse')
const FETCH_MS = 180_000

const run = promisify(execFile)

export interface FoundServer {
  /** Undefined when none is available. */
  file: string | undefined
  /** The reason to skip a test; false when there is a server: `test(name, { skip: whyNot }, ...)`. */
  whyNot: string | false
}

let found: Promise<FoundServer> | undefined

/** Found or fetched once for each process, and kept for the next. */
export function natsServer(): Promise<FoundServer> {
  found ??= findOrFetch()
  return found
}

async function findOrFetch(): Promise<FoundServer> {
  const kept = join(CACHE, `nats-server-${process.arch}`)
  for (const named of [process.env.GATEHOUSE_NATS_SERVER, kept, undefined]) {
    const server = await findServer(named).catch(() => undefined)
    if (server) return { file: server.file, whyNot: false }
  }
  try {
    await fetchTo(kept)
    return { file: (await findServer(kept)).file, whyNot: false }
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: string }
    const [why] = (stderr || message).trim().split('\n').slice(-1)
    return { file: undefined, whyNot: `there is no nats-server here, and none could be fetched: ${why}` }
  }
}

async function fetchTo(path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-nats-'))
  try {
    for (const name of ['lists/partial', 'cache/archives/partial']) await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, 'sources.list'), `deb [signed-by=${KEYRING}] ${await mirror()} ${RELEASE} main\n`)
    // The machine's own settings (a proxy, say) stay; its sources, lists and locks are not touched.
    const settings = {
      'Dir::Etc::sourcelist': join(folder, 'sources.list'),
      'Dir::Etc::sourceparts': '-',
      'Dir::State::lists': join(folder, 'lists'),
      'Dir::Cache': join(folder, 'cache'),
      'Acquire::Languages': 'none',
      'APT::Sandbox::User': '',
      'Acquire::Retries': '2',
      // A machine without a network is to find out soon.
      'Acquire::http::Timeout': '15',
      'Acquire::https::Timeout': '15',
    }
    const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    const apt = (...words: string[]) =>
      run('apt-get', ['-q', ...options, ...words], { cwd: folder, timeout: FETCH_MS, maxBuffer: 16 * 1024 * 1024 })
    await apt('update')
    await apt('download', 'nats-server')
    const packages = await run('sh', ['-c', 'ls -- *.deb'], { cwd: folder })
    await run('dpkg-deb', ['-x', packages.stdout.trim(), 'unpacked'], { cwd: folder })
    await mkdir(CACHE, { recursive: true })
    // Another process may be at it too: whichever is last puts the same program there.
    const copy = `${path}.${process.pid}`
    await copyFile(join(folder, 'unpacked/usr/sbin/nats-server'), copy)
    await chmod(copy, 0o755)
    await rename(copy, path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** This machine's Debian mirror, also when it has fetched nothing from there yet. @throws on other systems */
async function mirror(): Promise<string> {
  const [, codename] = /^VERSION_CODENAME=(\w+)$/m.exec(await readFile('/etc/os-release', 'utf8')) ?? []
  const { stdout } = await run('apt-get', ['--print-uris', 'update'])
  // The suite of this release and nothing after its name: no updates, no security, and nobody else's packages.
  const [, uri] = new RegExp(`^'(\\S+)/dists/${codename}/InRelease'`, 'm').exec(stdout) ?? []
  if (uri === undefined) throw new Error('its package manager has no source of Debian')
  return uri
}
