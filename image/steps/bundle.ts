/**
 * `node bundle.ts FOLDER`: puts what box, feed and setup load at their start into a few files, FOLDER/start/*.mjs. A Pi, and the
 * emulator even more, would take longer to open seven hundred small files and to strip the types from three hundred of them than to
 * do all the rest of a start. Its threads are put together likewise. The sources stay beside it, for whoever reads them.
 */
import { dirname, join, relative, resolve } from 'node:path'
import { build, type Plugin } from 'vite'

const ENTRIES: Record<string, string> = {
  ...{ box: 'box/src/cli.ts', feed: 'box/src/feed-main.ts', setup: 'image/setup/main.ts' },
  'backup-thread': 'box/src/backup/worker.ts',
  'export-thread': 'box/src/seal/export-worker.ts',
  'inspection-thread': 'box/src/seal/inspection-worker.ts',
}

const folder = resolve(process.argv[2] ?? '')

/** Each source goes on finding what lies beside it: migrations, the demo event, the apps; and its thread among the few files. */
const places: Plugin = {
  name: 'places',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(folder) || id.includes('node_modules') || !code.includes('import.meta')) return
    const path = `/../${relative(folder, id)}`
    return code
      .replaceAll(/new URL\('\.\/([\w-]+\.ts)', import\.meta\.url\)/g, (_, name: string) => {
        const source = relative(folder, join(dirname(id), name))
        const [thread] = Object.entries(ENTRIES).find(([, path]) => path === source) ?? []
        if (thread === undefined) throw new Error(`${source} is started as a thread: name it here.`)
        return `new URL('./${thread}.mjs', 'file://' + import.meta.DIRNAME + '/')`
      })
      .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(dirname(path))})`)
      .replaceAll('import.meta.url', `('file://' + import.meta.dirname + ${JSON.stringify(path)})`)
      .replaceAll('import.meta.DIRNAME', 'import.meta.dirname')
  },
}

/** What sources take by `require`, for the reason that box/src/drizzle/core.ts gives, is put in with the rest. */
const required: Plugin = {
  name: 'required',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(join(folder, 'box/src/drizzle/'))) return
    const imported = code
      .replaceAll(/export const (\{[^}]*\}) =\s*require\(('[^']*')\) as typeof import\('[^']*'\)/g, 'export $1 from $2')
      .replaceAll(/^import \{ require \} .*$|^export const require = .*$/gm, '')
    if (imported.includes('require('))
      throw new Error(`${relative(folder, id)} requires something in a way that is new here.`)
    return imported
  },
}

await build({
  root: folder,
  configFile: false,
  logLevel: 'warn',
  plugins: [required, places],
  ssr: { noExternal: true, external: ['better-sqlite3'] },
  build: {
    ssr: true,
    target: 'node24',
    minify: false,
    outDir: join(folder, 'start'),
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(folder, path)])),
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs', strictExecutionOrder: true },
    },
  },
})
