/** The box's files for the board, on the board's own Node, under qemu's user emulation: it opens, and answers. Seconds, not a boot. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { cache, work } from './tools.ts'

const QEMU = join(cache, 'tools/usr/bin/qemu-aarch64')
const SYSTEM = join(work, 'system')
const missing = [QEMU, join(SYSTEM, 'opt/gatehouse/node')].find((path) => !existsSync(path))

test('a ticket is checked by the arm64 box', { skip: missing && 'no image is built here: npm run image' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-arm64-'))
  const node = ['-L', SYSTEM, join(SYSTEM, 'opt/gatehouse/node')]
  // The sources, and not start/: what that holds has the paths of the card in it.
  const child = spawn(
    QEMU,
    [...node, join(SYSTEM, 'opt/gatehouse/box/src/cli.ts'), 'check-event', join(SYSTEM, 'opt/gatehouse/box/demo')],
    {
      env: { HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  try {
    const lines: string[] = []
    createInterface(child.stdout).on('line', (line) => lines.push(line))
    const [code] = await once(child, 'close')
    assert.equal(code, 0, lines.join('\n'))
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})
