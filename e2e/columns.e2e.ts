/** A CSV of no known shop: its columns are matched on the screen, and known the next time. */
import type { Page } from '@playwright/test'
import { actionWords, goTo, signIn } from './control-room.ts'
import { expect, TABLET, test } from './gate.ts'

const { import: say } = actionWords
const ROWS = [
  'Kartennr;Sorte;Bezahlt;Gast',
  'COL-1;Tag;ja;"=HYPERLINK(""http://x"")"',
  'COL-2;Tag;nein;<b>Eva</b>',
  'COL-3;Fest;ja;Rui',
]

async function choose(page: Page, rows: readonly string[]): Promise<void> {
  await page.getByLabel(say.choose).setInputFiles({
    ...{ name: 'kasse.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) },
  })
}

test('columns are matched by hand with their values in view, kept, and asked for again where they moved', async ({
  world,
  browse,
}) => {
  const page = await browse({ viewport: TABLET })
  await signIn(page, world)
  const main = await goTo(page, 'import')
  await choose(page, ROWS)
  await expect(main).toContainText(say.columns.unknown)
  // A cell of the file is text, whatever it looks like.
  await expect(main).toContainText('<b>Eva</b>')
  const column = (name: string) => page.getByLabel(say.columns.is(name))

  await page.getByRole('button', { name: say.look }).click()
  await expect(main.getByText(say.columns.gap.code)).toBeInViewport({ ratio: 1 })
  await expect(main.getByRole('group', { name: say.step.report, exact: true })).toBeFocused()
  await column('Kartennr').selectOption('code')
  await page.getByRole('button', { name: say.look }).click()
  await expect(main).toContainText(say.columns.gap.tier)
  await column('Sorte').selectOption('tier')
  await column('Gast').selectOption('holder_name')
  await column('Bezahlt').selectOption('status')
  await page.getByLabel(say.columns.means('ja')).selectOption('valid')
  await page.getByLabel(say.columns.means('nein')).selectOption('pending')
  await page.getByRole('button', { name: say.look }).click()
  await expect(main).toContainText(say.columns.readAs)
  await page.getByLabel(say.tierOf('Tag')).selectOption('day')
  await page.getByLabel(say.tierOf('Fest')).selectOption('festival')
  await page.getByRole('button', { name: say.lookAgain }).click()
  await page.getByRole('button', { name: say.run(3) }).click()
  await expect(main).toContainText('Imported: 3 new.')

  // The next file of the same columns needs nobody.
  await choose(page, [...ROWS, 'COL-4;Tag;ja;Ana'])
  await expect(main).toContainText(say.columns.dropped)
  await expect(column('Kartennr')).toBeHidden()
  await page.getByRole('button', { name: say.look }).click()
  await expect(main).toContainText('1 new would be imported.')

  // One whose columns moved asks, and proposes what still fits.
  await choose(page, ['Sorte;Nummer;Bezahlt', 'Tag;COL-5;ja'])
  await expect(main).toContainText(say.columns.missing('Kartennr, Gast'))
  await expect(column('Sorte')).toHaveValue('tier')
  await expect(column('Nummer')).toHaveValue('')
  await column('Nummer').selectOption('code')
  await page.getByRole('button', { name: say.look }).click()
  await expect(main).toContainText('1 new would be imported.')

  // A known shop's file asks nothing.
  await choose(page, ['code,tier', 'COL-6,day'])
  await expect(page.getByRole('region', { name: say.columns.title })).toBeHidden()
})
