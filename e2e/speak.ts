/** The language of an app, as the choice in its settings sets it, and the texts of the control room in it. */
import { expect, type Page } from '@playwright/test'
import { LANGUAGES, type Language, PSEUDO, type Pseudo } from '../proto/ui/language.ts'
import { pseudo } from '../proto/ui/pseudo.ts'

export async function speak(page: Page, language: Language | Pseudo): Promise<void> {
  await page.evaluate((tag) => localStorage.setItem('gatehouse-language', tag), language)
  await page.reload()
  await expect(page.locator(`html[lang="${language}"]`)).toBeAttached()
}

/** The texts of the screens that are loaded late. The English ones have to be said first: `in-english.ts`. */
export async function roomWordsIn(tag: Language | Pseudo): Promise<typeof import('../dashboard/src/words/en/late.ts')> {
  if (LANGUAGES.includes(tag as Language)) return import(`../dashboard/src/words/${tag}/late.ts`)
  return pseudo({ ...(await import('../dashboard/src/words/en/late.ts')) }, PSEUDO[tag as Pseudo])
}
