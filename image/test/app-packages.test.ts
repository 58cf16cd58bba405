/** The list of what the built apps are made of, from the repository's own lock file. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { appPackages, type Lock, workboxParts } from '../steps/app-packages.ts'

const lock: Lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')).packages

describe('what the apps are made of', () => {
  test('the packages of their workspaces and of the shared one, in the version that each of them has', () => {
    const found = appPackages(lock, [])
    const idb = ['scanner-pwa/node_modules/idb', 'node_modules/idb'].find((path) =>
      lock[path]?.version?.startsWith('8.'),
    )
    assert.ok(idb !== undefined && found[idb] === lock[idb], 'the app’s own idb, and not the one of a tool')
    for (const path of ['zxing-wasm', 'preact', '@preact/signals-core', 'uqr'].map((name) => `node_modules/${name}`))
      assert.equal(found[path], lock[path] ?? assert.fail(path))
    for (const path of Object.keys(found)) assert.doesNotMatch(path, /fake-indexeddb|vite|^proto$|^scanner-pwa$/)
  })

  test('a part of Workbox brings what it rests on', () => {
    assert.deepEqual(
      Object.keys(appPackages(lock, ['workbox-routing'])).filter((path) => path.includes('workbox')),
      ['node_modules/workbox-routing', 'node_modules/workbox-core'],
    )
  })

  test('what the lock file does not know is not passed over', () => {
    assert.throws(() => appPackages(lock, ['workbox-of-another-time']), /workbox-of-another-time/)
    const { 'node_modules/zxing-wasm': _, ...without } = lock
    assert.throws(() => appPackages(without, []), /zxing-wasm/)
  })

  test('a service worker names its parts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-parts-'))
    try {
      assert.throws(() => workboxParts(folder), /No part of Workbox/)
      mkdirSync(join(folder, 'dashboard/dist'), { recursive: true })
      const text =
        'try{self["workbox:core:7.4.0"]&&_()}catch(e){}try{self["workbox:cacheable-response:7.4.0"]&&_()}catch(e){}'
      writeFileSync(join(folder, 'dashboard/dist/workbox-1.js'), text.repeat(2))
      assert.deepEqual(workboxParts(folder), ['workbox-cacheable-response', 'workbox-core'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
