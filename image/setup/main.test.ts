/** The first boot as a process, in a folder that stands for the machine. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { packTar } from 'modern-tar'
import { inviteText } from '../../box/src/mesh/join/invite.ts'

const DEMO = join(import.meta.dirname, '../../box/demo')

describe('a first boot', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-setup-'))
    mkdirSync(join(root, 'boot/firmware'), { recursive: true })
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const boot = (name: string) => join(root, 'boot/firmware', name)
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const start = (toml?: string) => {
    if (toml !== undefined) writeFileSync(boot('gatehouse.toml'), toml)
    const { status, stderr, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: { GATEHOUSE_SETUP_ROOT: root },
      encoding: 'utf8',
    })
    assert.deepEqual([status, stderr], [0, ''], stdout)
    return JSON.parse(read('run/gatehouse/problems.json')).problems as { where: string; message: string }[]
  }

  test('without a file, with an empty partition: the box comes up, and says so', () => {
    const problems = start()
    assert.deepEqual(
      problems.map(({ where }) => where),
      ['gatehouse.toml', 'box.event'],
    )
    assert.match(read('run/gatehouse/box.env'), /GATEHOUSE_DATA_DIR=\/data\/box\/demo/)
    assert.match(read('boot/firmware/gatehouse-problems.txt'), /The box is up/)
  })

  test('the event folder, in each form that a laptop makes of it', async () => {
    const event = strToU8(readFileSync(join(DEMO, 'event.json'), 'utf8'))
    const tickets = strToU8('code,tier\n')
    cpSync(join(DEMO, 'event.json'), join(boot('as-folder'), 'event.json'), { recursive: true })
    writeFileSync(
      boot('zipped.zip'),
      zipSync({
        'my event/event.json': event,
        'my event/tickets.csv': tickets,
        '__MACOSX/my event/._event.json': event,
        'my event/../../../escaped': event,
      }),
    )
    const tar = await packTar([
      { header: { name: './event.json', size: event.length }, body: event },
      { header: { name: './tickets.csv', size: tickets.length }, body: tickets },
    ])
    writeFileSync(boot('packed.tar.gz'), gzipSync(tar))
    for (const name of ['as-folder', 'zipped.zip', 'packed.tar.gz']) {
      rmSync(join(root, 'data/event'), { recursive: true, force: true })
      assert.deepEqual(start(`[box]\nevent = "${name}"`), [], name)
      assert.match(
        read('run/gatehouse/box.env'),
        /DATA_DIR=\/data\/box\/lantern-quay\nGATEHOUSE_EVENT_DIR=\/data\/event\n/,
      )
      assert.match(read('data/event/event.json'), /lantern-quay/)
      assert.equal(statSync(join(root, 'data/event')).mode & 0o777, 0o750, 'the box reads it, and it is not root')
    }
    assert.ok(!existsSync(join(root, 'escaped')))
  })

  test('an event with mistakes leaves the one before in place', () => {
    cpSync(join(DEMO, 'event.json'), join(boot('event'), 'event.json'), { recursive: true })
    assert.deepEqual(start('[box]\nevent = "event"'), [])
    writeFileSync(join(boot('event'), 'event.json'), '{"id": "x"}')
    const [problem] = start('[box]\nevent = "event"')
    assert.match(problem?.message ?? '', /event has mistakes/)
    assert.match(read('data/event/event.json'), /lantern-quay/)
    assert.match(read('run/gatehouse/box.env'), /lantern-quay/)
    for (const [name, bytes, said] of [
      ['broken.zip', 'PK no zip', /cannot be read/],
      ['broken.tar.gz', 'no archive', /cannot be read/],
      ['event.pdf', 'x', /no folder, and no/],
      ['empty.zip', zipSync({ 'a.txt': strToU8('x') }), /holds no event/],
    ] as const) {
      writeFileSync(boot(name), bytes)
      assert.match(start(`[box]\nevent = "${name}"`)[0]?.message ?? '', said, name)
    }
    assert.match(start('[box]\nevent = "nowhere"')[0]?.message ?? '', /not on this partition/)
  })

  test('the admin token is on the partition once, where it is asked for', () => {
    start('[box]')
    assert.ok(!existsSync(boot('admin-token.txt')))
    start('[box]\nshow_admin_token = true')
    const [token = ''] = read('boot/firmware/admin-token.txt').split('\n')
    assert.equal(read('data/box/demo/admin-token').trim(), token)
    assert.equal(statSync(join(root, 'data/box/demo/admin-token')).mode & 0o777, 0o600)
    rmSync(boot('admin-token.txt'))
    start('[box]\nshow_admin_token = true')
    assert.ok(!existsSync(boot('admin-token.txt')), 'not a second time')
  })

  test('a box that joins has no token of its own: it shows the event’s, once it has it', () => {
    const more = { url: 'https://10.0.0.2', fingerprint: `sha256:${'ab'.repeat(32)}`, code: 'c'.repeat(22) }
    const invite = inviteText({ ...more, expiresAt: 1_800_000_000_000, as: 'box', eventId: 'fair-26' })
    const toml = `[box]\nshow_admin_token = true\n[mesh]\ninvite = "${invite}"`
    assert.deepEqual(start(toml), [])
    assert.ok(!existsSync(boot('admin-token.txt')) && !existsSync(join(root, 'data/box')))
    mkdirSync(join(root, 'data/box/fair-26'), { recursive: true })
    writeFileSync(join(root, 'data/box/fair-26/admin-token'), 'of the event\n')
    start(toml)
    assert.match(read('boot/firmware/admin-token.txt'), /^of the event\n/)
  })

  test('ssh, certificates and HQ take their files from the partition', () => {
    for (const name of ['authorized_keys', 'chain.pem', 'key.pem', 'ca.pem']) writeFileSync(boot(name), name)
    start('[tls]\ncertificate = "chain.pem"\nkey = "key.pem"\n[hq]\naddress = "hq.example:7719"\nca = "ca.pem"')
    assert.equal(read('run/gatehouse/tls/key.pem'), 'key.pem')
    assert.equal(statSync(join(root, 'run/gatehouse/tls/key.pem')).mode & 0o777, 0o600)
    assert.match(read('run/gatehouse/nftables.d/ssh.nft'), /dport 22 accept/)
    assert.match(read('run/gatehouse/box.env'), /GATEHOUSE_HQ=hq\.example:7719\nGATEHOUSE_HQ_CA=/)
  })
})
