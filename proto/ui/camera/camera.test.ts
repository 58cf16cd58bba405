import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { signal } from '@preact/signals'
import { createCamera, HEAL_AFTER_MS, PAUSED_MS, RETURN_MS } from './camera.ts'
import { fakePage } from './page.testing.ts'

/** The lane goes on within this, ms, after the camera can be had again. */
const GOES_ON_MS = 2000

class Track extends EventTarget {
  stopped = false
  label = 'Back'
  getSettings = () => ({ width: 1280, height: 720 })
  stop(): void {
    this.stopped = true
  }
}

/** A phone with one camera, whose opening `refuses` when it is told to. Time is moved by hand. */
async function phone(t: TestContext) {
  const page = fakePage(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const tracks: Track[] = []
  const refuses: { by: Error | null } = { by: null }
  const media = Object.assign(new EventTarget(), {
    async enumerateDevices() {
      return []
    },
    async getUserMedia() {
      if (refuses.by) throw refuses.by
      const track = new Track()
      tracks.push(track)
      return { getVideoTracks: () => [track], getTracks: () => [track] }
    },
  })
  const camera = createCamera(media as unknown as MediaDevices, signal(null))
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms)
    await settled()
  }
  camera.use()
  await settled()
  const is = () => {
    const now = camera.state.value
    return now.kind === 'trouble' ? now.trouble : now.kind
  }
  const last = () => tracks.at(-1) ?? assert.fail('no camera was opened')
  return { camera, page, refuses, tracks, last, pass, is }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a camera that is lost in the middle of a shift', () => {
  it('is opened again by itself', async (t) => {
    const { is, last, pass, tracks } = await phone(t)
    assert.equal(is(), 'open')
    last().dispatchEvent(new Event('ended'))
    assert.equal(is(), 'lost')
    await pass(HEAL_AFTER_MS)
    assert.deepEqual([is(), tracks.length], ['open', 2])
    assert.ok(HEAL_AFTER_MS < GOES_ON_MS)
  })

  it('is opened at once when the page is looked at again, and not while nobody sees it', async (t) => {
    const { is, last, page, pass, tracks } = await phone(t)
    page.show('hidden')
    last().dispatchEvent(new Event('ended'))
    await pass(60_000)
    assert.deepEqual([is(), tracks.length], ['lost', 1])
    page.show('visible')
    await settled()
    assert.deepEqual([is(), tracks.length], ['open', 2])
  })

  it('is tried again until another app gives it back', async (t) => {
    const { is, last, pass, refuses } = await phone(t)
    refuses.by = Object.assign(new Error('in use'), { name: 'NotReadableError' })
    last().dispatchEvent(new Event('ended'))
    for (let tries = 0; tries < 20; tries++) await pass(HEAL_AFTER_MS)
    assert.equal(is(), 'busy')
    refuses.by = null
    await pass(HEAL_AFTER_MS)
    assert.equal(is(), 'open')
  })

  it('is not asked for again by itself where a person has refused it', async (t) => {
    const { is, last, page, pass, refuses } = await phone(t)
    refuses.by = Object.assign(new Error('no'), { name: 'NotAllowedError' })
    last().dispatchEvent(new Event('ended'))
    await pass(HEAL_AFTER_MS)
    refuses.by = null
    page.show('hidden')
    page.show('visible')
    await pass(60_000)
    assert.equal(is(), 'denied')
  })
})

describe('a camera that the system pauses for a call', () => {
  it('says so, and goes on with the same picture at the moment in which it is given back', async (t) => {
    const { is, last, pass, tracks } = await phone(t)
    last().dispatchEvent(new Event('mute'))
    assert.equal(is(), 'lost')
    await pass(PAUSED_MS - 1)
    assert.equal(tracks.length, 1, 'a phone would ask for permission again')
    last().dispatchEvent(new Event('unmute'))
    assert.deepEqual([is(), tracks.length, last().stopped], ['open', 1, false])
  })

  it('is opened again where it stays dark after the call, within two seconds of the first look', async (t) => {
    const { is, last, page, pass, tracks } = await phone(t)
    page.show('hidden')
    last().dispatchEvent(new Event('mute'))
    await pass(10 * 60_000)
    assert.equal(tracks.length, 1)
    page.show('visible')
    await pass(RETURN_MS)
    assert.deepEqual([is(), tracks.length, tracks[0]?.stopped], ['open', 2, true])
    assert.ok(RETURN_MS < GOES_ON_MS)
  })

  it('is opened again where it stays dark in view', async (t) => {
    const { is, last, pass, tracks } = await phone(t)
    last().dispatchEvent(new Event('mute'))
    await pass(PAUSED_MS)
    assert.deepEqual([is(), tracks.length], ['open', 2])
  })

  it('is lost where the call ends it', async (t) => {
    const { is, last, pass, tracks } = await phone(t)
    last().dispatchEvent(new Event('mute'))
    last().dispatchEvent(new Event('ended'))
    await pass(HEAL_AFTER_MS)
    assert.deepEqual([is(), tracks.length], ['open', 2])
  })

  it('no longer counts once another was opened', async (t) => {
    const { camera, is, tracks } = await phone(t)
    const [first] = tracks
    await camera.reopen()
    for (const event of ['mute', 'unmute', 'ended']) first?.dispatchEvent(new Event(event))
    assert.deepEqual([is(), tracks.length, first?.stopped], ['open', 2, true])
  })
})
