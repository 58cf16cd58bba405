/**
 * The service worker of each app: it keeps every file of the app on the phone, and answers from there, so that the app opens without
 * network. `box/dev/service-worker.ts` makes a script of it and puts in the list of files; `offline.ts` registers it.
 */
import { clientsClaim } from 'workbox-core'
import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  type PrecacheEntry,
  precacheAndRoute,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

declare const self: { __WB_MANIFEST: PrecacheEntry[]; skipWaiting: () => Promise<void> }

// A page in use keeps its scripts, and the next start takes the new version, unless the page asks for it.
addEventListener('message', ({ data }: MessageEvent<{ type?: string } | null>) => {
  if (data?.type === 'SKIP_WAITING') void self.skipWaiting()
})
clientsClaim()
precacheAndRoute(self.__WB_MANIFEST)
cleanupOutdatedCaches()
// The licences are a file, and none that a phone needs without network: the worker leaves it to the box.
registerRoute(new NavigationRoute(createHandlerBoundToURL('index.html'), { denylist: [/\/licences\.txt$/] }))
