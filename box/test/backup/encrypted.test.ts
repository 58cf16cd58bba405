/** Encrypted backups: by command and over the network, with `age` of Debian as the other implementation. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import type { BackupRequest } from '@gatehouse/proto/wire/backup.ts'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { gatehouse } from '../world/command.ts'
import { World } from '../world/world.ts'

const PASSPHRASE = 'nine blue lanterns on the quay'
const NO_AGE =
  spawnSync('age', ['--version']).status !== 0 && 'the command age is not on this machine: apt-get install age'
/** age reads passphrases from a terminal alone; script(1) is one. */
const NO_SCRIPT = NO_AGE || (spawnSync('script', ['--version']).status !== 0 && 'script(1) is not on this machine')
const GZIP = Buffer.from([0x1f, 0x8b])

describe('an encrypted backup', () => {
  let world: World
  let logged = ''
  let identity: string
  let recipient: string
  before(async () => {
    const log = new Writable({
      write(chunk, _, done) {
        logged += chunk
        done()
      },
    })
    world = await World.open({ log })
    identity = await generateX25519Identity()
    recipient = await identityToRecipient(identity)
    write('passphrase', `${PASSPHRASE}\r\nand a second line\n`)
    write('wrong', 'nine blue lanterns on the quai\n')
    write('identity', `# created: today\n${identity}\n`)
    write('stranger', `${await generateX25519Identity()}\n`)
  })
  after(() => world[Symbol.asyncDispose]())

  const path = (name: string) => join(world.folder, name)
  const write = (name: string, content: string | Uint8Array) => writeFileSync(path(name), content)
  const place = (name: string) => ({
    GATEHOUSE_DATA_DIR: path(`${name}/data`),
    GATEHOUSE_EVENT_DIR: path(`${name}/event`),
  })
  const run = (environment: object, ...args: string[]) =>
    gatehouse(args, { environment: { ...world.environment, ...environment }, cwd: world.folder })
  const restored = async (name: string, ...args: string[]) => {
    const { code, err } = await run(place(name), 'restore', ...args)
    assert.equal(code, 0, err)
    assert.deepEqual(readFileSync(path(`${name}/data/admin-token`)), readFileSync(path('data/admin-token')))
  }
  /** Nothing is in place, and the message says what to do. */
  const refused = async (said: RegExp, ...args: string[]) => {
    mkdirSync(path('none/data'), { recursive: true })
    const { code, out, err } = await run(place('none'), 'restore', ...args)
    assert.deepEqual([code, out], [2, ''], err)
    assert.match(err, said)
    assert.doesNotMatch(err, /^\s+at |AGE-SECRET-KEY-1\w|lanterns/m)
    assert.deepEqual(readdirSync(path('none/data')), [])
  }
  const download = async (body: BackupRequest) => {
    const admin = await world.admin()
    const { response } = await admin.POST('/v1/admin/backup', { body, parseAs: 'stream' })
    assert.equal(response.status, 200)
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? ''
    return { name, bytes: Buffer.concat(await Array.fromAsync(response.body as AsyncIterable<Uint8Array>)) }
  }

  it('with a passphrase restores with it, and a wrong one changes nothing', async () => {
    const made = await run({}, 'backup', '.', '--passphrase-file', 'passphrase', '--json')
    assert.deepEqual([made.code, made.err], [0, ''])
    const { file, encrypted } = JSON.parse(made.out)
    assert.equal(encrypted, true)
    assert.match(file, /\.backup\.tar\.gz\.age$/)
    const bytes = readFileSync(path(file))
    assert.match(bytes.toString('latin1'), /^age-encryption\.org\/v1\n-> scrypt /)
    await refused(/add --passphrase-file FILE/, file)
    await refused(/add --passphrase-file FILE/, file, '--identity', 'identity')
    await refused(/not the passphrase of /, file, '--passphrase-file', 'wrong')
    await refused(/ENOENT/, file, '--passphrase-file', 'nowhere')
    write('cut.age', bytes.subarray(0, -20))
    await refused(/was changed after it was encrypted, or is cut short/, 'cut.age', '--passphrase-file', 'passphrase')
    await restored('by-passphrase', file, '--passphrase-file', 'passphrase')
  })

  it('for several recipients restores with the identity of each', async () => {
    const other = await generateX25519Identity()
    write('other', other)
    const to = ['--recipient', recipient, '--recipient', await identityToRecipient(other)]
    assert.equal((await run({}, 'backup', 'several.age', ...to)).code, 0)
    await refused(/add --identity FILE/, 'several.age', '--passphrase-file', 'passphrase')
    await refused(/for other recipients/, 'several.age', '--identity', 'stranger')
    await refused(/not an age identity/, 'several.age', '--identity', 'passphrase')
    await restored('by-identity', 'several.age', '--identity', 'identity')
    await restored('by-other', 'several.age', '--identity', 'stranger', '--identity', 'other')
  })

  it('a command that asks for something else is refused, and leaves no file', async () => {
    write('short', 'elevenchars')
    write('empty', '\nsecond')
    for (const [said, ...args] of [
      [/too short/, '--passphrase-file', 'short'],
      [/is empty/, '--passphrase-file', 'empty'],
      [/Recipient 1 is not a valid age public key/, '--recipient', `${recipient.slice(0, -1)}b`],
      [/Recipient 2 is not a valid age public key/, '--recipient', recipient, '--recipient', identity],
      [/either/, '--recipient', recipient, '--passphrase-file', 'passphrase'],
    ] as const) {
      const { code, err } = await run({}, 'backup', 'no.age', ...args)
      assert.equal(code, 2)
      assert.match(err, said)
      assert.doesNotMatch(err, /AGE-SECRET|^\s+at /m)
      assert.ok(!existsSync(path('no.age')))
    }
  })

  it('that is not encrypted says what it is worth to a thief', async () => {
    const { code, out } = await run({}, 'backup', 'plain.tar.gz')
    assert.equal(code, 0)
    assert.match(out, /not encrypted[\s\S]*keys of the box[\s\S]*names and e-mails[\s\S]*codes of all tickets/)
    await restored('plain', 'plain.tar.gz', '--passphrase-file', 'nowhere')
  })

  it('over the network: encrypted as the body asks, journalled without saying with what, and logged nowhere', async () => {
    const one = await download({ actor: 'Rui', passphrase: PASSPHRASE })
    assert.match(one.name, /\.backup\.tar\.gz\.age$/)
    write('one.age', one.bytes)
    await restored('net-passphrase', 'one.age', '--passphrase-file', 'passphrase')
    const two = await download({ recipients: [recipient] })
    write('two.age', two.bytes)
    await restored('net-recipient', 'two.age', '--identity', 'identity')
    const three = await download({})
    assert.match(three.name, /\.backup\.tar\.gz$/)
    assert.deepEqual(three.bytes.subarray(0, 2), GZIP)

    const entries = world.box.ledger.read(0, world.box.ledger.size).filter(({ kind }) => kind === 'backup')
    assert.deepEqual(
      entries.map(({ fields }) => 'encrypted' in fields && fields.encrypted),
      [true, true, false],
    )
    const admin = await world.admin()
    const { data } = await admin.GET('/v1/admin/log', { params: { query: { kind: 'backup', limit: 3 } } })
    assert.match(data?.rows.at(-1)?.summary ?? '', /^Rui downloaded an encrypted backup, with the keys of the box\.$/)
    const kept = JSON.stringify(entries) + logged
    for (const secret of [PASSPHRASE, encodeURIComponent(PASSPHRASE), recipient]) assert.ok(!kept.includes(secret))
  })

  it('a request for something else is refused without an entry, a file or an echo', async () => {
    const admin = await world.admin()
    const size = world.box.ledger.size
    const short = 'elevenchars'
    const low = `age1${'q'.repeat(58)}`
    for (const body of [
      { passphrase: short },
      { passphrase: `${PASSPHRASE}\n` },
      { passphrase: PASSPHRASE, recipients: [recipient] },
      { recipients: [] },
      { recipients: [identity] },
      { recipients: [recipient, low] },
      { recipients: [`${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`] },
      { recipients: Array.from({ length: 21 }, () => recipient) },
      { passphrase: PASSPHRASE, keep: true },
    ]) {
      const { error } = await admin.POST('/v1/admin/backup', { body: body as BackupRequest })
      assert.equal(error?.code, 'bad_request', JSON.stringify(error))
      for (const secret of [short, PASSPHRASE, identity]) assert.ok(!error?.message.includes(secret))
    }
    assert.equal(world.box.ledger.size, size)
    for (const secret of [short, PASSPHRASE, identity]) assert.ok(!logged.includes(secret))
    const nobody = await world.admin('nobody')
    assert.equal((await nobody.POST('/v1/admin/backup', { body: {} })).error?.code, 'bad_token')
  })

  it('a download that is given up ends its thread, leaves nothing, and the next one comes', async () => {
    const admin = await world.admin()
    for (let i = 0; i < 3; i++) {
      const { response } = await admin.POST('/v1/admin/backup', {
        body: { recipients: [recipient] },
        parseAs: 'stream',
      })
      assert.equal(response.status, 200, 'the one before has ended')
      await response.body?.cancel()
      const busy = () => readdirSync(path('data')).some((name) => name.startsWith('backup-'))
      while (busy()) await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })

  it('opens with "age -d", and "age -e" is restored, armored or not', { skip: NO_AGE }, async () => {
    const { bytes } = await download({ recipients: [recipient] })
    write('ours.age', bytes)
    const opened = spawnSync('age', ['-d', '-i', path('identity'), path('ours.age')], { maxBuffer: 1e9 })
    assert.equal(opened.status, 0, opened.stderr.toString())
    write('opened.tar.gz', opened.stdout)
    await restored('age-opened', 'opened.tar.gz')
    for (const armor of [[], ['-a']]) {
      const name = `theirs${armor.length}.age`
      const made = spawnSync('age', [...armor, '-r', recipient, '-o', path(name), path('opened.tar.gz')])
      assert.equal(made.status, 0, made.stderr.toString())
      await restored(`age-${name}`, name, '--identity', 'identity')
    }
  })

  it('opens with the passphrase in "age -d", and "age -p" is restored', { skip: NO_SCRIPT }, async () => {
    const typed = (times: number, ...args: string[]) =>
      spawnSync('script', ['-qec', ['age', ...args].map((arg) => `'${arg}'`).join(' '), '/dev/null'], {
        input: `${PASSPHRASE}\n`.repeat(times),
        encoding: 'utf8',
      })
    write('ours-p.age', (await download({ passphrase: PASSPHRASE })).bytes)
    const opened = typed(1, '-d', '-o', path('opened-p.tar.gz'), path('ours-p.age'))
    assert.equal(opened.status, 0, opened.stdout)
    await restored('age-opened-p', 'opened-p.tar.gz')
    const made = typed(2, '-p', '-a', '-o', path('theirs-p.age'), path('opened-p.tar.gz'))
    assert.equal(made.status, 0, made.stdout)
    await restored('age-theirs-p', 'theirs-p.age', '--passphrase-file', 'passphrase')
  })
})
