/** A board's search for its disk and its slots: the initramfs' own functions, on folders that stand for /sys and /dev. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

const IMAGE = join(import.meta.dirname, '..')
const INIT = readFileSync(join(IMAGE, 'initramfs/init'), 'utf8')
const OURS = '5c0a0002'

/** Paths at which Linux shows the disks that a board may have. */
const SHOWN = {
  mmcblk0: 'platform/emmc2bus/fe340000.mmc/mmc_host/mmc0/mmc0:aaaa/block/mmcblk0',
  sda: 'platform/scb/fd500000.pcie/pci0000:00/0000:00:00.0/0000:01:00.0/usb1/1-1/1-1:1.0/host0/target0:0:0/0:0:0:0/block/sda',
  vda: 'platform/4010000000.pcie/pci0000:00/0000:00:02.0/virtio0/block/vda',
} as const
type Disk = keyof typeof SHOWN

describe("a board's own disk", () => {
  const folders: string[] = []
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  /** Runs a part of init on a board with these disks, each with the number in its MBR. */
  function run(disks: Partial<Record<Disk, string>>, from: string, script: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
    folders.push(folder)
    const at = (...path: string[]) => join(folder, ...path)
    for (const path of ['sys/class/block', 'dev']) mkdirSync(at(path), { recursive: true })
    for (const [name, number] of Object.entries(disks)) {
      const shown = at('sys/devices', SHOWN[name as Disk])
      mkdirSync(shown, { recursive: true })
      symlinkSync(shown, at('sys/class/block', name))
      const mbr = Buffer.alloc(512)
      mbr.writeUInt32LE(Number.parseInt(number, 16), 440)
      writeFileSync(at('dev', name), mbr)
    }
    const part = /^case \$from in [\s\S]*?^}$/m.exec(INIT)?.[0] ?? ''
    const found = part.replaceAll('/sys/', `${folder}/sys/`).replaceAll('"/dev/', `"${folder}/dev/`)
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['-c', `disk=${OURS}\nfrom=$1\n${found}\n${script}`, 'init', from],
      {
        encoding: 'utf8',
      },
    )
    assert.equal(stderr, '')
    return status === 0 ? stdout.trim() : ''
  }
  const found = (disks: Partial<Record<Disk, string>>, from: string) => run(disks, from, 'find_disk')

  test('is of the kind that the boot loader read from, whatever else is inserted', () => {
    const both = { mmcblk0: OURS, sda: OURS }
    assert.deepEqual([found(both, 'mmc'), found(both, 'usb')], ['mmcblk0', 'sda'])
    assert.equal(found({ sda: OURS, vda: OURS }, 'virtio'), 'vda')
    assert.equal(found({ sda: OURS }, 'mmc'), '', 'a card that is slower than the reader is waited for')
  })

  test('has our disk id', () => {
    assert.equal(found({ mmcblk0: '12345678', sda: OURS }, ''), 'sda')
    assert.equal(found({ mmcblk0: '12345678', sda: '0200aa5c' }, ''), '')
  })

  test('may be of any kind when the boot loader names none, or an unknown one', () => {
    for (const from of ['', 'nvme', 'mmc*', '*']) assert.equal(found({ sda: OURS }, from), 'sda', from)
  })

  test('is named by the boot loader', () => {
    assert.match(readFileSync(join(IMAGE, 'boot/boot.cmd'), 'utf8'), / gatehouse\.from=\$\{devtype\} /)
  })

  test('has the slots, by the names of its partitions', () => {
    const rules = (base: string) => {
      const lines = INIT.split('\n').filter((line) => /^(case \$base in|slot_rules\(\))/.test(line))
      return spawnSync('bash', ['-c', `base=${base}\n${lines.join('\n')}\nslot_rules`], { encoding: 'utf8' }).stdout
    }
    for (const [base, a, b] of [
      ['mmcblk0', 'mmcblk0p2', 'mmcblk0p3'],
      ['sda', 'sda2', 'sda3'],
      ['vda', 'vda2', 'vda3'],
    ] as const)
      assert.equal(
        rules(base),
        `SUBSYSTEM=="block", KERNEL=="${a}", SYMLINK+="gatehouse/slot-a"\nSUBSYSTEM=="block", KERNEL=="${b}", SYMLINK+="gatehouse/slot-b"\n`,
      )
  })
})
