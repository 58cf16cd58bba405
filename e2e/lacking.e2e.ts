/** Browsers that lack something: what stands in its place, and what the crew is told before doors. Here it is taken from Chromium. */
import type { Page } from '@playwright/test'
import { gateWords } from '../scanner-pwa/src/words/en/gate.ts'
import { claim, codeOf, openTicket, photograph, words as walletWords } from './attendee.ts'
import { choosePlace, expectVerdict, openInvite, pairScanner, startScanning, typeCode, words } from './crew.ts'
import { expect, test } from './gate.ts'

interface Lacking {
  take: () => void
  /** Of the preflight, and its words then. */
  line?: string
  said?: string
}

/** Parts that are taken away. */
const LACKING = {
  'a wake lock': {
    take: () => Reflect.deleteProperty(Navigator.prototype, 'wakeLock'),
    line: 'wake-lock',
    said: words.preflight.wakeLock.fail,
  },
  sound: {
    take: () => Reflect.deleteProperty(window, 'AudioContext'),
    line: 'sound',
    said: words.preflight.sound.none,
  },
  'room, as in a private window': {
    take: () => {
      StorageManager.prototype.estimate = async () => ({ quota: 20 * 2 ** 20, usage: 0 })
    },
    line: 'storage',
    said: gateWords.preflight.storage.small(20),
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
} satisfies Record<string, Lacking>

/** An old phone lacks several at once. The full form with GATEHOUSE_TEST_LONG takes each alone. */
const PHONES: (keyof typeof LACKING)[][] = process.env.GATEHOUSE_TEST_LONG
  ? (Object.keys(LACKING) as (keyof typeof LACKING)[]).map((part) => [part])
  : [
      ['a wake lock', 'sound', 'vibration', 'locks between tabs', 'the battery'],
      ['room, as in a private window', 'frames of a video by callback, and as objects'],
      ['a promise to keep what is stored', 'Ed25519 in WebCrypto'],
    ]

for (const parts of PHONES) {
  test(`a scanner without ${parts.join(', ')} pairs, says so where it matters, and admits`, async ({
    world,
    phone,
  }) => {
    const { page, camera } = await phone()
    const lacking: Lacking[] = parts.map((part) => LACKING[part])
    for (const { take } of lacking) await page.addInitScript(take)
    await openInvite(page, await world.inviteLink())
    await choosePlace(page)
    for (const { line, said } of lacking) {
      if (!line || !said) continue
      const warning = page.locator(`[data-item="${line}"]`)
      await expect(warning).not.toHaveAttribute('data-state', 'ok')
      await expect(warning).toContainText(said)
    }
    await startScanning(page)
    camera.show('DAY-1')
    await expectVerdict(page, 'admit', 'seat 1')
  })
}

test('a scanner says before the shift that offline scans are sent while it is open: no browser sends them behind it', async ({
  world,
  phone,
}) => {
  const { page } = await phone()
  await page.addInitScript(() => Reflect.deleteProperty(window, 'SyncManager'))
  await openInvite(page, await world.inviteLink())
  await choosePlace(page)
  await expect(page.locator('[data-item="offline"]')).toContainText('sent only while this app is open')
})

test('a scanner whose sound stays locked says so while it scans, and admits', async ({ world, phone }) => {
  const { page, camera } = await phone()
  await page.addInitScript(() => {
    Object.defineProperty(BaseAudioContext.prototype, 'state', { get: () => 'suspended' })
    AudioContext.prototype.resume = () => new Promise(() => {})
  })
  await pairScanner(page, await world.inviteLink())
  const locked = page.getByRole('button', { name: words.scan.tapForSound })
  await locked.click()
  await expect(locked).toBeVisible()
  camera.show('DAY-1')
  await expectVerdict(page, 'admit', 'seat 1')
})

/** Decoders of phones, in place of the one that Debian's Chromium lacks: they run in the worker. */
const PHONES_OWN: Readonly<Record<string, { detect: string; shown: string | null; seat: string }>> = {
  'reads, where ZXing would see nothing': {
    detect: `async () => [{ rawValue: 'DAY-7', cornerPoints: [{ x: 1, y: 1 }] }]`,
    shown: null,
    seat: 'seat 7',
  },
  'fails, and ZXing reads in its place': {
    detect: `async () => { throw new DOMException('not installed', 'NotSupportedError') }`,
    shown: 'DAY-8',
    seat: 'seat 8',
  },
  'never answers, and ZXing reads in its place': {
    detect: `() => new Promise(() => {})`,
    shown: 'DAY-9',
    seat: 'seat 9',
  },
  'does not see the code, and ZXing has a second look': {
    detect: `async () => []`,
    shown: 'DAY-6',
    seat: 'seat 6',
  },
}

for (const [what, { detect, shown, seat }] of Object.entries(PHONES_OWN)) {
  test(`the phone's own decoder ${what}`, async ({ world, phone }) => {
    const { page, camera } = await phone({ serviceWorkers: 'block' })
    const made = `self.BarcodeDetector = class {
      static async getSupportedFormats() { return ['qr_code'] }
      detect = ${detect}
    };`
    let workers = 0
    await page.context().route(/assets\/worker-[^/]*\.js$/, async (route) => {
      workers++
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: made + (await answer.text()) })
    })
    await openInvite(page, await world.inviteLink())
    await choosePlace(page)
    await page.getByRole('button', { name: new RegExp(`^${words.preflight.start}`) }).click()
    camera.show(shown)
    await expectVerdict(page, 'admit', seat)
    expect(workers).toBe(1)
  })
}

