import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError } from '../settings.ts'
import { type HqEnvironment, readHqConfig } from './config.ts'

const URL = 'postgres://hq:secret-word@db.example/hq'

describe("HQ's settings", () => {
  it('have defaults for everything but the database', () => {
    const config = readHqConfig({ HQ_DATABASE_URL: URL, PATH: '/bin' } as HqEnvironment)
    assert.deepEqual([config.port, config.healthPort, config.host, config.connections], [7719, 7720, '::', 10])
    assert.match(config.dataDir, /^\/.*hq-data$/)
  })

  it('are refused all at once, without a word of the password', () => {
    const environment = {
      HQ_DATABASE_URL: 'mysql://hq:secret-word@db/hq',
      HQ_PORT: '70000',
      HQ_CONNECTIONS: '1',
      HQ_TLS_CERT: 'a.pem',
      HQ_LOG_LEVEL: 'loud',
      HQ_COLOUR: 'blue',
    }
    assert.throws(
      () => readHqConfig(environment),
      (error: Error) => {
        assert.ok(error instanceof ConfigError)
        for (const name of [
          'HQ_DATABASE_URL',
          'HQ_PORT',
          'HQ_CONNECTIONS',
          'HQ_TLS_KEY',
          'HQ_LOG_LEVEL',
          'HQ_COLOUR',
        ]) {
          assert.ok(error.message.includes(name), name)
        }
        return !error.message.includes('secret-word')
      },
    )
    assert.throws(() => readHqConfig({}), /HQ_DATABASE_URL is missing/)
  })
})
