/**
 * A slot's root file system, put together anew by the build's own step from what an earlier build left: Debian's packages in the cache,
 * kernel and box in the work folder. With the scripts and the overlay of now; nothing is started.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, lstatSync, mkdtempSync, readFileSync, readlinkSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { cache, keys, work } from './tools.ts'

const IMAGE = join(import.meta.dirname, '..')
const OVERLAY = join(IMAGE, 'overlay')
const SCRIPT = `
set -euo pipefail
source "$1/steps/lib.sh"
rootfs_tar=$(ls -t "$cache"/rootfs-*.tar.zst | head -1) kernel_root=$work/kernel app=$2/app
kernel_release=$(basename "$kernel_root"/usr/lib/modules/*)
# The files that the box starts with; its 200 MB of packages would only be copied.
mkdir "$app" && cp -r "$work/app/start" "$app/"
work=$2
source "$1/steps/50-system.sh"
echo "$SOURCE_DATE_EPOCH"`

const left = [
  join(cache, 'tools/.made-from'),
  join(work, 'kernel/.made-from'),
  join(work, 'app/start/box.mjs'),
  join(keys, 'updates.crt'),
]
const skip =
  !left.every((path) => existsSync(path)) || globSync('rootfs-*.tar.zst', { cwd: cache }).length === 0
    ? 'no root file system is cached here: npm run image'
    : process.getuid?.() !== 0 && 'it holds files of other users: as root only'

describe('the root file system, from the cache', { skip }, () => {
  let folder: string
  let epoch: number
  const at = (path: string) => join(folder, 'system', path)
  const read = (path: string) => readFileSync(at(path), 'utf8')
  const mode = (path: string) => (lstatSync(at(path)).mode & 0o7777).toString(8)

  before(async () => {
    folder = mkdtempSync(join(work, 'system-test-'))
    epoch = Number((await run('bash', ['-c', SCRIPT, 'bash', IMAGE, folder])).trim().split('\n').at(-1))
  })
  after(() => {
    rmSync(folder, { recursive: true, force: true })
    // At the path that the tools used.
    const seen = join(cache, 'tools', folder)
    if (existsSync(seen)) rmdirSync(seen)
  })

  test('holds Debian, the kernel, the box, and our files as they are', () => {
    for (const path of ['boot/vmlinuz', 'boot/initrd.img', 'usr/bin/rauc', 'opt/gatehouse/start/box.mjs'])
      assert.ok(lstatSync(at(path)).size > 0, path)
    const ours = globSync('**/*', { cwd: OVERLAY }).filter((path) => lstatSync(join(OVERLAY, path)).isFile())
    assert.ok(ours.length > 40)
    for (const path of ours) {
      assert.equal(read(path), readFileSync(join(OVERLAY, path), 'utf8'), path)
      const { uid, gid, mode } = lstatSync(at(path))
      assert.deepEqual([uid, gid], [0, 0], path)
      const toRun = lstatSync(join(OVERLAY, path)).mode & 0o111
      assert.equal(mode & toRun, toRun, path)
    }
    assert.equal(read('etc/rauc/keyring.pem'), readFileSync(join(keys, 'updates.crt'), 'utf8'))
  })

  test('has no password and no name of the build machine', () => {
    const shadow = read('etc/shadow').trimEnd().split('\n')
    assert.ok(shadow.some((line) => line.startsWith('root:')) && shadow.some((line) => line.startsWith('gatehouse:')))
    for (const line of shadow) assert.match(line, /^[\w-]+:[!*]/)
    assert.match(read('etc/passwd'), /^gatehouse:x:880:880:.*:\/usr\/sbin\/nologin$/m)
    assert.match(read('etc/passwd'), /^changefeed:x:881:881:.*:\/usr\/sbin\/nologin$/m)
    // The box shares the ledger with the feed's group; the feed is in no other group.
    assert.match(read('etc/group'), /^changefeed:x:881:gatehouse$/m)
    assert.doesNotMatch(read('etc/group'), /^(?!changefeed:).*\bchangefeed\b/m)
    assert.equal(read('etc/machine-id'), '')
    assert.deepEqual(globSync('etc/ssh/ssh_host_*', { cwd: at('.') }), [])
  })

  test('can be changed by root only, and its secrets read by root only', async () => {
    assert.deepEqual(['etc/shadow', 'root', 'tmp'].map(mode), ['640', '700', '1777'])
    let files = 0
    for (const line of (await run('find', [at('.'), '-printf', '%y %m %U %T@ %P\n'])).trimEnd().split('\n')) {
      const [kind = '', mode = '', uid, modified, path] = line.split(' ')
      files++
      assert.ok(Number(uid) < 1000, `${path} is of a user of this machine`)
      const writable = 'fd'.includes(kind) && (Number.parseInt(mode, 8) & 0o1002) === 0o002
      assert.ok(!writable, `${path} can be written by anybody`)
      assert.equal(Number(modified), epoch, `${path} has a time of its own`)
    }
    assert.ok(files > 5000)
  })

  test('starts the services of the card, and no ssh', () => {
    const wanted = (target: string) => globSync('*', { cwd: at(`etc/systemd/system/${target}.target.wants`) })
    for (const unit of ['gatehouse', 'gatehouse-setup', 'gatehouse-watchdog', 'gatehouse-ssh', 'systemd-networkd'])
      assert.ok(wanted('multi-user').includes(`${unit}.service`), unit)
    assert.ok(wanted('sysinit').includes('nftables.service'))
    assert.ok(!wanted('multi-user').includes('ssh.service'), 'ssh is started by our unit, where a key is given')
    for (const unit of ['ssh.socket', 'nats-server.service', 'systemd-logind.service'])
      assert.equal(readlinkSync(at(`etc/systemd/system/${unit}`)), '/dev/null', unit)
    assert.match(readlinkSync(at('etc/systemd/system/default.target')), /multi-user\.target$/)
  })
})

async function run(command: string, words: string[]): Promise<string> {
  return (await promisify(execFile)(command, words, { maxBuffer: 64 * 1024 * 1024 })).stdout
}
