/** The change feed as a process, on a real PostgreSQL: what an operator sees of it, and what receivers get. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ask } from '../world/ask.ts'
import { Postgres } from '../world/postgres.ts'
import { until } from '../world/until.ts'
import { changefeed, FeedFolder, TOKEN, webhookReceiver } from './daemon-world.ts'
import { type ReceivedEvent, type Receiver, startReceiver } from './grpc-receiver.ts'

const DONE = { code: 0, signal: null }
const SECRET = `whsec_${randomBytes(32).toString('base64')}`

for (const version of process.env.GATEHOUSE_TEST_LONG === undefined ? ([18] as const) : ([15, 18] as const))
  describe(`the change feed over PostgreSQL ${version}`, () => {
    let postgres: Postgres
    before(async () => {
      postgres = await Postgres.start({ version })
    })
    after(() => postgres[Symbol.asyncDispose]())

    /** A table, and a slot and publication of its own. */
    async function shop(name: string): Promise<object> {
      await postgres.query(`CREATE TABLE ${name} (id bigint PRIMARY KEY, item text)`)
      return {
        kind: 'postgres',
        url: postgres.url(),
        slotPollMs: 100,
        slot: { name, create: true },
        publication: { name, create: true, tables: [`public.${name}`] },
      }
    }

    const items = (events: readonly ReceivedEvent[]) =>
      events.map(({ op, after_json, before_json }) => `${op} ${JSON.parse(after_json || before_json).id}`)
    const unique = (events: readonly ReceivedEvent[]) => [...new Map(events.map((event) => [event.id, event])).values()]
    const grpc = ({ port }: Receiver) => ({
      id: 'pushed',
      kind: 'grpc',
      options: { address: `127.0.0.1:${port}`, plaintext: true },
    })
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `insert ${from + i}`)

    it('delivers to every sink, over pauses and restarts, in order and nothing twice', async () => {
      const source = await shop('orders')
      await using pushed = await startReceiver()
      await using hook = await webhookReceiver()
      const hookUrl = `http://127.0.0.1:${hook.port}/changes`
      using folder = new FeedFolder({
        source,
        sinks: [
          grpc(pushed),
          { id: 'hook', name: 'The hook', kind: 'webhook', options: { url: hookUrl, secret: SECRET } },
          { id: 'live', kind: 'event-stream' },
        ],
      })
      const insert = (from: number, to: number) =>
        postgres.query(`INSERT INTO orders SELECT i, 'item ' || i FROM generate_series(${from}, ${to}) i`)
      const both = async (count: number) =>
        until(() => pushed.events.length >= count && hook.events.length >= count, `${count} changes at both receivers`)

      {
        await using feed = folder.start()
        await feed.ready()
        await insert(1, 1000)
        await postgres.query("UPDATE orders SET item = 'other' WHERE id = 1")
        await postgres.query('DELETE FROM orders WHERE id = 2')
        await both(1002)
        assert.deepEqual(items(pushed.events), [...range(1, 1000), 'update 1', 'delete 2'])
        assert.deepEqual(
          hook.events.map(({ id }) => id),
          pushed.events.map(({ id }) => id),
        )

        await until(
          async () =>
            (await feed.stats()).engine.sinks.every((sink: { deliveredCount: number }) => sink.deliveredCount === 1002),
          'everything is counted',
        )
        const { engine, slot, publication, walLevel, source: state } = await feed.stats()
        assert.equal(engine.eventsTotal, 1002)
        assert.deepEqual(
          [slot.exists, slot.active, publication, walLevel],
          [true, true, { exists: true, allTables: false }, 'logical'],
        )
        assert.deepEqual([state.kind, state.state, state.lastError], ['postgres', 'streaming', null])

        assert.deepEqual(JSON.parse((await feed.post('/api/sinks/pushed/pause')).text), { ok: true })
        await insert(1001, 1010)
        await until(() => hook.events.length === 1012, 'the other sink goes on')
        assert.equal(pushed.events.length, 1002)
        const [paused] = (await feed.stats()).engine.sinks
        assert.deepEqual([paused.status, paused.queueDepth], ['paused', 10])
        assert.equal((await feed.get('/readyz')).status, 503)
        assert.deepEqual(JSON.parse((await feed.post('/api/sinks/pushed/resume')).text), { ok: true })
        await both(1012)

        const stream = await feed.get('/plugins/live/events')
        assert.match(String(stream.headers['content-type']), /^text\/event-stream/)
        assert.deepEqual(await feed.stop(), DONE)
        assert.doesNotMatch(feed.output, new RegExp(`${TOKEN}|${SECRET}`))
      }

      await insert(2001, 2100)
      await using feed = folder.start()
      await both(1112)
      await insert(3001, 3001)
      await both(1113)
      assert.deepEqual(items(unique(pushed.events)).slice(1002), [
        ...range(1001, 1010),
        ...range(2001, 2100),
        'insert 3001',
      ])
      assert.deepEqual(
        hook.events.map(({ id }) => id),
        unique(hook.events).map(({ id }) => id),
      )
      assert.deepEqual(
        pushed.events.map(({ id }) => id),
        hook.events.map(({ id }) => id),
      )
      assert.deepEqual(await feed.stop(), DONE)
      for (const file of ['positions.json', 'slot.json'])
        assert.ok(existsSync(join(folder.path, 'changefeed-state', file)), file)
    })

    it('pauses a sink that keeps failing, and sends the same batch when it is resumed', async () => {
      const source = await shop('refused')
      await using receiver = await startReceiver()
      receiver.refusal = 'the shelf is full'
      const sink = { ...grpc(receiver), maxAttempts: 3, backoff: { initialMs: 1, maxMs: 5 } }
      using folder = new FeedFolder({ source, sinks: [sink] })
      await using feed = folder.start()
      await feed.ready()
      await postgres.query("INSERT INTO refused VALUES (1, 'a'), (2, 'b')")
      const status = async () => (await feed.stats()).engine.sinks[0]
      await until(async () => (await status()).status === 'paused', 'the sink is paused')
      const rejected = 'gRPC consumer rejected the batch: the shelf is full'
      assert.equal((await status()).lastError, rejected)
      await until(() => feed.output.split(`"msg":"${rejected}"`).length > 3, 'each attempt is in the log, word by word')
      assert.match((await feed.get('/readyz')).text, /the durable sink \\"pushed\\" is paused/)
      receiver.refusal = undefined
      await feed.post('/api/sinks/pushed/resume')
      await until(() => receiver.events.length === 2, 'the batch arrives')
      assert.equal((await status()).lastError, null)
      assert.deepEqual(await feed.stop(), DONE)
    })

    it('stays up and reports when its source has failed', async () => {
      const source = await shop('gone')
      await using receiver = await startReceiver()
      using folder = new FeedFolder({ source, sinks: [grpc(receiver)] })
      await using feed = folder.start()
      await feed.ready()
      await postgres.query('DROP PUBLICATION gone')
      await until(async () => (await feed.stats()).source.state === 'failed', 'the source has failed')
      const { source: state, publication } = await feed.stats()
      assert.match(state.lastError, /publication gone/i)
      assert.deepEqual(publication, { exists: false, allTables: false })
      assert.equal((await feed.get('/readyz')).status, 503)
      assert.equal((await feed.get('/healthz')).status, 200)
      const metrics = (await feed.get('/metrics')).text
      assert.match(metrics, /^changefeed_source_state\{state="failed"\} 1$/m)
      assert.deepEqual(await feed.stop(), DONE)
    })

    it('waits for a database that is down, and can be stopped meanwhile', async () => {
      await using receiver = await startReceiver()
      const nobody = createServer()
      await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve))
      const { port } = nobody.address() as { port: number }
      await new Promise((resolve) => nobody.close(resolve))
      const url = `postgres://postgres:SECRET@127.0.0.1:${port}/postgres`
      using folder = new FeedFolder({ source: { kind: 'postgres', url }, sinks: [grpc(receiver)] })
      await using feed = folder.start()
      await until(async () => (await feed.stats()).source.lastError !== null, 'it has tried')
      const { source, slot, publication, walLevel, engine } = await feed.stats()
      assert.deepEqual(
        [source.state, source.identity, slot, publication, walLevel],
        ['starting', null, null, null, null],
      )
      assert.equal(engine.eventsTotal, 0)
      assert.deepEqual(await feed.stop(), DONE)
      assert.doesNotMatch(feed.output, /SECRET/)

      await using check = folder.start('check')
      assert.deepEqual(await check.exited(), { code: 2, signal: null })
      assert.match(check.output, /^ASK +source, connection: The database cannot be asked: .*ECONNREFUSED/m)
    })

    it('stops in time, whatever delays it, and delivers the rest at its next start', async () => {
      const source = await shop('held')
      const [sockets, loiterers] = [new Set<Socket>(), [] as Socket[]]
      const silent = createServer((socket) => sockets.add(socket.on('error', () => {}).unref()))
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
      const { port } = silent.address() as AddressInfo
      const options = { url: `http://127.0.0.1:${port}/`, secret: SECRET, timeoutMs: 3_600_000 }
      using folder = new FeedFolder({ source, sinks: [{ id: 'hook', kind: 'webhook', options }] })
      {
        await using feed = folder.start()
        await feed.ready()
        await postgres.query("INSERT INTO held VALUES (1, 'a')")
        await until(() => sockets.size > 0, 'the batch is under way')
        for (const bytes of ['', 'GET /api/stats HTTP/1.1\r\nhost', 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n']) {
          const socket = connect(await feed.port(), '127.0.0.1').on('error', () => {})
          await once(socket, 'connect')
          socket.write(bytes)
          loiterers.push(socket)
        }
        assert.deepEqual(await feed.stop(), DONE)
      }
      // Not waited for: a connection that is accepted only now would keep it open for ever.
      silent.close()
      silent.unref()
      for (const socket of [...sockets, ...loiterers]) socket.destroy()
      await using hook = await webhookReceiver()
      options.url = `http://127.0.0.1:${hook.port}/`
      folder.write({ source, sinks: [{ id: 'hook', kind: 'webhook', options }] })
      await using feed = folder.start()
      await until(() => hook.events.length === 1, 'it comes again')
      assert.deepEqual(await feed.stop(), DONE)
    })

    it('ends at once at the second signal', async () => {
      const source = await shop('impatient')
      const silent = createServer((socket) => socket.on('error', () => {}))
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
      const { port } = silent.address() as AddressInfo
      const options = { url: `http://127.0.0.1:${port}/`, secret: SECRET }
      using folder = new FeedFolder({ source, sinks: [{ id: 'hook', kind: 'webhook', options }] })
      await using feed = folder.start()
      await feed.ready()
      const called = once(silent, 'connection')
      await postgres.query("INSERT INTO impatient VALUES (1, 'a')")
      const [socket] = (await called) as [Socket]
      feed.signal('SIGTERM')
      await feed.said(/"event":"feed_closing"/)
      feed.signal('SIGTERM')
      assert.deepEqual(await feed.exited(), { code: null, signal: 'SIGTERM' })
      socket.destroy()
      await new Promise((resolve) => silent.close(resolve))
    })

    describe('checks', () => {
      it('everything, and finds nothing to mend', async () => {
        const source = await shop('checked')
        await using receiver = await startReceiver()
        using folder = new FeedFolder({ source, sinks: [grpc(receiver)] })
        await using check = folder.start('check')
        assert.deepEqual(await check.exited(), DONE, check.output)
        assert.match(check.output, /^ok +sink pushed: grpc: the receiver answers$/m)
        assert.match(check.output, /^ok +source, wal_level: wal_level is logical\.$/m)
        assert.doesNotMatch(check.output, /^(FIX|ASK)/m)
        assert.ok(!existsSync(join(folder.path, 'changefeed-state')), 'it changes nothing')
        assert.deepEqual(await postgres.query("SELECT 1 FROM pg_replication_slots WHERE slot_name = 'checked'"), [])
      })

      it('and says what to mend, for people and for programs; a start refuses with the same words', async () => {
        await postgres.query('CREATE TABLE keyless (id bigint)')
        await postgres.query('CREATE PUBLICATION keyless FOR TABLE keyless')
        const source = {
          kind: 'postgres',
          url: postgres.url(),
          slot: { name: 'never' },
          publication: { name: 'keyless' },
        }
        const gone = { id: 'pushed', kind: 'grpc', options: { address: '127.0.0.1:1', plaintext: true } }
        using folder = new FeedFolder({ source, sinks: [gone] })
        await using check = folder.start('check')
        assert.deepEqual(await check.exited(), { code: 1, signal: null }, check.output)
        const slot =
          /No slot never: SELECT pg_create_logical_replication_slot\('never', 'pgoutput'\); or set slot\.create\./
        assert.match(check.output, slot)
        assert.match(check.output, /^WARN +source, replica identity: .*public\.keyless/m)
        assert.match(check.output, /^FIX +sink pushed: No gRPC connection to 127\.0\.0\.1:1 within 5 s/m)

        await using program = folder.start('check', '--json')
        assert.equal((await program.exited()).code, 1)
        const { ok, findings } = JSON.parse(program.output)
        assert.equal(ok, false)
        assert.deepEqual(
          findings
            .filter(({ level }: { level: string }) => level === 'error')
            .map(({ about }: { about: string }) => about),
          ['source, slot', 'sink pushed'],
        )

        await using feed = folder.start()
        assert.deepEqual(await feed.exited(), { code: 1, signal: null }, feed.output)
        assert.match(feed.output, slot)
      })
    })
  })

