/** Connections that stall, break and are refused. The numbers are those of issue 5's list of faults. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeAuthority } from '../world/certificates.ts'
import { Postgres } from '../world/postgres.ts'
import { makeSource, openSource, Place, Recorded } from './listener.ts'

const LONG = process.env.GATEHOUSE_TEST_LONG !== undefined
/** The durations of the list of faults, or a fifth of them. */
const SENDER_TIMEOUT_MS = LONG ? 5000 : 1000

/** A wire that can be cut without either end noticing. */
class Wire implements AsyncDisposable {
  readonly #server = createServer((near) => this.#join(near))
  readonly #sockets = new Set<Socket>()
  readonly #target: number

  private constructor(target: number) {
    this.#target = target
  }

  static async to(port: number): Promise<Wire> {
    const wire = new Wire(port)
    wire.#server.listen(0, '127.0.0.1')
    await once(wire.#server, 'listening')
    return wire
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  /** Present connections receive nothing any more; later ones do. */
  cut(): void {
    for (const socket of this.#sockets) socket.unpipe().pause()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(near: Socket): void {
    const far = connect(this.#target, '127.0.0.1')
    for (const socket of [near, far]) {
      this.#sockets.add(socket)
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket))
    }
    near.pipe(far).pipe(near)
  }
}

for (const version of [15, 18] as const) {
  describe(`the network to PostgreSQL ${version}`, () => {
    let server: Postgres
    before(async () => {
      const settings = { wal_sender_timeout: `${SENDER_TIMEOUT_MS}ms`, autovacuum: 'off' }
      server = await Postgres.start({ version, settings })
    })
    after(() => server[Symbol.asyncDispose]())

    async function make(name: string): Promise<Place> {
      const place = await Place.make(server, name)
      await place.query('CREATE TABLE t (id int PRIMARY KEY, v text)')
      return place
    }
    const fill = (from: number, to: number) =>
      `INSERT INTO t SELECT i, repeat('x', 200) FROM generate_series(${from}, ${to}) i`

    it('7: a source that reads nothing for long is not taken for dead', async () => {
      const place = await make('paused')
      await using opened = await place.open()
      const { source, heard } = opened
      source.pause()
      const reader = (await place.slot())?.active_pid
      // More than the sockets between the two can hold.
      await place.query(fill(1, 60_000))
      await sleep(LONG ? 60_000 : 4 * SENDER_TIMEOUT_MS)
      assert.equal((await place.slot())?.active_pid, reader)
      assert.ok(heard.events.length < 60_000, 'it has read all the same')
      source.resume()
      await heard.count('t', 60_000)
      assert.deepEqual([heard.events.length, heard.logged('source_disconnected')], [60_000, []])
    })

    it('7: an idle database is not taken for dead, and one that must not be asked often neither', async () => {
      const place = await make('quiet')
      await using opened = await place.open({ statusIntervalMs: 60_000 })
      await sleep(4 * SENDER_TIMEOUT_MS)
      assert.deepEqual([opened.source.state.state, opened.heard.logged('source_disconnected')], ['streaming', []])
    })

    for (const how of ['fast', 'immediate'] as const) {
      it(`8: the server restarts (${how}), while a sink is behind`, async () => {
        const place = await make(`restart_${how}`)
        const heard = new Recorded(false)
        await using opened = await place.open({}, { heard })
        await place.query(fill(1, 100))
        await heard.count('t', 100)
        const before = heard.events.slice()
        opened.source.pause()
        await place.query(fill(101, 60_000))
        // A server that stops waits until its log's readers have all of it: it must not have to wait for a sink.
        await Promise.race([
          server.restart(how),
          sleep(30_000, undefined, { ref: false }).then(() => assert.fail('the server cannot stop')),
        ])
        await heard.until(() => heard.logged('source_streaming').length === 2)
        opened.source.resume()
        await heard.until(() => heard.ids.length === 60_000)
        await heard.until(() => heard.commits.at(-1)?.commitLsn === heard.events.at(-1)?.position.commitLsn)
        // Unacknowledged events came again unchanged, and then the rest.
        const again = heard.events.slice(-60_000)
        assert.deepEqual(again.slice(0, 100), before)
        assert.deepEqual(new Set(again.map(({ id }) => id)).size, 60_000)
        await opened.heard.until(() => opened.source.state.state === 'streaming')
      })
    }

    it('8: the server stops for a while', async () => {
      const place = await make('stopped')
      await using opened = await place.open()
      await server.stop('fast')
      await opened.heard.until(() => /ECONNREFUSED/.test(opened.source.state.lastError ?? ''))
      assert.equal(opened.source.state.state, 'reconnecting')
      await assert.rejects(opened.source.status())
      await server.launch()
      await place.query(fill(1, 10))
      await opened.heard.count('t', 10)
      await opened.heard.until(() => opened.source.state.state === 'streaming')
      assert.deepEqual(opened.source.state, { state: 'streaming', lastError: null })
    })

    it('8: a source may be started before its server', async () => {
      const place = await make('early')
      await server.stop('fast')
      await using early = makeSource(server, place.options())
      const started = early.source.start(early.heard)
      await early.heard.until(() => early.heard.logged('source_disconnected').length > 0)
      assert.equal(early.source.state.state, 'starting')
      await server.launch()
      await started
      assert.equal(early.source.state.state, 'streaming')
    })

    it('8: a walsender that hangs is left', async () => {
      const place = await make('hanging')
      await using opened = await place.open()
      const pid = Number((await place.slot())?.active_pid)
      process.kill(pid, 'SIGSTOP')
      try {
        await opened.heard.until(() => opened.source.state.state === 'reconnecting')
        assert.match(String(opened.heard.logged('source_disconnected')[0]?.reason), /said nothing for twice/)
        // While it hangs, it holds the slot.
        await opened.heard.until(() => /is active for PID/.test(opened.source.state.lastError ?? ''))
      } finally {
        process.kill(pid, 'SIGCONT')
      }
      await place.query(fill(1, 10))
      await opened.heard.count('t', 10)
    })

    it('8: a wire that swallows everything', async () => {
      const place = await make('black_hole')
      await using wire = await Wire.to(server.port)
      const url = server.url(place.name).replace(String(server.port), String(wire.port))
      await using opened = await place.open({ url, connectTimeoutMs: 500 })
      await place.query(fill(1, 10))
      await opened.heard.count('t', 10)
      wire.cut()
      await place.query(fill(11, 20))
      await opened.heard.until(() => opened.heard.ids.length === 20)
      assert.match(String(opened.heard.logged('source_disconnected')[0]?.reason), /said nothing for twice/)
    })

    it('8: a source that is closed in the middle of everything', async () => {
      const place = await make('closed')
      await using wire = await Wire.to(server.port)
      const url = server.url(place.name).replace(String(server.port), String(wire.port))
      const opened = await place.open({ url })
      await place.query(fill(1, 60_000))
      opened.source.pause()
      await opened.source[Symbol.asyncDispose]()
      assert.equal(opened.source.state.state, 'stopped')
      const again = await place.open({ url })
      wire.cut()
      await again.source[Symbol.asyncDispose]()
      assert.equal(again.source.state.state, 'stopped')
    })

    it('29: the clock of this machine may jump', async () => {
      const place = await make('clock')
      let offset = 0
      await using opened = makeSource(server, place.options(), { now: () => Date.now() + offset })
      await opened.source.start(opened.heard)
      for (const days of [1, -1, 0]) {
        offset = days * 86_400_000
        await sleep(SENDER_TIMEOUT_MS)
        await place.query('INSERT INTO t SELECT coalesce(max(id), 0) + 1 FROM t')
      }
      const events = await opened.heard.count('t', 3)
      assert.deepEqual(opened.heard.logged('source_disconnected'), [])
      for (const { commitTime } of events) assert.ok(Math.abs(Date.parse(commitTime) - Date.now()) < 600_000)
    })
  })

  describe(`TLS to PostgreSQL ${version}`, () => {
    let folder: string
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    let server: Postgres
    let paths: Record<'ca' | 'cert' | 'key' | 'strangerCa' | 'strangerCert' | 'strangerKey', string>

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
      const authority = await makeAuthority('the database')
      const stranger = await makeAuthority('somebody else')
      const names = [
        { type: 'ip', value: '127.0.0.1' },
        { type: 'dns', value: 'db.example' },
      ] as const
      const { cert, key } = await authority.issue('db.example', names)
      const [client, other] = [await authority.issue('feed'), await stranger.issue('feed')]
      server = await Postgres.start({
        version,
        settings: { ssl: 'on', ssl_ca_file: 'ca.crt', password_encryption: 'scram-sha-256' },
        files: {
          'server.crt': cert,
          'server.key': key,
          'ca.crt': authority.ca,
          'pg_hba.conf': `
            hostssl all feed 127.0.0.1/32 cert
            local all secret scram-sha-256
            host all secret 127.0.0.1/32 scram-sha-256
            host all postgres 127.0.0.1/32 trust\n`,
        },
      })
      await server.query(
        `CREATE ROLE feed LOGIN REPLICATION; CREATE ROLE secret LOGIN REPLICATION PASSWORD 's3cret:/@'`,
      )
      await server.query(`CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION changefeed FOR ALL TABLES`)
      paths = {
        ca: file('ca.crt', authority.ca),
        cert: file('client.crt', client.cert),
        key: file('client.key', client.key),
        strangerCa: file('stranger-ca.crt', stranger.ca),
        strangerCert: file('stranger.crt', other.cert),
        strangerKey: file('stranger.key', other.key),
      }
    })
    after(async () => {
      rmSync(folder, { recursive: true })
      await server[Symbol.asyncDispose]()
    })

    const feed = () => ({ url: server.url().replace('postgres@', 'feed@'), publication: { create: false } })
    const secret = () => ({
      url: undefined,
      host: '127.0.0.1',
      port: server.port,
      database: 'postgres',
      user: 'secret',
    })

    it('a client certificate opens both sessions', async () => {
      const { ca, cert, key } = paths
      for (const tls of [
        { ca, cert, key },
        { ca, cert, key, servername: 'db.example' },
        { mode: 'verify-ca', ca, cert, key },
      ]) {
        await using opened = await openSource(server, { ...feed(), tls })
        const [row] = await server.query(`
          SELECT count(*) AS all, count(*) FILTER (WHERE ssl AND client_dn = '/CN=feed') AS tls
          FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'feed'`)
        assert.deepEqual(row, { all: '2', tls: '2' })
        await opened.heard.until(() => opened.source.state.state === 'streaming')
      }
      await using opened = await openSource(server, { ...feed(), tls: { mode: 'require', cert, key } })
      await server.query('INSERT INTO t VALUES (1)')
      await opened.heard.count('t', 1)
    })

    it('a server that is not the one, and a client that is not one, are refused', async () => {
      const { ca, cert, key, strangerCa, strangerCert, strangerKey } = paths
      const start = (tls: object) => openSource(server, { ...feed(), tls })
      await assert.rejects(start({ ca: strangerCa, cert, key }), /unable to verify|self.signed/i)
      await assert.rejects(start({ cert, key }), /unable to verify|self.signed/i)
      await assert.rejects(start({ ca, cert, key, servername: 'other.example' }), {
        code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      })
      await assert.rejects(start({ ca }), { code: '28000' })
      await assert.rejects(start({ ca, cert: strangerCert, key: strangerKey }))
      await assert.rejects(start({ mode: 'disable' }), { code: '28000' })
      await assert.rejects(start({ ca: join(folder, 'none') }), /tls\.ca cannot be read: ENOENT/)
    })

    it('a password, from wherever it is given', async () => {
      const password = 's3cret:/@'
      const url = `postgres://secret:${encodeURIComponent(password)}@127.0.0.1:${server.port}/postgres`
      const socket = { ...secret(), host: server.socketDir }
      const ways = [
        { url },
        { ...secret(), password },
        { ...secret(), passwordFile: file('password', `${password}\n`) },
        { ...socket, password },
      ]
      for (const way of ways) {
        await using opened = await openSource(server, { ...way, publication: { create: false } })
        await opened.heard.until(() => opened.source.state.state === 'streaming')
      }
      await assert.rejects(
        openSource(server, { ...secret(), password: 'wrong' }),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, '28P01')
          assert.doesNotMatch(error.message, /wrong/)
          return true
        },
      )
    })
  })
}
