/**
 * Makes everything that is generated, from what it is generated from: the OpenAPI document from the box's real routes, the
 * client's types from that, the protobuf types from the .proto. With `--check` it changes nothing and fails on a difference.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBox } from '../src/boot/box.ts'
import { readConfig } from '../src/config.ts'
import { createLogger } from '../src/log.ts'

const root = join(import.meta.dirname, '../..')
const committed = join(root, 'proto/gen')
const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-generate-'))

try {
  const made = join(scratch, 'gen')
  mkdirSync(made)
  run('buf', ['lint'])
  run('buf', ['generate', '-o', scratch])
  writeFileSync(join(made, 'openapi.json'), `${JSON.stringify(await routesOfTheBox(), null, 2)}\n`)
  run('openapi-typescript', [join(made, 'openapi.json'), '--output', join(made, 'openapi.d.ts'), '--alphabetize'])
  if (process.argv.includes('--check')) check(made)
  else {
    rmSync(committed, { recursive: true, force: true })
    cpSync(made, committed, { recursive: true })
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function routesOfTheBox(): Promise<object> {
  await using box = await openBox(
    readConfig({
      GATEHOUSE_DATA_DIR: join(scratch, 'data'),
      GATEHOUSE_HOST: '127.0.0.1',
      GATEHOUSE_HTTP_PORT: '0',
      GATEHOUSE_HTTPS_PORT: '0',
      GATEHOUSE_DEVICE_PORT: '0',
    }),
    { logger: createLogger('silent'), wallClock: Date.now, monotonic: () => performance.now() },
  )
  return box.openapi
}

function check(made: string): void {
  const files = (folder: string) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      : []
  const stale = [...new Set([...files(made), ...files(committed)])].filter((file) => {
    const [now, then] = [made, committed].map((folder) => {
      const path = join(folder, file)
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined
    })
    return now !== then
  })
  if (stale.length === 0) return
  console.error(
    `Not in step: ${stale.map((file) => `proto/gen/${file}`).join(', ')}. Run "npm run generate" and commit.`,
  )
  process.exitCode = 1
}

function run(command: string, args: string[]): void {
  const path = [join(root, 'proto/node_modules/.bin'), join(root, 'node_modules/.bin'), process.env.PATH].join(':')
  execFileSync(command, args, {
    cwd: join(root, 'proto'),
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
