import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Decoder } from './decoder.ts'
import { FROZEN_AFTER_MS, RETURN_MS, readFrames } from './frames.ts'
import { fakePage } from './page.testing.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A video whose frames the test hands out, before a decoder that reads the same code in each. */
function lane(t: TestContext, texts: () => readonly string[] = () => ['DAY-1']) {
  // Before the page is taken away.
  let stop = () => {}
  t.after(() => stop())
  const page = fakePage(t, { VideoFrame: class {} })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let next: ((now: number, frame: object) => void) | undefined
  const video = {
    requestVideoFrameCallback(callback: (now: number, frame: object) => void) {
      next = callback
    },
  }
  const decoder = {
    async decode() {
      const found = texts().map((text) => ({ text, corners: [{ x: 10, y: 10 }] }))
      return { id: 1, found, width: 20, height: 20, took: 1, by: 'wasm' as const }
    },
  }
  const sighted: string[][] = []
  const froze = { times: 0 }
  stop = readFrames(
    video as unknown as HTMLVideoElement,
    decoder as unknown as Decoder,
    ({ texts }) => sighted.push(texts),
    { frozen: () => froze.times++, resting: () => false },
  )
  const frame = async () => {
    const mine = next
    next = undefined
    mine?.(performance.now(), {})
    await settled()
  }
  return { page, frame, froze, sighted, stop, pass: (ms: number) => t.mock.timers.tick(ms) }
}

describe('frames of a camera', () => {
  it('are read one after the other, and nothing freezes while they come', async (t) => {
    const { frame, froze, pass, sighted } = lane(t)
    for (let n = 0; n < 20; n++) {
      await frame()
      pass(FROZEN_AFTER_MS - 1)
    }
    assert.deepEqual([sighted.length, froze.times], [20, 0])
  })

  it('that do not come any more are noticed', async (t) => {
    const { frame, froze, pass } = lane(t)
    await frame()
    pass(FROZEN_AFTER_MS)
    assert.equal(froze.times, 1)
  })

  it('that do not come after a call are noticed within two seconds of the first look, however long it took', async (t) => {
    const { frame, froze, page, pass } = lane(t)
    await frame()
    page.show('hidden')
    pass(10 * 60_000)
    assert.equal(froze.times, 0, 'a hidden page has no frames')
    page.show('visible')
    pass(RETURN_MS)
    assert.equal(froze.times, 1)
    assert.ok(RETURN_MS < 2000)
  })

  it('go on at once when they come after a call', async (t) => {
    const { frame, froze, page, pass, sighted } = lane(t)
    await frame()
    page.show('hidden')
    pass(10 * 60_000)
    page.show('visible')
    await frame()
    pass(RETURN_MS)
    assert.deepEqual([sighted.length, froze.times], [2, 0])
  })

  it('count for nobody once the reading was stopped', async (t) => {
    const { frame, froze, page, pass, sighted, stop } = lane(t)
    stop()
    await frame()
    page.show('hidden')
    page.show('visible')
    pass(FROZEN_AFTER_MS)
    assert.deepEqual([sighted.length, froze.times], [0, 0])
  })
})
