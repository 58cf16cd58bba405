import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'

const RUN = join(import.meta.dirname, 'run.mjs')

describe('a script of npm', () => {
  it('ends when npm was ended, which tells its shell alone', async (t) => {
    const says =
      "console.log(process.pid); setInterval(() => {}, 1000); process.on('SIGTERM', () => { console.log('closing'); process.exit() })"
    // The last command of a shell takes its place; this one is not the last.
    const shell = spawn('sh', ['-c', `node "${RUN}" node -e "${says}"; true`], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
    const pid = Number((await lines.next()).value)
    t.after(() => {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended, as it should.
      }
    })
    shell.kill('SIGTERM')
    await once(shell, 'exit')
    assert.equal((await lines.next()).value, 'closing')
  })
})
