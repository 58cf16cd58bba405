/**
 * The languages that screens are walked in, and what is looked at in each: nothing sticks out, no word is broken. Each look leaves a
 * picture in .reports/pictures/languages/. The short form has German and the pseudo-locales, one longer than any language and one from
 * right to left; the full form with GATEHOUSE_TEST_LONG has all languages, and axe.
 */
import { join } from 'node:path'
import type { Page, Request } from '@playwright/test'
import { LANGUAGES, type Language, PSEUDO, type Pseudo } from '../proto/ui/language.ts'
import { expect } from './gate.ts'
import { PICTURES } from './pictures.ts'
import { expectNoBarriers } from './usable.ts'

export const SMALL = { width: 320, height: 568 }
const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined
const NATURAL: readonly Language[] = LONG ? LANGUAGES.filter((tag) => tag !== 'en') : ['de']
export const OTHERS = [...NATURAL, ...(Object.keys(PSEUDO) as Pseudo[])]

/** Those in which axe looks at every screen; English is looked at by screens.e2e.ts. */
export const WITH_AXE: readonly string[] = LONG ? ['de', ...Object.keys(PSEUDO)] : []

/** Requests of a page that have no answer yet. */
const asked = new WeakMap<Page, Set<Request>>()

export function countRequests(page: Page): Page {
  const open = new Set<Request>()
  asked.set(page, open)
  page.on('request', (one) => {
    // What the page before asked for is not always called off.
    if (one.isNavigationRequest()) open.clear()
    // The check of a draft starts threads, and the screen is drawn without it.
    if (!one.url().endsWith('/v1/admin/event/check')) open.add(one)
  })
  // Not its end: a stream has none.
  page.on('response', (answer) => open.delete(answer.request()))
  page.on('requestfailed', (one) => open.delete(one))
  return page
}

/** The screen and what it asks the box for are there: an empty screen would fit any phone. */
async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByRole('main')).not.toBeEmpty()
  // A screen asks once it is drawn.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))))
  await expect.poll(() => [...(asked.get(page) ?? [])].map((one) => one.url()), { timeout: 60_000 }).toEqual([])
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))))
}

interface Picture {
  /** Of the whole page, with what is below the fold. */
  fullPage?: boolean
}

export async function expectToFit(
  page: Page,
  language: Language | Pseudo,
  what: string,
  picture: Picture = {},
): Promise<void> {
  await expectLoaded(page)
  const path = join(PICTURES, 'languages', `${what}-${language}.png`)
  await page.screenshot({ ...picture, path, animations: 'disabled' })
  if (WITH_AXE.includes(language)) await expectNoBarriers(page, `${what}, ${language}`)
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const clipped = [...document.querySelectorAll<HTMLElement>('button, nav a, h1, h2, dialog[open], .verdict')].filter(
      (one) =>
        one.clientWidth > 1 &&
        one.scrollWidth > one.clientWidth + 1 &&
        (getComputedStyle(one).overflowX !== 'visible' || one.matches('nav a')),
    )
    // It would lie over what is beside it.
    const over = [...document.querySelectorAll<HTMLElement>('.tag')].filter((tag) => {
      const [own, around] = [tag, tag.parentElement ?? tag].map((one) => one.getBoundingClientRect())
      return own && around && (own.left < around.left - 1 || own.right > around.right + 1)
    })
    return [
      ...(scrollWidth > clientWidth ? [`the page: ${scrollWidth}`] : []),
      ...[...clipped, ...over].map(({ innerText }) => innerText),
    ]
  })
  expect.soft(wide, `${what}, ${language}`).toEqual([])
}

/** No word of a button or of the navigation runs on in a second line: a longer word is replaced by a shorter one. */
export async function expectWholeWords(page: Page, language: Language | Pseudo, what: string): Promise<void> {
  if (language in PSEUDO) return
  const broken = await page.evaluate(() =>
    [...document.querySelectorAll('button, nav a, h1')].flatMap((one) => {
      const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      while (texts.nextNode()) {
        const text = texts.currentNode
        for (const { index, 0: word } of (text.textContent ?? '').matchAll(/[\p{L}\p{N}]+/gu)) {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => top))
          if (lines.size > 1) found.push(word)
        }
      }
      return found
    }),
  )
  expect.soft(broken, `${what}, ${language}: broken in two`).toEqual([])
}

/** @param what the app and its screen */
export async function look(
  page: Page,
  language: Language | Pseudo,
  what: string,
  picture: Picture = {},
): Promise<void> {
  await expectToFit(page, language, what, picture)
  await expectWholeWords(page, language, what)
}
