/**
 * What tests start in processes of their own. `npm test` bundles it first, with the step of the image that bundles it for the card: a box then
 * opens in half of the processor time. A test file that somebody runs by itself starts the sources.
 */
import { join } from 'node:path'

/** Folder of the bundles; set by `npm test`. */
export const BUNDLES = 'GATEHOUSE_TEST_BUNDLES'

/** Of `gatehouse`, with every command. */
export const CLI = program('box', 'cli.ts')
/** Of the change feed alone. */
export const FEED = program('feed', 'feed-main.ts')
/** Of a box and its feed beside it, as `npm start` runs them: no bundle has it. */
export const MAIN = source('main.ts')

function program(bundle: string, file: string): string {
  const { [BUNDLES]: folder } = process.env
  return folder ? join(folder, `${bundle}.mjs`) : source(file)
}

function source(file: string): string {
  return join(import.meta.dirname, '../../src', file)
}
