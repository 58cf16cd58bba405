/**
 * `npm run build`: the three apps, each into its own dist/, with the licences of what is in it, and gzip and brotli beside every
 * file that the box serves. An app that is newer than its sources is left alone. Ends with 1 when a first screen has grown past its budget.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { APPS, type AppName, FIRST_SCREEN_BYTES, hasCore, LONGER_BYTES, WITH_CORE_BYTES } from './apps.ts'
import { compress } from './compress.ts'
import { BUNDLED, licencesOf } from './licences.ts'
import { tooNewIn } from './oldest.ts'

const root = join(import.meta.dirname, '../..')

/** Sources of every app outside its own folder. */
const COMMON = [
  'box/dev/{apps,compress,licences,oldest,service-worker}.ts',
  'package-lock.json',
  'proto/*.ts',
  'proto/{ui,wire}/**/*',
  'proto/gen/openapi.d.ts',
]

/** Builds what is out of date. True when every first screen is within its budget. */
export async function build({ quiet = false } = {}): Promise<boolean> {
  const stale = (Object.keys(APPS) as AppName[]).filter((name) => !isFresh(name))
  if (stale.length > 0 && !quiet) console.log(`Building ${stale.map((name) => APPS[name].folder).join(', ')} ...`)
  await Promise.all(stale.map(buildApp))
  const outgrown = (Object.keys(APPS) as AppName[]).flatMap(outgrownIn)
  for (const sentence of outgrown) console.error(sentence)
  if (!quiet) for (const name of stale) console.log(sizesOf(name))
  return outgrown.length === 0
}

/** A sentence for each budget that this app does not keep. */
function outgrownIn(name: AppName): string[] {
  const budgets = [
    ['first screen is', firstScreenBytes, FIRST_SCREEN_BYTES],
    ...(hasCore(name) ? ([['first screen and core are', withCoreBytes, WITH_CORE_BYTES]] as const) : []),
  ] as const
  return budgets.flatMap(([what, bytes, most]) =>
    bytes(name, 'en') <= most && bytes(name) <= most + LONGER_BYTES
      ? []
      : [
          `${APPS[name].folder}: the ${what} ${kilobytes(bytes(name))} of script, gzipped; the budget is ${kilobytes(most)}. Load something later, with import().`,
        ],
  )
}

function sizesOf(name: AppName): string {
  const core = hasCore(name)
    ? `; with its core ${kilobytes(withCoreBytes(name, 'en'))}, ${kilobytes(withCoreBytes(name))} in the longest`
    : ''
  return `${APPS[name].folder}: first screen ${kilobytes(firstScreenBytes(name, 'en'))} gzipped, ${kilobytes(firstScreenBytes(name))} in the longest language${core}`
}

/**
 * Bytes of the script that index.html begins with, of the app that this imports, of all that these import before they run, and of the
 * first sentences, gzipped.
 * @param language whose sentences count; those of the longest by default
 */
export function firstScreenBytes(name: AppName, language = '*'): number {
  return new Scripts(name).firstScreen(language)
}

/** The same, with what the app fetches before anything can be pressed: the core, and its sentences. */
export function withCoreBytes(name: AppName, language = '*'): number {
  const scripts = new Scripts(name)
  return scripts.firstScreen(language) + scripts.named('core-*.js') + scripts.longest(`words-${language}-core-*.js`)
}

/** The built scripts of an app, each of which counts once. */
class Scripts {
  readonly #dist: string
  readonly #seen = new Set<string>()

  constructor(name: AppName) {
    this.#dist = join(root, APPS[name].folder, 'dist')
  }

  firstScreen(language: string): number {
    const page = readFileSync(join(this.#dist, 'index.html'), 'utf8')
    const begins = [...page.matchAll(/src="[^"]*?(assets\/[^"]+\.js)"/g)]
    const main = begins.reduce((sum, [, src = '']) => sum + this.#with(src), 0)
    return main + this.named('start-*.js') + this.longest(`words-${language}-first-*.js`)
  }

  /** Of the one script of this name. */
  named(glob: string): number {
    const [only, ...others] = globSync(`assets/${glob}`, { cwd: this.#dist })
    if (only === undefined || others.length > 0) throw new Error(`${this.#dist} has not one script ${glob}.`)
    return this.#with(only)
  }

  longest(glob: string): number {
    return Math.max(...globSync(`assets/${glob}`, { cwd: this.#dist }).map((file) => this.#with(file)))
  }

  /** With what it imports before it runs. */
  #with(file: string): number {
    if (this.#seen.has(file)) return 0
    this.#seen.add(file)
    const bytes = readFileSync(join(this.#dist, file))
    const imports = bytes.toString().matchAll(/(?:^|[;}\s])import\s*(?:[\w${},\s*]+from\s*)?["']\.\/([^"']+\.js)["']/g)
    const imported = [...imports].reduce((sum, [, name = '']) => sum + this.#with(join('assets', name)), 0)
    return gzipSync(bytes, { level: 9 }).length + imported
  }
}

function isFresh(name: AppName): boolean {
  const { folder } = APPS[name]
  const built = modified(join(root, folder, 'dist', 'built'))
  const own = ['index.html', 'package.json', 'vite.config.ts', 'src/**/*', 'public/**/*'].map(
    (glob) => `${folder}/${glob}`,
  )
  const sources = globSync([...COMMON, ...own], { cwd: root }).filter((path) => !/\.test\.tsx?$/.test(path))
  return sources.every((path) => modified(join(root, path)) < built)
}

function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** In a child process: apps build in parallel, and the box that starts next does not have Vite in its memory. */
async function buildApp(name: AppName): Promise<void> {
  const cwd = join(root, APPS[name].folder)
  const output: Buffer[] = []
  const startedAt = Date.now()
  const child = spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.on('data', (chunk) => output.push(chunk))
  child.stderr.on('data', (chunk) => output.push(chunk))
  const status = await new Promise((resolve) => child.once('close', resolve))
  if (status !== 0) throw new Error(`${APPS[name].folder} does not build:\n${Buffer.concat(output).toString()}`)
  const dist = join(cwd, 'dist')
  const newer = tooNewIn(dist)
  if (newer.length > 0)
    throw new Error(`${APPS[name].folder} does not run in its oldest browsers:\n${newer.join('\n')}`)
  await writeFile(join(dist, 'licences.txt'), licencesOf(dist, root))
  await rm(join(dist, BUNDLED))
  await compress(dist, { quality: 5 })
  // Written last, with the time of the start: a build that was interrupted, or during which a source changed, is repeated.
  await writeFile(join(dist, 'built'), `${startedAt}\n`)
  await utimes(join(dist, 'built'), startedAt / 1000, startedAt / 1000)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} kB`
}

if (import.meta.main) {
  process.exitCode = (await build()) ? 0 : 1
}
