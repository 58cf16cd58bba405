import assert from 'node:assert/strict'
import { afterEach, mock, test } from 'node:test'
import { forgetWorkers } from './forget-workers.ts'

/** A browser with these workers. */
function browser(getRegistrations: () => Promise<{ unregister(): Promise<boolean> }[]>): void {
  Object.defineProperty(navigator, 'serviceWorker', { value: { getRegistrations }, configurable: true })
}

const refused = async () => {
  throw new DOMException('not allowed', 'SecurityError')
}

afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
  mock.restoreAll()
})

test('a browser that does not name its workers, or keeps one, holds nothing up', async () => {
  mock.method(console, 'error', () => {})
  browser(refused)
  await forgetWorkers()
  const gone: string[] = []
  browser(async () => [{ unregister: refused }, { unregister: async () => gone.push('second') > 0 }])
  await forgetWorkers()
  assert.deepEqual(gone, ['second'])
})

test('nor does a browser without workers', async () => {
  await forgetWorkers()
})
