/** The wallet, as the holder of a ticket uses it. */
import { expect, type Locator, type Page } from '@playwright/test'
import { screenWords } from '../wallet-pwa/src/words/en/screens.ts'
import { words as firstWords } from '../wallet-pwa/src/words/en/words.ts'
import { type Picture, pngPicture } from './picture.ts'

export const words = { ...firstWords, ...screenWords }

export async function openTicket(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await expect(codeOf(page)).toBeVisible()
}

export function codeOf(page: Page): Locator {
  return page.getByRole('button', { name: words.ticket.code })
}

/** The picture of a camera that is held over this phone. */
export async function photograph(page: Page): Promise<Picture> {
  return pngPicture(await codeOf(page).screenshot())
}

/** @param name of a screen, as the bar at the bottom has it */
export async function show(page: Page, name: keyof typeof words.screens): Promise<void> {
  await page
    .getByRole('navigation', { name: words.screensLabel })
    .getByRole('link', { name: words.screens[name] })
    .click()
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
}

export async function claim(page: Page): Promise<void> {
  await page.getByRole('button', { name: words.claim.ask }).click()
  const dialog = page.getByRole('dialog', { name: words.claim.heading })
  await dialog.getByRole('button', { name: words.claim.confirm }).click()
  await expect(dialog).toBeHidden()
}
