/** The image's files before any of them has run: scripts parse, units name existing files, and no build machine is named. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { KEYS } from '../setup/settings-file.ts'

const IMAGE = join(import.meta.dirname, '..')
const OVERLAY = join(IMAGE, 'overlay')
const ROOT = join(IMAGE, '..')
const read = (path: string) => readFileSync(path, 'utf8')
const files = (pattern: string) =>
  globSync(pattern, { cwd: IMAGE })
    .map((path) => join(IMAGE, path))
    .filter((path) => statSync(path).isFile())
const firstLine = (path: string) => read(path).split('\n', 1)[0] ?? ''

describe('scripts', () => {
  const scripts = [
    ...files('{build,twice}.sh'),
    ...files('steps/*.sh'),
    ...files('initramfs/*'),
    ...files('overlay/usr/{lib/gatehouse,local/bin}/*'),
  ]

  test('parse in the shell that runs them', () => {
    assert.ok(scripts.length > 15)
    for (const path of scripts) {
      const shell = path.endsWith('.sh') ? 'bash' : 'sh'
      const { status, stderr } = spawnSync(shell, ['-n', path], { encoding: 'utf8' })
      assert.equal(status, 0, `${path}: ${stderr}`)
    }
  })

  test('those of the board are executable', () => {
    for (const path of files('overlay/usr/{lib/gatehouse,local/bin}/*')) {
      // A file that the other scripts source.
      if (path.endsWith('.sh')) continue
      assert.equal(firstLine(path), '#!/bin/sh', path)
      assert.equal(statSync(path).mode & 0o111, 0o111, path)
    }
  })
})

describe('units', () => {
  const units = files('overlay/etc/systemd/system/*.{service,timer,path}')

  test('have sections and settings, and nothing else', () => {
    assert.ok(units.length > 10)
    for (const path of units) {
      const lines = read(path).split('\n')
      for (const line of lines)
        assert.match(line, /^(|#.*|\[(Unit|Service|Timer|Path|Install)\]|[A-Z][A-Za-z]+=.*)$/, path)
      const sections = lines.filter((line) => line.startsWith('['))
      assert.equal(sections[0], '[Unit]', path)
      assert.match(read(path), /^Description=\S/m)
    }
  })

  test('start files that exist', () => {
    for (const path of units) {
      for (const [, command = ''] of read(path).matchAll(/^Exec[A-Za-z]+=[-+!@]*(\S+)/gm)) {
        if (!command.startsWith('/usr/lib/gatehouse/')) continue
        // A unit for several commands names each of them by its instance.
        const found = globSync(join(OVERLAY, command.replace('%i', '*')))
        assert.ok(found.length > 0 && found.every((file) => statSync(file).isFile()), `${path}: ${command}`)
      }
    }
    const bundled = read(join(IMAGE, 'steps/bundle.ts'))
    for (const path of [...units, join(OVERLAY, 'usr/local/bin/gatehouse')])
      for (const [, entry = ''] of read(path).matchAll(/\/opt\/gatehouse\/start\/(\w+)\.mjs/g))
        assert.match(bundled, new RegExp(`\\b${entry}: '`), path)
  })

  test('have every thread of the box in their bundles', () => {
    const bundled = read(join(IMAGE, 'steps/bundle.ts'))
    const sources = globSync(join(ROOT, 'box/src/**/*.ts'))
    const threads = sources.flatMap((path) =>
      [...read(path).matchAll(/new Worker\(new URL\('\.\/([\w-]+\.ts)'/g)].map(([, name = '']) =>
        join(dirname(path), name),
      ),
    )
    assert.ok(threads.length >= 5)
    for (const path of threads) assert.ok(bundled.includes(`'${relative(ROOT, path)}'`), path)
  })

  test('are started by the system, or by another unit', () => {
    const steps = read(join(IMAGE, 'steps/50-system.sh'))
    const others = files('overlay/etc/**/*').map(read).join('\n')
    for (const path of units) {
      const name = path.split('/').at(-1) ?? ''
      const stem = name.replace(/\.(service|timer|path)$/, '').replace(/@$/, '')
      const timed = units.includes(path.replace(/\.service$/, '.timer')) && name.endsWith('.service')
      const enabled = new RegExp(`enable .*\\b${stem}\\b`).test(steps)
      const wanted = new RegExp(`(Wants|SYSTEMD_WANTS\\}\\+?|Unit)="?=?"?.*${stem}`).test(others)
      assert.ok(enabled || timed || wanted, name)
    }
  })
})

test('the unit that waits for the guide’s first event is told by setup, and leads the feed where setup does', () => {
  const unit = (name: string) => read(join(OVERLAY, 'etc/systemd/system', name))
  const plan = read(join(IMAGE, 'setup/plan.ts'))
  const [, marker = ''] = /^ConditionPathExists=(\S+)$/m.exec(unit('gatehouse-own-event.path')) ?? []
  assert.ok(plan.includes(`file('${marker}'`), marker)
  const [, path = ''] = /^PathExists=(\S+)$/m.exec(unit('gatehouse-own-event.path')) ?? []
  assert.equal(path, '/data/box/demo/own/data/feed/changefeed.yaml')
  assert.match(plan, /^const DEMO = '\/data\/box\/demo'\nconst GUIDES_LEDGER = `\$\{DEMO\}\/own\/data`$/m)
  assert.match(unit('gatehouse-own-event.service'), /^RemainAfterExit=yes$/m)
})

