/**
 * Writes `sw.js` beside each built app: `proto/ui/service-worker.ts` with the libraries that it imports, and the list of the app's files.
 * The list names each file's content, so that a phone fetches only what changed.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

const SOURCE = join(import.meta.dirname, '../../proto/ui/service-worker.ts')

/** Placeholder of the list: the name that Workbox has for it. */
const PLACE = 'self.__WB_MANIFEST'

/** The files that an app needs without network: all but the list of licences, and files that are made later, such as compressed ones. */
const FILES = '**/*.{js,css,html,wasm,svg,png,webmanifest}'

/** @param record notes the packages of the worker, like those of the app's other scripts */
export function serviceWorker(record: Plugin): Plugin {
  let dist = ''
  let code = ''
  return {
    name: 'gatehouse:service-worker',
    apply: 'build',
    configResolved({ root, build }) {
      dist = join(root, build.outDir)
    },
    async buildStart() {
      code = await bundled(record)
    },
    writeBundle() {
      writeFileSync(join(dist, 'sw.js'), withFiles(code, dist))
    },
  }
}

/** One script that every browser takes: some do not start a worker that is a module. */
async function bundled(record: Plugin): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [record],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: SOURCE, output: { format: 'iife' } },
    },
  })
  const [chunk, ...others] = 'output' in result ? result.output : []
  if (chunk === undefined || others.length > 0) throw new Error('The service worker is not one script.')
  return chunk.code
}

/**
 * @param code the worker's script
 * @param dist the app's build
 * @returns the script with the list of the app's files: name, and the first half of the SHA-256 unless the name has a hash of the content
 * @throws when the script has no place for the list, or several
 */
export function withFiles(code: string, dist: string): string {
  const parts = code.split(PLACE)
  if (parts.length !== 2) throw new Error(`The service worker names ${PLACE} ${parts.length - 1} times.`)
  const files = globSync(FILES, { cwd: dist }).filter((file) => file !== 'sw.js')
  const entries = files.sort().map((file) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(dist, file)))
      .digest('hex')
      .slice(0, 32)
    return `{url:${JSON.stringify(file)},revision:${file.startsWith('assets/') ? null : JSON.stringify(digest)}}`
  })
  return parts.join(`[${entries.join(',')}]`)
}
