/**
 * The DNS of the access point, as the card has it: its dnsmasq under qemu's user emulation, with the file that setup writes, in a network
 * name space that leads nowhere. No boot; with phones on the radio: settings.boot.ts.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { plan } from '../setup/plan.ts'
import { readSettings } from '../setup/settings.ts'
import { cache, work } from './tools.ts'

const QEMU = join(cache, 'tools/usr/bin/qemu-aarch64')
const SYSTEM = join(work, 'system')
const skip = ![QEMU, join(SYSTEM, 'usr/sbin/dnsmasq')].every((path) => existsSync(path))
  ? 'no image is built here: npm run image'
  : process.getuid?.() !== 0 && 'it makes a network of its own: as root only'

const TOML = `[box]
name = "harbour"
[wifi]
mode = "access-point"
ssid = "Gate"
country = "PT"
password = "12345678"
address = "10.9.8.1/24"
[certificate]
name = "gate.example.org"
`
/** Asks as a phone does, with the server that it was given. Prints what each name leads to, or the code of the failure. */
const ASK = `
const { Resolver } = require('node:dns').promises
const resolver = new Resolver({ timeout: 5000, tries: 12 })
resolver.setServers(['10.9.8.1'])
const ask = (name) => resolver.resolve4(name).then(String, ({ code }) => code)
Promise.all(process.argv.slice(1).map(ask)).then((found) => console.log(JSON.stringify(found)))`

test('the access point answers for the public name without internet, and for nothing else of its domain', {
  skip,
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-names-'))
  try {
    const machine = {
      event: undefined,
      files: new Set<string>(),
      certificateProblem: undefined,
      ledgers: new Set<string>(),
    }
    const { planned } = plan(readSettings(TOML).settings, { ...machine, now: Date.now() })
    const written = planned.find(({ path }) => path === '/run/gatehouse/wifi/dnsmasq.conf')
    const conf = join(folder, 'dnsmasq.conf')
    writeFileSync(conf, written?.text ?? assert.fail('setup writes no names'))
    const names = ['gate.example.org', 'GATE.Example.org', 'www.gate.example.org', 'example.org', 'harbour.local']
    const script = `set -e
      qemu=$1 system=$2 conf=$3 node=$4 ask=$5
      shift 5
      ip link set lo up
      ip link add wlan0 type veth peer name phone
      ip addr add 10.9.8.1/24 dev wlan0
      ip link set wlan0 up
      ip link set phone up
      "$qemu" -L "$system" "$system/usr/sbin/dnsmasq" --keep-in-foreground --conf-file="$conf" >&2 &
      trap "kill $!" EXIT
      # It has its socket once its own side of the network shows one.
      until grep -q ' 0108090A:0035 ' /proc/net/udp; do kill -0 $!; sleep 0.1; done
      "$node" -e "$ask" "$@"`
    const { status, stdout, stderr } = spawnSync(
      'unshare',
      ['--net', 'sh', '-c', script, 'sh', QEMU, SYSTEM, conf, process.execPath, ASK, ...names],
      { encoding: 'utf8', timeout: 300_000 },
    )
    assert.equal(status, 0, stderr)
    assert.deepEqual(JSON.parse(stdout), ['10.9.8.1', '10.9.8.1', 'EREFUSED', 'EREFUSED', '10.9.8.1'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
