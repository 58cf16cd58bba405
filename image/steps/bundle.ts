/**
 * `node bundle.ts FOLDER`: puts what box, feed and setup load at their start into a few files, FOLDER/start/*.mjs. A Pi, and the
 * emulator even more, would take longer to open seven hundred small files and to strip the types from three hundred of them than to
 * do all the rest of a start. The sources stay beside it: threads, and whoever reads them, take those.
 */
import { dirname, join, relative, resolve } from 'node:path'
import { build, type Plugin } from 'vite'

const ENTRIES = { box: 'box/src/cli.ts', feed: 'box/src/feed-main.ts', setup: 'image/setup/main.ts' }

const folder = resolve(process.argv[2] ?? '')

/** Each source goes on finding what lies beside it: migrations, the demo event, the apps, the sources of threads. */
const places: Plugin = {
  name: 'places',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(folder) || id.includes('node_modules') || !code.includes('import.meta')) return
    const path = `/../${relative(folder, id)}`
    return code
      .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(dirname(path))})`)
      .replaceAll('import.meta.url', `('file://' + import.meta.dirname + ${JSON.stringify(path)})`)
  },
}

await build({
  root: folder,
  configFile: false,
  logLevel: 'warn',
  plugins: [places],
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
