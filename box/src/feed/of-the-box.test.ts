import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { parse } from 'yaml'
import { readConfig } from '../config.ts'
import { hqIdentityPath, prepareBoxFeed } from './of-the-box.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-of-the-box-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function written(more: object) {
  const config = readConfig({ GATEHOUSE_DATA_DIR: folder, ...more })
  const { configPath, publication } = await prepareBoxFeed(config)
  return { ...parse(readFileSync(configPath, 'utf8')), publication }
}

describe("the box's own feed", () => {
  it('has an event stream and nothing else, as long as there is no HQ', async () => {
    const { sinks, source } = await written({})
    assert.deepEqual(sinks, [{ id: 'events', name: 'Event stream', kind: 'event-stream' }])
    assert.equal('snapshot' in source, false)
  })

  it('delivers to HQ, for ever, with the certificate that the box keeps beside it', async () => {
    const { sinks, source, publication } = await written({
      GATEHOUSE_HQ: 'hq.example:7719',
      GATEHOUSE_HQ_CA: '/etc/hq.crt',
    })
    assert.deepEqual(sinks[1], {
      id: 'hq',
      name: 'HQ',
      kind: 'grpc',
      maxAttempts: 0,
      backoff: { maxMs: 5000 },
      options: { address: 'hq.example:7719', ca: '/etc/hq.crt', cert: 'hq-identity.pem', key: 'hq-identity.pem' },
    })
    assert.equal(hqIdentityPath(folder), join(folder, 'feed/hq-identity.pem'))
    assert.equal(source.snapshot, 'hq.example:7719')
    assert.ok(publication)
    const { sinks: open } = await written({ GATEHOUSE_HQ: 'hq.example:7719' })
    assert.equal('ca' in open[1].options, false)
  })

  it('refuses settings of HQ that would not count', () => {
    const wrong = [
      [{ GATEHOUSE_HQ: 'https://hq.example' }, /not host:port/],
      [{ GATEHOUSE_HQ_CA: 'x.crt' }, /need GATEHOUSE_HQ/],
      [{ GATEHOUSE_HQ: 'hq:1', GATEHOUSE_FEED: '0' }, /the box's own feed/],
      [{ GATEHOUSE_HQ: 'hq:1', GATEHOUSE_FEED_CONFIG: 'own.yaml' }, /the box's own feed/],
    ] as const
    for (const [environment, message] of wrong) assert.throws(() => readConfig(environment), message)
  })
})
