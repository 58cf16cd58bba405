/**
 * `node bundle.ts FOLDER [TO]`: bundles the code that box, feed and setup load at their start, and the code of the box's threads, into a few
 * files, TO/*.mjs; TO is FOLDER/start where it is absent. On a Pi, and even more in the emulator, opening seven hundred small files and stripping the types from three hundred of
 * them takes longer than the rest of a start. The sources stay beside the bundles, for people who want to read them.
 */
import { dirname, join, relative, resolve } from 'node:path'
import { build, type Plugin } from 'vite'

const ENTRIES: Record<string, string> = {
  ...{ box: 'box/src/cli.ts', feed: 'box/src/feed-main.ts', setup: 'image/setup/main.ts' },
  'backup-thread': 'box/src/backup/worker.ts',
  'archive-thread': 'box/src/backup/archive-worker.ts',
  'export-thread': 'box/src/seal/export/worker.ts',
  'inspection-thread': 'box/src/seal/inspection-worker.ts',
  'paper-thread': 'box/src/paper/worker.ts',
  'code-lists-thread': 'box/src/tickets/code-lists-worker.ts',
  'tiers-thread': 'box/src/tickets/tiers-worker.ts',
  'staging-thread': 'box/src/tickets/staging/worker.ts',
  'search-thread': 'box/src/desk/search-worker.ts',
  'check-draft-thread': 'box/src/boot/check-draft-worker.ts',
  'map-thread': 'box/src/guide/map-worker.ts',
}

const folder = resolve(process.argv[2] ?? '')
const to = resolve(process.argv[3] ?? join(folder, 'start'))

/** Rewrites paths that are relative to a source, so that a bundle finds migrations, demo event and apps, and its thread among the bundles. */
const places: Plugin = {
  name: 'places',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(folder) || id.includes('node_modules') || !code.includes('import.meta')) return
    const path = `/${relative(to, id)}`
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

/** Bundles the modules that sources load by `require`, too; box/src/drizzle/core.ts gives the reason for `require`. */
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
    outDir: to,
    emptyOutDir: true,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(folder, path)])),
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs', strictExecutionOrder: true },
    },
  },
})
