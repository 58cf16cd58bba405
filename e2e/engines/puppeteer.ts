/**
 * Firefox over WebDriver BiDi, which it speaks by itself, and Chromium over its own protocol: no other program is between, and one
 * library drives both.
 */
import { existsSync } from 'node:fs'
import puppeteer, { type Browser, type ElementHandle, type LaunchOptions, type Page } from 'puppeteer-core'
import { browserPath, FLAGS } from '../browser.ts'
import { type Engine, findInPage, sourceOf, type Tab, type Wanted } from './tab.ts'

const FIREFOX = '/usr/bin/firefox-esr'
/** Chromium's word for a request without an answer: the box is stopped on purpose. */
const NO_ANSWER = 'Failed to load resource'

/** The reason why it cannot run here. */
export function whyNoFirefox(): string | undefined {
  return existsSync(FIREFOX) ? undefined : 'no Firefox: apt-get install firefox-esr'
}

/** The reason why it cannot run here. */
export function whyNoChromium(): string | undefined {
  try {
    browserPath()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

export function openFirefox(): Promise<Engine> {
  return open('Firefox', {
    browser: 'firefox',
    executablePath: FIREFOX,
    // No page of these tests leaves this machine, and the browser does not either.
    extraPrefsFirefox: { 'network.captive-portal-service.enabled': false, 'intl.accept_languages': 'en-GB' },
  })
}

export function openChromium(): Promise<Engine> {
  return open('Chromium', { browser: 'chrome', executablePath: browserPath(), args: [...FLAGS, '--lang=en-GB'] })
}

async function open(name: string, options: LaunchOptions): Promise<Engine> {
  const browser: Browser = await puppeteer.launch({ ...options, headless: true, acceptInsecureCerts: true })
  const faults: string[] = []
  return {
    name,
    version: (await browser.version()).replace(/^.*\//, ''),
    faults: async () => faults,
    async tab(size) {
      const page = await browser.newPage()
      await page.setViewport(size)
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => {
        if (message.type() === 'error' && !message.text().startsWith(NO_ANSWER)) faults.push(message.text())
      })
      return tabOf(page)
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

function tabOf(page: Page): Tab {
  const find = async ({ kind, name }: Wanted) => {
    const handle = await page.evaluateHandle(findInPage, kind, sourceOf(name))
    return handle.asElement() as ElementHandle<Element> | null
  }
  return {
    open: async (address) => void (await page.goto(address)),
    reload: async () => void (await page.reload()),
    run: (script, ...args) => page.evaluate(script as never, ...args),
    async press(wanted) {
      const element = await find(wanted)
      return element ? element.click().then(() => true, unlessMoved) : false
    },
    async type(text) {
      for (const key of text) await page.keyboard.press(key === '\n' ? 'Enter' : (key as 'a'))
    },
    async choose(field, path) {
      const element = (await find({ kind: 'file', name: field })) as ElementHandle<HTMLInputElement> | null
      await element?.uploadFile(path)
      return element !== null
    },
    picture: async () => Buffer.from(await page.screenshot()),
  }
}

/** The page has drawn itself anew between the look and the press. */
function unlessMoved(error: Error): false {
  if (/detached|not clickable|no such (node|handle)/i.test(error.message)) return false
  throw error
}
