/** `box/docs/changefeed.md` against the program: its tables list what the program has, and its commands run. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Sqlite from 'better-sqlite3'
import { parse } from 'yaml'
import { ENVIRONMENT, readFeedConfig } from '../../src/feed/config/config.ts'
import { keyTable } from '../../src/feed/config/key-table.ts'
import { METRICS } from '../../src/feed/control/metrics.ts'
import { KINDS, optionSchemas } from '../../src/feed/daemon-kinds.ts'
import { Postgres } from '../world/postgres.ts'
import { BoxProcess } from '../world/process-box.ts'
import { until } from '../world/until.ts'
import { FeedFolder, type FeedProcess, TOKEN } from './daemon-world.ts'

const ROOT = join(import.meta.dirname, '../../..')
const TEXT = readFileSync(join(ROOT, 'box/docs/changefeed.md'), 'utf8')

const blocks = (language: string) =>
  [...TEXT.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text = '']) => text)
const block = (language: string, part: string) => {
  const found = blocks(language).find((text) => text.includes(part))
  assert.ok(found !== undefined, `no ${language} with ${part}`)
  return found
}

describe("the change feed's documentation", () => {
  it('lists every key, variable and metric of the program', async () => {
    const metrics = METRICS.map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help} |\n`).join('')
    const variables = Object.entries(ENVIRONMENT).map(([name, meaning]) => `| \`${name}\` | ${meaning} |\n`)
    for (const table of [`|---|---|---|\n${metrics}\n`, `|---|---|\n${variables.join('')}\n`]) {
      assert.ok(TEXT.includes(table), `It should have:\n${table}`)
    }
    const keys = await optionSchemas().then(keyTable)
    assert.equal(TEXT.slice(TEXT.indexOf('### Every feed')), keys, 'print them with "changefeed keys"')
  })

  it('has configurations that are accepted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-feed-docs-'))
    try {
      writeFileSync(join(folder, 'webhook-secret'), `whsec_${randomBytes(32).toString('base64')}\n`)
      writeFileSync(join(folder, 'shout.mjs'), block('js', 'context.route'))
      assert.equal(blocks('yaml').length, 7)
      for (const text of blocks('yaml')) {
        // The entry that is added to the box's own sinks.
        const entry =
          text.startsWith('  - ') && 'source: { kind: sqlite, path: ledger.db, tables: [{ name: t }] }\nsinks:\n'
        writeFileSync(join(folder, 'feed.yaml'), `${entry || ''}${text}`)
        await readFeedConfig(join(folder, 'feed.yaml'), {}, KINDS)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('has a configuration for SQLite that brings changes', async () => {
    using folder = new FeedFolder(parse(block('yaml', 'kind: sqlite')))
    const shop = new Sqlite(join(folder.path, 'shop.db'))
    shop.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT)')
    shop.pragma('journal_mode = WAL')
    await using check = folder.start('check')
    assert.deepEqual(await check.exited(), { code: 0, signal: null }, check.output)
    await using feed = folder.start()
    await feed.ready()
    using reader = await listen(feed)
    shop.exec("INSERT INTO orders VALUES (9007199254740993, 'tea')")
    await until(
      () => /"schema":"main","table":"orders",.*"id":"9007199254740993"/.test(reader.text),
      'the stream has it',
    )
    assert.deepEqual(await feed.stop(), { code: 0, signal: null })
    for (const { type, name } of installed(shop)) if (type === 'trigger') shop.exec(`DROP TRIGGER "${name}"`)
    for (const { name } of installed(shop)) shop.exec(`DROP TABLE "${name}"`)
    shop.exec("INSERT INTO orders VALUES (1, 'milk')")
    shop.close()
  })

  describe('works as documented', () => {
    let postgres: Postgres
    before(async () => {
      postgres = await Postgres.start({ version: 18 })
    })
    after(() => postgres[Symbol.asyncDispose]())

    it('from nothing to changes at each receiver, and back to nothing', async () => {
      const [create = '', inside = ''] = block('sql', 'CREATE DATABASE').split('\\connect shop')
      await postgres.query(create)
      await using shop = await postgres.connect('shop')
      await shop.query(inside)

      // Its receivers are told to take any port, and say which one that is.
      const anyPort = (text: string) =>
        text.replace(/'127\.0\.0\.1:50051'/, "'127.0.0.1:0'").replace('listen(8088', 'listen(0')
      const sayPort = (text: string) =>
        anyPort(text)
          .replace('() => {})', "(_, port) => console.log('port', port))")
          .replace(/'127\.0\.0\.1'\)\n$/, "'127.0.0.1', function () { console.log('port', this.address().port) })")
      using folder = new FeedFolder({})
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      writeFileSync(join(folder.path, 'webhook-secret'), `${secret}\n`)
      writeFileSync(join(folder.path, 'shout.mjs'), block('js', 'context.route'))
      const receiver = (part: string) => {
        const script = sayPort(block('js', part)).replace(
          "'webhook-secret'",
          JSON.stringify(join(folder.path, 'webhook-secret')),
        )
        return new BoxProcess(
          ['/bin/sh', '-c', `cd '${ROOT}' && exec "$0" --input-type=module -e "$1"`, process.execPath, script],
          {},
        )
      }
      await using grpc = receiver('bindAsync')
      await using hook = receiver('createHmac')
      const portOf = async (process: BoxProcess) => (await process.said(/^port \d+$/m)).slice('port '.length)
      const ports = { grpc: await portOf(grpc), hook: await portOf(hook) }

      const [live, warehouse, webhook, shout] = blocks('yaml').map((text) => parse(text))
      warehouse.sinks[0].options.address = `localhost:${ports.grpc}`
      webhook.sinks[0].options.url = `http://localhost:${ports.hook}/changes`
      folder.write({ ...live, sinks: [live, warehouse, webhook, shout].flatMap(({ sinks }) => sinks) })
      const environment = {
        CHANGEFEED_SOURCE_URL: `postgres://changefeed@127.0.0.1:${postgres.port}/shop`,
        SHOP_PASSWORD: 'change-me',
      }

      await using check = folder.startIn(environment, 'check')
      assert.deepEqual(await check.exited(), { code: 0, signal: null }, check.output)
      assert.doesNotMatch(check.output, /^(WARN|FIX|ASK)/m)
      await using feed = folder.startIn(environment)
      await feed.ready()
      using reader = await listen(feed)

      const [, insert = ''] = /`(INSERT INTO orders .*?;)`/.exec(TEXT) ?? []
      await shop.query(insert)
      await until(() => reader.text.includes('event: change'), 'the stream has it')
      const shape = (text: string) => text.replace(/[0-9A-F]+\/[0-9A-F]+/g, 'LSN').replace(/\d{4}-.*?Z/, 'TIME')
      assert.equal(
        shape(reader.text.slice(reader.text.indexOf('id: '))).trim(),
        shape(block('', '"item":"tea"')).trim(),
      )
      await grpc.said(/insert orders \{"id":"1","item":"tea","paid":"2\.50"\}/)
      await hook.said(/insert orders \{ id: '1', item: 'tea', paid: '2\.50' \}/)
      await feed.said(/^INSERT ORDERS$/m)
      assert.equal((await feed.get('/plugins/shout/seen')).text, '1\n')
      const { sinks } = (await feed.stats()).engine
      assert.deepEqual(
        sinks.map((sink: { lastError: string | null }) => sink.lastError),
        [null, null, null, null],
      )
      await shop.query(block('sql', 'REPLICA IDENTITY'))

      assert.deepEqual(await feed.stop(), { code: 0, signal: null })
      // PostgreSQL's process for a reader ends a moment after the reader, and has the slot until then.
      const active = 'SELECT 1 FROM pg_replication_slots WHERE active'
      await until(async () => (await shop.query(active)).rows.length === 0, 'the slot is free')
      for (const statement of block('sql', 'pg_drop_replication_slot').split(';\n')) await shop.query(statement)
      assert.deepEqual((await shop.query('SELECT 1 FROM pg_replication_slots')).rows, [])
    })
  })
})

/** The names that the documentation lists as the feed's own. */
function installed(db: Sqlite.Database): { type: string; name: string }[] {
  const all =
    "SELECT type, name FROM sqlite_schema WHERE name LIKE 'changefeed\\_%' ESCAPE '\\' AND type IN ('table', 'trigger')"
  return db.prepare<[], { type: string; name: string }>(all).all()
}

/** A reader of the event stream `live`, that is connected. */
async function listen(feed: FeedProcess): Promise<{ readonly text: string } & Disposable> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  let text = ''
  const reader = request({ port: await feed.port(), host: '127.0.0.1', path: '/plugins/live/events', headers })
  reader
    .on('error', () => {})
    .on('response', (answer) => {
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('error', () => {})
    })
  reader.end()
  await until(() => text.includes('retry:'), 'the reader is connected')
  return {
    get text() {
      return text
    },
    [Symbol.dispose]: () => void reader.destroy(),
  }
}
