import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type NativeDetectorClass, phoneDecoder } from './phone-decoder.ts'

const FRAME = {} as ImageBitmap
const CORNERS = [{ x: 1, y: 2 }]

/** A phone's decoder. @param detect of each frame */
function phone(detect: () => Promise<string>, supported: () => Promise<string[]> = async () => ['qr_code', 'aztec']) {
  const asked: string[][] = []
  let frames = 0
  class Detector {
    static getSupportedFormats = supported
    constructor({ formats }: { formats: string[] }) {
      asked.push(formats)
    }
    async detect() {
      frames++
      return [{ rawValue: await detect(), cornerPoints: CORNERS }]
    }
  }
  return { Detector: Detector as NativeDetectorClass, asked, frames: () => frames }
}

describe("the phone's own decoder", () => {
  it('reads what it finds, and is opened once for the same kinds', async () => {
    const { Detector, asked } = phone(async () => 'DAY-1')
    const decoder = phoneDecoder(Detector)
    assert.deepEqual(await decoder.read(FRAME, []), [{ text: 'DAY-1', corners: CORNERS }])
    await decoder.read(FRAME, [])
    assert.deepEqual(await decoder.read(FRAME, ['aztec']), [{ text: 'DAY-1', corners: CORNERS }])
    assert.deepEqual(asked, [['qr_code'], ['qr_code', 'aztec']])
  })

  it('is left alone where it does not read every kind that the event names, and is back when it does', async () => {
    const { Detector, frames } = phone(async () => 'DAY-1')
    const decoder = phoneDecoder(Detector)
    assert.equal(await decoder.read(FRAME, ['pdf417']), undefined)
    assert.equal(frames(), 0)
    assert.equal((await decoder.read(FRAME, []))?.length, 1)
  })

  it('is not asked again after it has failed, as where the phone has not fetched it', async () => {
    for (const fails of [
      phone(() => Promise.reject(new DOMException('not installed', 'NotSupportedError'))),
      phone(
        async () => 'DAY-1',
        () => Promise.reject(new Error('no service')),
      ),
    ]) {
      const decoder = phoneDecoder(fails.Detector)
      assert.equal(await decoder.read(FRAME, []), undefined)
      const before = fails.frames()
      assert.equal(await decoder.read(FRAME, []), undefined)
      assert.equal(fails.frames(), before)
    }
  })

  it('is given up when it never answers', async () => {
    const { Detector, frames } = phone(() => new Promise(() => {}))
    const decoder = phoneDecoder(Detector, 20)
    assert.equal(await decoder.read(FRAME, []), undefined)
    assert.equal(await decoder.read(FRAME, []), undefined)
    assert.equal(frames(), 1)
  })

  it('is not missed in a browser without one', async () => {
    assert.equal(await phoneDecoder(undefined).read(FRAME, []), undefined)
  })
})
