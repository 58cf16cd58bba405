import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { PeerCertificate } from 'node:tls'
import { Value } from 'typebox/value'
import { ConnectionConfigError, connectionOf } from './connection.ts'
import { PostgresOptions } from './options.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-connection-'))
after(() => rmSync(folder, { recursive: true }))
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

function read(given: object, environment = {}) {
  const options = Value.Default(PostgresOptions, { kind: 'postgres', ...given })
  assert.ok(Value.Check(PostgresOptions, options), JSON.stringify(Value.Errors(PostgresOptions, options)))
  return connectionOf(options, environment)
}

const CERTIFICATE = { subject: { CN: 'db.example' }, subjectaltname: 'DNS:db.example' } as unknown as PeerCertificate

/** The checks of the server's certificate. */
function tlsOf(given: object) {
  const { ssl } = read(given)()
  if (typeof ssl !== 'object') return ssl
  const wrongName = ssl.checkServerIdentity?.('ignored', CERTIFICATE) !== undefined
  return { trusted: ssl.rejectUnauthorized, wrongName }
}

describe('the connection', () => {
  it('is as the URL or the keys say', () => {
    const plain = { host: 'h', port: 5433, database: 'd b', user: 'u', password: 'p:/@%' }
    const url = 'postgresql://u:p%3A%2F%40%25@h:5433/d%20b'
    const keys = Object.keys(plain) as (keyof typeof plain)[]
    for (const given of [plain, { url }]) {
      const config = read(given)()
      assert.deepEqual(Object.fromEntries(keys.map((key) => [key, config[key]])), plain)
    }
    const { host, port, database } = read({})()
    assert.deepEqual([host, port, database], ['localhost', 5432, undefined])
    assert.equal(read({ url: 'postgres://[::1]/d' })().host, '::1')
    assert.equal(read({ url: 'postgres:///d?host=/run/postgresql' })().host, '/run/postgresql')
    assert.equal(read({})().application_name, 'changefeed changefeed')
  })

  it('pins what the text of a value depends on', () => {
    assert.equal(
      read({})().options,
      '-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c extra_float_digits=3 -c bytea_output=hex -c lc_monetary=C -c search_path=pg_catalog',
    )
  })

  it('is encrypted to the one that was meant, unless it stays on this machine or somebody says otherwise', () => {
    const [full, ca, any] = [
      { trusted: true, wrongName: true },
      { trusted: true, wrongName: false },
      { trusted: false, wrongName: false },
    ]
    for (const host of ['localhost', '127.0.0.1', '::1', '/run/postgresql']) assert.equal(tlsOf({ host }), false)
    assert.deepEqual(tlsOf({ host: 'db.internal' }), full)
    assert.deepEqual(tlsOf({ host: 'db.example' }), ca)
    assert.deepEqual(tlsOf({ host: 'db.internal', tls: { servername: 'db.example' } }), ca)
    assert.deepEqual(tlsOf({ host: 'localhost', tls: { servername: 'db' } }), full)
    assert.deepEqual(tlsOf({ host: 'db.internal', tls: { mode: 'verify-ca' } }), ca)
    assert.deepEqual(tlsOf({ host: 'db.internal', tls: { mode: 'require' } }), any)
    assert.equal(tlsOf({ host: 'db.internal', tls: { mode: 'disable' } }), false)
    assert.deepEqual(tlsOf({ url: 'postgres://db.internal/d?sslmode=require' }), any)
    assert.equal(tlsOf({ url: 'postgres://db.internal/d?sslmode=disable' }), false)
    assert.deepEqual(tlsOf({ url: 'postgres://db.internal/d' }), full)
  })

  it('reads its files at every connection', () => {
    const passwordFile = file('password', 'first\n')
    const [ca, cert, key] = [file('ca', 'CA'), file('cert', 'CERT'), file('key', 'KEY')]
    const connect = read({ host: 'db', passwordFile, tls: { ca, cert, key } })
    assert.equal(connect().password, 'first')
    file('password', 'second\r\nnot this\n')
    const { password, ssl } = connect()
    assert.equal(password, 'second')
    assert.ok(typeof ssl === 'object')
    assert.deepEqual([ssl.ca, ssl.cert, ssl.key], ['CA', 'CERT', 'KEY'])
    const byUrl = read({ url: `postgres://db/d?sslrootcert=${ca}&sslcert=${cert}&sslkey=${key}` })().ssl
    assert.ok(typeof byUrl === 'object')
    assert.deepEqual([byUrl.ca, byUrl.cert, byUrl.key], ['CA', 'CERT', 'KEY'])
    assert.equal(read({ passwordEnv: 'SECRET' }, { SECRET: 's' })().password, 's')
  })

  it('says every mistake, and no password', () => {
    const wrong: [object, RegExp][] = [
      [{ url: 'mysql://u:hidden@h/d' }, /^url is not postgres:/],
      [{ url: 'hidden' }, /^url is not postgres:/],
      [{ url: 'postgres://h/%ZZ' }, /^url is not postgres:/],
      [{ url: 'postgres://h/d?sslmode=prefer' }, /^sslmode is prefer, not one of disable, require/],
      [{ url: 'postgres://h/d?pool=3' }, /^url has pool=, which means nothing here/],
      [{ url: 'postgres://h/d', port: 1 }, /say the same twice/],
      [{ password: 'hidden', passwordEnv: 'X' }, /password is given more than once/],
      [{ url: 'postgres://u:hidden@h/d', passwordFile: 'x' }, /password is given more than once/],
      [{ host: 'h', tls: { cert: 'x' } }, /tls\.cert and tls\.key go together/],
      [{ url: 'postgres://h/d?a=1&b=2' }, /a=.*\n.*b=/],
    ]
    for (const [given, why] of wrong) {
      assert.throws(
        () => read(given),
        (error: Error) => {
          assert.ok(error instanceof ConnectionConfigError)
          assert.match(error.message, why)
          assert.doesNotMatch(error.message, /hidden/)
          return true
        },
      )
    }
    assert.throws(() => read({ passwordEnv: 'X' })(), /passwordEnv names X, which is not set/)
    assert.throws(() => read({ passwordFile: join(folder, 'none') })(), /passwordFile cannot be read: ENOENT/)
  })

  it('takes names for slots that PostgreSQL would', () => {
    const check = (given: object) =>
      Value.Check(PostgresOptions, Value.Default(PostgresOptions, { kind: 'postgres', ...given }))
    for (const name of ['a', '0_z', 'x'.repeat(63)]) assert.ok(check({ slot: { name } }), name)
    for (const name of ['', 'A', 'a-b', "a'; DROP", 'x'.repeat(64)]) {
      assert.ok(!check({ slot: { name } }), name)
      assert.ok(!check({ publication: { name } }), name)
    }
    for (const tables of ['some', [], ['a.b.c'], ['.b'], ['a', 'a']])
      assert.ok(!check({ publication: { tables } }), String(tables))
    assert.ok(!check({ slott: {} }))
  })
})
