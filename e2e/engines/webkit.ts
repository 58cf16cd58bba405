/** Debian's WebKitGTK, whose engine is Safari's, over its WebDriver; the window is on a display that nobody looks at. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { Builder, Capabilities, error as errors, Key, type WebDriver, type WebElement } from 'selenium-webdriver'
import { freePorts } from '../../box/test/world/ports.ts'
import { type Engine, findInPage, sourceOf, type Tab, until, type Wanted } from './tab.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const DISPLAY = '/usr/bin/Xvfb'
/** Height of the window's own bars, about. */
const CHROME = 48
const BROWSERS = '/usr/lib/*/webkit2gtk-4.1/MiniBrowser'

/** The reason why it cannot run here. */
export function whyNoWebKit(): string | undefined {
  const missing = [...(existsSync(DRIVER) ? [] : ['webkit2gtk-driver']), ...(existsSync(DISPLAY) ? [] : ['xvfb'])]
  return missing.length === 0 ? undefined : `no WebKit: apt-get install ${missing.join(' ')}`
}

export async function openWebKit(): Promise<Engine> {
  await using opening = new AsyncDisposableStack()
  const { display, server: x } = await openDisplay()
  opening.defer(() => end(x))
  const [port = 0] = await freePorts(1)
  const driver = spawn(DRIVER, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    // Its sandbox wants namespaces, which a container has none of to give.
    env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', LC_ALL: 'C.UTF-8' },
  })
  opening.defer(() => end(driver))
  const server = `http://127.0.0.1:${port}`
  await until('WebKitWebDriver answers', () =>
    fetch(`${server}/status`).then(
      (answer) => answer.ok,
      () => false,
    ),
  )
  const [binary] = globSync(BROWSERS)
  const browser = await new Builder()
    .usingServer(server)
    .withCapabilities(
      new Capabilities({
        browserName: 'MiniBrowser',
        acceptInsecureCerts: true,
        'webkitgtk:browserOptions': { binary, args: ['--automation'] },
      }),
    )
    .build()
  opening.defer(() => browser.quit())
  const version = (await browser.getCapabilities()).get('browserVersion') as string
  const held = opening.move()
  const faults: string[] = []
  const tabs: HearingTab[] = []
  return {
    name: 'WebKit',
    version,
    async faults() {
      for (const { collect } of tabs) await collect()
      return faults
    },
    async tab({ width, height }) {
      await browser.switchTo().newWindow('window')
      await browser
        .manage()
        .window()
        .setRect({ x: 0, y: 0, width, height: height + CHROME })
      const opened = tabOf(browser, await browser.getWindowHandle(), faults)
      tabs.push(opened)
      return opened
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** This driver does not report what a page throws: the page itself notes it, and is asked before it goes. */
interface HearingTab extends Tab {
  collect(): Promise<void>
}

/** The driver is at one window at a time: each act first goes to its own. @param faults gets what its pages throw */
function tabOf(browser: WebDriver, window: string, faults: string[]): HearingTab {
  const here = () => browser.switchTo().window(window)
  const collect = async () => {
    await here()
    faults.push(...(await browser.executeScript<string[]>(takeFaults)))
  }
  const find = ({ kind, name }: Wanted) => browser.executeScript<WebElement | null>(findInPage, kind, sourceOf(name))
  return {
    collect,
    async open(address) {
      await collect()
      await browser.get(address)
      await browser.executeScript(hearFaults)
    },
    async reload() {
      await collect()
      await browser.navigate().refresh()
      await browser.executeScript(hearFaults)
    },
    async run(script, ...args) {
      await here()
      return (await browser.executeScript(script, ...args)) as never
    },
    async press(wanted) {
      await here()
      const element = await find(wanted)
      return element ? element.click().then(() => true, unlessMoved) : false
    },
    async type(text) {
      await here()
      await browser.actions().sendKeys(text.replaceAll('\n', Key.ENTER)).perform()
    },
    async choose(field, path) {
      await here()
      const element = await find({ kind: 'file', name: field })
      await element?.sendKeys(path)
      return element !== null
    },
    async picture() {
      await here()
      return Buffer.from(await browser.takeScreenshot(), 'base64')
    },
  }
}

type Hearing = typeof globalThis & { thrown?: string[] }

/** Runs in the page. What it throws while it loads is not heard. */
function hearFaults(): void {
  const thrown: string[] = []
  ;(globalThis as Hearing).thrown = thrown
  addEventListener('error', ({ message }) => thrown.push(message))
  addEventListener('unhandledrejection', ({ reason }) => thrown.push(String(reason)))
}

/** Runs in the page. */
function takeFaults(): string[] {
  return (globalThis as Hearing).thrown?.splice(0) ?? []
}

/** An X server without a screen, on the first number that is free. */
async function openDisplay(): Promise<{ display: string; server: ChildProcess }> {
  const args = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp']
  const server = spawn(DISPLAY, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const [number] = (await once(server.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer]
  return { display: `:${number.toString().trim()}`, server }
}

/** The browser quits before its driver ends; one that does not goes with its display. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

/** The page has drawn itself anew between the look and the press. */
function unlessMoved(error: Error): false {
  const { ElementClickInterceptedError, ElementNotInteractableError, StaleElementReferenceError } = errors
  const moved = [ElementClickInterceptedError, ElementNotInteractableError, StaleElementReferenceError]
  if (moved.some((kind) => error instanceof kind)) return false
  throw error
}
