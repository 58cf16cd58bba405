import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '../log.ts'
import { runFeedBeside } from './beside.ts'

for (const [how, execPath] of [
  ['throws', 'no\0where'],
  ['says so later', '/nowhere'],
] as const) {
  test(`a feed that cannot be started is tried again, where Node ${how}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'beside-'))
    const configPath = join(folder, 'feed.yaml')
    // The started process waits for its database.
    const source = '{ kind: postgres, url: "postgres://feed@127.0.0.1:1/none" }'
    const server = '{ listen: "127.0.0.1:0", authToken: 0123456789abcdef }'
    writeFileSync(configPath, `server: ${server}\nsource: ${source}\nsinks: [{ id: a, kind: event-stream }]\n`)
    const { execPath: real } = process
    process.execPath = execPath
    try {
      const options = { configPath, logger: createLogger('silent'), monotonic: () => performance.now() }
      await using feed = runFeedBeside(options)
      assert.equal(feed.pid, undefined)
      await sleep(1)
      process.execPath = real
      for (let tries = 0; feed.pid === undefined && tries < 1000; tries++) await sleep(10)
      assert.notEqual(feed.pid, undefined)
    } finally {
      process.execPath = real
      rmSync(folder, { recursive: true })
    }
  })
}
