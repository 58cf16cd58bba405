/**
 * The three apps and their Vite configuration, which `build.ts` uses. It is in one place, so that they differ only in their
 * screens. Each app's own `vite.config.ts` only names itself, for `npx vite` in its folder.
 */
import { join } from 'node:path'
import type { Plugin, UserConfig } from 'vite'
import { recordPackages } from './licences.ts'
import { TARGET } from './oldest.ts'
import { serviceWorker } from './service-worker.ts'

interface App {
  /** Its workspace. */
  folder: string
  /** The path at which the box serves it. */
  base: `/${string}/`
  /** The module that is fetched after the first screen, and before anything can be pressed on it. */
  core?: string
}

export const APPS = {
  scanner: { folder: 'scanner-pwa', base: '/scanner/', core: '/src/gate/scanner.ts' },
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
  const { folder, base } = APPS[name]
  const packages = recordPackages()
  return {
    root: join(import.meta.dirname, '../..', folder),
    base,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      target: TARGET,
      outDir: 'dist',
      // The policy of the box allows no data: script, and a file is cached where an inlined one is not.
      assetsInlineLimit: 0,
      // A late chunk names what it imports itself, and the worker has it: a list of all of them would be in the first screen.
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')),
      },
      reportCompressedSize: false,
      rolldownOptions: { output: { chunkFileNames: chunkName } },
    },
    worker: { format: 'es', plugins: () => [packages.worker] },
    plugins: [packages.app, earlyApp(base), serviceWorker(packages.worker)],
  }
}

/** Names the core, and the chunks of a language's sentences after it: `build.ts` counts what is fetched first. */
function chunkName({ facadeModuleId }: { facadeModuleId: string | null }): string {
  const words = /\/words\/([^/]+)\/(first|core|late)\.ts$/.exec(facadeModuleId ?? '')
  if (facadeModuleId?.endsWith(`/${APPS.scanner.folder}${APPS.scanner.core}`)) return 'assets/core-[hash].js'
  return words ? `assets/words-${words[1]}-${words[2]}-[hash].js` : 'assets/[name]-[hash].js'
}

/** The app is imported once its sentences are here, and fetched beside them. */
function earlyApp(base: string): Plugin {
  return {
    name: 'gatehouse:early-app',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? one : []))
        const app = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/start.tsx'))
        if (!app) throw new Error('The app has no src/start.tsx.')
        const link = (rel: string, file: string) =>
          ({ tag: 'link', injectTo: 'head', attrs: { rel, crossorigin: true, href: `${base}${file}` } }) as const
        return [
          ...[...(app.viteMetadata?.importedCss ?? [])].map((file) => link('stylesheet', file)),
          ...[app.fileName, ...app.imports].map((file) => link('modulepreload', file)),
        ]
      },
    },
  }
}
