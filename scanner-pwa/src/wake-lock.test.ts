import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createWakeLock } from './wake-lock.ts'

/** A browser with one page and a screen that can be kept on. */
function browser(t: TestContext) {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const screen = { refuses: false, held: [] as EventTarget[] }
  const wakeLock = {
    async request() {
      if (screen.refuses) throw new DOMException('battery saver', 'NotAllowedError')
      const sentinel = Object.assign(new EventTarget(), {
        release: async () => sentinel.dispatchEvent(new Event('release')),
      })
      screen.held.push(sentinel)
      return sentinel
    },
  }
  for (const [name, value] of Object.entries({ document: page, navigator: { wakeLock } })) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : Reflect.deleteProperty(globalThis, name)))
  }
  const show = (state: 'visible' | 'hidden') => {
    page.visibilityState = state
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return { screen, show }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the wake lock', () => {
  it('is asked for again after the system took it back, once the page is seen', async (t) => {
    const { screen, show } = browser(t)
    const lock = createWakeLock()
    lock.hold()
    await settled()
    assert.equal(lock.state.value, 'held')
    show('hidden')
    screen.held[0]?.dispatchEvent(new Event('release'))
    await settled()
    assert.equal(lock.state.value, 'off', 'a hidden page gets none')
    show('visible')
    await settled()
    assert.deepEqual([lock.state.value, screen.held.length], ['held', 2])
  })

  it('is asked for again at once where the page is seen all the time', async (t) => {
    const { screen } = browser(t)
    const lock = createWakeLock()
    lock.hold()
    await settled()
    screen.held[0]?.dispatchEvent(new Event('release'))
    await settled()
    assert.deepEqual([lock.state.value, screen.held.length], ['held', 2])
  })

  it('says that it was refused, and is had when the phone is charged and looked at again', async (t) => {
    const { screen, show } = browser(t)
    screen.refuses = true
    const lock = createWakeLock()
    lock.hold()
    await settled()
    assert.equal(lock.state.value, 'refused')
    screen.refuses = false
    show('visible')
    await settled()
    assert.equal(lock.state.value, 'held')
  })

  it('goes when nobody needs it any more, and not before', async (t) => {
    const { screen } = browser(t)
    const lock = createWakeLock()
    lock.hold()
    lock.hold()
    await settled()
    lock.release()
    await settled()
    assert.equal(lock.state.value, 'held')
    lock.release()
    await settled()
    assert.deepEqual([lock.state.value, screen.held.length], ['off', 1])
  })
})
