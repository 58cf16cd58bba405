/** The made pictures of codes that the reader reads: a row for each way to hold a code, a column for each kind. */
import { prepareCodes, WAYS } from '../proto/ui/camera/pictures.testing.ts'
import { KINDS, readRates } from '../proto/ui/camera/rates.testing.ts'

/** Of each kind, in each way: 300 in all. */
const EACH = 6

export async function printCodeRates(): Promise<void> {
  await prepareCodes()
  const rates = await readRates(EACH)
  const row = (first: string, cells: readonly string[]) =>
    console.log(first.padEnd(30) + cells.map((cell) => cell.padStart(13)).join(''))
  row(`read, of ${EACH}`, KINDS)
  for (const way of Object.keys(WAYS)) {
    const cells = KINDS.map((kind) => rates.find((rate) => rate.kind === kind && rate.way === way)?.read ?? 0)
    row(way, cells.map(String))
  }
  const wrong = rates.flatMap((rate) => rate.wrong)
  const read = rates.reduce((sum, rate) => sum + rate.read, 0)
  console.log(
    `${read} of ${rates.length * EACH} read, ${wrong.length} read wrongly${wrong.map((text) => ` "${text}"`)}`,
  )
}
