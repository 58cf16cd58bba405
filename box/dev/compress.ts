/**
 * gzip and brotli beside every file that the box serves, so that a Pi does not compress for each request. `node box/dev/compress.ts FOLDER...`
 * does it as well as it can, which takes seconds a file: the card's apps are compressed once for everybody. `build.ts` does it in a
 * hundredth of the time, for a few per cent more bytes.
 */
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as levels } from 'node:zlib'

/** Pictures are compressed already. */
const FILES = '**/*.{js,css,html,svg,wasm,webmanifest,txt}'

/** @param quality brotli's, to 11: 5 is a quarter of a second for the scanner, 11 is eight seconds and 12 % less */
export async function compress(folder: string, { quality }: { quality: number }): Promise<void> {
  const params = { [levels.BROTLI_PARAM_QUALITY]: quality }
  await Promise.all(
    globSync(FILES, { cwd: folder }).map(async (file) => {
      const bytes = await readFile(join(folder, file))
      await writeFile(join(folder, `${file}.gz`), await promisify(gzip)(bytes, { level: 9 }))
      await writeFile(join(folder, `${file}.br`), await promisify(brotliCompress)(bytes, { params }))
    }),
  )
}

if (import.meta.main) for (const folder of process.argv.slice(2)) await compress(folder, { quality: 11 })
