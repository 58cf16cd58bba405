import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { tlsFetch } from './tls-fetch.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Answers every request with one line, and never ends. */
async function endlessServer() {
  const server = createServer((_request, response) => response.write('first\n')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('an answer that never ends', () => {
  it('ends when its request is aborted, however long ago that was forgotten', async () => {
    await using server = await endlessServer()
    await using fetch = tlsFetch({})
    const stopping = new AbortController()
    const reader = (await fetch(new Request(server.url, { signal: stopping.signal }))).body?.getReader()
    await reader?.read()
    await sleep(10)
    collectGarbage()
    await sleep(10)
    const next = reader?.read().catch((error: Error) => error.name)
    stopping.abort()
    assert.equal(await Promise.race([next, sleep(1000, 'still reading', { ref: false })]), 'AbortError')
  })

  it('ends with the fetch', async () => {
    await using server = await endlessServer()
    const fetch = tlsFetch({})
    const reader = (await fetch(new Request(server.url))).body?.getReader()
    await reader?.read()
    await fetch[Symbol.asyncDispose]()
    await assert.rejects(async () => reader?.read())
  })
})
