/** The first hour, as a stranger goes through it: its pictures, and the step from the event on the disk to the one that counts. */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { guideWords as guide } from '../dashboard/src/words/en/late.ts'
import { expect } from './gate.ts'
import { PICTURES } from './pictures.ts'
import type { World } from './world.ts'

/** Into the pictures of the hour, in their order: `npm run pictures` leaves them in .reports/pictures/. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(PICTURES, `hour-${name}.png`), fullPage: true })
}

/** The guide says that the draft has no mistake. */
export async function isSound(page: Page): Promise<void> {
  await expect(page.getByText(guide.check.good)).toBeVisible()
}

/** Applies the event that was saved, and waits until the box has begun anew. @param id of the event */
export async function beginAnew(page: Page, world: World, id: string): Promise<void> {
  await page.getByRole('button', { name: guide.pending.apply }).click()
  await expect(page.getByText(guide.pending.applying)).toBeVisible()
  const eventId = async () => {
    const answer = await fetch(`http://127.0.0.1:${world.ports.http}/v1/meta`).catch(() => undefined)
    return answer?.ok ? ((await answer.json()) as { event_id: string }).event_id : undefined
  }
  await expect.poll(eventId, { timeout: 60_000 }).toBe(id)
  // From the box, and not from the app's worker: the browser has to ask about the certificate of the new event.
  const opened = page.waitForResponse((answer) => answer.request().isNavigationRequest())
  await page.getByRole('button', { name: guide.pending.reload }).click()
  expect((await opened).fromServiceWorker()).toBe(false)
}
