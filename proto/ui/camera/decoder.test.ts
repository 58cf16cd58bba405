import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDecoder, type WorkerLike } from './decoder.ts'
import type { Answer, FrameMessage } from './messages.ts'

/** A browser's worker, as far as a page sees it: answers each frame with `behave`, or fails, or is silent. */
function workers(behave: (frame: number, worker: number) => 'reads' | 'fails' | 'says absent') {
  const spawned: { terminated: boolean }[] = []
  let frames = 0
  const spawn = (): WorkerLike => {
    const index = spawned.push({ terminated: false }) - 1
    const listeners = new Map<string, (event: { data: Answer }) => void>()
    return {
      addEventListener: (type: string, listener: (event: { data: Answer }) => void) => listeners.set(type, listener),
      postMessage({ id }: FrameMessage) {
        const data = { id, found: [], width: 640, height: 480, took: 2, by: 'wasm' } as const
        const does = behave(frames++, index)
        setImmediate(() =>
          listeners.get(does === 'fails' ? 'error' : 'message')?.({
            data: does === 'says absent' ? { id, failed: 'absent' } : { ...data, found: [] },
          }),
        )
      },
      terminate() {
        Object.assign(spawned[index] ?? {}, { terminated: true })
      },
    } as WorkerLike
  }
  return { spawn, spawned }
}

const frame = () => ({ closed: false, close() {} }) as unknown as ImageBitmap

test('one worker reads every frame', async () => {
  const { spawn, spawned } = workers(() => 'reads')
  const decoder = createDecoder(spawn)
  for (let i = 1; i <= 5; i++) assert.equal((await decoder.decode(frame()))?.id, i)
  assert.equal(spawned.length, 1)
  decoder.close()
  assert.ok(spawned[0]?.terminated)
})

test('a worker that fails loses its frame, and another reads the next', async () => {
  const waits: number[] = []
  const { spawn, spawned } = workers((i) => (i === 1 ? 'fails' : 'reads'))
  const decoder = createDecoder(spawn, undefined, async (ms) => void waits.push(ms))
  assert.ok(await decoder.decode(frame()))
  assert.equal(await decoder.decode(frame()), null)
  assert.equal(decoder.failure.value, 'stopped')
  assert.ok(await decoder.decode(frame()))
  assert.equal(decoder.failure.value, null)
  assert.deepEqual(
    spawned.map(({ terminated }) => terminated),
    [true, false],
  )
  assert.deepEqual(waits, [200])
})

test('one that says what it lacks is started again, and what it lacks is known meanwhile', async () => {
  const { spawn, spawned } = workers((i) => (i === 0 ? 'says absent' : 'reads'))
  const decoder = createDecoder(spawn, undefined, async () => {})
  assert.equal(await decoder.decode(frame()), null)
  assert.equal(decoder.failure.value, 'absent')
  assert.ok(await decoder.decode(frame()))
  assert.equal(decoder.failure.value, null)
  assert.equal(spawned.length, 2)
})

test('one that fails every time is tried ever more slowly, and for ever', async () => {
  const waits: number[] = []
  const { spawn, spawned } = workers(() => 'fails')
  const decoder = createDecoder(spawn, undefined, async (ms) => void waits.push(ms))
  for (let i = 0; i < 10; i++) assert.equal(await decoder.decode(frame()), null)
  assert.equal(spawned.length, 10)
  assert.ok(spawned.every(({ terminated }) => terminated))
  assert.deepEqual(waits.slice(0, 3), [200, 400, 800])
  assert.equal(waits.at(-1), 5000)
})

test('closed, it takes no frame', async () => {
  const { spawn, spawned } = workers(() => 'reads')
  const decoder = createDecoder(spawn)
  decoder.close()
  assert.equal(await decoder.decode(frame()), null)
  assert.equal(spawned.length, 0)
})
