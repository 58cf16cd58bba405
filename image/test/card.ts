/** A card with the image on it, as a laptop sees it: the boot partition, and the bytes of the slots. */

import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { inTools, work } from './tools.ts'

/** Offsets of the partitions, as genimage laid them out: 4 MB, then one after the other. */
const MB = 1024 * 1024
const BOOT = 4 * MB
const SLOTS = { A: BOOT + 128 * MB, B: BOOT + (128 + 900) * MB }

export class Card implements Disposable {
  readonly folder = mkdtempSync(join(work, 'test-'))
  readonly path = join(this.folder, 'card.img')

  /** @param gigabytes how large the card is that the image was written to */
  constructor(gigabytes = 4) {
    const { status } = spawnSync('cp', ['--sparse=always', join(work, 'parts/card.img'), this.path])
    if (status !== 0) throw new Error('There is no card image: npm run image makes one.')
    truncateSync(this.path, gigabytes * 1024 * MB)
  }

  /** Writes a file on the boot partition. */
  async put(name: string, text: string | Uint8Array): Promise<void> {
    const file = join(this.folder, 'put')
    writeFileSync(file, text)
    await inTools('mcopy', '-o', '-i', `${this.path}@@${BOOT}`, file, `::${name}`)
  }

  /** Makes a folder on the boot partition of files that are there. */
  async makeFolder(name: string, files: readonly string[]): Promise<void> {
    await inTools('mmd', '-i', `${this.path}@@${BOOT}`, `::${name}`)
    await inTools('mmove', '-i', `${this.path}@@${BOOT}`, ...files.map((file) => `::${file}`), `::${name}`)
  }

  /** A file of the boot partition; undefined when there is none. */
  async get(name: string): Promise<string | undefined> {
    const file = join(this.folder, 'got')
    rmSync(file, { force: true })
    await inTools('mcopy', '-n', '-i', `${this.path}@@${BOOT}`, `::${name}`, file).catch(() => {})
    try {
      return readFileSync(file, 'utf8')
    } catch {
      return undefined
    }
  }

  /** Puts the system that was built into a slot, as an update does. */
  fill(slot: 'A' | 'B'): void {
    const { status } = spawnSync('dd', [
      ...[`if=${join(work, 'parts/rootfs.ext4')}`, `of=${this.path}`, 'bs=1M', `seek=${SLOTS[slot] / MB}`],
      ...['conv=notrunc,sparse', 'status=none'],
    ])
    if (status !== 0) throw new Error(`Slot ${slot} could not be filled.`)
  }

  /** Spoils a slot from its beginning on, as a card that wears out does. */
  spoil(slot: 'A' | 'B', megabytes = 64): void {
    const file = openSync(this.path, 'r+')
    for (let i = 0; i < megabytes; i++) writeSync(file, Buffer.alloc(MB, 0x5a), 0, MB, SLOTS[slot] + i * MB)
    closeSync(file)
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** An ssh key of this test run: the public half goes on a card. */
export class SshKey implements Disposable {
  readonly folder = mkdtempSync(join(work, 'test-key-'))
  readonly path = join(this.folder, 'key')
  readonly publicKey: string

  constructor() {
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', this.path])
    this.publicKey = readFileSync(`${this.path}.pub`, 'utf8')
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
