/**
 * The three apps and how Vite builds each of them; `build.ts` does it. One place, so that they differ in nothing but their
 * screens. Each app's own `vite.config.ts` only names itself, for `npx vite` in its folder.
 */
import { join } from 'node:path'
import type { UserConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

interface App {
  /** Its workspace. */
  folder: string
  /** Where the box serves it. */
  base: `/${string}/`
  /** As the home screen of a phone shows it. */
  name: string
  shortName: string
  orientation: 'portrait' | 'any'
}

export const APPS = {
  scanner: {
    folder: 'scanner-pwa',
    base: '/scanner/',
    name: 'Gatehouse Scanner',
    shortName: 'Scanner',
    orientation: 'portrait',
  },
  wallet: {
    folder: 'wallet-pwa',
    base: '/wallet/',
    name: 'Gatehouse Wallet',
    shortName: 'Tickets',
    orientation: 'portrait',
  },
  dashboard: {
    folder: 'dashboard',
    base: '/dashboard/',
    name: 'Gatehouse Control Room',
    shortName: 'Control',
    orientation: 'any',
  },
} as const satisfies Record<string, App>

export type AppName = keyof typeof APPS

/** First screen: every script that runs before a person can do anything, gzipped. The decoder's wasm is not among it. */
export const FIRST_SCREEN_BYTES = 30 * 1024

export function appConfig(name: AppName): UserConfig {
  const { folder, base, name: title, shortName, orientation } = APPS[name]
  return {
    root: join(import.meta.dirname, folder),
    base,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      target: 'es2022',
      outDir: 'dist',
      // The policy of the box allows no data: script, and a file is cached where an inlined one is not.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
    worker: { format: 'es' },
    plugins: [
      VitePWA({
        // A page registers it itself (proto/ui/offline.ts): an inline script would need a hole in the policy.
        injectRegister: null,
        registerType: 'prompt',
        manifest: {
          name: title,
          short_name: shortName,
          id: base,
          start_url: base,
          scope: base,
          display: 'standalone',
          orientation,
          background_color: '#0f1419',
          theme_color: '#0f1419',
          icons: [
            { src: 'icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
            { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
            { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
          ],
        },
        workbox: {
          globPatterns: ['**/*.{js,css,html,wasm,svg,png}'],
          maximumFileSizeToCacheInBytes: 2 * 1024 * 1024,
          navigateFallback: `${base}index.html`,
          cleanupOutdatedCaches: true,
          clientsClaim: true,
          // A script in use is never swapped under a crew's hands: the next start takes the new version.
          skipWaiting: false,
        },
      }),
    ],
  }
}
