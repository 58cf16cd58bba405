/** Updates that a board must take, and updates that it must not: all made from the slot that the build made. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTools, keys, work } from './tools.ts'

const folder = mkdtempSync(join(work, 'test-updates-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** An update of this board whose box ends as soon as it is started. */
export async function brokenUpdate(): Promise<string> {
  return bundle('broken', { slot: await slotWith('rm /opt/gatehouse/start/box.mjs') })
}

/** A bundle that differs from the system on the card only by its version. */
export async function nextUpdate(version: string): Promise<string> {
  const [file, place] = [join(folder, 'version'), '/etc/gatehouse-version']
  writeFileSync(file, `${version}\n`)
  return bundle(version, { slot: await slotWith(`rm ${place}`, `write ${file} ${place}`) })
}

/** The slot that was built, after some commands of debugfs. */
async function slotWith(...commands: string[]): Promise<string> {
  const slot = join(folder, 'changed.ext4')
  await inTools('cp', '--sparse=always', join(work, 'parts/rootfs.ext4'), slot)
  for (const command of commands) await inTools('debugfs', '-w', '-R', command, slot)
  return slot
}

/** A small one, whose manifest names another kind of board. */
export function updateFor(compatible: string): Promise<string> {
  return bundle(compatible, { compatible })
}

/**
 * A small bundle with a signature that this board does not trust.
 * @param until when its certificate ends, in two days where nothing is said. The certificate is beside it, as `<signedBy>.crt`
 */
export async function ownUpdate({ signedBy, until }: { signedBy: string; until?: Date }): Promise<string> {
  // 20260704150000Z
  const end = until ? ['-not_after', until.toISOString().replace(/[-:T]|\.\d+/g, '')] : ['-days', '2']
  const [key, certificate] = [join(folder, `${signedBy}.key`), join(folder, `${signedBy}.crt`)]
  await inTools(
    ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...end],
    ...['-addext', 'keyUsage=critical,digitalSignature', '-addext', 'extendedKeyUsage=codeSigning,emailProtection'],
    ...['-subj', `/CN=${signedBy}`, '-keyout', key, '-out', certificate],
  )
  return bundle(signedBy, { key, certificate })
}

interface Contents {
  slot?: string
  compatible?: string
  key?: string
  certificate?: string
}

async function bundle(name: string, contents: Contents): Promise<string> {
  const {
    compatible = 'gatehouse-arm64',
    key = join(keys, 'updates.key'),
    certificate = join(keys, 'updates.crt'),
  } = contents
  const inside = join(folder, name)
  const update = join(folder, `${name}.update`)
  rmSync(inside, { recursive: true, force: true })
  rmSync(update, { force: true })
  mkdirSync(inside)
  if (contents.slot) await inTools('mv', contents.slot, join(inside, 'rootfs.ext4'))
  else writeFileSync(join(inside, 'rootfs.ext4'), randomBytes(1024 * 1024))
  writeFileSync(
    join(inside, 'manifest.raucm'),
    `[update]\ncompatible=${compatible}\nversion=${name}\n\n[bundle]\nformat=verity\n\n[image.rootfs]\nfilename=rootfs.ext4\n`,
  )
  await inTools(
    'rauc',
    `--cert=${certificate}`,
    `--key=${key}`,
    '--mksquashfs-args=-comp zstd -Xcompression-level 3',
    'bundle',
    inside,
    update,
  )
  return update
}
