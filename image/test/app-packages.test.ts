/** The list of packages in the built apps, from the repository's lock file. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { appPackages, type Lock } from '../steps/app-packages.ts'

const lock: Lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')).packages

describe('the packages in the apps', () => {
  test('are those of their workspaces and of the shared one, in the version that each of them has', () => {
    const found = appPackages(lock)
    const idb = ['scanner-pwa/node_modules/idb', 'node_modules/idb'].find((path) =>
      lock[path]?.version?.startsWith('8.'),
    )
    assert.ok(idb !== undefined && found[idb] === lock[idb], 'the app’s own idb, and not the one of a tool')
    for (const path of ['zxing-wasm', 'preact', '@preact/signals-core', 'uqr'].map((name) => `node_modules/${name}`))
      assert.equal(found[path], lock[path] ?? assert.fail(path))
    for (const path of Object.keys(found)) assert.doesNotMatch(path, /fake-indexeddb|vite|^proto$|^scanner-pwa$/)
  })

  test('include the libraries of their service workers, with what these need themselves', () => {
    assert.deepEqual(
      Object.keys(appPackages(lock)).filter((path) => path.includes('workbox')),
      ['core', 'precaching', 'routing', 'strategies'].map((part) => `node_modules/workbox-${part}`),
    )
  })

  test('a package that is not in the lock file is an error', () => {
    const { 'node_modules/zxing-wasm': _, ...without } = lock
    assert.throws(() => appPackages(without), /zxing-wasm/)
  })
})
