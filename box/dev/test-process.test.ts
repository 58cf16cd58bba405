import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runTestFile, runTestGroup } from './test-process.ts'

const never = new AbortController().signal

describe('a process with tests', () => {
  let folder: string
  let printed: string
  const write = (text: string) => {
    printed += text
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-process-'))
    printed = ''
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const tests = (text: string) => `import { test } from 'node:test'\n${text}`

  it('that never ends is killed with its children, named, and quoted', async () => {
    const pids = join(folder, 'pids')
    const endless = file(
      'endless.test.mjs',
      tests(`
        import { spawn } from 'node:child_process'
        import { writeFileSync } from 'node:fs'
        process.on('SIGTERM', () => {})
        test('waits', () => {
          const children = [false, true].map((detached) => spawn('sleep', ['600'], { detached, stdio: 'inherit' }))
          writeFileSync(${JSON.stringify(pids)}, children.map(({ pid }) => pid).join(' '))
          console.log('where it hangs')
          for (;;);
        })`),
    )
    const limit = new AbortController()
    const { counts, isKilled } = await runTestFile(endless, 'endless', {
      limit: limit.signal,
      write: (text) => {
        write(text)
        if (text.includes('where it hangs')) limit.abort()
      },
    })
    assert.deepEqual([counts.failed, isKilled], [1, true], printed)
    assert.match(printed, /✖ endless did not end in time, and was killed\. It printed last:\n.*where it hangs/s)
    for (const pid of readFileSync(pids, 'utf8').split(' ')) await isGone(Number(pid))
  })

  it('of several files is killed in the same way, when one of them never ends', async () => {
    const good = file('good.test.mjs', tests(`test('passes', () => {})`))
    const endless = file('endless.test.mjs', tests(`test('waits', () => { console.log('hangs'); for (;;); })`))
    const limit = new AbortController()
    const { counts, isKilled } = await runTestGroup([good, endless], 'two files', {
      limit: limit.signal,
      write: (text) => void (text.includes('hangs') && limit.abort()),
    })
    assert.deepEqual([counts.failed, isKilled], [1, true])
  })

  it('has the counts of its tests', async () => {
    const mixed = file(
      'mixed.test.mjs',
      tests(
        `test('a', () => {}); test('b', () => { throw new Error('because') }); test('c', { skip: 'no' }, () => {})`,
      ),
    )
    const { counts, isKilled } = await runTestFile(mixed, 'mixed', { limit: never, write })
    assert.deepEqual([counts, isKilled], [{ passed: 1, failed: 1, skipped: ['c: no'] }, false])
    assert.match(printed, /because.*✖ mixed/s)
  })

  it('that breaks before its first test, or ends with an error after it, has failed', async () => {
    const broken = file('broken.test.mjs', tests(`throw new Error('because')`))
    const late = file('late.test.mjs', tests(`test('a', () => {}); process.on('exit', () => { process.exitCode = 3 })`))
    for (const one of [broken, late]) {
      const { counts } = await runTestFile(one, 'it', { limit: never, write })
      assert.equal(counts.failed, 1, printed)
    }
    assert.match(printed, /✖ it ended with code 3/)
  })

  it('that breaks outside of every test has failed, and says why', async () => {
    const stray = file(
      'stray.test.mjs',
      tests(
        `test('a', () => void setTimeout(() => { throw new Error('because') })); test('b', () => new Promise((done) => setTimeout(done, 50)))`,
      ),
    )
    const { counts } = await runTestFile(stray, 'stray', { limit: never, write })
    assert.deepEqual([counts.passed, counts.failed], [2, 1], printed)
    assert.match(printed, /asynchronous activity.*because.*✖ stray ended with code 1/s)
  })
})

async function isGone(pid: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    // A killed process stays on the list until its new parent has taken note.
    if (isZombie(pid)) return
    await sleep(10)
  }
  assert.fail(`${pid} still runs`)
}

function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
