/**
 * The library of the pretixSCAN apps, which belongs to somebody else and is no part of this project. `GATEHOUSE_LIBPRETIXSYNC` names a
 * checkout of its sources. All of it is compiled by Maven in the user's cache, once a version, with its local database.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const BUILD_MS = 900_000
const JVM = join(import.meta.dirname, 'jvm')
const PACKAGE = 'src/main/java/eu/pretix/libpretixsync'

/** A Java class path with it; or why there is none. */
export type Library = { classPath: string; whyNot?: never } | { classPath?: never; whyNot: string }

export async function libpretixsync(): Promise<Library> {
  const checkout = process.env.GATEHOUSE_LIBPRETIXSYNC
  if (!checkout) return { whyNot: 'GATEHOUSE_LIBPRETIXSYNC names no checkout of libpretixsync' }
  const root = [checkout, join(checkout, 'libpretixsync')].find((folder) => existsSync(join(folder, PACKAGE)))
  if (!root) return { whyNot: `${checkout} has no ${PACKAGE}` }
  for (const [tool, argument] of [['java', '-version'] as const, ['mvn', '-v'] as const]) {
    const isThere = await run(tool, [argument]).then(
      () => true,
      () => false,
    )
    if (!isThere) return { whyNot: `there is no ${tool}` }
  }
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cache, 'gatehouse', 'libpretixsync', digestOf(join(root, 'src/main'), JVM))
  const finished = join(folder, 'classpath')
  if (!existsSync(finished)) {
    const whyNot = await build(folder, root)
    if (whyNot !== undefined) return { whyNot }
  }
  return { classPath: [join(folder, 'target/classes'), readFileSync(finished, 'utf8').trim()].join(':') }
}

/** Names of the files of some folders, and what is in them. */
function digestOf(...folders: string[]): string {
  const hash = createHash('sha256')
  for (const cwd of folders) {
    const files = globSync('**/*', { cwd }).filter(
      (file) => statSync(join(cwd, file)).isFile() && file !== 'Driver.java',
    )
    for (const file of files.sort()) hash.update(file).update(readFileSync(join(cwd, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** @returns why it cannot be done */
async function build(folder: string, root: string): Promise<string | undefined> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const part of ['java', 'proto', 'sqldelight']) {
    cpSync(join(root, 'src/main', part), join(folder, 'src/main', part), { recursive: true })
  }
  cpSync(join(JVM, 'BuildConfig.java'), join(folder, PACKAGE, 'BuildConfig.java'))
  cpSync(join(JVM, 'pom.xml'), join(folder, 'pom.xml'))
  const maven = async (profile: string, ...goals: string[]) => {
    const written = join(folder, `${profile}.classpath`)
    // Its compiler would go on as a process of its own.
    const options = ['-q', '-B', '-P', profile, '-Dkotlin.compiler.daemon=false', `-Dmdep.outputFile=${written}`]
    await run('mvn', [...options, ...goals, 'dependency:build-classpath'], { cwd: folder, timeout: BUILD_MS })
    return readFileSync(written, 'utf8').trim()
  }
  try {
    const tables = ['-cp', await maven('tables'), join(JVM, 'Tables.java')]
    await run('java', [...tables, join(folder, 'src/main/sqldelight'), join(folder, 'src/main/java')])
    writeFileSync(join(folder, 'classpath'), await maven('library', 'compile'))
    return undefined
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    const said = `${stdout}\n${stderr}`.split('\n')
    const line =
      said.find((text) => /ERROR.*\.(kt|java):/.test(text)) ?? said.find((text) => text.includes('ERROR')) ?? message
    return `Maven does not compile it: ${line.trim()}`
  }
}
