/** Box and change feed as two users of one machine, as on the appliance: the feed does its work, and reads no key of the box. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readEvents } from '@gatehouse/proto/sse.ts'
import { shareWithFeed } from '../../src/feed/shared-ledger.ts'
import { secretsBeside } from '../../src/ledger/secrets.ts'
import { BoxFolder, BoxProcess, ProcessBox } from '../world/process-box.ts'
import { cli, feed as feedProgram } from '../world/programs.ts'
import { until } from '../world/until.ts'

const OPEN = import.meta.resolve('../../src/ledger/open.ts')
const BACKUP = import.meta.resolve('../../src/backup/backup.ts')
const RESTORE = import.meta.resolve('../../src/boot/restore.ts')
const SHARED = import.meta.resolve('../../src/feed/shared-ledger.ts')
/** Numbers that no machine gives to anybody. */
const BOX_USER = 64_801
const FEED_USER = 64_802
const asBox = ['setpriv', `--reuid=${BOX_USER}`, `--regid=${BOX_USER}`, `--groups=${FEED_USER}`]
const asFeed = ['setpriv', `--reuid=${FEED_USER}`, `--regid=${FEED_USER}`, '--clear-groups']
const DONE = { code: 0, signal: null }
/** `createDurably`'s file before it gets its name. */
const TEMPORARY = /^feed\/state\/positions\.json\.[0-9a-f-]{36}\.new$/
const TICKETS = ['CODE-ONE,once,,,,,,valid', 'CODE-TWO,once,,,,,,valid', 'CODE-THREE,once,,,,,,valid']

