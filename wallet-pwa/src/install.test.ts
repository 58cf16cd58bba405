import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { installable } from './install.ts'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15'
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15'
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile'

interface Browser {
  userAgent: string
  touches?: number
  /** Opened from the home screen. */
  standalone?: boolean
  secure?: boolean
}

function browser(t: TestContext, { userAgent, touches = 5, standalone = false, secure = true }: Browser): EventTarget {
  const page = new EventTarget()
  const globals = {
    navigator: { userAgent, maxTouchPoints: touches },
    matchMedia: () => ({ matches: standalone }),
    isSecureContext: secure,
    addEventListener: page.addEventListener.bind(page),
  }
  for (const [name, value] of Object.entries(globals)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : Reflect.deleteProperty(globalThis, name)))
  }
  return page
}

describe('the way onto the home screen', () => {
  it('is explained on an iPhone and an iPad, which never ask', (t) => {
    browser(t, { userAgent: IPHONE })
    assert.equal(installable().way.value, 'explain')
    browser(t, { userAgent: MAC })
    assert.equal(installable().way.value, 'explain', 'an iPad')
    browser(t, { userAgent: MAC, touches: 0 })
    assert.equal(installable().way.value, 'no', 'a Macintosh')
  })

  it('is not spoken of where the app is there already, or cannot be put there', (t) => {
    browser(t, { userAgent: IPHONE, standalone: true })
    assert.equal(installable().way.value, 'no')
    browser(t, { userAgent: IPHONE, secure: false })
    assert.equal(installable().way.value, 'no')
    browser(t, { userAgent: ANDROID })
    assert.equal(installable().way.value, 'no', 'a browser that has not said that it can')
  })

  it('is asked once by a browser that can, whatever the person answers', async (t) => {
    const page = browser(t, { userAgent: ANDROID })
    const install = installable()
    let asked = 0
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => {
        asked++
        return { outcome: 'dismissed' }
      },
    })
    page.dispatchEvent(offer)
    assert.deepEqual([install.way.value, offer.defaultPrevented], ['ask', true])
    await install.prompt()
    await install.prompt()
    assert.deepEqual([install.way.value, asked], ['no', 1])
  })

  it('is over when the browser does not ask after all, or the app was put there by its menu', async (t) => {
    const page = browser(t, { userAgent: ANDROID })
    const install = installable()
    const prompt = () => Promise.reject(new DOMException('asked before', 'InvalidStateError'))
    page.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt }))
    await install.prompt()
    assert.equal(install.way.value, 'no')
    page.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt }))
    page.dispatchEvent(new Event('appinstalled'))
    assert.equal(install.way.value, 'no')
  })
})
