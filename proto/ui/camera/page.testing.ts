/** A page in a test's process: its document can be hidden and shown, and its globals go back when the test ends. */
import type { TestContext } from 'node:test'

export interface FakePage {
  show(state: 'visible' | 'hidden'): void
}

/** @param globals besides `document` */
export function fakePage(t: TestContext, globals: Record<string, unknown> = {}): FakePage {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  for (const [name, value] of Object.entries({ document: page, ...globals })) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : Reflect.deleteProperty(globalThis, name)))
  }
  return {
    show(state) {
      page.visibilityState = state
      page.dispatchEvent(new Event('visibilitychange'))
    },
  }
}