test('a scanner whose database the browser deletes says so, how much was lost, and pairs again', async ({
  world,
  watch,
  phone,
}) => {
  watch.expectOutage()
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  await world.stop()
  await typeCode(page, 'DAY-1')
  await expectVerdict(page, 'admit', /Offline/)
  await expect(page.getByText(words.link.unsent(1))).toBeVisible()
  await deleteDatabases(page, world.origin)
  const alert = page.getByRole('alert').filter({ hasText: words.pairing.deleted })
  await expect(alert).toContainText(words.pairing.deletedUnsent(1))
  await world.start()
  await pairScanner(page, await world.inviteLink(), { name: 'North 1 again' })
  await typeCode(page, 'DAY-2')
  await expectVerdict(page, 'admit', words.verdict.confirmed)
  await page.reload()
  await expect(page.getByRole('button', { name: words.scan.type })).toBeVisible()
})

test('a wallet whose keys the browser deletes says so, and what to do', async ({ world, watch, browse }) => {
  // The box refuses a ticket to a phone without its key.
  watch.expect(/status of 403/)
  const page = await browse()
  await openTicket(page, await world.walletLink('DAY-1'))
  await claim(page)
  await expect(page.getByText(walletWords.claim.mine)).toBeVisible()
  await deleteDatabases(page, world.origin)
  await page.reload()
  await expect(page.getByRole('heading', { name: walletWords.trouble.keyDeleted.title })).toBeVisible()
  await expect(page.getByText(walletWords.trouble.keyDeleted.text)).toBeVisible()
  await expect(codeOf(page)).toBeHidden()
})

test('a wallet asks to be put on the home screen where the browser can, once, and explains it on an iPhone', async ({
  world,
  browse,
}) => {
  const { install } = walletWords
  const page = await browse()
  await openTicket(page, await world.walletLink('DAY-1'))
  await expect(page.getByText(install.title)).toBeHidden()
  await page.evaluate(() => {
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => Object.assign(window, { asked: true }),
    })
    window.dispatchEvent(offer)
  })
  await page.getByRole('button', { name: install.button }).click()
  await expect(page.getByText(install.title)).toBeHidden()
  expect(await page.evaluate(() => (window as unknown as { asked: boolean }).asked)).toBe(true)

  const iphone = await browse({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Safari/604.1',
  })
  await openTicket(iphone, await world.walletLink('DAY-2'))
  await expect(iphone.getByText(install.ios)).toBeVisible()
  await iphone.getByRole('button', { name: install.dismiss }).click()
  await expect(iphone.getByText(install.ios)).toBeHidden()
})

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

test('a wallet that cannot store says so, and its code works while the page is open', async ({
  world,
  phone,
  browse,
}) => {
  const page = await browse()
  await page.addInitScript(noDatabase)
  await page.addInitScript(() => Object.defineProperty(window, 'localStorage', { get: () => undefined }))
  await openTicket(page, await world.walletLink('DAY-1'))
  await expect(page.getByText(walletWords.forgetful)).toBeVisible()
  const scanner = await phone()
  await pairScanner(scanner.page, await world.inviteLink())
  await expect(codeOf(page)).toBeVisible()
  scanner.camera.show(await photograph(page))
  await expectVerdict(scanner.page, 'admit', 'seat 1')
})

test('a wallet without Ed25519 in WebCrypto claims with a key of its own', async ({ world, browse }) => {
  const page = await browse()
  await page.addInitScript(LACKING['Ed25519 in WebCrypto']?.take ?? (() => {}))
  await openTicket(page, await world.walletLink('DAY-1'))
  await claim(page)
  await expect(page.getByText(walletWords.claim.mineWeak)).toBeVisible()
  await reloadAlone(page)
})

/** As a browser does that wants room: whether a page is open or not. */
async function deleteDatabases(page: Page, origin: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
  await session.detach()
}

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
