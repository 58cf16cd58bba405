/** `gatehouse` as it is typed: processes, their output, their exit status. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../../src/config.ts'
import { advertise } from '../../src/mesh/discovery/discovery.ts'
import { BIN, gatehouse, startGatehouse } from '../world/command.ts'
import { writeEventFolder } from '../world/event.ts'
import { World } from '../world/world.ts'

describe('the command line', { concurrency: 2 }, () => {
  let folder: string
  let environment: Environment
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'))
    environment = {
      GATEHOUSE_DATA_DIR: join(folder, 'data'),
      GATEHOUSE_EVENT_DIR: writeEventFolder(join(folder, 'event')),
    }
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('prints its help', async () => {
    const { code, out, err } = await gatehouse(['--help'])
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /^gatehouse: run and operate a box\n\nUsage: gatehouse <command> \[OPTIONS\]\n/)
  })

  it('exits 2 with a sentence and no stack when it cannot run', async () => {
    const wrong: [args: string[], message: RegExp, more?: Record<string, string>][] = [
      [['frobnicate'], /^There is no command "frobnicate"\./],
      [['import', BIN], /GATEHOUSE_PORT is not a setting of this version/, { GATEHOUSE_PORT: '1' }],
      [['import', BIN, '--tier', 'x=once'], /ledger|ENOTDIR|EEXIST/, { GATEHOUSE_DATA_DIR: `${BIN}/x` }],
    ]
    for (const [args, message, more] of wrong) {
      const { code, out, err } = await gatehouse(args, { environment: { ...environment, ...more }, cwd: folder })
      assert.deepEqual([code, out], [2, ''])
      assert.match(err, message)
      assert.doesNotMatch(err, /^\s+at |node:internal/m)
    }
  })

  it('imports and reports as JSON; exits 1 when rows were rejected', async () => {
    const own = { environment: { ...environment, GATEHOUSE_DATA_DIR: join(folder, 'own') }, cwd: folder }
    const file = join(environment.GATEHOUSE_EVENT_DIR ?? '', 'tickets.csv')
    const { code, out, err } = await gatehouse(['import', file, '--json'], own)
    assert.deepEqual([code, err], [0, ''])
    const { format, added, rejected } = JSON.parse(out)
    assert.deepEqual([format, added, rejected], ['gatehouse', 12, []])
    const bad = await gatehouse(['import', 'event/tickets.csv', '--tier', 'vip='], own)
    assert.deepEqual([bad.code, bad.err], [0, ''])
    assert.match(bad.out, /warning: Row 7: "vip" was left out, as its empty mapping asks\./)
    assert.equal(statSync(join(folder, 'own')).mode & 0o077, 0)
  })

  it('checks an event: exits 1 and lists every mistake', async () => {
    const broken = writeEventFolder(join(folder, 'broken'), { event: { id: 'x', name: '' } as never })
    const { code, out } = await gatehouse(['check-event', broken])
    assert.equal(code, 1)
    for (const field of ['name', 'timezone', 'tiers', 'zones', 'gates', 'checkpoints'])
      assert.match(out, new RegExp(`^${field}: `, 'm'))
  })
})

describe('the command line beside a running box', () => {
  it('invites, pairs and scans, with JSON answers', async () => {
    await using world = await World.open()
    const { box, environment, folder } = world
    const beside = {
      environment: {
        ...environment,
        GATEHOUSE_HTTPS_PORT: String(box.ports.https),
        GATEHOUSE_HTTP_PORT: String(box.ports.http),
      },
      cwd: folder,
    }
    const minted = await gatehouse(['invite', '--checkpoint', 'a-in', '--name', 'Phone 7', '--json'], beside)
    assert.equal(minted.code, 0)
    const { qr_payload, trust_link, expires_at, invite } = JSON.parse(minted.out)
    assert.equal(trust_link, `http://127.0.0.1:${box.ports.http}/trust/${new URL(qr_payload).hash}`)
    assert.ok(Date.parse(expires_at) > Date.now() + 9 * 60_000)
    assert.ok(!readFileSync(join(folder, 'data/ledger.db')).includes(invite), 'the ledger keeps a hash')

    const paired = await gatehouse(['pair', qr_payload, '--out', 'gate'], beside)
    assert.equal(paired.code, 0, paired.err)
    assert.match(paired.out, /^Paired as dev-[0-9a-f]{12}, for a-in\. The files are in gate\.\n$/)
    for (const name of ['key.pem', 'cert.pem', 'ca.pem', 'token', 'device.json']) {
      assert.equal(statSync(join(folder, 'gate', name)).mode & 0o777, 0o600, name)
    }
    const again = await gatehouse(['pair', qr_payload, '--out', 'again'], beside)
    assert.deepEqual([again.code, again.out], [1, ''])
    assert.match(again.err, /^This invite has been used: ask the control room for a new one\.\n$/)
    assert.ok(!existsSync(join(folder, 'again')))

    const scan = (...args: string[]) => gatehouse(['scan', ...args, '--device', 'gate'], beside)
    const first = await scan('ONCE-1')
    assert.deepEqual([first.code, first.out], [0, 'ADMIT · Day ticket · Row 1, seat 2 · Welcome.\n'])
    const second = await scan('ONCE-1', '--json')
    assert.equal(second.code, 1)
    assert.equal(JSON.parse(second.out).verdict, 'ALREADY_USED')
    const elsewhere = await scan('ONCE-2', '--checkpoint', 'b-in')
    assert.deepEqual([elsewhere.code, elsewhere.out], [2, ''])
    assert.match(elsewhere.err, /^This scanner was not invited to B entry: pair it again/)

    const link = await gatehouse(['invite'], beside)
    assert.match(link.out, /█/)
    assert.match(
      link.err,
      /^This link names 127\.0\.0\.1, which only this machine can open: .*GATEHOUSE_PUBLIC_HOST\.$/m,
    )
    assert.match(link.out, /^https:\/\/127\.0\.0\.1:\d+\/scanner\/#i=[\w-]+$/m)
    // A phone that does not trust the box yet gets the steps first; a supervisor's invite is never on plain HTTP.
    assert.match(link.out, /^http:\/\/127\.0\.0\.1:\d+\/trust\/#i=[\w-]+$/m)
    const supervisor = JSON.parse((await gatehouse(['invite', '--supervisor', '--json'], beside)).out)
    assert.equal(supervisor.trust_link, null)
    // Its steps stand on the page all the same, which has nothing of the invite.
    assert.match(supervisor.trust_page, /^http:\/\/127\.0\.0\.1:\d+\/trust\/$/)
    const said = (await gatehouse(['invite', '--supervisor'], beside)).out
    assert.match(said, /opens this first: http:\/\/127\.0\.0\.1:\d+\/trust\/\n/)
    assert.doesNotMatch(said, /\/trust\/#/)
  })

  it('finds the boxes that announce themselves', async (t) => {
    const box = {
      ...{ boxId: 'box-0badcafe', eventId: 'test-fair', name: 'Test Fair', caFingerprint: `sha256:${'5'.repeat(64)}` },
      ports: { http: 1, https: 2, device: 3 },
    }
    const problems: Error[] = []
    await using _advertised = advertise(box, { onProblem: (problem) => problems.push(problem) })
    await sleep(100)
    const found = await gatehouse(['find', '--seconds', '1', '--json'])
    if (problems.length > 0 || found.code === 2)
      return t.skip(`no multicast here: ${problems[0]?.message ?? found.err}`)
    const boxes: { boxId: string; addresses: string[] }[] = JSON.parse(found.out)
    if (boxes.length === 0) return t.skip('multicast does not come back to this machine')
    const { addresses, ...ours } = boxes.find(({ boxId }) => boxId === box.boxId) ?? assert.fail('not found')
    assert.deepEqual(ours, box)
    assert.ok(addresses.length > 0)
  })
})

/** A Node older than 24 that the machine has: the one that a person starts `npx --no gatehouse` with. */
function olderNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  return folders
    .map((path) => join(path, 'node'))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

