/** The scanner, as somebody of the crew uses it. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { VerdictClass } from '../proto/ui/verdict-class.ts'
import { OUT_OF_SIGHT_MS } from '../scanner-pwa/src/camera/repeat-guard.ts'
import { preflightWords } from '../scanner-pwa/src/words/en/preflight.ts'
import { screenWords } from '../scanner-pwa/src/words/en/screens.ts'
import { words as ownWords } from '../scanner-pwa/src/words/en/words.ts'
import type { Phone } from './gate.ts'
import { lookForVerdict, patternOf } from './verdict-notes.ts'

export const words = { ...ownWords, ...screenWords, preflight: preflightWords }

export interface PairOptions {
  name?: string
  operator?: string
  /** As event.json names it. */
  checkpoint?: string
}

/** The preflight's line about the ticket list: `12 tickets, version 3, up to date`. */
const LIST_IS_HERE = /^[\d,]+ tickets, version/

/** From the invite to the camera: opens the link, pairs, says where the phone stands, and passes the preflight. */
export async function pairScanner(page: Page, invite: string, options: PairOptions = {}): Promise<void> {
  await openInvite(page, invite, options.name)
  await choosePlace(page, options)
  await startScanning(page)
}

export async function openInvite(page: Page, invite: string, name = 'North 1'): Promise<void> {
  await page.goto(invite)
  await pairHere(page, name)
}

/** With an invite that is open already. */
export async function pairHere(page: Page, name: string): Promise<void> {
  await page.getByLabel(words.pairing.name).fill(name)
  await page.getByRole('button', { name: words.pairing.pair }).click()
  await expect(page.getByRole('heading', { name: words.checkpoint.title })).toBeVisible()
}

export async function choosePlace(
  page: Page,
  { operator = 'Rui', checkpoint = 'North entry' }: PairOptions = {},
): Promise<void> {
  await page.getByLabel(words.checkpoint.operator).fill(operator)
  await page.getByRole('button', { name: new RegExp(checkpoint) }).click()
  await expect(page.getByRole('heading', { name: words.preflight.title })).toBeVisible()
}

/** Once every file and the ticket list are on the phone, as the preflight asks for: a box that goes away before takes them along. */
export async function startScanning(page: Page): Promise<void> {
  await expect(page.getByText(LIST_IS_HERE)).toBeVisible()
  await expect(page.getByText(words.preflight.offline.ok)).toBeVisible()
  await page.getByRole('button', { name: new RegExp(`^${words.preflight.start}`) }).click()
  await expect(page.getByRole('button', { name: words.scan.type })).toBeVisible()
}

/** The verdict that fills the screen. */
export function verdictOf(page: Page): Locator {
  return page.getByRole('region', { name: words.verdict.label })
}

/** As `expect` waits. */
const SEEN_WITHIN_MS = 20_000

/** The answer of a held gate to every ticket. */
export const HELD = 'held'

/**
 * The class's word and everything else that the verdict has to say, on the screen now, or there for a moment before it cleared by itself.
 * @param texts what stands there too
 */
export async function expectVerdict(
  page: Page,
  of: VerdictClass | typeof HELD,
  ...texts: (string | RegExp)[]
): Promise<void> {
  const { held, class: names, yours } = words.verdict
  // At a supervisor's own phone it is not said to ask one.
  const said = of === HELD ? held : of === 'supervisor' ? `(${names[of]}|${yours})` : names[of]
  await seeVerdict(page, new RegExp(`^${said}$`), ...texts)
}

/**
 * Waits until a verdict is on the screen, or was there after the last one that a test has waited for.
 * @param word one whole paragraph of it
 * @param texts what stands there too
 */
export async function seeVerdict(page: Page, word: RegExp, ...texts: readonly (string | RegExp)[]): Promise<void> {
  const wanted = { word: patternOf(word), texts: texts.map(patternOf) }
  await expect(async () => {
    const { found, shown } = await page.evaluate(lookForVerdict, wanted)
    expect(found, `a verdict with ${[word, ...texts].join(', ')}; shown were:\n${shown.join('\n')}`).toBe(true)
  }).toPass({ timeout: SEEN_WITHIN_MS, intervals: [50, 100, 250] })
}

/** Keeps the lane empty for so long that the same ticket counts as another person. */
export async function emptyLane({ page, camera }: Phone): Promise<void> {
  camera.show(null)
  await page.waitForTimeout(OUT_OF_SIGHT_MS + 1000)
}

/** A refusal stays until somebody has seen it. */
export async function dismiss(page: Page): Promise<void> {
  await verdictOf(page).getByRole('button', { name: words.verdict.next }).click()
  await expect(verdictOf(page)).toBeHidden()
}

/** From one key to the next, seconds: what a hand scanner takes. */
const KEY_SECONDS = 0.005

/** As a hand scanner sends it: a keyboard that types faster than any person, and ends with Enter. */
export async function wedge(page: Page, code: string): Promise<void> {
  // Playwright's own keyboard waits for each key to be dealt with, which on a busy machine is as slow as a hand.
  const session = await page.context().newCDPSession(page)
  const begun = Date.now() / 1000
  const keys = [...code].map((key) => ({ key, text: key }))
  const enter = { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13 }
  await Promise.all(
    [...keys, enter].flatMap((key, i) => {
      const event = { ...key, timestamp: begun + i * KEY_SECONDS }
      return (['keyDown', 'keyUp'] as const).map((type) => session.send('Input.dispatchKeyEvent', { ...event, type }))
    }),
  )
  await session.detach()
}

export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: words.scan.type }).click()
  await page.getByLabel(words.scan.typeLabel).fill(code)
  await page.getByRole('button', { name: words.scan.typeSubmit }).click()
}
