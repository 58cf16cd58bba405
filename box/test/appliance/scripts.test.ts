/** The image's root scripts, on a folder that stands for the machine: what they do, and which requests they refuse. */
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Machine, TRACKING } from './root.ts'

const NOT_LINUX = process.platform !== 'linux' && 'the scripts are for the image, which is Debian'

describe("root's scripts", { skip: NOT_LINUX }, () => {
  const ask = (machine: Machine, kind: string, text: string) => machine.write(join('run/requests', kind), text)

  it('tell what sets the clock', async () => {
    await using machine = new Machine()
    const expected = { network: 'true', anotherBox: 'false', itself: 'false', nothing: 'false' }
    for (const how of Object.keys(TRACKING) as (keyof typeof TRACKING)[]) {
      machine.tracking(how)
      assert.equal((await machine.script('clock-report')).out.trim(), expected[how], how)
      assert.equal(machine.state('clock').synced, expected[how] === 'true')
    }
    machine.write('tracking', '')
    assert.equal((await machine.script('clock-report')).out.trim(), 'false', 'chrony is not there')
  })

  it("start the clock no earlier than the newest file or the system's build", async () => {
    const [past, future] = [new Date('2020-01-01T00:00:00Z'), new Date('2040-01-01T00:00:00Z')]
    for (const newest of ['version', 'data/ledger.db', undefined]) {
      await using machine = new Machine()
      machine.write('data/ledger.db', '')
      for (const file of ['version', 'data/ledger.db'])
        utimesSync(join(machine.folder, file), past, file === newest ? future : past)
      assert.equal((await machine.script('clock')).code, 0)
      assert.deepEqual(machine.done, newest === undefined ? [] : [`date --set @${future.getTime() / 1000}`], newest)
    }
  })

  it('set the clock while no better source does', async () => {
    await using machine = new Machine()
    const from = Date.now()
    ask(machine, 'time', `ab12 1795000000500 ${from}\n`)
    assert.equal((await machine.script('request-time')).code, 0)
    assert.deepEqual(machine.state('time'), { id: 'ab12', state: 'set', percent: null, version: '', detail: '' })
    const [set = '', reset] = machine.done
    const [, seconds = ''] = /^date -u -s @([\d.]+)$/.exec(set) ?? []
    // Later by as much as the request took.
    assert.ok(Number(seconds) >= 1795000000.5 && Number(seconds) < 1795000010.5, set)
    assert.match(reset ?? '', /^chronyc .*reset sources$/)
    assert.ok(!existsSync(join(machine.run, 'requests/time')))

    machine.tracking('network')
    ask(machine, 'time', `ab13 1795000000500 ${from}\n`)
    await machine.script('request-time')
    assert.deepEqual([machine.state('time').state, machine.done.length], ['refused', 2])
  })

  it('ignore a malformed request', async () => {
    await using machine = new Machine()
    machine.write('secret', 'cafe 1795000000500 1795000000500\n')
    const hostile: [kind: string, text: string][] = [
      ['time', ''],
      ['time', 'ab12'],
      ['time', 'ab12 $(touch "$MACHINE/pwned") 1795000000500'],
      ['time', 'ab12 17950000005000 1795000000500'],
      ['time', 'ab12 -1 -1'],
      ['time', `${'a'.repeat(100_000)}`],
      ['time', '"},{" 1795000000500 1795000000500'],
      ['rollback', 'ab12 C'],
      ['rollback', 'ab12 A; reboot'],
      ['update', 'ab12 file:../../secret'],
      ['update', 'ab12 file:/etc/passwd'],
      ['update', 'ab12 file:-rf'],
      ['update', 'ab12 usb:../secret'],
      ['update', 'ab12 `touch "$MACHINE/pwned"`'],
      ['backup', 'ab12 ../secret'],
      ['backup', 'ab12'],
    ]
    for (const [kind, text] of hostile) {
      ask(machine, kind, text)
      await machine.script(`request-${kind}`)
      assert.ok(!existsSync(join(machine.run, 'requests', kind)), `${kind} ${text.slice(0, 40)} is taken away`)
    }
    for (const kind of ['time', 'update', 'rollback', 'backup', 'restart']) {
      symlinkSync(join(machine.folder, 'secret'), join(machine.run, 'requests', kind))
      await machine.script(`request-${kind}`)
      mkdirSync(join(machine.run, 'requests', kind))
      await machine.script(`request-${kind}`)
    }
    assert.deepEqual(machine.done, [])
    assert.ok(!existsSync(join(machine.folder, 'pwned')))
    assert.equal(readFileSync(join(machine.folder, 'secret'), 'utf8').length, 33)
    // The box reads JSON, whatever the request held.
    for (const name of readdirSync(join(machine.run, 'state'))) machine.state(name.replace('.json', ''))
  })

  it('refuse a link and any file that is not an upload as a bundle', async () => {
    await using machine = new Machine()
    machine.write('secret', 'good 0.2.0\n')
    symlinkSync(join(machine.folder, 'secret'), join(machine.updates, 'upload-1.update'))
    ask(machine, 'update', 'ab12 file:upload-1.update')
    await machine.script('request-update')
    assert.deepEqual([machine.state('update').state, machine.state('update').detail], ['failed', 'gatehouse: no file'])
    assert.ok(existsSync(join(machine.folder, 'secret')))
  })

  it('install, and report what each slot holds', async () => {
    await using machine = new Machine()
    await machine.script('slot-report', 'boot')
    assert.deepEqual(machine.state('slots').slots, [
      { name: 'A', running: true, next: true, state: 'good', version: '0.1.0' },
      { name: 'B', running: false, next: false, state: 'empty', version: '' },
    ])
    writeFileSync(join(machine.updates, 'upload-1.update'), 'good 0.2.0\n')
    ask(machine, 'update', 'ab12 file:upload-1.update')
    await machine.script('request-update')
    assert.deepEqual(machine.state('update'), {
      id: 'ab12',
      state: 'ready',
      percent: 100,
      version: '0.2.0',
      detail: '',
    })
    assert.partialDeepStrictEqual(machine.state('slots').slots, [{ next: false }, { next: true, version: '0.2.0' }])
    assert.deepEqual(readdirSync(join(machine.folder, 'data/system/updates')), [], 'the bundle takes no room any more')

    await machine.boot('B', '0.2.0')
    await machine.script('slot-report', 'good')
    assert.ok(!existsSync(join(machine.folder, 'data/system/slots/expected')))
    assert.ok(!existsSync(join(machine.run, 'state/update.json')))
  })

  it('report that a new version did not start', async () => {
    await using machine = new Machine()
    await machine.script('slot-report', 'boot')
    writeFileSync(join(machine.updates, 'upload-1.update'), 'good 0.2.0\n')
    ask(machine, 'update', 'ab12 file:upload-1.update')
    await machine.script('request-update')
    // The new version had its one attempt.
    await machine.script('slots', 'set-state', 'B', 'bad')
    await machine.boot('A', '0.1.0')
    assert.partialDeepStrictEqual(machine.state('update'), { state: 'failed', version: '0.2.0' })
    assert.equal(machine.state('update').detail, 'gatehouse: fell back')
    assert.partialDeepStrictEqual(machine.state('slots').slots, [{ running: true }, { state: 'bad', version: '0.2.0' }])
    await machine.boot('A', '0.1.0')
    assert.ok(!existsSync(join(machine.run, 'state/update.json')), 'once is enough')
  })

  it('leave the other slot as it is when an update is refused, and report it empty when one broke off', async () => {
    await using machine = new Machine()
    await machine.script('slot-report', 'boot')
    const install = async (what: string) => {
      writeFileSync(join(machine.updates, 'upload-1.update'), what)
      ask(machine, 'update', 'ab12 file:upload-1.update')
      await machine.script('request-update')
      const { state, version } = (machine.state('slots').slots as { state: string; version: string }[])[1] ?? {}
      return [machine.state('update').state, state, version]
    }
    assert.deepEqual(await install('good 0.2.0\n'), ['ready', 'good', '0.2.0'])
    for (const what of ['board 0.3.0\n', 'unsigned 0.3.0\n', 'hello\n', ''])
      assert.deepEqual(await install(what), ['failed', 'good', '0.2.0'], what)
    assert.deepEqual(await install('damaged 0.3.0\n'), ['failed', 'empty', ''])
    assert.match(String(machine.state('update').detail), /Input\/output error$/)
    await machine.boot('A', '0.1.0')
    assert.ok(
      !existsSync(join(machine.run, 'state/update.json')),
      'the one before it was not started, so it fell back from none',
    )
  })

  it('refuse a version older than the one that runs, unless that version is wanted', async () => {
    await using machine = new Machine()
    machine.write('version', '0.10.0\n')
    await machine.script('slot-report', 'boot')
    const install = async (version: string, wanted = '') => {
      writeFileSync(join(machine.updates, 'upload-1.update'), `good ${version}\n`)
      ask(machine, 'update', `ab12 file:upload-1.update${wanted}`)
      await machine.script('request-update')
      const { state, detail } = machine.state('update')
      return [state, detail]
    }
    const refused = ['failed', 'gatehouse: older than 0.10.0']
    for (const older of ['0.9.9', '0.2.0', '0.10.0-rc.1', '0.9', ''])
      assert.deepEqual(await install(older), refused, older)
    // The folder should hold one version, and no other file with it.
    for (const wanted of [' older:', ' older:0.9.8', ' older:0.9.9 older:', ' older', ' 0.9.9'])
      assert.notEqual((await install('0.9.9', wanted))[0], 'ready', wanted)
    assert.partialDeepStrictEqual(machine.state('slots').slots, [{ version: '0.10.0' }, { state: 'empty' }])
    assert.deepEqual(await install('0.9.9', ' older:0.9.9'), ['ready', ''])
    for (const newer of ['0.10.0', '0.10.1', '0.11.0-rc.1', '1.0.0'])
      assert.deepEqual(await install(newer), ['ready', ''], newer)
  })

  it('refuse every version while the own one is unknown, also one that an admin wants', async () => {
    await using machine = new Machine()
    await machine.script('slot-report', 'boot')
    const install = async (wanted: string) => {
      writeFileSync(join(machine.updates, 'upload-1.update'), 'good 0.2.0\n')
      ask(machine, 'update', `ab12 file:upload-1.update${wanted}`)
      await machine.script('request-update')
      return machine.state('update').detail
    }
    for (const spoil of [() => machine.write('version', ''), () => rmSync(join(machine.folder, 'version'))]) {
      spoil()
      for (const wanted of ['', ' older:0.2.0']) assert.equal(await install(wanted), 'gatehouse: own version unknown')
    }
    assert.ok(!existsSync(join(machine.folder, 'installed')))
  })

  it('install from a stick what was checked, also when the stick then gives other bytes', async () => {
    await using machine = new Machine()
    machine.write('version', '0.10.0\n')
    await machine.script('slot-report', 'boot')
    await machine.plugIn({ 'one.update': 'good 0.11.0\n' })
    machine.write('second', 'good 0.1.0\n')
    ask(machine, 'update', 'ab12 usb:one.update')
    await machine.script('request-update')
    assert.partialDeepStrictEqual(machine.state('update'), { state: 'ready', version: '0.11.0' })
    assert.equal(readFileSync(join(machine.folder, 'installed'), 'utf8'), '0.11.0\n')
    assert.equal(readFileSync(join(machine.folder, 'stick/one.update'), 'utf8'), 'good 0.1.0\n', 'it did give others')
    assert.deepEqual(readdirSync(join(machine.folder, 'data/system/updates')), [])
  })

  it('copy no file from a stick that is larger than any update', async () => {
    await using machine = new Machine()
    await machine.script('slot-report', 'boot')
    await machine.plugIn({ 'one.update': 'good 0.2.0\n' })
    // Without its bytes on the disk.
    truncateSync(join(machine.folder, 'stick/one.update'), 1024 ** 3 + 1)
    ask(machine, 'update', 'ab12 usb:one.update')
    await machine.script('request-update')
    assert.deepEqual(
      [machine.state('update').state, machine.state('update').detail],
      ['failed', 'gatehouse: too large'],
    )
    assert.deepEqual(readdirSync(join(machine.folder, 'data/system/updates')), [])
  })

  it('report a failed installation after they were killed, and remove its upload', async () => {
    await using machine = new Machine()
    await machine.script('slot-report', 'boot')
    writeFileSync(join(machine.updates, 'upload-1.update'), 'slow 0.2.0\n')
    ask(machine, 'update', 'ab12 file:upload-1.update')
    const isInstalling = () =>
      existsSync(join(machine.run, 'state/update.json')) && machine.state('update').state === 'installing'
    await machine.killed('update', isInstalling)
    assert.deepEqual(machine.state('update'), {
      ...{ id: 'ab12', state: 'failed', percent: null, version: '0.2.0', detail: 'gatehouse: broke off' },
    })
    assert.deepEqual(machine.done, ['systemctl stop rauc'], 'it would choose the slot in the end')
    assert.deepEqual(readdirSync(join(machine.folder, 'data/system/updates')), [])

    // A finished request is left as it is.
    for (const kind of ['update', 'backup', 'time']) await machine.script('request-ended', kind)
    assert.equal(machine.done.length, 1)
    writeFileSync(join(machine.updates, 'upload-2.update'), 'good 0.3.0\n')
    ask(machine, 'update', 'ab13 file:upload-2.update')
    await machine.script('request-update')
    await machine.script('request-ended', 'update')
    assert.deepEqual([machine.state('update').state, machine.done.length], ['ready', 1])
  })

  it('go back to the previous slot, and leave an update unstarted', async () => {
    await using machine = new Machine()
    await machine.script('slot-report', 'boot')
    ask(machine, 'rollback', 'ab12 B')
    await machine.script('request-rollback')
    assert.deepEqual([machine.state('rollback').detail, machine.done], ['gatehouse: empty slot', []])

    writeFileSync(join(machine.updates, 'upload-1.update'), 'good 0.2.0\n')
    ask(machine, 'update', 'ab12 file:upload-1.update')
    await machine.script('request-update')
    ask(machine, 'rollback', 'ab13 A')
    await machine.script('request-rollback')
    assert.deepEqual([machine.state('rollback').state, machine.state('update').state], ['done', 'idle'])
    assert.partialDeepStrictEqual(machine.state('slots').slots, [
      { next: true, state: 'good' },
      { next: false, state: 'empty', version: '' },
    ])
    ask(machine, 'rollback', 'ab14 B')
    await machine.script('request-rollback')
    assert.deepEqual([machine.state('rollback').detail, machine.done], ['gatehouse: empty slot', []])

    // A system that has run stays when there is no update to leave unstarted.
    await machine.boot('B', '0.2.0')
    await machine.script('slots', 'set-state', 'B', 'good')
    await machine.script('slot-report', 'good')
    await machine.boot('A', '0.1.0')
    ask(machine, 'rollback', 'ab15 A')
    await machine.script('request-rollback')
    assert.partialDeepStrictEqual(machine.state('slots').slots, [
      { running: true },
      { state: 'good', version: '0.2.0' },
    ])
    ask(machine, 'rollback', 'ab16 B')
    await machine.script('request-rollback')
    assert.deepEqual(machine.done, ['systemctl reboot'])
    assert.equal((await machine.script('slots', 'get-primary')).out, 'B\n')
  })

  it('offer the bundles on a stick, and nothing that only looks like one', async () => {
    await using machine = new Machine()
    const outside = join(machine.folder, 'outside.update')
    writeFileSync(outside, 'x')
    mkdirSync(join(machine.folder, 'stick/folder.update'), { recursive: true })
    symlinkSync(outside, join(machine.folder, 'stick/link.update'))
    await machine.plugIn({
      'one.update': '12345',
      'two words.update': 'x',
      '"},{".update': 'x',
      '.hidden.update': 'x',
      'a.txt': 'x',
    })
    assert.deepEqual(machine.state('usb'), { updates: [{ name: 'one.update', bytes: 5 }] })
    assert.deepEqual(machine.done, ['mount ro,nosuid,nodev,noexec'])
    assert.equal((await machine.script('usb', 'add', '../../x')).code, 2)
    await machine.script('usb', 'remove', 'sdb1')
    assert.ok(existsSync(join(machine.run, 'state/usb.json')), 'another stick')
    await machine.script('usb', 'remove', 'sda1')
    assert.ok(!existsSync(join(machine.run, 'state/usb.json')))
  })

  it('copy a backup to the stick without overwriting anything', async () => {
    await using machine = new Machine()
    const name = 'gatehouse-fair-box-1.backup.tar.gz'
    const backup = async (text: string) => {
      writeFileSync(join(machine.updates, name), text)
      ask(machine, 'backup', `ab12 ${name}`)
      await machine.script('request-backup')
      assert.deepEqual(readdirSync(machine.updates), [])
      assert.deepEqual(readdirSync(join(machine.folder, 'data/system/updates')), [])
      return [machine.state('backup').state, machine.state('backup').detail]
    }
    assert.deepEqual(await backup('no stick'), ['failed', 'gatehouse: no stick'])
    await machine.plugIn({})
    const secret = join(machine.folder, 'secret')
    writeFileSync(secret, 'as it was')
    symlinkSync(secret, join(machine.folder, 'stick', `${name}.part`))
    assert.deepEqual(await backup('the archive'), ['done', ''])
    assert.equal(readFileSync(join(machine.folder, 'stick', name), 'utf8'), 'the archive')
    assert.equal(readFileSync(secret, 'utf8'), 'as it was')
    assert.ok(
      !statSync(join(machine.run, 'stick-backup'), { throwIfNoEntry: false })?.isSymbolicLink(),
      'pulled out now',
    )
    assert.equal(machine.done.at(-1), 'mount rw,nosuid,nodev,noexec')
  })
})
