/** The fixtures of the app tests: a box, phones with cameras, wallets, a tablet in the control room. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, test as base, chromium, expect, type Page } from '@playwright/test'
import { browserPath, FLAGS } from './browser.ts'
import { Camera } from './camera.ts'
import { noteVerdicts } from './verdict-notes.ts'
import { Watch } from './watch.ts'
import { World } from './world.ts'

export { expect }

/** A phone in one hand, and a tablet on a desk: CSS pixels. */
export const PHONE = { width: 390, height: 844 }
export const TABLET = { width: 1024, height: 768 }

export interface Phone {
  page: Page
  camera: Camera
}

/** A browser with a camera before it. */
interface Seeing {
  camera: Camera
  browser: Browser
}

/** Browsers that no test holds just now. To start one costs more than most tests; what a test leaves behind goes with its context. */
export class Phones implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack()
  readonly #idle: Seeing[] = []
  readonly #framesPerSecond: number

  constructor(framesPerSecond: number) {
    this.#framesPerSecond = framesPerSecond
  }

  /** For boxes that are not the test's own; the fixture `phone` is for all others. @param origins where boxes serve */
  async open(
    { origins }: { origins: readonly string[] },
    watch: Watch,
    options: BrowserContextOptions = {},
  ): Promise<Phone & AsyncDisposable> {
    await using stack = new AsyncDisposableStack()
    const { camera, browser } = this.#take(stack, this.#idle.pop() ?? (await this.#launch()))
    const context = await browser.newContext({ ...COMMON, viewport: PHONE, hasTouch: true, ...options })
    stack.defer(() => context.close())
    watch.over(context, origins)
    await context.addInitScript(noteVerdicts)
    const page = await context.newPage()
    const held = stack.move()
    return { camera, page, [Symbol.asyncDispose]: () => held.disposeAsync() }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }

  #take(stack: AsyncDisposableStack, seeing: Seeing): Seeing {
    stack.defer(() => {
      seeing.camera.show(null)
      this.#idle.push(seeing)
    })
    return seeing
  }

  async #launch(): Promise<Seeing> {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-phone-'))
    this.#stack.defer(() => rmSync(folder, { recursive: true, force: true }))
    const camera = this.#stack.use(new Camera(folder, this.#framesPerSecond))
    const browser = await chromium.launch({ executablePath: browserPath(), args: [...FLAGS, ...camera.flags] })
    this.#stack.defer(() => browser.close())
    return { camera, browser }
  }
}

interface Gate {
  world: World
  watch: Watch
  /** A phone of the crew, with a camera and nothing on it yet. */
  phone(options?: BrowserContextOptions): Promise<Phone>
  /** A browser without a camera: an attendee's phone, or a tablet. */
  browse(options?: BrowserContextOptions): Promise<Page>
}

interface Shared {
  /** Of a made-up camera: few, since with three browsers at work they cost more than all else that a scanner does. */
  framesPerSecond: number
  phones: Phones
}

export const test = base.extend<Gate, Shared>({
  framesPerSecond: [8, { option: true, scope: 'worker' }],
  phones: [
    async ({ framesPerSecond }, use) => {
      await using phones = new Phones(framesPerSecond)
      await use(phones)
    },
    { scope: 'worker' },
  ],
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
  phone: async ({ world, watch, phones }, use) => {
    await using held = new AsyncDisposableStack()
    await use(async (options) => held.use(await phones.open(world, watch, options)))
  },
  browse: async ({ world, watch, browser }, use) => {
    await using held = new AsyncDisposableStack()
    await use(async (options) => {
      const context = await browser.newContext({ ...COMMON, viewport: PHONE, ...options })
      held.defer(() => context.close())
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
