/**
 * The library of the pretixSCAN apps, which belongs to somebody else and is no part of this project. `GATEHOUSE_LIBPRETIXSYNC` names a
 * checkout of its sources. The part that pairs, reads and asks a box is compiled by Maven in the user's cache, once a version.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const BUILD_MS = 900_000
const JVM = join(import.meta.dirname, 'jvm')
const PACKAGE = 'src/main/java/eu/pretix/libpretixsync'

/** The parts that pairing, reading and `ProxyCheckProvider` need of each other. The rest is the app's own database and its offline mode. */
const FILES = [
  ...['DummySentryImplementation.java', 'SentryInterface.java', 'config/ConfigStore.java'],
  ...['ApiException', 'ConflictApiException', 'DefaultHttpClientFactory', 'DeviceAccessRevokedException'].map(
    (name) => `api/${name}.java`,
  ),
  ...['FinalApiException', 'HttpClientFactory', 'NotFoundApiException', 'PermissionDeniedApiException'].map(
    (name) => `api/${name}.java`,
  ),
  ...['ResourceNotModified', 'TimeoutApiException'].map((name) => `api/${name}.java`),
  ...['PretixApi', 'ProxyApi', 'RateLimitInterceptor'].map((name) => `api/${name}.kt`),
  ...['CheckException', 'ProxyCheckProvider', 'QuestionType', 'TicketCheckProvider'].map((name) => `check/${name}.kt`),
  ...['db/Answer.kt', 'db/MediaPolicy.kt', 'db/QuestionLike.java', 'db/QuestionOption.java', 'db/ReusableMediaType.kt'],
  ...['CheckInList', 'Question', 'QueuedCheckIn', 'db/CheckInListExtensions', 'db/QuestionExtensions'].map(
    (name) => `models/${name}.kt`,
  ),
  ...['ArrayDeserializer', 'ArraySerializer', 'ObjectDeserializer', 'ObjectSerializer'].map(
    (name) => `serialization/JSON${name}.kt`,
  ),
  ...['setup/EventManager.kt', 'setup/SetupManager.kt', 'utils/EmailValidator.kt', 'utils/Errors.kt'],
  ...['I18nString', 'NetUtils', 'Patterns', 'URLFragmentEncoder'].map((name) => `utils/${name}.java`),
]

/** A Java class path with it; or why there is none. */
export type Library = { classPath: string; whyNot?: never } | { classPath?: never; whyNot: string }

export async function libpretixsync(): Promise<Library> {
  const checkout = process.env.GATEHOUSE_LIBPRETIXSYNC
  if (!checkout) return { whyNot: 'GATEHOUSE_LIBPRETIXSYNC names no checkout of libpretixsync' }
  const sources = [checkout, join(checkout, 'libpretixsync')].map((folder) => join(folder, PACKAGE)).find(existsSync)
  if (!sources) return { whyNot: `${checkout} has no ${PACKAGE}` }
  for (const [tool, argument] of [['java', '-version'] as const, ['mvn', '-v'] as const]) {
    const isThere = await run(tool, [argument]).then(
      () => true,
      () => false,
    )
    if (!isThere) return { whyNot: `there is no ${tool}` }
  }
  const texts = FILES.map((file) => [file, readFileSync(join(sources, file))] as const)
  const own = ['pom.xml', 'Database.kt'].map((file) => [file, readFileSync(join(JVM, file))] as const)
  const hash = createHash('sha256')
  for (const [file, text] of [...texts, ...own]) hash.update(file).update(text)
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cache, 'gatehouse', 'libpretixsync', hash.digest('hex').slice(0, 16))
  const finished = join(folder, 'classpath')
  if (!existsSync(finished)) {
    const whyNot = await build(folder, sources)
    if (whyNot !== undefined) return { whyNot }
  }
  return { classPath: [join(folder, 'target/classes'), readFileSync(finished, 'utf8').trim()].join(':') }
}

/** @returns why it cannot be done */
async function build(folder: string, sources: string): Promise<string | undefined> {
  rmSync(folder, { recursive: true, force: true })
  const main = join(folder, PACKAGE)
  for (const file of FILES) {
    mkdirSync(dirname(join(main, file)), { recursive: true })
    cpSync(join(sources, file), join(main, file))
  }
  cpSync(join(JVM, 'Database.kt'), join(main, 'Database.kt'))
  cpSync(join(JVM, 'pom.xml'), join(folder, 'pom.xml'))
  const written = join(folder, 'classpath.part')
  try {
    const goals = ['compile', 'dependency:build-classpath', `-Dmdep.outputFile=${written}`]
    // Its compiler would go on as a process of its own.
    await run('mvn', ['-q', '-B', '-Dkotlin.compiler.daemon=false', ...goals], { cwd: folder, timeout: BUILD_MS })
    writeFileSync(join(folder, 'classpath'), readFileSync(written))
    return undefined
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string }
    const line = stdout.split('\n').find((text) => /ERROR.*\.(kt|java):/.test(text)) ?? message
    return `Maven does not compile it: ${line.trim()}`
  }
}
