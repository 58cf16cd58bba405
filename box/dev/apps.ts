/**
 * The three apps and their Vite configuration, which `build.ts` uses. It is in one place, so that they differ only in their
 * screens. Each app's own `vite.config.ts` only names itself, for `npx vite` in its folder.
 */
import { join } from 'node:path'
import type { Plugin, Rolldown, UserConfig } from 'vite'
import { recordPackages } from './licences.ts'
import { TARGET } from './oldest.ts'
import { serviceWorker } from './service-worker.ts'

interface App {
  /** Its workspace. */
  folder: string
  /** The path at which the box serves it. */
  base: `/${string}/`
  /** The module within `src` that is imported after the first screen, and before anything can be pressed on it. */
  core?: string
}

export const APPS = {
  scanner: { folder: 'scanner-pwa', base: '/scanner/', core: 'gate/scanner.ts' },
  wallet: { folder: 'wallet-pwa', base: '/wallet/' },
  dashboard: { folder: 'dashboard', base: '/dashboard/' },
} as const satisfies Record<string, App>

export type AppName = keyof typeof APPS

/** @returns true for an app whose first screen waits for a core */
export const hasCore = (name: AppName): boolean => 'core' in APPS[name]

/** First screen: every script that runs before a person can do anything, gzipped. The decoder's wasm is not among it. */
export const FIRST_SCREEN_BYTES = 30 * 1024
/** By which the sentences of another language may be longer than the English ones. */
export const LONGER_BYTES = 512
/**
 * First screen and core together: every script that runs before a code can be scanned, gzipped. 33 kB are the core itself, 9 Preact and
 * its signals, 8 sentences, 14 the frame of the screens.
 */
export const WITH_CORE_BYTES = 68 * 1024

export function appConfig(name: AppName): UserConfig {
  const { folder, base, core }: App = APPS[name]
  const packages = recordPackages()
  const root = join(import.meta.dirname, '../..', folder)
  const early = earlyScripts(root, core)
  return {
    root,
    base,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      target: TARGET,
      outDir: 'dist',
      // The policy of the box allows no data: script, and a file is cached where an inlined one is not.
      assetsInlineLimit: 0,
      // A late chunk names what it imports itself, and the worker has it: a list of all of them would be in the first screen.
      // The first screen waits for the imports of its sentences: those are listed, and fetched beside the sentences.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (chunk, files) =>
          files.filter((file) => file.endsWith('.css') || /\/words-[^/]+-first-/.test(chunk)),
      },
      reportCompressedSize: false,
      rolldownOptions: {
        output: { chunkFileNames: chunkName, codeSplitting: { includeDependenciesRecursively: false, groups: early } },
      },
    },
    worker: { format: 'es', plugins: () => [packages.worker] },
    plugins: [packages.app, fetchEarly(base, early), serviceWorker(packages.worker)],
  }
}

/**
 * Scripts that are fetched with the page, each in one file: what `start.tsx` imports, what the core does besides, and what screens share.
 * The bundler would make a file of each module that some late screen imports as well, and the first screen would wait for dozens.
 */
function earlyScripts(root: string, core: string | undefined): Rolldown.CodeSplittingGroup[] {
  const at = (module: string) => join(root, 'src', module)
  const [main, start] = [at('main.tsx'), at('start.tsx')]
  const first = oneFile('start', { of: [start], without: [main] })
  if (core === undefined) return [first]
  const words = ['first', 'core', 'late'].map((part) => at(`words/en/${part}.ts`))
  const earlier = [main, start, ...words]
  return [
    first,
    oneFile('core', { of: [at(core)], without: earlier }),
    { ...oneFile('parts', { without: [...earlier, at(core)] }), test: (id) => !LANGUAGE.test(id), minShareCount: 2 },
  ]
}

/**
 * @param of modules that come with all that they import; every module by default
 * @param without these and their imports are in another script
 */
function oneFile(name: string, { of, without }: { of?: string[]; without: string[] }): Rolldown.CodeSplittingGroup {
  let sets: { its: Set<string> | undefined; others: Set<string> } | undefined
  return {
    name(id, context) {
      sets ??= { its: of && importsOf(of, context), others: importsOf(without, context) }
      return (sets.its?.has(id) ?? true) && !sets.others.has(id) ? name : null
    },
    debugName: name,
  }
}

/** These modules, and all that runs before them. */
function importsOf(modules: readonly string[], context: Rolldown.ChunkingContext): Set<string> {
  const found = new Set(modules)
  for (const id of found) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

/** A module of one language's sentences. */
const LANGUAGE = /\/words\/([^/]+)\/([^/]+)\.ts$/

/** Names the chunks of a language's sentences: `build.ts` counts what is fetched first. */
function chunkName({ facadeModuleId }: { facadeModuleId: string | null }): string {
  const words = LANGUAGE.exec(facadeModuleId ?? '')
  return words ? `assets/words-${words[1]}-${words[2]}-[hash].js` : 'assets/[name]-[hash].js'
}

/** Names them in the page: they are imported one after the other, and fetched beside each other. */
function fetchEarly(base: string, early: readonly Rolldown.CodeSplittingGroup[]): Plugin {
  return {
    name: 'gatehouse:fetch-early',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = early.map(({ debugName }) => {
          const found = Object.values(bundle).find((one) => one.type === 'chunk' && one.name === debugName)
          if (found?.type !== 'chunk') throw new Error(`There is no script ${debugName}.`)
          return found
        })
        const link = (rel: string, file: string) =>
          ({ tag: 'link', injectTo: 'head', attrs: { rel, crossorigin: true, href: `${base}${file}` } }) as const
        const styles = chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
        const scripts = chunks.flatMap(({ fileName, imports }) => [fileName, ...imports])
        return [
          ...styles.map((file) => link('stylesheet', file)),
          ...[...new Set(scripts)].map((file) => link('modulepreload', file)),
        ]
      },
    },
  }
}
