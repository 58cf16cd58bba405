/** Entries that the box refuses, and a list that has grown old: the phone keeps both and shows them. */
import type { Page } from '@playwright/test'
import {
  choosePlace,
  expectVerdict,
  openInvite,
  pairScanner,
  startScanning,
  typeCode,
  verdictOf,
  words,
} from './crew.ts'
import { expect, test } from './gate.ts'

test('an admission and a report that the box refuses stay on the phone, with its words', async ({
  world,
  watch,
  phone,
}) => {
  watch.expectOutage()
  watch.expect(/status of 403/)
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink({ checkpoints: ['north-in', 'north-out'] }))
  await world.stop()
  await typeCode(page, 'DAY-1')
  await expectVerdict(page, 'admit', /Offline/)
  await expect(verdictOf(page)).toBeHidden()
  await page.getByRole('link', { name: words.scan.reportLong }).click()
  await page.getByRole('button', { name: words.incidents.kinds.need_staff }).click()
  const said = page.getByRole('status').filter({ hasText: words.incidents.kinds.need_staff })
  await expect(said).toContainText(words.incidents.notSent)
  await expect(said).toContainText(words.incidents.notSentText)
  await page.getByRole('link', { name: words.back }).click()
  // As if it had been paired anew meanwhile, for another gate: the box refuses what was done at one that it is not invited to.
  await change(page, 'queue', 'scan')
  await change(page, 'incidents', 'report')
  await page.reload()
  await expect(page.getByText(words.link.unsent(1))).toBeVisible()
  await world.start()

  await expect(page.getByText(words.notice.aside(1))).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(words.link.unsent(0))).toBeVisible()
  const notices = page.getByRole('region', { name: words.scan.notices })
  await expect(notices).toContainText(/NOT SENT.*was not invited to that checkpoint/)
  await notices.getByRole('button').click()
  await page.getByRole('link', { name: new RegExp(words.notice.aside(1)) }).click()
  const aside = page.getByRole('region', { name: words.doubles.aside })
  await expect(aside).toContainText(/was not invited to Crew entry/)
  await page.getByRole('link', { name: words.back }).click()
  await page.getByRole('link', { name: words.scan.reportLong }).click()
  await expect(page.getByRole('region', { name: words.incidents.own })).toContainText(words.incidents.notSent)
  await page.getByRole('link', { name: words.back }).click()

  // A person who unpairs the phone is told what is lost with it, and can go on.
  await page.getByRole('link', { name: words.nav.settings }).click()
  await page.getByRole('button', { name: words.settings.unpair }).click()
  await page.getByRole('button', { name: words.settings.unpairForce(1) }).click()
  await expect(page.getByRole('heading', { name: words.pairing.title })).toBeVisible()
})

test('an old list is loud, alone, and quiet again when the box is back', async ({ world, watch, phone }) => {
  watch.expectOutage()
  const { page } = await phone()
  await openInvite(page, await world.inviteLink())
  await choosePlace(page)
  await startScanning(page)
  await world.stop()
  await expect(page.getByText(words.notice.offlineText)).toBeVisible()
  await page.evaluate(async () => {
    const opening = indexedDB.open('gatehouse-scanner')
    await new Promise((resolve) => opening.addEventListener('success', resolve))
    const store = opening.result.transaction('kept', 'readwrite').objectStore('kept')
    const put = store.put(Date.now() - 3 * 3_600_000, 'mirrorAsOf')
    await new Promise((resolve) => put.addEventListener('success', resolve))
    opening.result.close()
  })
  await page.reload()
  const notice = page.getByText(/^Ticket list is 3 h old$/)
  await expect(notice).toBeVisible()
  await expect(page.getByText(words.notice.staleText)).toBeVisible()
  await typeCode(page, 'DAY-1')
  await expectVerdict(page, 'admit', /Offline/)
  await world.start()
  await expect(notice).toBeHidden({ timeout: 60_000 })
})

/** Moves what waits in this store to a checkpoint that the phone has no right to. */
async function change(page: Page, store: string, field: string): Promise<void> {
  await page.evaluate(
    async ([store, field]) => {
      const opening = indexedDB.open('gatehouse-scanner')
      await new Promise((resolve) => opening.addEventListener('success', resolve))
      const cursor = opening.result.transaction(store, 'readwrite').objectStore(store).openCursor()
      await new Promise((resolve) => cursor.addEventListener('success', resolve))
      const { value } = cursor.result as IDBCursorWithValue
      value[field].checkpoint = 'yard-in'
      const put = (cursor.result as IDBCursorWithValue).update(value)
      await new Promise((resolve) => put.addEventListener('success', resolve))
      opening.result.close()
    },
    [store, field] as const,
  )
}
