import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { withFiles } from './service-worker.ts'

describe('the list of files in a service worker', () => {
  let dist = ''
  before(() => {
    dist = mkdtempSync(join(tmpdir(), 'gatehouse-worker-'))
    mkdirSync(join(dist, 'assets'))
    for (const file of ['assets/index-A1.js', 'index.html', 'manifest.webmanifest', 'sw.js', 'licences.txt', 'built'])
      writeFileSync(join(dist, file), `content of ${file}`)
  })
  after(() => rmSync(dist, { recursive: true }))
  const listed = (): { url: string; revision: string | null }[] =>
    new Function(`return ${withFiles('self.__WB_MANIFEST', dist)}`)()

  it('has what the app needs without network, each once, and neither itself nor the licences', () => {
    assert.deepEqual(
      listed().map(({ url }) => url),
      ['assets/index-A1.js', 'index.html', 'manifest.webmanifest'],
    )
  })

  it('names the content of a file unless its name does', () => {
    const [asset, page] = listed()
    assert.equal(asset?.revision, null)
    assert.match(page?.revision ?? '', /^[0-9a-f]{32}$/)
    writeFileSync(join(dist, 'index.html'), 'another content')
    assert.notEqual(listed()[1]?.revision, page?.revision)
  })

  it('has the form in which the box finds the page’s revision, to add the addresses of other boxes (app-files.ts)', () => {
    assert.match(withFiles('f(self.__WB_MANIFEST)', dist), /^f\(\[.*\{url:"index\.html",revision:"[0-9a-f]+"\}/)
  })

  it('is missing in a script without one place for it: then the app is not built', () => {
    assert.throws(() => withFiles('f()', dist), /0 times/)
    assert.throws(() => withFiles('self.__WB_MANIFEST,self.__WB_MANIFEST', dist), /2 times/)
  })
})
