/** A backup from the form of the control room, on the appliance: encrypted in the file that is saved, and opened by the command line; or not encrypted, and the form says what that is worth to a thief. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Machine } from '../box/test/appliance/root.ts'
import { gatehouse } from '../box/test/world/command.ts'
import { applianceWords as say } from '../dashboard/src/words/en/appliance.ts'
import { goTo, signIn } from './control-room.ts'
import { EVENT, TICKETS } from './event.ts'
import { expect, TABLET, test } from './gate.ts'
import { World } from './world.ts'

const PASSPHRASE = 'five plain words nobody joined'

test('a backup is asked for with a passphrase, saved encrypted, and restored by gatehouse restore', async ({
  watch,
  phones,
}) => {
  await using machine = new Machine()
  machine.answer()
  await using world = await World.open(TICKETS, EVENT, { GATEHOUSE_APPLIANCE: machine.run })
  await using held = await phones.open(world, watch, { viewport: TABLET, acceptDownloads: true })
  const { page } = held
  await signIn(page, world)
  const main = await goTo(page, 'appliance')
  const download = page.getByRole('button', { name: say.download })

  // Nothing is sent before both are the same, and long enough.
  await page.getByLabel(say.passphrase, { exact: true }).fill('short')
  await download.click()
  await expect(main).toContainText(say.protectionMistakes.short)
  await page.getByLabel(say.passphrase, { exact: true }).fill(PASSPHRASE)
  await page.getByLabel(say.passphraseAgain).fill(`${PASSPHRASE}?`)
  await download.click()
  await expect(main).toContainText(say.protectionMistakes.different)

  await page.getByLabel(say.passphraseAgain).fill(PASSPHRASE)
  const [saved] = await Promise.all([page.waitForEvent('download'), download.click()])
  expect(saved.suggestedFilename()).toMatch(/\.backup\.tar\.gz\.age$/)
  const file = join(world.folder.path, 'saved.age')
  await saved.saveAs(file)
  await expect(page.getByLabel(say.passphrase, { exact: true })).toHaveValue('')

  const bytes = readFileSync(file)
  expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1')
  expect(bytes.includes(world.adminToken)).toBe(false)
  const place = join(world.folder.path, 'restored')
  const environment = { GATEHOUSE_DATA_DIR: join(place, 'data'), GATEHOUSE_EVENT_DIR: join(place, 'event') }
  const restore = async (passphrase: string) => {
    const secret = join(world.folder.path, 'passphrase')
    writeFileSync(secret, `${passphrase}\n`)
    return gatehouse(['restore', file, '--passphrase-file', secret], { environment, cwd: world.folder.path })
  }
  const wrong = await restore(`${PASSPHRASE}?`)
  expect(wrong.code).not.toBe(0)
  const right = await restore(PASSPHRASE)
  expect([right.code, right.err]).toEqual([0, ''])
  expect(readFileSync(join(place, 'data/admin-token'), 'utf8').trim()).toBe(world.adminToken)
})

test('a backup that is not encrypted is made once the form has said what the file is worth to a thief', async ({
  watch,
  phones,
}) => {
  await using machine = new Machine()
  machine.answer()
  await using world = await World.open(TICKETS, EVENT, { GATEHOUSE_APPLIANCE: machine.run })
  await using held = await phones.open(world, watch, { viewport: TABLET, acceptDownloads: true })
  const { page } = held
  await signIn(page, world)
  const main = await goTo(page, 'appliance')
  // Asked for a passphrase first; nothing about thieves beside a file that they could not open.
  await expect(page.getByLabel(say.passphrase, { exact: true })).toBeVisible()
  await expect(main.getByText(say.worth)).toHaveCount(0)

  await page.getByText(say.ways.none, { exact: true }).click()
  await expect(main.getByText(say.worth)).toBeVisible()
  await expect(page.getByLabel(say.passphrase, { exact: true })).toHaveCount(0)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: say.download }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/\.backup\.tar\.gz$/)
  const file = join(world.folder.path, 'saved.tar.gz')
  await saved.saveAs(file)
  expect(gunzipSync(readFileSync(file)).includes(world.adminToken)).toBe(true)

  await page.getByText(say.ways.recipients, { exact: true }).click()
  await expect(main.getByText(say.worth)).toHaveCount(0)
})
