import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ENVIRONMENT, type Environment, readConfig } from './config.ts'
import { ConfigError } from './settings.ts'

/** The mistakes, a line each; none when the environment can be used. */
function mistakesIn(environment: Record<string, string | undefined>): string[] {
  try {
    readConfig(environment as Environment)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    const [first, ...mistakes] = error.message.split('\n')
    assert.equal(first, 'The environment has mistakes:')
    return mistakes.map((line) => line.trim())
  }
}

describe('the settings', () => {
  it('are the documented ones when nothing is set', () => {
    const { eventDir, ownEvent, ...config } = readConfig({})
    assert.deepEqual(config, {
      ...{
        dataDir: resolve('data'),
        dataRoot: resolve('data'),
        demo: true,
        host: '::',
        httpPort: 8080,
        httpsPort: 8443,
        devicePort: 8444,
      },
      ...{ feed: true, feedPort: 7717, feedConfig: undefined, feedGroup: undefined },
      ...{ shopFile: undefined, receiverPort: 7718, pretixScanPort: undefined, provider: undefined },
      ...{ hq: undefined, hqCa: undefined, hqTicketKey: undefined },
      ...{ publicHost: undefined, tlsCert: undefined, tlsKey: undefined, certificate: undefined },
      ...{ walletOverHttp: true, walletUrl: undefined },
      ...{ meshRoutePort: 6222, meshLeafPort: 7422, meshHost: undefined, natsServer: undefined },
      meshInvite: undefined,
      ...{
        scansPerSecond: 20,
        scanBurst: 40,
        lookUps: 'supervisors',
        mdns: true,
        appliance: undefined,
        logLevel: 'info',
      },
    })
    assert.match(eventDir, /demo$/)
    assert.deepEqual(ownEvent, { eventDir: resolve('data/own/event'), dataDir: resolve('data/own/data') })
    for (const [name, meaning] of Object.entries(ENVIRONMENT)) {
      const [, said] = /\(default: (\S+?)[;,)]/.exec(meaning) ?? []
      const value = {
        ...{ GATEHOUSE_HTTP_PORT: '8080', GATEHOUSE_HTTPS_PORT: '8443', GATEHOUSE_DEVICE_PORT: '8444' },
        GATEHOUSE_FEED_PORT: '7717',
        GATEHOUSE_RECEIVER_PORT: '7718',
        ...{ GATEHOUSE_MESH_ROUTE_PORT: '6222', GATEHOUSE_MESH_LEAF_PORT: '7422' },
      }[name]
      if (value !== undefined) assert.equal(said, value, name)
    }
  })

  it('are those of the event that the guide has written, where no other was named', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'))
    try {
      mkdirSync(join(folder, 'own/event'), { recursive: true })
      assert.equal(readConfig({ GATEHOUSE_DATA_DIR: folder }).demo, true, 'an empty folder is no event')
      writeFileSync(join(folder, 'own/event/event.json'), '{}')
      const { demo, dataDir, dataRoot, eventDir, ownEvent, walletOverHttp } = readConfig({ GATEHOUSE_DATA_DIR: folder })
      assert.deepEqual(
        { demo, dataDir, dataRoot, eventDir, ownEvent, walletOverHttp },
        {
          ...{ demo: false, dataDir: join(folder, 'own/data'), dataRoot: folder, eventDir: join(folder, 'own/event') },
          ...{ ownEvent: undefined, walletOverHttp: false },
        },
      )
      const named = readConfig({ GATEHOUSE_DATA_DIR: folder, GATEHOUSE_EVENT_DIR: '/e' })
      assert.deepEqual([named.dataDir, named.eventDir], [folder, '/e'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('are taken as they are set, and cannot be changed afterwards', () => {
    const config = readConfig({
      ...{ GATEHOUSE_DATA_DIR: 'x', GATEHOUSE_EVENT_DIR: '/e', GATEHOUSE_HOST: '127.0.0.1', GATEHOUSE_HTTP_PORT: '0' },
      ...{ GATEHOUSE_HTTPS_PORT: '443', GATEHOUSE_DEVICE_PORT: '65535', GATEHOUSE_PUBLIC_HOST: 'gate.example' },
      ...{ GATEHOUSE_TLS_CERT: 'c.pem', GATEHOUSE_TLS_KEY: 'k.pem', GATEHOUSE_SCANS_PER_SECOND: '1' },
      ...{ GATEHOUSE_SCAN_BURST: '2', GATEHOUSE_LOOK_UP: 'desk', GATEHOUSE_MDNS: '0', GATEHOUSE_LOG_LEVEL: 'silent' },
      ...{ GATEHOUSE_WALLET_URL: 'https://tickets.example/wallet/', GATEHOUSE_FEED: '0' },
      ...{ GATEHOUSE_FEED_PORT: '1', GATEHOUSE_FEED_CONFIG: '/f.yaml', GATEHOUSE_FEED_GROUP: '881' },
      ...{
        GATEHOUSE_APPLIANCE: '/run/box',
        GATEHOUSE_SHOP: '/s.yaml',
        GATEHOUSE_RECEIVER_PORT: '2',
        GATEHOUSE_PRETIXSCAN_PORT: '0',
      },
      ...{ GATEHOUSE_MESH_ROUTE_PORT: '0', GATEHOUSE_MESH_LEAF_PORT: '3', GATEHOUSE_MESH_HOST: '10.0.0.7' },
      GATEHOUSE_NATS_SERVER: '/n',
    })
    const { dataDir, dataRoot, ...rest } = config
    assert.ok(isAbsolute(dataDir))
    assert.equal(dataRoot, dataDir)
    assert.deepEqual(rest, {
      ...{
        eventDir: '/e',
        ownEvent: undefined,
        demo: false,
        host: '127.0.0.1',
        httpPort: 0,
        httpsPort: 443,
        devicePort: 65535,
      },
      ...{ feed: false, feedPort: 1, feedConfig: '/f.yaml', feedGroup: 881 },
      ...{ shopFile: '/s.yaml', receiverPort: 2, pretixScanPort: 0, provider: undefined },
      ...{ meshRoutePort: 0, meshLeafPort: 3, meshHost: '10.0.0.7', natsServer: '/n' },
      meshInvite: undefined,
      ...{ hq: undefined, hqCa: undefined, hqTicketKey: undefined },
      ...{
        publicHost: 'gate.example',
        tlsCert: 'c.pem',
        tlsKey: 'k.pem',
        certificate: undefined,
        scansPerSecond: 1,
        scanBurst: 2,
        lookUps: 'desk',
      },
      ...{ walletOverHttp: false, walletUrl: 'https://tickets.example/wallet/' },
      ...{ mdns: false, appliance: '/run/box', logLevel: 'silent' },
    })
    assert.throws(() => Object.assign(config, { httpPort: 1 }))
  })

  it('that are set to nothing are not set', () => {
    const empty = Object.fromEntries(Object.keys(ENVIRONMENT).map((name) => [name, '']))
    assert.deepEqual(readConfig(empty), readConfig({}))
  })

  const wrong: [environment: Record<string, string>, ...mistakes: RegExp[]][] = [
    [{ GATEHOUSE_HTTP_PORT: '80a' }, /^GATEHOUSE_HTTP_PORT is "80a", not a whole number from 0 to 65535$/],
    [{ GATEHOUSE_HTTP_PORT: '65536' }, /not a whole number/],
    [{ GATEHOUSE_HTTP_PORT: '-1' }, /not a whole number/],
    [{ GATEHOUSE_HTTP_PORT: '8e3' }, /not a whole number/],
    [{ GATEHOUSE_HTTP_PORT: ' 80' }, /not a whole number/],
    [{ GATEHOUSE_SCANS_PER_SECOND: '0' }, /from 1 to/],
    [
      { GATEHOUSE_MESH_HOST: '10.0.0.7:6222/' },
      /^GATEHOUSE_MESH_HOST is "10.0.0.7:6222\/", not a host name or an address/,
    ],
    [{ GATEHOUSE_MDNS: 'yes' }, /^GATEHOUSE_MDNS is "yes", not one of 1, 0$/],
    [{ GATEHOUSE_LOG_LEVEL: 'verbose' }, /debug, info, warn, error, silent/],
    [{ GATEHOUSE_TLS_CERT: 'c.pem' }, /go together/],
    [{ GATEHOUSE_TLS_KEY: 'k.pem' }, /go together/],
    [{ GATEHOUSE_PORT: '1' }, /^GATEHOUSE_PORT is not a setting of this version$/],
    [{ GATEHOUSE_: '' }, /not a setting/],
    [{ GATEHOUSE_MDNS: '2', GATEHOUSE_HTTP_PORT: 'x', GATEHOUSE_DATADIR: 'y' }, /HTTP_PORT/, /MDNS/, /DATADIR/],
  ]
  for (const [environment, ...mistakes] of wrong) {
    it(`are refused as ${JSON.stringify(environment)}, every mistake at once`, () => {
      const found = mistakesIn(environment)
      assert.equal(found.length, mistakes.length)
      for (const [i, mistake] of mistakes.entries()) assert.match(found[i] ?? '', mistake)
    })
  }

  it('of other programs are none of ours', () => {
    assert.deepEqual(mistakesIn({ PATH: '/bin', NODE_ENV: 'x', gatehouse_port: '1' }), [])
  })

  it('are either usable or refused, whatever they are', () => {
    const environment = fc.dictionary(fc.constantFrom(...Object.keys(ENVIRONMENT), 'GATEHOUSE_X'), fc.string())
    fc.assert(fc.property(environment, (given) => void mistakesIn(given)))
  })
})
