import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { BUNDLED, licencesOf, recordPackages } from './licences.ts'

describe('the licences of an app', () => {
  let root = ''
  const dist = () => join(root, 'app/dist')
  const installed = (name: string, licence?: [file: string, text: string]) => {
    const folder = join(root, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', license: 'MIT' }))
    if (licence) writeFileSync(join(folder, licence[0]), licence[1])
    return folder
  }
  const bundled = (folders: string[]) => writeFileSync(join(dist(), BUNDLED), JSON.stringify(folders))
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-licences-'))
    mkdirSync(dist(), { recursive: true })
    writeFileSync(join(root, 'LICENSE'), 'Our own text.')
  })
  after(() => rmSync(root, { recursive: true, force: true }))

  it('have the text of each package that is in a script', () => {
    bundled([installed('@some/one', ['license', 'Text of one.']), installed('two', ['UNLICENSE.md', 'Text of two.'])])
    const text = licencesOf(dist(), root)
    const inOrder = [
      'gatehouse (Apache-2.0)',
      'Our own text.',
      '@some/one 1.0.0 (MIT)',
      'Text of one.',
      'two 1.0.0 (MIT)',
    ]
    assert.deepEqual(
      [...inOrder, 'Text of two.'].filter((part) => !text.includes(part)),
      [],
    )
  })

  it('are missing where a package ships no text: then the app is not built', () => {
    bundled([installed('silent')])
    assert.throws(() => licencesOf(dist(), root), /silent 1\.0\.0 is in an app, and ships no licence text/)
  })

  it('are of the packages whose code is in a script, of workers too, and not of those that were shaken out', () => {
    const { app, worker } = recordPackages()
    const chunk = (modules: Record<string, number>) => ({
      type: 'chunk',
      modules: Object.fromEntries(Object.entries(modules).map(([id, renderedLength]) => [id, { renderedLength }])),
    })
    const emitted: { fileName?: string; source?: unknown }[] = []
    const generate = (plugin: typeof app, modules: Record<string, number>) =>
      (plugin.generateBundle as (...words: unknown[]) => void).call(
        { emitFile: (file: { fileName?: string }) => emitted.push(file) },
        {},
        { a: chunk(modules) },
        true,
      )
    generate(worker, { '/r/node_modules/decoder/index.js': 5 })
    generate(app, { '/r/node_modules/@a/b/dist/x.js': 1, '/r/node_modules/unused/i.js': 0, '/r/src/main.ts': 9 })
    assert.deepEqual(
      emitted.map(({ fileName, source }) => [fileName, JSON.parse(String(source))]),
      [[BUNDLED, ['/r/node_modules/decoder', '/r/node_modules/@a/b']]],
    )
  })
})
