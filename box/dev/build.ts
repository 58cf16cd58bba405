/**
 * `npm run build`: the three apps, each into its own dist/, with the licences of what is in it, and gzip and brotli beside every
 * file that the box serves. An app that is newer than its sources is left alone. Ends with 1 when a first screen has grown past its budget.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { APPS, type AppName, FIRST_SCREEN_BYTES, LONGER_BYTES } from './apps.ts'
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
  return (Object.keys(APPS) as AppName[]).every((name) => {
    const bytes = firstScreenBytes(name)
    const within = firstScreenBytes(name, 'en') <= FIRST_SCREEN_BYTES && bytes <= FIRST_SCREEN_BYTES + LONGER_BYTES
    if (!within)
      console.error(
        `${APPS[name].folder}: the first screen is ${kilobytes(bytes)} of script, gzipped; the budget is ${kilobytes(FIRST_SCREEN_BYTES)}. Load something later, with import().`,
      )
    else if (!quiet && stale.includes(name))
      console.log(
        `${APPS[name].folder}: first screen ${kilobytes(firstScreenBytes(name, 'en'))} gzipped, ${kilobytes(bytes)} in the longest language`,
      )
    return within
  })
}

/**
 * Bytes of the scripts that index.html names, of what these import before they run, and of the first sentences, gzipped.
 * @param language whose sentences count; those of the longest by default
 */
export function firstScreenBytes(name: AppName, language = '*'): number {
  const dist = join(root, APPS[name].folder, 'dist')
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const seen = new Set<string>()
  const visit = (file: string): number => {
    if (seen.has(file)) return 0
    seen.add(file)
    let bytes = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length
    const text = readFileSync(join(dist, file), 'utf8')
    for (const [, imported = ''] of text.matchAll(
      /(?:^|[;}\s])import\s*(?:[\w${},\s*]+from\s*)?["']\.\/([^"']+\.js)["']/g,
    ))
      bytes += visit(join('assets', imported))
    return bytes
  }
  const app = [...page.matchAll(/(?:src|href)="[^"]*?(assets\/[^"]+\.js)"/g)].reduce(
    (sum, [, src = '']) => sum + visit(src),
    0,
  )
  return app + Math.max(...globSync(`assets/words-${language}-first-*.js`, { cwd: dist }).map(visit))
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
