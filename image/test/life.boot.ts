/** One card through its life (issue 8, "what must be seen", 1). Each test continues from the state that the one before left. */
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Board, eventually, report } from './board.ts'
import { Card, SshKey } from './card.ts'
import { type Answered, authorityAt, DAY_TICKETS, Gate } from './gate.ts'
import { name, out } from './tools.ts'
import { brokenUpdate } from './updates.ts'

describe('a card', () => {
  const card = new Card()
  const key = new SshKey()
  const answered: Answered[] = []
  let gate: Gate
  let board: Board

  before(async () => {
    await card.put('gatehouse.toml', '[box]\nshow_admin_token = true\n')
    await card.put('authorized_keys', key.publicKey)
    board = await Board.start(card)
  })
  after(async () => {
    await board[Symbol.asyncDispose]()
    key[Symbol.dispose]()
    card[Symbol.dispose]()
  })
  const ssh = (command: string, input?: string) => board.ssh(key, command, input)
  const scanAnother = async () => {
    answered.push(await gate.scan(board.ports, DAY_TICKETS[answered.length] ?? ''))
  }

  test('is small enough to download', () => {
    const megabytes = statSync(join(out, `${name}.img.zst`)).size / 1e6
    report('image, compressed', `${megabytes.toFixed(0)} MB`)
    assert.ok(megabytes < 400)
  })

  test('starts from the first slot, and the box answers', async () => {
    const seconds = await board.answers()
    report(
      'power on to first answer',
      `${seconds.toFixed(1)} s, ${await board.processorSeconds()} s of them the emulator's`,
    )
    await board.settled(key)
    assert.equal(board.slots, 'A')
    await ssh('systemctl is-system-running --wait || true')
    assert.equal(await ssh('systemctl --failed --no-legend --plain'), '')
    report('start, by systemd', (await ssh('systemd-analyze time')).split('\n')[0] ?? '')
  })

  test('pairs a device, and scans', async () => {
    // It is on the card because gatehouse.toml asks for it.
    const token = (await ssh('head -1 /boot/firmware/admin-token.txt')).trim()
    gate = await Gate.open(board.ports, token)
    await scanAnother()
    assert.match(answered[0]?.answer ?? '', /"verdict":"ADMIT"/)
    const log = await ssh('journalctl -b --no-pager')
    assert.match(log, /box_open/)
    assert.ok(!log.includes(token) && !log.includes('#i='), 'the log is kept on the card, and holds no key to the box')
  })

  test('uses the whole card, and little memory', async () => {
    const gigabytes = Number(await ssh('df --output=size -B1 /data | tail -1')) / 1e9
    assert.ok(gigabytes > 2, `${gigabytes} GB for data on a card of 4 GB`)
    // The box returns the memory of its start minutes later, and in an emulator later still.
    let megabytes = Number.POSITIVE_INFINITY
    for (let look = 0; look < 20 && megabytes >= 250; look++) {
      const memory = await ssh(`sleep ${look === 0 ? 0 : 15}; cat /proc/meminfo`)
      const [, total, available] = /MemTotal: *(\d+)[\s\S]*MemAvailable: *(\d+)/.exec(memory) ?? []
      megabytes = (Number(total) - Number(available)) / 1024
    }
    report('memory at rest', `${megabytes.toFixed(0)} MB of 1 GB`)
    assert.ok(megabytes < 250)
  })

  test('opens no port but those that it serves', async () => {
    for (const service of ['gatehouse', 'changefeed']) {
      const [, score = ''] =
        /exposure level for \S+: ([\d.]+)/.exec(
          await ssh(`systemd-analyze security --no-pager ${service} | tail -1`),
        ) ?? []
      report(`systemd-analyze security ${service}`, score)
      assert.ok(Number(score) > 0 && Number(score) < 2.5)
    }
    const listening = (await ssh('ss -Hltn')).split('\n').flatMap((line) => /[:\]](\d+) /.exec(line)?.[1] ?? [])
    const open = [...(await ssh('nft list chain inet gatehouse input')).matchAll(/tcp dport \{? ?([\d, ]+)/g)]
      .flatMap(([, ports = '']) => ports.split(','))
      .map(Number)
      .sort((a, b) => a - b)
    assert.deepEqual(
      open,
      [22, 53, 80, 443, 6222, 7422, 7718, 8444].sort((a, b) => a - b),
    )
    assert.ok(['80', '443', '8444'].every((port) => listening.includes(port)))
    assert.equal(await ssh("awk -F: '$2 !~ /^[!*]/ { print $1 }' /etc/shadow"), '', 'nobody has a password')
    const owners = await ssh('ps -eo user:20=,args= | awk \'$2 == "/opt/gatehouse/node" { print $1 }\' | sort -u')
    assert.deepEqual(owners.trim().split('\n'), ['changefeed', 'gatehouse'])
  })

  test('the change feed works, and reads no key of the box', async () => {
    // Box and feed start at the same time: the feed may have to try again.
    await ssh('for i in $(seq 60); do [ -s /data/box/demo/feed/state/positions.json ] && exit; sleep 1; done; exit 1')
    // The feed that runs has the user of its unit, and no group but its own.
    const feed = (await ssh('systemctl show -P User changefeed')).trim()
    assert.match(
      await ssh('cat /proc/$(systemctl show -P MainPID changefeed)/status'),
      /^Uid:(\t881){4}\nGid:(\t881){4}\n[\s\S]*^Groups:\t881 $/m,
    )
    const secrets = ['keys.json', 'admin-token', 'ca/authority.pem', 'ca/server.pem'].map(
      (name) => `/data/box/demo/${name}`,
    )
    assert.equal(
      await ssh(`stat -c '%n %U %G %a' ${secrets.join(' ')}`),
      secrets.map((path) => `${path} gatehouse gatehouse 600\n`).join(''),
    )
    const readable = await ssh(
      `find /data /run/gatehouse /boot/firmware -type f | setpriv --reuid=${feed} --regid=${feed} --init-groups sh -c 'while read -r file; do if [ -r "$file" ]; then echo "$file"; fi; done'`,
    )
    const files = readable.trim().split('\n')
    assert.ok(files.includes('/data/box/demo/ledger.db') && files.includes('/data/box/demo/feed/token'))
    for (const file of files)
      assert.match(
        file,
        /^\/data\/(box\/demo\/(ledger\.db(-wal|-shm|-changefeed)?|feed\/.*)|system\/machine-id)$|^\/run\/gatehouse\//,
      )
    // For root alone: the settings of the box, because an invite may be among them, and the keys for ssh.
    for (const path of ['/run/gatehouse/box.env', '/run/gatehouse/ssh/authorized_keys']) {
      assert.match(await ssh(`stat -c '%U %a' ${path}`), /^root 600$/m, path)
      assert.ok(!files.includes(path), path)
    }
  })

  test('has the same CA, token and ledger after a reboot', async () => {
    const ca = await authorityAt(board.ports)
    const [machine, host] = [await ssh('cat /etc/machine-id'), await ssh('cat /data/system/ssh/host_ed25519.pub')]
    await ssh('systemctl reboot').catch(() => {})
    await board.answers({ starts: 2 })
    assert.equal(board.slots, 'AA')
    assert.equal(await authorityAt(board.ports), ca)
    await gate.recognises(board.ports, answered)
    await scanAnother()
    assert.equal(await ssh('cat /etc/machine-id'), machine)
    assert.equal(await ssh('cat /data/system/ssh/host_ed25519.pub'), host)
  })

  test('installs an update into the other slot, with all its data', async () => {
    await ssh('cat > /data/updates/good.update', join(out, `${name}.update`))
    await ssh('rauc install /data/updates/good.update >&2')
    await ssh('systemctl reboot').catch(() => {})
    await board.answers({ starts: 3 })
    assert.equal(board.slots, 'AAB')
    await gate.recognises(board.ports, answered)
    await scanAnother()
    await assertSettled('B')
  })

  test('goes back to the previous system on command', async () => {
    await ssh('/usr/lib/gatehouse/slots set-primary A && systemctl reboot').catch(() => {})
    await board.answers({ starts: 4 })
    assert.equal(board.slots, 'AABA')
    await gate.recognises(board.ports, answered)
    await assertSettled('A')
  })

  test('goes back by itself when the box of an update does not start', async () => {
    await ssh('cat > /data/updates/broken.update', await brokenUpdate())
    await ssh('rauc install /data/updates/broken.update >&2')
    await ssh('systemctl reboot').catch(() => {})
    await eventually(() => board.slots.length >= 5)
    const started = performance.now()
    await board.answers({ starts: 6 })
    report(
      'a system whose box does not start is given up after',
      `${((performance.now() - started) / 1000).toFixed(0)} s, with the start of the other`,
    )
    assert.equal(board.slots, 'AABABA')
    await gate.recognises(board.ports, answered)
    await scanAnother()
  })

  /** Within a minute of the first answer the slot is marked good; only then is it started again after a power cut. */
  async function assertSettled(slot: 'A' | 'B'): Promise<void> {
    await eventually(async () => (await ssh('cat /boot/firmware/ab.env')).includes(`${slot}_LEFT=3\n`))
    assert.match(await ssh('/usr/lib/gatehouse/slots get-current'), new RegExp(`^${slot}$`, 'm'))
    assert.match(await ssh('/usr/lib/gatehouse/slots get-primary'), new RegExp(`^${slot}$`, 'm'))
  }
})
