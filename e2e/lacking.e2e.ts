/** Browsers that lack something: what stands in its place, and what the crew is told before doors. Here it is taken from Chromium. */
import type { Page } from '@playwright/test'
import { gateWords } from '../scanner-pwa/src/words/en/gate.ts'
import { claim, codeOf, openTicket, words as walletWords } from './attendee.ts'
import { choosePlace, expectVerdict, openInvite, startScanning, typeCode, words } from './crew.ts'
import { expect, test } from './gate.ts'

/** What is taken away, and what the line of the preflight then says. */
const LACKING: Readonly<Record<string, { take: () => void; line?: string; said?: string }>> = {
  'a wake lock': {
    take: () => Reflect.deleteProperty(Navigator.prototype, 'wakeLock'),
    line: 'wake-lock',
    said: words.preflight.wakeLock.fail,
  },
  vibration: { take: () => Reflect.deleteProperty(Navigator.prototype, 'vibrate') },
  'locks between tabs': { take: () => Reflect.deleteProperty(Navigator.prototype, 'locks') },
  'the battery': { take: () => Reflect.deleteProperty(Navigator.prototype, 'getBattery') },
  'a promise to keep what is stored': {
    take: () => Reflect.deleteProperty(Navigator.prototype, 'storage'),
    line: 'storage',
    said: gateWords.preflight.storage.unknown,
  },
  'frames of a video by callback, and as objects': {
    take: () => {
      Reflect.deleteProperty(HTMLVideoElement.prototype, 'requestVideoFrameCallback')
      Reflect.deleteProperty(window, 'VideoFrame')
    },
  },
  'Ed25519 in WebCrypto': {
    take: () => {
      for (const name of ['generateKey', 'importKey'] as const) {
        const works = SubtleCrypto.prototype[name] as (...args: unknown[]) => Promise<unknown>
        const index = name === 'generateKey' ? 0 : 2
        Object.assign(SubtleCrypto.prototype, {
          [name](this: SubtleCrypto, ...args: unknown[]) {
            const named = (args[index] as { name?: string })?.name ?? args[index]
            if (named === 'Ed25519') return Promise.reject(new DOMException('unknown curve', 'NotSupportedError'))
            return works.apply(this, args)
          },
        })
      }
    },
  },
}

for (const [what, { take, line, said }] of Object.entries(LACKING)) {
  test(`a scanner without ${what} pairs, says so where it matters, and admits`, async ({ world, phone }) => {
    const { page, camera } = await phone()
    await page.addInitScript(take)
    await openInvite(page, await world.inviteLink())
    await choosePlace(page)
    if (line && said) {
      const warning = page.locator(`[data-item="${line}"]`)
      await expect(warning).not.toHaveAttribute('data-state', 'ok')
      await expect(warning).toContainText(said)
    }
    await startScanning(page)
    camera.show('DAY-1')
    await expectVerdict(page, 'admit', 'seat 1')
  })
}

test('a scanner without a camera, as in an app on an old home screen, says so and takes typed codes', async ({
  world,
  phone,
}) => {
  const { page } = await phone()
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'mediaDevices'))
  await openInvite(page, await world.inviteLink())
  await choosePlace(page)
  await expect(page.getByText(words.camera.trouble.insecure.what)).toBeVisible()
  await startScanning(page)
  await typeCode(page, 'DAY-1')
  await expectVerdict(page, 'admit')
})

test('a scanner that cannot store says so before the shift, and loses nobody: it does not start', async ({
  world,
  watch,
  phone,
}) => {
  watch.expect(/./)
  const { page } = await phone()
  await page.addInitScript(noDatabase)
  await page.goto(await world.inviteLink())
  await expect(page.getByRole('alert')).toContainText(words.doesNotOpen)
})

test('a wallet that cannot store says so, and its code works while the page is open', async ({ world, browse }) => {
  const page = await browse()
  await page.addInitScript(noDatabase)
  await page.addInitScript(() => Object.defineProperty(window, 'localStorage', { get: () => undefined }))
  await openTicket(page, await world.walletLink('DAY-1'))
  await expect(page.getByText(walletWords.forgetful)).toBeVisible()
})

test('a wallet without Ed25519 in WebCrypto claims with a key of its own', async ({ world, browse }) => {
  const page = await browse()
  await page.addInitScript(LACKING['Ed25519 in WebCrypto']?.take ?? (() => {}))
  await openTicket(page, await world.walletLink('DAY-1'))
  await claim(page)
  await expect(page.getByText(walletWords.claim.mineWeak)).toBeVisible()
  await reloadAlone(page)
})

async function reloadAlone(page: Page): Promise<void> {
  await page.reload()
  await expect(codeOf(page)).toBeVisible()
}

/** As a private window of an older Firefox: there, and refused. */
function noDatabase(): void {
  Object.assign(IDBFactory.prototype, {
    open() {
      throw new DOMException('refused', 'InvalidStateError')
    },
  })
}
