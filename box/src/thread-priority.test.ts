import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { collectBesideScans } from './thread-priority.ts'

it('lowers the priority of a thread, and of no other', { skip: process.platform !== 'linux' }, async () => {
  const before = getPriority(0)
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
     import('${new URL('thread-priority.ts', import.meta.url)}').then(({ yieldToScans }) => {
       yieldToScans()
       parentPort.postMessage(require('node:os').getPriority(0))
     })`,
    { eval: true },
  )
  const [lowered] = await once(worker, 'message')
  assert.equal(lowered, 19)
  assert.equal(getPriority(0), before)
  await worker.terminate()
})

it('lowers the priority of the threads that collect garbage, and of no other', {
  skip: process.platform !== 'linux',
}, () => {
  const before = getPriority(0)
  collectBesideScans()
  const collectors = readdirSync('/proc/self/task').filter(
    (thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8') === 'V8Worker\n',
  )
  assert.ok(collectors.length > 0)
  for (const thread of collectors) assert.equal(getPriority(Number(thread)), 19)
  assert.equal(getPriority(0), before)
})
