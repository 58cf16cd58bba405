/** A USB stick as they are sold: one partition, FAT32. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inTools, work } from './tools.ts'

const MB = 1024 * 1024

export class Stick implements Disposable {
  readonly #folder = mkdtempSync(join(work, 'test-stick-'))
  readonly path = join(this.#folder, 'stick.img')
  readonly #partition = `${this.path}@@${MB}`

  private constructor() {}

  /** @param files paths of this machine's, by their names on the stick */
  static async of(files: Readonly<Record<string, string>>): Promise<Stick> {
    const stick = new Stick()
    await inTools('truncate', '-s', `${1024 * MB}`, stick.path)
    await inTools('sh', '-ec', 'echo "2048,,c" | sfdisk --quiet "$1"', 'sh', stick.path)
    await inTools('mkfs.vfat', '-F', '32', '-n', 'STICK', '--offset', '2048', stick.path, `${1023 * 1024}`)
    for (const [name, path] of Object.entries(files)) await inTools('mcopy', '-i', stick.#partition, path, `::${name}`)
    return stick
  }

  async names(): Promise<string[]> {
    return (await inTools('mdir', '-b', '-i', this.#partition, '::')).split('\n').flatMap((line) => line.slice(3) || [])
  }

  /** Takes a file off it. @param to where to */
  async take(name: string, to: string): Promise<void> {
    await inTools('mcopy', '-n', '-i', this.#partition, `::${name}`, to)
  }

  /** True when fsck finds its file system clean. */
  async check(): Promise<string> {
    const partition = join(this.#folder, 'partition')
    spawnSync('dd', [`if=${this.path}`, `of=${partition}`, 'bs=1M', 'skip=1', 'conv=sparse', 'status=none'])
    return inTools('fsck.vfat', '-n', partition)
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