describe('the command line under the machine’s own Node', async () => {
  const node = olderNode()
  const version = node && (await once(spawn(node, ['--version']).stdout.setEncoding('utf8'), 'data')).toString().trim()
  const skip = version === undefined ? 'there is none' : /^v2[0-3]\./.test(version) ? false : `it is ${version}`

  it('runs with the project’s Node, and passes on output and exit status', { skip }, async () => {
    const help = await gatehouse(['--help'], { node: node ?? '' })
    assert.equal(help.code, 0)
    assert.match(help.out, /^gatehouse: .+\n\nUsage: gatehouse <command>/)
    const wrong = await gatehouse(['import'], { node: node ?? '' })
    assert.deepEqual([wrong.code, wrong.out], [2, ''])
    const none = await gatehouse(['check-event', '/nowhere', '--json'], { node: node ?? '' })
    assert.deepEqual([none.code, JSON.parse(none.out).ok], [1, false])
  })

  it('stops the box when it is stopped, and shows the admin token at its first start alone', { skip }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-cli-'))
    const environment = {
      ...{ GATEHOUSE_DATA_DIR: join(folder, 'data'), GATEHOUSE_EVENT_DIR: writeEventFolder(join(folder, 'event')) },
      ...{
        GATEHOUSE_HOST: '127.0.0.1',
        GATEHOUSE_HTTP_PORT: '0',
        GATEHOUSE_HTTPS_PORT: '0',
        GATEHOUSE_DEVICE_PORT: '0',
      },
      GATEHOUSE_MDNS: '0',
    }
    /** @returns what it printed until it was stopped */
    const serve = async (): Promise<string> => {
      const child = startGatehouse(['serve'], { environment, node: node ?? '' })
      using _ = { [Symbol.dispose]: () => void child.kill('SIGKILL') }
      let out = ''
      for await (const text of child.stdout.setEncoding('utf8')) {
        const wasOpen = out.includes('is open: box')
        out += text
        // Once: a second signal would not wait.
        if (!wasOpen && out.includes('is open: box')) child.kill('SIGTERM')
      }
      assert.match(out, /"event":"box_closing","signal":"SIGTERM"/)
      if (child.exitCode === null) await once(child, 'exit')
      assert.equal(child.exitCode, 0)
      return out
    }
    try {
      const [first, second] = [await serve(), await serve()]
      const file = join(environment.GATEHOUSE_DATA_DIR, 'admin-token')
      const token = readFileSync(file, 'utf8').trim()
      assert.ok(first.includes(`admin token     ${token} `))
      assert.ok(!second.includes(token) && second.includes(`admin token     in ${file}`))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
