/**
 * Files of the programs that tests and the bench start. `npm test` and `npm run bench` bundle them first, by the step of the image that does it
 * for the card: a box then opens in half of the processor time. A test file that is run by itself starts the sources.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '../../..')
/** Names the folder of the bundles, for the processes of a run. */
const BUNDLES = 'GATEHOUSE_TEST_BUNDLES'

/** A box and its feed beside it, as `npm start` runs them: no bundle has it. */
export const MAIN = source('main.ts')

/** `gatehouse`, with every command. @returns its file */
export const cli = () => program('box', 'cli.ts')

/** The change feed alone. @returns its file */
export const feed = () => program('feed', 'feed-main.ts')

/** For this process and those that it starts. @throws with what the bundler says: nothing could be started */
export async function bundlePrograms(): Promise<void> {
  const cache = join(ROOT, 'node_modules/.cache/gatehouse')
  mkdirSync(cache, { recursive: true })
  // One for each run: another one may begin beside it.
  const folder = mkdtempSync(join(cache, 'programs-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await promisify(execFile)(process.execPath, [join(ROOT, 'image/steps/bundle.ts'), ROOT, folder])
  process.env[BUNDLES] = folder
}

function program(bundle: string, file: string): string {
  const { [BUNDLES]: folder } = process.env
  return folder ? join(folder, `${bundle}.mjs`) : source(file)
}

function source(file: string): string {
  return join(ROOT, 'box/src', file)
}
