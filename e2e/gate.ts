/** What a test of the apps holds in its hands: a box, phones with cameras, wallets, a tablet in the control room. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContextOptions, test as base, chromium, expect, type Page } from '@playwright/test'
import { browserPath, FLAGS } from './browser.ts'
import { Camera } from './camera.ts'
import { Watch } from './watch.ts'
import { PLAIN_HOST, World } from './world.ts'

export { expect }

/** A phone in one hand, and a tablet on a desk: CSS pixels. */
export const PHONE = { width: 390, height: 844 }
export const TABLET = { width: 1024, height: 768 }

export interface Phone {
  page: Page
  camera: Camera
}

/** For a box that is not the test's own; `phone` is for all others. @param origins where boxes serve */
export async function openPhone(
  { origins }: { origins: readonly string[] },
  watch: Watch,
  options: BrowserContextOptions = {},
): Promise<Phone & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-phone-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const camera = stack.use(new Camera(folder))
  const browser = await chromium.launch({ executablePath: browserPath(), args: [...FLAGS, ...camera.flags] })
  stack.defer(() => browser.close())
  const context = await browser.newContext({ ...COMMON, viewport: PHONE, hasTouch: true, ...options })
  watch.over(context, origins)
  const page = await context.newPage()
  const held = stack.move()
  return { camera, page, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

interface Gate {
  world: World
  watch: Watch
  /** A phone of the crew, with a camera and nothing on it yet. */
  phone(options?: BrowserContextOptions): Promise<Phone>
  /** A browser without a camera: an attendee's phone, or a tablet. */
  browse(options?: BrowserContextOptions): Promise<Page>
}

export const test = base.extend<Gate>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from the pattern
  world: async ({}, use) => {
    await using world = await World.open()
    await use(world)
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above
  watch: async ({}, use) => {
    const watch = new Watch()
    await use(watch)
    expect(watch.faults, 'errors on the console, exceptions, requests that leave the box').toEqual([])
  },
  phone: async ({ world, watch }, use) => {
    await using phones = new AsyncDisposableStack()
    await use(async (options) => phones.use(await openPhone(world, watch, options)))
  },
  browse: async ({ world, watch }, use) => {
    await using pages = new AsyncDisposableStack()
    // A browser of its own rather than Playwright's fixture: this one finds the box under a name, too.
    const rules = `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`
    const browser = await chromium.launch({ executablePath: browserPath(), args: [...FLAGS, rules] })
    pages.defer(() => browser.close())
    await use(async (options) => {
      const context = await browser.newContext({ ...COMMON, viewport: PHONE, ...options })
      watch.over(context, world.origins)
      return context.newPage()
    })
  },
})

const COMMON: BrowserContextOptions = {
  ignoreHTTPSErrors: true,
  locale: 'en-GB',
  timezoneId: 'Europe/Lisbon',
  colorScheme: 'light',
}