describe('box and change feed are two users', () => {
  const unit = (name: string) => read(join(OVERLAY, 'etc/systemd/system', name))
  const setting = (text: string, key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1]

  test('each unit has its own user, and the feed does not get the settings of the box', () => {
    const [box, feed] = [unit('gatehouse.service'), unit('changefeed.service')]
    assert.deepEqual(
      [setting(box, 'User'), setting(box, 'Group'), setting(box, 'UMask')],
      ['gatehouse', 'gatehouse', '0077'],
    )
    assert.deepEqual(
      [setting(feed, 'User'), setting(feed, 'Group'), setting(feed, 'UMask')],
      ['changefeed', 'changefeed', '0027'],
    )
    assert.equal(setting(feed, 'EnvironmentFile'), '-/run/gatehouse/feed.env')
    assert.doesNotMatch(feed, /box\.env|SupplementaryGroups/)
    for (const path of ['/data/event', '/data/system', '/boot/firmware'])
      assert.ok(setting(feed, 'InaccessiblePaths')?.includes(path), path)
  })

  test('the group of the feed has the same number everywhere, and its users are these two', () => {
    const users = read(join(OVERLAY, 'usr/lib/sysusers.d/gatehouse.conf'))
    assert.match(users, /^g changefeed 881$/m)
    assert.match(users, /^u changefeed 881:changefeed .* \/usr\/sbin\/nologin$/m)
    assert.deepEqual(
      [...users.matchAll(/^m (.*)$/gm)].map(([, who]) => who),
      ['gatehouse changefeed'],
    )
    assert.match(unit('gatehouse.service'), /GATEHOUSE_FEED_GROUP=881\b/)
    // @privileged contains @chown: without this line the box cannot share its ledger, and the change feed cannot read it.
    assert.match(unit('gatehouse.service'), /^SystemCallFilter=~@privileged.*\n(?:.*\n)*SystemCallFilter=@chown$/m)
    assert.match(read(join(IMAGE, 'setup/plan.ts')), /FEED_GROUP = '881'/)
  })

  test('the feed goes through the folder of the boxes, and sees no other data', () => {
    const folders = files('overlay/usr/lib/tmpfiles.d/*.conf').map(read).join('')
    assert.match(folders, /^d \/data\/box 0710 gatehouse changefeed -$/m)
    for (const [, path, mode = '', , group] of folders.matchAll(/^d (\S+) (\d+) (\S+) (\S+) -$/gm)) {
      if (path === '/data/box' || path?.startsWith('/run/')) continue
      assert.ok(mode.endsWith('0') && group !== 'changefeed', path)
    }
  })
})

describe('the files on the card', () => {
  test('name no build machine', () => {
    for (const path of [...files('overlay/**/*'), ...files('{boot,initramfs,steps,setup}/*')].filter(
      (path) => !path.endsWith('.test.ts'),
    )) {
      assert.doesNotMatch(read(path), /\/(home|work)\/|registry\.|localhost:\d|(?<![\w$"}])\/tmp\//, path)
    }
  })

  test('open only the documented ports', () => {
    const rules = read(join(OVERLAY, 'etc/nftables.conf'))
    assert.match(rules, /hook input priority filter; policy drop;/)
    // Between phones of the access point, and between its network and the wired one: the box routes for nobody.
    assert.match(rules, /hook forward priority filter; policy drop;\n {2}\}/)
    assert.ok(files('overlay/**/*').every((path) => !/ip_forward|\bforwarding *= *1/i.test(read(path))))
    assert.deepEqual(
      [...rules.matchAll(/^ +(.*)dport (\{.*\}|\d+) accept$/gm)].map(([, match = '', ports]) => `${match}${ports}`),
      [
        ...['tcp { 80, 443, 8444, 7718 }', 'tcp { 6222, 7422 }', 'udp { 5353, 123 }'],
        'iifname "wlan0" udp { 53, 67 }',
        'iifname "wlan0" tcp 53',
      ],
    )
    assert.equal(rules.split('{').length, rules.split('}').length)
  })

  test("the organiser's file and the README name every setting", () => {
    const readme = read(join(IMAGE, 'README.md'))
    const template = read(join(IMAGE, 'boot/gatehouse.toml'))
    for (const [section, keys] of Object.entries(KEYS)) {
      const [, text = ''] = template.split(`[${section}]`)
      for (const key of keys) {
        assert.match(text.split('\n[')[0] ?? '', new RegExp(`^# ${key} = `, 'm'), `${section}.${key}`)
        assert.match(readme, new RegExp(`\`${key}\``), `README: ${section}.${key}`)
      }
    }
  })

  test('the disk has the same id wherever it is written', () => {
    const [, id = ''] = /^disk_id=(\w+)$/m.exec(read(join(IMAGE, 'steps/lib.sh'))) ?? []
    for (const path of ['boot/boot.cmd', 'overlay/etc/udev/rules.d/91-gatehouse-usb.rules'])
      assert.match(read(join(IMAGE, path)), new RegExp(id), path)
  })
})
