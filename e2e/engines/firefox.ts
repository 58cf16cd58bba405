/** Debian's Firefox over WebDriver BiDi, which it speaks by itself: no other program is between. */
import { existsSync } from 'node:fs'
import puppeteer, { type ElementHandle, type Page } from 'puppeteer-core'
import { type Engine, findInPage, sourceOf, type Tab, type Wanted } from './tab.ts'

const PATH = '/usr/bin/firefox-esr'

/** The reason why it cannot run here. */
export function whyNoFirefox(): string | undefined {
  return existsSync(PATH) ? undefined : 'no Firefox: apt-get install firefox-esr'
}

export async function openFirefox(): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: PATH,
    headless: true,
    acceptInsecureCerts: true,
    // No page of these tests leaves this machine, and the browser does not either.
    extraPrefsFirefox: { 'network.captive-portal-service.enabled': false, 'intl.accept_languages': 'en-GB' },
  })
  const faults: string[] = []
  return {
    name: 'Firefox',
    version: (await browser.version()).replace('firefox/', ''),
    faults,
    async tab(size) {
      const page = await browser.newPage()
      await page.setViewport(size)
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
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
