/** A crew's habits: a trigger in the hand, a walk from one network to another, a phone that rings. */
import { expectVerdict, pairScanner, typeCode, verdictOf, wedge, words } from './crew.ts'
import { expect, test } from './gate.ts'

test('a trigger that sends Enter, Space, a volume or a media key clears a refusal, and scans nobody', async ({
  world,
  phone,
}) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  for (const key of ['Enter', ' ', 'AudioVolumeUp', 'AudioVolumeDown', 'MediaPlayPause']) {
    await typeCode(page, 'REVOKED-1')
    await expectVerdict(page, 'revoked')
    if (key.length > 5) {
      await page.evaluate((key) => window.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true })), key)
    } else await page.keyboard.press(key)
    await expect(verdictOf(page), key).toBeHidden()
  }
  // Without a verdict the volume is the phone's own.
  const left = await page.evaluate(() =>
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'AudioVolumeUp', cancelable: true })),
  )
  expect(left).toBe(true)
  const { data } = await world.admin.GET('/v1/admin/log', { params: { query: { kind: 'scan' } } })
  expect(data?.rows).toHaveLength(5)
})

test('from Wi-Fi to mobile and back: people are let in all the way, each counts once, and the box decides again at once', async ({
  world,
  watch,
  phone,
}) => {
  watch.expectOutage()
  const { page, camera } = await phone()
  await pairScanner(page, await world.inviteLink())
  camera.show('DAY-1')
  await expectVerdict(page, 'admit', 'seat 1', words.verdict.confirmed)
  await page.context().setOffline(true)
  camera.show('DAY-2')
  await expectVerdict(page, 'admit', /Offline/)
  await wedge(page, 'DAY-3')
  await expectVerdict(page, 'admit', /Offline/)
  await page.context().setOffline(false)
  await expect(page.getByText(words.link.reachable, { exact: true }).first()).toBeVisible()
  camera.show('DAY-4')
  await expectVerdict(page, 'admit', 'seat 4', words.verdict.confirmed)
  await expect(page.getByText(words.link.unsent(0))).toBeVisible()
  // Once more within a moment, as at the edge of a network.
  for (const offline of [true, false, true, false]) await page.context().setOffline(offline)
  camera.show('DAY-5')
  const admitted = async () => (await world.admin.GET('/v1/admin/stats')).data?.admitted
  await expect.poll(admitted).toBe(5)
})

test('the camera is taken for a call and given back: the lane goes on by itself', async ({ world, phone }) => {
  const { page, camera } = await phone()
  await page.addInitScript(() => {
    const media = navigator.mediaDevices
    const open = media.getUserMedia.bind(media)
    media.getUserMedia = async (wanted) => {
      const stream = await open(wanted)
      Object.assign(window, { tracks: stream.getVideoTracks() })
      return stream
    }
  })
  await pairScanner(page, await world.inviteLink())
  const track = (event: string) =>
    page.evaluate((event) => {
      for (const one of (window as unknown as { tracks: MediaStreamTrack[] }).tracks)
        one.dispatchEvent(new Event(event))
    }, event)
  camera.show('DAY-1')
  await expectVerdict(page, 'admit', 'seat 1')
  camera.show(null)
  await track('mute')
  await expect(page.getByText(words.camera.trouble.lost.what)).toBeVisible()
  await track('unmute')
  await expect(page.getByText(words.camera.trouble.lost.what)).toBeHidden()
  camera.show('DAY-2')
  await expectVerdict(page, 'admit', 'seat 2')
  camera.show(null)
  await track('ended')
  camera.show('DAY-3')
  await expectVerdict(page, 'admit', 'seat 3')
})