describe('the change feed as a command', () => {
  const sinks = [{ id: 'live', kind: 'event-stream' }]
  const source = { kind: 'postgres', url: 'postgres://nobody@127.0.0.1:1/nothing' }

  it('makes a token when none is set, another at each start, and prints it once', async () => {
    using folder = new FeedFolder({ server: { listen: '127.0.0.1:0' }, source, sinks })
    const tokens: string[] = []
    for (let i = 0; i < 2; i++) {
      await using feed = folder.start()
      const [, token = ''] = /admin token +(\S+)/.exec(await feed.said(/admin token .*\n/)) ?? []
      assert.match(token, /^[\w-]{43}$/)
      tokens.push(token)
      const headers = { authorization: `Bearer ${token}` }
      assert.equal((await ask(await feed.port(), '/api/sinks', { headers })).status, 200)
      assert.equal((await ask(await feed.port(), `/ui/?token=${token}`)).status, 200)
      assert.deepEqual(await feed.stop(), DONE)
      assert.equal(feed.output.split(`admin token     ${token}`).length, 2)
    }
    assert.notEqual(tokens[0], tokens[1])
  })

  it('takes the token from the environment, and does not print that one', async () => {
    using folder = new FeedFolder({ server: { listen: '127.0.0.1:0' }, source, sinks })
    await using feed = folder.startIn({ CHANGEFEED_AUTH_TOKEN: TOKEN })
    assert.equal((await feed.get('/api/sinks')).status, 200)
    assert.equal((await ask(await feed.port(), '/api/sinks')).status, 401)
    assert.deepEqual(await feed.stop(), DONE)
    assert.doesNotMatch(feed.output, new RegExp(TOKEN))
  })

  it('ends with the parent process over a channel, and exits when it may not start', async () => {
    using folder = new FeedFolder({ source, sinks })
    const main = join(import.meta.dirname, '../../src/feed-main.ts')
    const run = () => fork(main, ['--config', folder.config], { env: {}, stdio: ['ignore', 'pipe', 'ignore', 'ipc'] })
    const child = run()
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const exited = once(child, 'exit')
    await until(() => output.includes('feed_open'), 'it is open')
    child.disconnect()
    assert.deepEqual(await exited, [0, null])

    folder.write({ source, sinks: [{ id: 'a', kind: 'grpc', options: { address: 'localhost:1', ca: 'gone.pem' } }] })
    assert.deepEqual(await once(run(), 'exit'), [1, null])
  })

  it('says that the port is taken', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    using folder = new FeedFolder({ server: { listen: `127.0.0.1:${port}`, authToken: TOKEN }, source, sinks })
    await using feed = folder.start()
    assert.deepEqual(await feed.exited(), { code: 1, signal: null })
    assert.match(
      feed.output,
      new RegExp(`^The control plane cannot listen on 127\\.0\\.0\\.1:${port}: it is in use\\.`, 'm'),
    )
    await new Promise((resolve) => taken.close(resolve))
  })

  it('locks its folder of positions', async () => {
    using folder = new FeedFolder({ source, sinks })
    await using first = folder.start()
    await first.port()
    await using second = folder.start()
    assert.deepEqual(await second.exited(), { code: 1, signal: null })
    assert.match(second.output, /^Another change feed is using .*changefeed-state: set another stateDir/m)
    first.signal('SIGKILL')
    await first.exited()
    await using third = folder.start()
    await third.port()
  })

  it('refuses a bad configuration with every mistake, and a sink that cannot be opened', async () => {
    using folder = new FeedFolder({
      source: { kind: 'postgres', slto: {} },
      sinks: [{ id: 'A', kind: 'event-stream' }],
    })
    await using feed = folder.start()
    assert.deepEqual(await feed.exited(), { code: 2, signal: null })
    assert.match(feed.output, /line 6: source\.slto: unknown key; did you mean "slot"\?/)
    assert.match(feed.output, /line 8: sinks\[0\]\.id: "A" does not fit/)

    const options = { address: 'localhost:1', ca: 'gone.pem' }
    folder.write({ source, sinks: [{ id: 'a', kind: 'grpc', options }] })
    await using without = folder.start()
    assert.deepEqual(await without.exited(), { code: 1, signal: null })
    assert.match(without.output, /^The sink "a" cannot be opened: ENOENT.*gone\.pem/m)
  })

  it('prints its help', async () => {
    const said = async (...args: string[]) => {
      await using command = changefeed(...args)
      return { ...(await command.exited()), output: command.output }
    }
    assert.match(
      (await said('--help')).output,
      /Usage: changefeed \[ACTION\] --config FILE[\s\S]*\n {2}check [\s\S]*CHANGEFEED_AUTH_TOKEN/,
    )
    assert.match((await said('--version')).output, /^changefeed \d+\.\d+\.\d+\n$/)
    assert.match((await said('keys')).output, /`sinks\[\]\.id`/)
    assert.deepEqual({ ...(await said()), output: '' }, { code: 2, signal: null, output: '' })
    assert.match((await said('chekc')).output, /^There is no command "chekc"/)
    assert.match((await said('--confg', 'x')).output, /Unknown option '--confg'/)
    const gone = await said('check', '--config', '/nowhere/feed.yaml')
    assert.deepEqual(
      [gone.code, /^The configuration \/nowhere\/feed\.yaml cannot be read: ENOENT/.test(gone.output)],
      [2, true],
    )
  })

  it('prints the configuration without its secrets', async () => {
    const url = 'postgres://me:SECRET@db.example/shop?x=SECRET'
    const hook = { id: 'hook', kind: 'webhook', options: { url: 'https://hook.example/SECRET', secretFile: 'secret' } }
    using folder = new FeedFolder({ source: { kind: 'postgres', url }, sinks: [hook] })
    writeFileSync(join(folder.path, 'secret'), `${SECRET}\n`)
    await using feed = folder.start('print-config')
    assert.deepEqual(await feed.exited(), DONE, feed.output)
    assert.match(feed.output, /authToken: \(hidden\)/)
    assert.match(feed.output, /url: postgres:\/\/db\.example\/\(hidden\)/)
    assert.match(feed.output, /secret: \(hidden\)/)
    assert.match(feed.output, /statusIntervalMs: 10000/)
    assert.doesNotMatch(feed.output, new RegExp(`SECRET|${TOKEN}|${SECRET.slice(6, 30).replaceAll('+', '\\+')}`))
  })

  it('is started by its own bin file, whatever the installed Node', () => {
    const { bin } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    assert.ok(existsSync(join(import.meta.dirname, '../..', bin.changefeed)))
  })
})
