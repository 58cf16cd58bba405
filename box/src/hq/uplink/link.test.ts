import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readUpLink, upLinkOf } from './link.ts'

const HQ = 'hq.example:7719'
const SINK = {
  id: 'hq',
  status: 'running',
  lastError: null,
  lastDeliveredAt: 1000,
  ackedLsn: '5/A',
  lagMs: 1500,
  connection: 'ready',
}
const SLOT = { retainedEvents: 12, retainedWalBytes: 3456 }

describe('how the box stands with HQ', () => {
  it('is what its feed says', () => {
    assert.deepEqual(
      upLinkOf({ engine: { sinks: [SINK] }, slot: SLOT, source: { state: 'streaming', lastError: null } }, HQ),
      {
        configured: true,
        connected: true,
        peer: HQ,
        position: '5/A',
        last_at: '1970-01-01T00:00:01.000Z',
        lag_events: 12,
        lag_seconds: 1.5,
        last_error: null,
        retained_events: 12,
        retained_bytes: 3456,
      },
    )
    const failing = { ...SINK, connection: 'failing', lastError: 'gRPC UNAVAILABLE: x' }
    const away = upLinkOf({ engine: { sinks: [failing] }, slot: null }, HQ)
    assert.deepEqual([away.connected, away.last_error], [false, 'gRPC UNAVAILABLE: x'])
    const words = (said: string) => ({ code: 'reported', values: { words: said } })
    assert.deepEqual(away.last_error_coded, [{ code: 'hq_away' }, words('gRPC UNAVAILABLE: x')])
    const refused = { ...SINK, lastError: 'gRPC PERMISSION_DENIED: add it.' }
    assert.deepEqual(upLinkOf({ engine: { sinks: [refused] }, slot: null }, HQ).last_error_coded, [
      { code: 'hq_refuses' },
      words('gRPC PERMISSION_DENIED: add it'),
    ])
    const source = { state: 'failed', lastError: 'it is locked' }
    assert.deepEqual(upLinkOf({ engine: { sinks: [SINK] }, slot: null, source }, HQ).last_error_coded, [
      { code: 'record_unread' },
      words('it is locked'),
    ])
    assert.deepEqual([away.lag_events, away.lag_seconds], [null, null], 'nobody knows what waits')
    const early = upLinkOf({ engine: { sinks: [] }, slot: null }, HQ)
    assert.match(early.last_error ?? '', /before HQ was set/)
    assert.deepEqual(early.last_error_coded, [{ code: 'feed_before_hq' }])
  })

  it('is said in every case: not set up, never started, gone, or silent about it', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-link-'))
    try {
      assert.equal((await readUpLink({ hq: undefined, dataDir })).configured, false)
      const never = await readUpLink({ hq: HQ, dataDir })
      assert.match(never.last_error ?? '', /not running: it was never started/)
      assert.deepEqual(never.last_error_coded, [{ code: 'feed_unstarted' }])
      mkdirSync(join(dataDir, 'feed/state'), { recursive: true })
      writeFileSync(join(dataDir, 'feed/token'), 'token\n')
      const seen: (string | undefined)[] = []
      let answer = 200
      const server = createServer((request, response) => {
        seen.push(request.headers.authorization)
        response.statusCode = answer
        response.end(JSON.stringify({ engine: { sinks: [SINK] }, slot: SLOT, source: { state: 'streaming' } }))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      writeFileSync(join(dataDir, 'feed/state/url'), `http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
      assert.equal((await readUpLink({ hq: HQ, dataDir })).connected, true)
      assert.deepEqual(seen, ['Bearer token'])
      answer = 401
      const strange = await readUpLink({ hq: HQ, dataDir })
      assert.deepEqual(strange.last_error_coded, [{ code: 'feed_status', values: { status: 401 } }])
      server.close().closeAllConnections()
      const gone = await readUpLink({ hq: HQ, dataDir })
      assert.deepEqual([gone.configured, gone.connected], [true, false])
      assert.match(gone.last_error ?? '', /not running: it does not answer/)
      assert.deepEqual(gone.last_error_coded, [{ code: 'feed_unanswered' }])
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})
