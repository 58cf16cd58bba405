import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sleep } from '@gatehouse/proto/sleep.ts'
import { onChange } from '@gatehouse/proto/ui/on-change.ts'
import { Link } from './link.ts'

/** A link whose box answers or does not; waits take no time, and are counted. */
function linkTo(box: { answers: boolean }) {
  const waits: number[] = []
  const link: Link = new Link({
    now: () => 1_000 + waits.length,
    random: () => 0,
    async sleep(ms, signal) {
      waits.push(ms)
      if (waits.length === 5) box.answers = true
      await sleep(0, signal)
    },
    async probe() {
      if (!box.answers) throw new TypeError('Failed to fetch')
      return true
    },
  })
  return { link, waits }
}

describe('the link', () => {
  it('asks again and again, less and less often, until the box is back: and says so once', async () => {
    const { link, waits } = linkTo({ answers: false })
    let back = 0
    const returned = new Promise<void>((resolve) =>
      onChange(link.reachable, (isReachable) => {
        if (!isReachable) return
        back++
        resolve()
      }),
    )
    link.lost()
    link.lost()
    await returned
    link.answered(20)
    await link.close()
    assert.equal(back, 1)
    assert.deepEqual(waits, [250, 500, 1000, 2000, 2500])
    assert.equal(link.state.value.state, 'reachable')
  })

  it('knows how long the box was silent', async () => {
    const { link } = linkTo({ answers: true })
    assert.equal(link.silentMs(), undefined)
    link.answered()
    assert.equal(link.silentMs(), 0)
    assert.equal(link.deadlineMs(), 1500)
    link.answered(100)
    assert.equal(link.deadlineMs(), 500)
    await link.close()
  })

  it('is back at once when the phone is looked at again, though a probe of the network before is never answered', async () => {
    let probes = 0
    const link = new Link({
      now: () => 1_000,
      random: () => 0,
      sleep: () => new Promise(() => {}),
      probe: (signal) => {
        probes++
        if (probes > 1) return Promise.resolve(true)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    link.lost()
    const back = new Promise<void>((resolve) => onChange(link.reachable, () => resolve()))
    link.returned()
    await back
    assert.equal(probes, 2)
  })

  it('finds out at once that a box it thought there is not, when the phone is looked at again', async () => {
    const box = { answers: true }
    const { link, waits } = linkTo(box)
    link.answered()
    box.answers = false
    const gone = new Promise<void>((resolve) => onChange(link.reachable, () => resolve()))
    link.returned()
    await gone
    assert.ok(waits.length <= 1)
    await link.close()
  })

  it('ends in the middle of a wait', async () => {
    const { link } = linkTo({ answers: false })
    link.lost()
    await link.close()
    assert.equal(link.state.value.state, 'offline')
  })
})