describe('box and feed as two users', { skip: whyNot() }, () => {
  it('the feed publishes, writes its position, survives both restarts, and reads no key', async () => {
    const environment = { GATEHOUSE_FEED_GROUP: String(FEED_USER), GATEHOUSE_FEED_PORT: '0' }
    await using box = new ProcessBox({ tickets: TICKETS, environment }, (folder) => folder.start(asBox))
    giveToBox(box.folder)
    const { dataDir } = box
    await box.start()
    const device = await box.device()
    const config = join(dataDir, 'feed/changefeed.yaml')
    const startFeed = () => new BoxProcess([...asFeed, process.execPath, feedProgram(), '--config', config], {})
    {
      await using feed = startFeed()
      await feed.said(/control plane/)
      await seesAdmission(dataDir, () => device.scan('CODE-ONE'))

      // Once by the box that has just been used, and once by what it left when it was closed.
      await assertNoKeyIsReadable(dataDir)
      // A command beside the box does not take the ledger away from the feed.
      await using verify = new BoxProcess([...asBox, process.execPath, cli(), 'verify'], box.folder.environment)
      assert.deepEqual(await verify.exited(), DONE, verify.output)
      assert.equal(modeOf(join(dataDir, 'ledger.db')), '660')

      await box.stop()
      await assertNoKeyIsReadable(dataDir)
      await box.start()
      await seesAdmission(dataDir, () => device.scan('CODE-TWO'))
      // The feed is the last to close the ledger, and may not remove SQLite's files beside it.
      await box.stop()
      feed.signal('SIGTERM')
      assert.deepEqual(await feed.exited(), DONE, feed.output)
      assert.doesNotMatch(feed.output, /"level":"?(error|50)|EACCES|READONLY/)
    }
    await box.start()
    await box.stop()
    // Closed by the box, the ledger waits for the box: systemd starts the feed again and again.
    await using early = startFeed()
    assert.equal((await early.exited()).code, 1)
    assert.match(early.output, /start what writes it first/)
    await box.start()
    await using feed = startFeed()
    await feed.said(/control plane/)
    await seesAdmission(dataDir, () => device.scan('CODE-THREE'))
    assert.equal(lstatSync(join(dataDir, 'feed/state/positions.json')).uid, FEED_USER)
    const { status, stderr } = asUser(asFeed, `require('fs').writeFileSync('${dataDir}/mine', '')`)
    assert.notEqual(status, 0, 'the feed makes no file beside the ledger')
    assert.match(stderr, /EACCES/)
  })

  it('a box that may not give its files to the group opens its gates all the same, and says what to do', async () => {
    const environment = { GATEHOUSE_FEED_GROUP: String(FEED_USER), GATEHOUSE_FEED_PORT: '0' }
    const alone = ['setpriv', `--reuid=${BOX_USER}`, `--regid=${BOX_USER}`, '--clear-groups']
    await using box = new ProcessBox({ tickets: TICKETS, environment }, (folder) => folder.start(alone))
    giveToBox(box.folder)
    await box.start()
    const device = await box.device()
    assert.equal((await device.scan('CODE-ONE')).verdict, 'ADMIT')
    assert.match(box.output, /feed_group_unusable/)
    assert.equal(modeOf(join(box.dataDir, 'ledger.db')), '600')
  })

  it('the ledger of the event that the guide wrote is in folders through which the feed goes, and sees nothing else', () => {
    using folder = new BoxFolder()
    giveToBox(folder)
    const root = folder.dataDir
    const [dataDir, eventDir] = [join(root, 'own/data'), join(root, 'own/event')]
    // As the guide makes them (box/src/guide/event-folder.ts).
    const make = `const { mkdirSync, writeFileSync } = require('fs')
      process.umask(0o077)
      for (const path of ${JSON.stringify([dataDir, eventDir])}) mkdirSync(path, { recursive: true, mode: 0o700 })
      writeFileSync('${eventDir}/event.json', '{}')
      const { openLedger } = await import(${JSON.stringify(OPEN)})
      const { shareWithFeed } = await import(${JSON.stringify(SHARED)})
      using _ = openLedger({ dataDir: '${dataDir}', eventId: 'test-fair', wallClock: Date.now }).ledger
      shareWithFeed('${dataDir}', ${FEED_USER}, '${root}')`
    assert.equal(asUser(asBox, `(async () => { ${make} })()`).stderr, '')
    assert.equal(asUser(asFeed, `require('fs').openSync('${dataDir}/ledger.db', 'r+')`).status, 0)
    for (const look of [
      `readdirSync('${root}/own')`,
      `readFileSync('${eventDir}/event.json')`,
      `readFileSync('${dataDir}/keys.json')`,
    ])
      assert.notEqual(asUser(asFeed, `require('fs').${look}`).status, 0, look)
  })

  it('a link to a key in the folder that the feed may write does not give it the key', () => {
    using folder = new BoxFolder()
    const { dataDir } = folder
    const script = (body: string) => `(async () => { ${body} })()`
    giveToBox(folder)
    const open = `const { openLedger } = await import(${JSON.stringify(OPEN)})
      openLedger({ dataDir: '${dataDir}', eventId: 'test-fair', wallClock: Date.now }).ledger[Symbol.dispose]()`
    const share = `const { shareWithFeed } = await import(${JSON.stringify(SHARED)}); shareWithFeed('${dataDir}', ${FEED_USER})`
    assert.equal(asUser(asBox, script(`${open}; ${share}`)).stderr, '')
    const state = join(dataDir, 'feed/state')
    for (const [name, kind] of [
      ['soft', symlinkSync],
      ['hard', linkSync],
    ] as const) {
      kind(join(dataDir, 'keys.json'), join(state, name))
    }
    assert.equal(asUser(asBox, script(share)).stderr, '')
    assert.deepEqual([modeOf(join(dataDir, 'keys.json')), statSync(join(dataDir, 'keys.json')).gid], ['600', BOX_USER])
    const { status } = asUser(asFeed, `require('fs').readFileSync('${state}/soft')`)
    assert.notEqual(status, 0)
  })

  it('after a restore the feed has a folder of its own again, and reads no key, also of what was moved aside', () => {
    using folder = new BoxFolder()
    const { dataDir } = folder
    const eventDir = folder.environment.GATEHOUSE_EVENT_DIR
    giveToBox(folder)
    const place = JSON.stringify({ dataDir, eventDir, replace: true, actor: 'test' })
    const share = `const { shareWithFeed } = await import(${JSON.stringify(SHARED)})
      const { openLedger } = await import(${JSON.stringify(OPEN)})
      const open = () => openLedger({ dataDir: '${dataDir}', eventId: 'test-fair', wallClock: Date.now }).ledger
      { using _ = open(); shareWithFeed('${dataDir}', ${FEED_USER}) }`
    const position = join(dataDir, 'feed/state/positions.json')
    const save = `require('fs').writeFileSync('${position}', '{}', { mode: 0o600 })`
    assert.equal(asUser(asBox, `(async () => { ${share} })()`).stderr, '')
    assert.equal(asUser(asFeed, save).stderr, '')

    const restore = `const { stageBackup, archiveOf, writeBackup } = await import(${JSON.stringify(BACKUP)})
      const { restoreBackup } = await import(${JSON.stringify(RESTORE)})
      const place = { ...${place}, now: Date.now }
      const staged = await stageBackup({ ...place, now: Date.now() })
      await writeBackup(archiveOf(staged), '${folder.path}/box.backup')
      await restoreBackup('${folder.path}/box.backup', place)`
    assert.equal(asUser(asBox, `(async () => { ${restore}; ${share} })()`).stderr, '')

    const state = statSync(join(dataDir, 'feed/state'))
    assert.deepEqual([state.uid, state.gid, modeOf(join(dataDir, 'feed/state'))], [BOX_USER, FEED_USER, '770'])
    assert.equal(existsSync(position), false, 'positions of the time before')
    assert.equal(asUser(asFeed, save).stderr, '')
    assert.equal(asUser(asFeed, `require('fs').openSync('${dataDir}/ledger.db', 'r+')`).status, 0)
    const aside =
      readdirSync(dataDir).find((name) => name.startsWith('replaced-')) ?? assert.fail('nothing moved aside')
    for (const path of ['keys.json', `${aside}/keys.json`, `${aside}/ledger.db`]) {
      assert.ok(existsSync(join(dataDir, path)), path)
      assert.notEqual(asUser(asFeed, `require('fs').readFileSync('${dataDir}/${path}')`).status, 0, path)
    }
  })
})

it('a box whose feed is the same user shares nothing', () => {
  using folder = new BoxFolder()
  const before = readdirSync(folder.path)
  shareWithFeed(folder.dataDir, undefined)
  assert.deepEqual(readdirSync(folder.path), before)
})

/** The feed's user can read the ledger and the feed's own folder there, and neither has a key of the box. */
async function assertNoKeyIsReadable(dataDir: string): Promise<void> {
  const paths = (readdirSync(dataDir, { recursive: true }) as string[]).filter((path) =>
    // The feed writes its positions anew, and renames them, while this looks.
    lstatSync(join(dataDir, path), { throwIfNoEntry: !TEMPORARY.test(path) })?.isFile(),
  )
  const { stdout, stderr } = asUser(
    asFeed,
    `const read = (path) => { try { require('fs').readFileSync('${dataDir}/' + path); return true } catch (e) { return e.code === 'ENOENT' } }
     console.log(JSON.stringify(${JSON.stringify(paths)}.filter(read)))`,
  )
  const readable = (JSON.parse(stdout || assert.fail(stderr)) as string[]).filter((path) => !TEMPORARY.test(path))
  assert.ok(readable.includes('ledger.db') && readable.includes('feed/token'))
  for (const path of readable) assert.match(path, /^(ledger\.db(-wal|-shm|-changefeed)?|feed\/.*)$/)

  const secrets = secretsBeside(join(dataDir, 'ledger.db'))
  const keys = (['signing_seed', 'ref_key'] as const).map((name) => secrets.get(name) ?? assert.fail(name))
  const text = (path: string) => readFileSync(join(dataDir, path), 'utf8')
  const pem = paths.filter((path) => path.startsWith('ca/') && path.endsWith('.pem'))
  assert.ok(pem.length >= 2, 'the authority, and a server')
  const linesOf = (path: string) => text(path).split('PRIVATE KEY-----')[1]?.trim().split('\n').slice(0, -1) ?? []
  const hidden: [string, Buffer | string][] = [
    ['admin-token', text('admin-token').trim()],
    ...keys.flatMap((key): [string, Buffer | string][] => [
      ['keys.json', key],
      ['keys.json', key.toString('hex')],
    ]),
    ...pem.flatMap((path) => linesOf(path).map((line): [string, string] => [path, line])),
  ]
  assert.ok(hidden.length >= 8)
  for (const path of readable) {
    const bytes = readFileSync(join(dataDir, path))
    for (const [of, secret] of hidden) assert.ok(!bytes.includes(secret), `${path} has something of ${of}`)
  }
  const listing = asUser(asFeed, `require('fs').readdirSync('${dataDir}')`)
  assert.match(listing.stderr, /EACCES/, 'it does not see what else there is')
}

/** The feed tells of the admission, and has noted in the ledger that it did. */
async function seesAdmission(dataDir: string, scan: () => Promise<{ verdict: string }>): Promise<void> {
  const url = readFileSync(join(dataDir, 'feed/state/url'), 'utf8').trim()
  const headers = { authorization: `Bearer ${readFileSync(join(dataDir, 'feed/token'), 'utf8').trim()}` }
  const stream = new AbortController()
  const stats = async () => {
    const answer = await fetch(`${url}/api/stats`, { headers })
    return (await answer.json()) as {
      slot: { retainedEvents: number } | null
      engine: { sinks: { readers?: number }[] }
    }
  }
  const changes = readEvents(`${url}/plugins/events/events`, { headers, signal: stream.signal })
  const first = changes.next()
  // The stream begins with what happens from now on.
  await until(async () => (await stats()).engine.sinks[0]?.readers === 1, 'somebody reads the stream')
  assert.equal((await scan()).verdict, 'ADMIT')
  for (let { value } = await first; ; { value } = await changes.next()) {
    if (value?.event === 'change' && JSON.parse(value.data).table === 'movements') break
  }
  stream.abort()
  await until(async () => (await stats()).slot?.retainedEvents === 0, 'everything is acknowledged')
}

function giveToBox({ path }: BoxFolder): void {
  for (const name of readdirSync(path, { recursive: true }) as string[]) chownSync(join(path, name), BOX_USER, BOX_USER)
  chownSync(path, BOX_USER, FEED_USER)
  chmodSync(path, 0o710)
}

function asUser(user: readonly string[], script: string): { status: number | null; stdout: string; stderr: string } {
  const [file = '', ...args] = [...user, process.execPath, '--input-type=commonjs', '-e', script]
  return spawnSync(file, args, { encoding: 'utf8', env: {} })
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

/** Reason why two users cannot be tried here; false where they can. */
function whyNot(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux can run programs as two other users'
  if (spawnSync('setpriv', ['--version']).error) return 'there is no setpriv here'
  const { status } = asUser(asFeed, `require('fs').readFileSync(${JSON.stringify(feedProgram())})`)
  return status !== 0 && 'another user may not read these sources'
}
