import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { signal } from '@preact/signals'
import { PATTERNS } from './patterns.ts'
import { createSound } from './sound.ts'

/** A browser's sound. `state` is what a context has until it is resumed. */
class Context extends EventTarget {
  static opened: Context[] = []
  state = 'suspended'
  onstatechange: (() => void) | null = null
  resumed = 0
  constructor() {
    super()
    Context.opened.push(this)
  }
  resume(): Promise<void> {
    this.resumed++
    return new Promise(() => {})
  }
  become(state: string): void {
    this.state = state
    this.onstatechange?.()
  }
}

/** @param audio what the browser has as `AudioContext` */
function browser(t: TestContext, audio: unknown) {
  Context.opened = []
  const page = new EventTarget()
  const buzzed: number[][] = []
  const navigator = { vibrate: (pattern: number[]) => buzzed.push(pattern) > 0 }
  for (const [name, value] of Object.entries({ document: page, navigator, AudioContext: audio })) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : Reflect.deleteProperty(globalThis, name)))
  }
  return { touch: () => page.dispatchEvent(new Event('pointerdown')), buzzed }
}

const settings = () => ({ volume: signal(1), vibration: signal(true) })

describe('sound', () => {
  it('is locked until a touch has set it going, and again after a call has taken it', (t) => {
    const { touch } = browser(t, Context)
    const sound = createSound(settings())
    assert.equal(sound.locked.value, true)
    assert.equal(Context.opened.length, 0, 'a browser warns of one before a touch')
    touch()
    const [context] = Context.opened
    assert.ok(context)
    assert.equal(sound.locked.value, true, 'a browser may leave it suspended')
    sound.play(PATTERNS.admit)
    context.become('running')
    assert.equal(sound.locked.value, false)
    context.become('interrupted')
    assert.equal(sound.locked.value, true)
    touch()
    assert.deepEqual([Context.opened.length, context.resumed], [1, 2])
    context.become('running')
    assert.deepEqual([sound.locked.value, sound.missing.value], [false, false])
  })

  it('is missing in a browser without it, which is touched and buzzes all the same', (t) => {
    const { touch, buzzed } = browser(t, undefined)
    const sound = createSound(settings())
    assert.deepEqual([sound.locked.value, sound.missing.value], [false, true])
    touch()
    sound.play(PATTERNS.used)
    assert.equal(buzzed.length, 1)
  })

  it('is missing where the browser refuses to open it, and nothing is thrown into the touch', (t) => {
    const { touch } = browser(
      t,
      class {
        constructor() {
          throw new DOMException('no device', 'NotSupportedError')
        }
      },
    )
    const sound = createSound(settings())
    assert.equal(sound.locked.value, true)
    touch()
    assert.deepEqual([sound.locked.value, sound.missing.value], [false, true])
    touch()
    sound.play(PATTERNS.admit)
  })
})
