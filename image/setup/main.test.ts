/** A first boot in a folder that stands for the machine; once as a process, because each start of one takes as long as ten of these. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { packTar } from 'modern-tar'
import { inviteText } from '../../box/src/ca/box-invite.ts'
import { makeAuthority } from '../../box/test/world/certificates.ts'
import { applySettings } from './apply.ts'
import type { Problem } from './settings-file.ts'

const PKCS8 = { format: 'pem', type: 'pkcs8' } as const
const EXPIRED = { notBefore: new Date(Date.now() - 2000), notAfter: new Date(Date.now() - 1000) }
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
  const problemsOf = () => JSON.parse(read('run/gatehouse/problems.json')).problems as Problem[]
  const start = async (toml: string) => {
    writeFileSync(boot('gatehouse.toml'), toml)
    const problems = await applySettings(root)
    assert.deepEqual(problemsOf(), problems, 'what the box’s page shows')
    return problems
  }
  const startProcess = () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
      env: { GATEHOUSE_SETUP_ROOT: root, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      encoding: 'utf8',
    })
    assert.deepEqual([status, stderr], [0, ''], stdout)
    return stdout
  }

  test('without a file, with an empty partition: the box comes up, and the console says so', () => {
    const console = startProcess()
    assert.deepEqual(
      problemsOf().map(({ where }) => where),
      ['gatehouse.toml', 'box.event'],
    )
    assert.deepEqual(console.split('\n'), [
      ...problemsOf().map(({ where, message }) => `gatehouse.toml: ${where} ${message}`),
      '',
    ])
    assert.match(read('run/gatehouse/box.env'), /GATEHOUSE_DATA_DIR=\/data\/box\/demo/)
    assert.match(read('boot/firmware/gatehouse-problems.txt'), /The box is up/)
  })

  test('the event folder, in each form that a laptop makes of it', async () => {
    const event = strToU8(readFileSync(join(DEMO, 'event.json'), 'utf8'))
    const tickets = strToU8('code,tier\nA,day\n')
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
      assert.deepEqual(await start(`[box]\nevent = "${name}"`), [], name)
      assert.match(
        read('run/gatehouse/box.env'),
        /DATA_DIR=\/data\/box\/lantern-quay\nGATEHOUSE_EVENT_DIR=\/data\/event\n/,
      )
      assert.match(read('data/event/event.json'), /lantern-quay/)
      assert.equal(statSync(join(root, 'data/event')).mode & 0o777, 0o750, 'the box reads it, and it is not root')
    }
    assert.ok(!existsSync(join(root, 'escaped')))
  })

  test('an event with mistakes leaves the one before in place', async () => {
    cpSync(join(DEMO, 'event.json'), join(boot('event'), 'event.json'), { recursive: true })
    assert.deepEqual(await start('[box]\nevent = "event"'), [])
    writeFileSync(join(boot('event'), 'event.json'), '{"id": "x"}')
    const [problem] = await start('[box]\nevent = "event"')
    assert.match(problem?.message ?? '', /event has mistakes/)
    assert.partialDeepStrictEqual(problem?.coded, [{ code: 'event_mistakes', values: { name: 'event' } }])
    assert.match(read('data/event/event.json'), /lantern-quay/)
    assert.match(read('run/gatehouse/box.env'), /lantern-quay/)
    const many = Array.from({ length: 1001 }, (_, i) => ({ header: { name: `${i}.csv`, size: 1 }, body: 'x' }))
    for (const [name, bytes, said] of [
      ['broken.zip', 'PK no zip', /cannot be read/],
      ['broken.tar.gz', 'no archive', /cannot be read/],
      ['bomb.tar.gz', gzipSync(Buffer.alloc(65 * 1024 * 1024)), /unpacks to more than 64 MB/],
      ['bomb.zip', zipSync({ 'event.json': new Uint8Array(65 * 1024 * 1024) }), /unpacks to more than 64 MB/],
      ['many.tar.gz', gzipSync(await packTar(many)), /has more than 1000 files/],
      [
        'many.zip',
        zipSync(Object.fromEntries(many.map(({ header: { name } }) => [name, strToU8('x')]))),
        /more than 1000/,
      ],
      ['event.pdf', 'x', /not a folder, and no/],
      ['empty.zip', zipSync({ 'a.txt': strToU8('x') }), /holds no event/],
    ] as const) {
      writeFileSync(boot(name), bytes)
      assert.match((await start(`[box]\nevent = "${name}"`))[0]?.message ?? '', said, name)
    }
    assert.match((await start('[box]\nevent = "nowhere"'))[0]?.message ?? '', /not on this partition/)
  })

  test('the admin token is on the partition once, where it is asked for', async () => {
    await start('[box]')
    assert.ok(!existsSync(boot('admin-token.txt')))
    await start('[box]\nshow_admin_token = true')
    const [token = ''] = read('boot/firmware/admin-token.txt').split('\n')
    assert.equal(read('data/box/demo/admin-token').trim(), token)
    assert.equal(statSync(join(root, 'data/box/demo/admin-token')).mode & 0o777, 0o600)
    rmSync(boot('admin-token.txt'))
    await start('[box]\nshow_admin_token = true')
    assert.ok(!existsSync(boot('admin-token.txt')), 'not a second time')

    cpSync(join(DEMO, 'event.json'), join(boot('event'), 'event.json'), { recursive: true })
    await start('[box]\nshow_admin_token = true\nevent = "event"')
    const own = read('data/box/lantern-quay/admin-token').trim()
    assert.notEqual(own, token)
    assert.equal(read('boot/firmware/admin-token.txt').split('\n')[0], own, 'that of one’s own event, after the demo’s')
    rmSync(boot('admin-token.txt'))
    writeFileSync(join(root, 'data/box/lantern-quay/admin-token'), 'of a backup\n')
    await start('[box]\nshow_admin_token = true')
    assert.match(read('boot/firmware/admin-token.txt'), /^of a backup\n/, 'and the one that came with a backup')
  })

  test('a box that joins has no token of its own: it shows the event’s, once it has it', async () => {
    const more = { url: 'https://10.0.0.2', fingerprint: `sha256:${'ab'.repeat(32)}`, code: 'c'.repeat(22) }
    const invite = inviteText({ ...more, expiresAt: 1_800_000_000_000, as: 'box', eventId: 'fair-26' })
    const toml = `[box]\nshow_admin_token = true\n[mesh]\ninvite = "${invite}"`
    assert.deepEqual(await start(toml), [])
    assert.ok(!existsSync(boot('admin-token.txt')) && !existsSync(join(root, 'data/box')))
    // This card has shown the demo's token before.
    await start('[box]\nshow_admin_token = true')
    assert.ok(existsSync(boot('admin-token.txt')))
    mkdirSync(join(root, 'data/box/fair-26'), { recursive: true })
    writeFileSync(join(root, 'data/box/fair-26/admin-token'), 'of the event\n')
    await start(toml)
    assert.match(read('boot/firmware/admin-token.txt'), /^of the event\n/)
  })

  const guideWrites = (
    id: string,
    text = JSON.stringify({ ...JSON.parse(readFileSync(join(DEMO, 'event.json'), 'utf8')), id }),
  ) => {
    mkdirSync(join(root, 'data/box/demo/own/event'), { recursive: true })
    mkdirSync(join(root, 'data/box/demo/own/data'), { recursive: true })
    writeFileSync(join(root, 'data/box/demo/own/event/event.json'), text)
  }

  test('the event that the guide has written is the box’s: nothing is missing, and feed and token are those of its ledger', async () => {
    assert.equal((await start('[box]\nshow_admin_token = true'))[0]?.where, 'box.event')
    const waits = join(root, 'run/gatehouse/no-event')
    assert.ok(existsSync(waits), 'a unit waits for the guide')
    // The folder is in memory, and empty at each start.
    rmSync(waits)
    guideWrites('bridge-fair')
    writeFileSync(join(root, 'data/box/demo/own/data/admin-token'), 'of the event\n')
    assert.deepEqual(await start('[box]\nshow_admin_token = true'), [])
    assert.match(read('boot/firmware/gatehouse-problems.txt'), /Nothing is wrong/)
    // The box finds it by itself.
    assert.match(read('run/gatehouse/box.env'), /^GATEHOUSE_DATA_DIR=\/data\/box\/demo\nGATEHOUSE_HTTP_PORT/)
    assert.equal(read('run/gatehouse/feed.env'), 'GATEHOUSE_DATA_DIR=/data/box/demo/own/data\n')
    assert.ok(!existsSync(waits))
    assert.match(read('boot/firmware/admin-token.txt'), /^of the event\n/)
  })

  test('the guide’s event, put on the card, keeps its tickets and scanners; another event has its own', async () => {
    cpSync(join(DEMO, 'event.json'), join(boot('event'), 'event.json'), { recursive: true })
    guideWrites('lantern-quay')
    assert.deepEqual(await start('[box]\nevent = "event"'), [])
    const folders = () => [read('run/gatehouse/box.env').split('\n', 2), read('run/gatehouse/feed.env')]
    const kept = [
      ['GATEHOUSE_DATA_DIR=/data/box/demo/own/data', 'GATEHOUSE_EVENT_DIR=/data/event'],
      'GATEHOUSE_DATA_DIR=/data/box/demo/own/data\n',
    ]
    assert.deepEqual(folders(), kept)
    await start('')
    assert.deepEqual(folders(), kept, 'also once the line is gone from the file')
    const other = [
      ['GATEHOUSE_DATA_DIR=/data/box/lantern-quay', 'GATEHOUSE_EVENT_DIR=/data/event'],
      'GATEHOUSE_DATA_DIR=/data/box/lantern-quay\n',
    ]
    guideWrites('bridge-fair')
    await start('')
    assert.deepEqual(folders(), other)
    // A box that has opened a ledger of this event elsewhere stays with it.
    guideWrites('lantern-quay')
    mkdirSync(join(root, 'data/box/lantern-quay'))
    writeFileSync(join(root, 'data/box/lantern-quay/ledger.db'), '')
    await start('')
    assert.deepEqual(folders(), other)
  })

  test('a file of the guide that is no event, or a link that leads elsewhere, names no event', async () => {
    cpSync(join(DEMO, 'event.json'), join(boot('event'), 'event.json'), { recursive: true })
    for (const text of ['', 'null', '[]', '{"id": 7}', '{"id": "lantern-quay"']) {
      guideWrites('', text)
      await start('[box]\nevent = "event"')
      assert.match(read('run/gatehouse/feed.env'), /=\/data\/box\/lantern-quay$/m, text)
    }
    const file = join(root, 'data/box/demo/own/event/event.json')
    for (const make of [
      () => symlinkSync(join(DEMO, 'event.json'), file),
      // Would keep waiting for somebody who writes.
      () => assert.equal(spawnSync('mkfifo', [file]).status, 0),
      () => mkdirSync(file),
    ]) {
      rmSync(file, { recursive: true })
      make()
      await start('[box]\nevent = "event"')
      assert.match(read('run/gatehouse/feed.env'), /=\/data\/box\/lantern-quay$/m)
    }
  })

  test('while the box runs, the guide’s first event changes feed and problems, and nothing else', async () => {
    await start('[box]\nname = "north"')
    writeFileSync(boot('gatehouse.toml'), '[box]\nname = "south"\nshow_admin_token = true')
    const env = read('run/gatehouse/box.env')
    writeFileSync(join(root, 'run/gatehouse/box.env'), `${env}#\n`)
    guideWrites('bridge-fair')
    assert.deepEqual(await applySettings(root, { isRunning: true }), [])
    assert.deepEqual(problemsOf(), [])
    assert.equal(read('run/gatehouse/feed.env'), 'GATEHOUSE_DATA_DIR=/data/box/demo/own/data\n')
    assert.equal(read('run/gatehouse/box.env'), `${env}#\n`)
    assert.equal(read('etc/hostname'), 'north\n')
    assert.ok(!existsSync(boot('admin-token.txt')))
    // An event that was put on the card meanwhile counts from the next start on.
    cpSync(join(DEMO, 'event.json'), join(boot('event'), 'event.json'), { recursive: true })
    writeFileSync(boot('gatehouse.toml'), '[box]\nevent = "event"')
    await applySettings(root, { isRunning: true })
    assert.ok(!existsSync(join(root, 'data/event/event.json')))
  })

  test('an event with mistakes in its map and in its tickets does not replace a good one either', async () => {
    for (const file of ['event.json', 'venue.geojson'])
      cpSync(join(DEMO, file), join(boot('event'), file), { recursive: true })
    assert.deepEqual(await start('[box]\nevent = "event"'), [])
    const good = read('data/event/venue.geojson')
    const bad = JSON.parse(good)
    for (const { id, properties } of bad.features) if (id === 'terrace-lift') properties.to = 'nowhere'
    writeFileSync(join(boot('event'), 'venue.geojson'), JSON.stringify(bad))
    writeFileSync(join(boot('event'), 'tickets.csv'), 'Name;Mail\nAna;ana@mail.example\n')
    const [problem, ...more] = await start('[box]\nevent = "event"')
    assert.deepEqual(more, [])
    assert.match(
      problem?.message ?? '',
      /has mistakes:\n {6}venue\.geojson: path "terrace-lift": .*\n {6}tickets\.csv: /,
    )
    assert.equal(read('data/event/venue.geojson'), good)
    assert.ok(!existsSync(join(root, 'data/event/tickets.csv')))
    assert.match(read('run/gatehouse/box.env'), /EVENT_DIR=\/data\/event\n/)

    for (const { properties } of bad.features) properties.max_slope = 'steep'
    writeFileSync(join(boot('event'), 'venue.geojson'), JSON.stringify(bad))
    const many = (await start('[box]\nevent = "event"'))[0]?.message ?? ''
    assert.match(many, /and \d+ more$/)
    assert.ok(many.length < 2000, 'the box’s page has room for it')
  })

  test('an invite takes the place of the event that was there before, once that is left out', async () => {
    cpSync(join(DEMO, 'event.json'), join(boot('event'), 'event.json'), { recursive: true })
    await start('[box]\nevent = "event"')
    const more = { url: 'https://10.0.0.2', fingerprint: `sha256:${'ab'.repeat(32)}`, code: 'c'.repeat(22) }
    const inviteTo = (eventId: string) =>
      `[mesh]\ninvite = "${inviteText({ ...more, expiresAt: 4_000_000_000_000, as: 'box', eventId })}"`
    assert.match(
      (await start(`[box]\nevent = "event"\n${inviteTo('fair-26')}`))[0]?.message ?? '',
      /leave out one of them/,
    )
    assert.deepEqual(await start(inviteTo('fair-26')), [])
    assert.match(
      read('run/gatehouse/box.env'),
      /DATA_DIR=\/data\/box\/fair-26\nGATEHOUSE_EVENT_DIR=\/data\/box\/fair-26-event\n/,
    )
    // Of the same event: the folder that it has been opened with.
    assert.deepEqual(await start(inviteTo('lantern-quay')), [])
    assert.match(read('run/gatehouse/box.env'), /EVENT_DIR=\/data\/event\n/)
  })

  test('an organiser’s certificate that cannot be used is said, and the box comes up with its own', async () => {
    const { issue } = await makeAuthority('Internet')
    const [one, other, old] = [await issue('one'), await issue('other'), await issue('old', [], EXPIRED)]
    const locked = createPrivateKey(one.key).export({ ...PKCS8, cipher: 'aes-256-cbc', passphrase: 'p' })
    const tls = '[tls]\ncertificate = "chain.pem"\nkey = "key.pem"'
    for (const [cert, key, said, values] of [
      ['hello', one.key, /^chain\.pem does not begin with a certificate in PEM\./, { file: 'chain.pem' }],
      [one.cert, 'hello', /^key\.pem is not a private key in PEM/, { file: 'key.pem' }],
      [one.cert, locked, /without a password/, { file: 'key.pem' }],
      [
        one.cert,
        other.key,
        /^key\.pem is not the key of the first certificate in chain\.pem/,
        { file: 'key.pem', certificate: 'chain.pem' },
      ],
      [
        old.cert,
        old.key,
        /^chain\.pem expired on /,
        { file: 'chain.pem', date: EXPIRED.notAfter.toISOString().slice(0, 10) },
      ],
    ] as const) {
      writeFileSync(boot('chain.pem'), cert)
      writeFileSync(boot('key.pem'), key)
      const problem = (await start(tls)).find(({ where }) => where === 'tls')
      assert.match(problem?.message ?? '', said)
      assert.deepEqual(problem?.coded?.[0]?.values, values)
      assert.doesNotMatch(read('run/gatehouse/box.env'), /TLS/)
    }
    rmSync(boot('chain.pem'))
    mkdirSync(boot('chain.pem'))
    assert.equal((await start(tls))[0]?.where, 'box.event', 'and the rest is said too')
    assert.doesNotMatch(read('run/gatehouse/box.env'), /TLS/)
  })

  test("the provider's secret is the box's alone, and one that is none keeps the box from nothing", async () => {
    const toml =
      '[box]\npublic_host = "gate.example.org"\n[oidc]\nissuer = "https://login.example.org"\nclient_id = "gate"\nsecret = "s.txt"\nroles = { crew = "viewer" }\nca = "ca.pem"'
    const { cert } = await (await makeAuthority('Internet')).issue('login.example')
    for (const [secret, ca, where] of [
      [' \n', cert, 'oidc.secret'],
      ['hush', 'hello', 'oidc.ca'],
    ] as const) {
      writeFileSync(boot('s.txt'), secret)
      writeFileSync(boot('ca.pem'), ca)
      assert.ok((await start(toml)).some((problem) => problem.where === where))
      assert.doesNotMatch(read('run/gatehouse/box.env'), /OIDC/)
    }
    writeFileSync(boot('s.txt'), 'hush\n')
    writeFileSync(boot('ca.pem'), cert)
    assert.deepEqual(
      (await start(toml)).filter(({ where }) => where.startsWith('oidc')),
      [],
    )
    assert.equal(read('run/gatehouse/oidc/secret'), 'hush\n')
    assert.equal(statSync(join(root, 'run/gatehouse/oidc/secret')).mode & 0o777, 0o600)
    assert.match(read('run/gatehouse/box.env'), /^GATEHOUSE_OIDC_ROLES='\{"crew":"viewer"\}'$/m)
    assert.doesNotMatch(read('run/gatehouse/box.env'), /hush/)
  })

  test('ssh, certificates and HQ take their files from the partition', async () => {
    for (const name of ['authorized_keys', 'ca.pem']) writeFileSync(boot(name), name)
    const { cert, key } = await (await makeAuthority('Internet')).issue('gate.example')
    writeFileSync(boot('chain.pem'), cert)
    writeFileSync(boot('key.pem'), key)
    await start('[tls]\ncertificate = "chain.pem"\nkey = "key.pem"\n[hq]\naddress = "hq.example:7719"\nca = "ca.pem"')
    assert.equal(read('run/gatehouse/tls/key.pem'), key)
    assert.match(read('run/gatehouse/box.env'), /TLS_CERT=.*\nGATEHOUSE_TLS_KEY=/)
    assert.equal(statSync(join(root, 'run/gatehouse/tls/key.pem')).mode & 0o777, 0o600)
    assert.match(read('run/gatehouse/nftables.d/ssh.nft'), /dport 22 accept/)
    assert.match(read('run/gatehouse/box.env'), /GATEHOUSE_HQ=hq\.example:7719\nGATEHOUSE_HQ_CA=/)
  })
})
