import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { takeLock } from './file-lock.ts'

const HOLDER = `import(${JSON.stringify(join(import.meta.dirname, 'file-lock.ts'))}).then(({ takeLock }) => {
  globalThis.lock = takeLock(process.argv[1])
  console.log(globalThis.lock ? 'held' : 'refused')
  setInterval(() => {}, 1000)
})`

describe('a lock', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'))
  const path = join(folder, 'lock')

  it('is held by one, and free again when that one lets go', () => {
    const first = takeLock(path)
    assert.ok(first)
    assert.equal(takeLock(path), undefined)
    first[Symbol.dispose]()
    const second = takeLock(path)
    assert.ok(second)
    second[Symbol.dispose]()
  })

  it('ends with the process that holds it, however that ends', async () => {
    const child = spawn(process.execPath, ['-e', HOLDER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    assert.equal(String(said).trim(), 'held')
    assert.equal(takeLock(path), undefined)
    child.kill('SIGKILL')
    await exited
    using lock = takeLock(path)
    assert.ok(lock)
  })

  it('that cannot be made says why', () => {
    assert.throws(() => takeLock(join(folder, 'nowhere', 'lock')), /ENOENT.*nowhere/)
    rmSync(folder, { recursive: true })
  })
})
