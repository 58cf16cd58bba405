import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { command } from './command.ts'

const RECORD = { record: '_acme-challenge.gate.example.org', value: "a value; $(reboot) 'x'" }

describe('a program that changes DNS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-hook-'))
  after(() => rmSync(folder, { recursive: true }))
  const program = (script: string) => {
    const path = join(folder, 'hook')
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o700)
    return path
  }
  const present = (path: string, patienceMs = 5_000, signal = new AbortController().signal) =>
    command({ program: path, patienceMs }).present(RECORD, signal)

  it('gets each word whole: there is no shell', async () => {
    await present(program(`[ "$#" = 3 ] && [ "$3" = "a value; \\$(reboot) 'x'" ]`))
  })

  it('is killed when it hangs, with what it has started', async () => {
    const late = join(folder, 'late')
    const hanging = program(`(sleep 1; touch ${late}) &\nsleep 60`)
    await assert.rejects(present(hanging, 200), /did not end within 0\.2 s/)
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    assert.equal(existsSync(late), false)
  })

  it('is not waited for once it has ended, whatever it left running', async () => {
    await present(program('sleep 60 >&2 &\nexit 0'))
  })

  it('fails with its own words, on one line', async () => {
    await assert.rejects(present(program('exit 3')), {
      coded: { code: 'program_failed', values: { program: join(folder, 'hook'), why: 'failed (3)' } },
    })
    await assert.rejects(present(program('printf "no\\nzone\\033[31m" >&2; exit 3')), /failed \(3\): no zone \[31m\.$/)
    await assert.rejects(present(join(folder, 'nothing')), /cannot be run: .*ENOENT/)
  })
})
