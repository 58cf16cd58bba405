/** The public certificate in the control room: without a name, and with one that cannot be had. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeAuthority } from '../box/test/world/certificates.ts'
import { readyWords } from '../dashboard/src/words/en/ready.ts'
import { actionWords, goTo, signIn } from './control-room.ts'
import { expect, TABLET, test } from './gate.ts'
import { expectNoBarriers } from './usable.ts'
import { World } from './world.ts'

const { publicName: say } = actionWords.settings

test('without a public name the settings say so, and what would be needed', async ({ world, browse }) => {
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  const main = await goTo(page, 'settings')
  await expect(main).toContainText(say.off)
  await expect(main).toContainText('[certificate]')
  await expect(page.getByRole('button', { name: say.obtain })).toBeHidden()
})

test('with a name and an authority that is down: gates are open, why it failed, what to do, and a new attempt', async ({
  watch,
  phones,
}) => {
  await using world = await World.open(undefined, undefined, {
    GATEHOUSE_CERTIFICATE_NAME: 'gate.example.org',
    GATEHOUSE_ACME_DNS: 'command',
    GATEHOUSE_ACME_DNS_AT: '/bin/true',
    GATEHOUSE_ACME_DIRECTORY: 'https://127.0.0.1:1/directory',
  })
  await using tablet = await phones.open(world, watch, { viewport: TABLET })
  const { page } = tablet
  await signIn(page, world)
  const main = await goTo(page, 'settings')
  await expect(main).toContainText(say.states.none('gate.example.org'))
  const failed = main.getByText(say.todo)
  await expect(failed).toBeVisible()
  const { failures: before } = await stateOf(world)
  await page.getByRole('button', { name: say.obtain }).click()
  await expect.poll(async () => (await stateOf(world)).failures).toBeGreaterThan(before)
  await expect(main).toContainText(say.failed((await stateOf(world)).failures))
  await expect(main).toContainText(/ECONNREFUSED|127\.0\.0\.1/)
  await expectNoBarriers(page, 'the settings with a certificate that cannot be had')
})

const NAME = 'gate.example.org'
const DAY = 86_400_000

/** From when to when each certificate holds, in days from now, and what of it the page shows. */
const STATES = {
  held: { from: -1, to: 60, failures: 0, trusted: true },
  // A third of its life was left twenty days ago.
  due: { from: -80, to: 10, failures: 3, trusted: true },
  expired: { from: -91, to: -1, failures: 12, trusted: false },
} as const

test('a certificate that holds, one whose renewal is late, and one that has expired', async ({ watch, phones }) => {
  // Three starts of a box.
  test.slow()
  watch.expectOutage()
  const authority = await makeAuthority('Public CA')
  await using world = await World.open(undefined, undefined, {
    ...{ GATEHOUSE_CERTIFICATE_NAME: NAME, GATEHOUSE_ACME_DNS: 'command', GATEHOUSE_ACME_DNS_AT: '/bin/true' },
    GATEHOUSE_ACME_DIRECTORY: 'https://127.0.0.1:1/directory',
  })
  const folder = join(world.folder.dataDir, 'certificate')
  for (const [state, { from, to, failures, trusted }] of Object.entries(STATES)) {
    await world.stop()
    const [notBefore, notAfter] = [new Date(Date.now() + from * DAY), new Date(Date.now() + to * DAY)]
    const { cert, key } = await authority.issue(NAME, [{ type: 'dns', value: NAME }], { notBefore, notAfter })
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'certificate.json'),
      JSON.stringify({ cert: `${cert}\n${authority.ca}`, key, source: 'acme' }),
    )
    // The next attempt is a day away, as after a week in which the authority could not be reached.
    const attempts = {
      failures,
      nextAt: failures > 0 ? Date.now() + DAY : null,
      problem: failures > 0 ? 'no network' : null,
    }
    writeFileSync(join(folder, 'attempts.json'), JSON.stringify(attempts))
    await world.start()

    await using tablet = await phones.open(world, watch, { viewport: TABLET })
    const { page } = tablet
    await signIn(page, world)
    const main = await goTo(page, 'settings')
    await expect(main).toContainText(say.states[state as keyof typeof STATES](NAME))
    await expect(main).toContainText('Public CA')
    await expect(main).toContainText(await page.evaluate((time) => new Date(time).toLocaleString(), whole(notAfter)))
    if (failures === 0) await expect(main.getByText(say.todo)).toBeHidden()
    else await expect(main).toContainText(`${say.failed(failures)} no network`)
    await expect(main.getByText(say.after)).toBeVisible({ visible: state !== 'expired' })
    await expect(main.getByRole('button', { name: say.obtain })).toBeEnabled()
    await expectNoBarriers(page, `the settings with a certificate that is ${state}`)

    // If every phone trusts the box, no sheet speaks of it.
    const { data: invite } = await world.admin.POST('/v1/admin/invite', { body: { checkpoints: ['north-in'] } })
    expect(new URL(invite?.qr_payload ?? '').hostname === NAME).toBe(trusted)
    expect(invite?.trust_link === null).toBe(trusted)
    await goTo(page, 'ready')
    await expect(page.getByText(readyWords.checks.publicName[state === 'held' ? 'ok' : 'warn']())).toBeVisible()
    await page.getByRole('button', { name: readyWords.sheets.make }).click()
    const sheet = page.getByRole('article').first()
    await expect(sheet.getByText(readyWords.sheets.scan)).toBeVisible()
    await expect(sheet.getByText(readyWords.sheets.trust)).toBeVisible({ visible: !trusted })
  }
})

/** A certificate knows no milliseconds. */
function whole(time: Date): number {
  return Math.floor(time.getTime() / 1000) * 1000
}

async function stateOf({ admin }: World) {
  const { data } = await admin.GET('/v1/admin/certificate')
  if (!data) throw new Error('the box does not say')
  return data
}
