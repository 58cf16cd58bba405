/** The client of pretix's API against a server that answers as pretix, as a proxy, and as somebody in its place. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAID } from '@gatehouse/proto/said.ts'
import { PretixApi, readAddress } from '../../../src/shop/pretix/api.ts'
import {
  connectionPath,
  openApi,
  readConnection,
  removeConnection,
  type ShopConnection,
  writeConnection,
} from '../../../src/shop/pretix/connection.ts'
import { PretixError, type PretixErrorKind } from '../../../src/shop/pretix/errors.ts'
import { makeAuthority } from '../../world/certificates.ts'
import { answer, type Fault, PretixServer, TOKEN } from './server.ts'

const ORDERS = 'organizers/acme/events/summer/orders/'

async function world(tls?: { cert: string; key: string }) {
  const pretix = await PretixServer.start(tls)
  const api = new PretixApi({ url: pretix.url, token: { kind: 'Token', secret: TOKEN } })
  return {
    pretix,
    api,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await pretix[Symbol.asyncDispose]()
    },
  }
}

async function failure(work: Promise<unknown>): Promise<PretixError> {
  const error = await work.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof PretixError, String(error))
  return error
}

function order(n: number) {
  const at = new Date(Date.UTC(2026, 5, 1, 0, 0, n)).toISOString()
  return { code: `O${n}`, datetime: at, last_modified: at, positions: [] }
}

test('pages are asked for in order, at the configured address, whatever host their links name', async () => {
  await using w = await world()
  w.pretix.orders = Array.from({ length: 120 }, (_, n) => order(n))
  const pages = await Array.fromAsync(w.api.pages(ORDERS, { testmode: false, exclude: ['downloads', 'fees'] }))
  assert.deepEqual(
    pages.map(({ results, next, count }) => [results.length, next, count]),
    [
      [50, 2, 120],
      [50, 3, 120],
      [20, undefined, 120],
    ],
  )
  assert.ok(pages[0]?.generatedAt)
  assert.deepEqual(w.pretix.asked[0]?.query.getAll('exclude'), ['downloads', 'fees'])
  const later = await Array.fromAsync(w.api.pages(ORDERS, {}, 3))
  assert.equal(later.length, 1)
})

test('an unchanged list is answered with 304, and the clock of the server is compared with ours', async () => {
  await using w = await world()
  const path = 'organizers/acme/events/summer/items/'
  const first = await w.api.get(path)
  assert.equal((await w.api.get(path, { since: first.lastModified })).status, 304)
  assert.ok(Math.abs(first.clockDifferenceMs ?? 99_999) < 2_000)
})

test('requests wait as long as pretix asks for, and not longer', async () => {
  await using w = await world()
  let refusals = 1
  w.pretix.fault = (_, response) => {
    if (refusals-- <= 0) return false
    response.setHeader('retry-after', '1')
    return answer(response, 429, { detail: 'Request was throttled.' })
  }
  const error = await failure(w.api.get(ORDERS))
  assert.deepEqual([error.kind, error.retryAfterMs, error.isPassing], ['busy', 1000, true])
  const began = performance.now()
  await w.api.get(ORDERS)
  assert.ok(performance.now() - began > 900)
})

const ANSWERS: readonly [string, Fault, PretixErrorKind, RegExp][] = [
  [
    'a revoked token',
    (_, r) => answer(r, 401, { detail: 'Device access has been revoked.' }),
    'token',
    /make a new one/,
  ],
  ['a narrow token', (_, r) => answer(r, 403, { detail: 'No.' }), 'forbidden', /right in pretix/],
  ['an unknown event', (_, r) => answer(r, 404, { detail: 'Not found.' }), 'not_found', /check the names/],
  ['a lock', (_, r) => answer(r, 409, { detail: 'Locked.' }), 'busy', /asked again later/],
  ['an error of the server', (_, r) => answer(r, 502, '<html>'), 'unreachable', /asked again later/],
  ['a login page', (_, r) => answer(r, 200, '<html>Welcome</html>'), 'unreachable', /login page/],
  ['a page of a proxy', (_, r) => answer(r, 404, '<html>nginx</html>'), 'unreachable', /in front of pretix/],
  ['a number', (_, r) => answer(r, 200, '7'), 'unreachable', /something else/],
  [
    'a redirect',
    (_, r) => r.setHeader('location', 'https://evil.example/') && answer(r, 302, ''),
    'refused',
    /redirects/,
  ],
  ['a field error', (_, r) => answer(r, 400, { lists: ['Unknown.'] }), 'refused', /does not take/],
  ['a connection that ends', (_, r) => r.destroy() === r, 'unreachable', /cannot be reached/],
]

for (const [name, fault, kind, words] of ANSWERS) {
  test(`${name} is an error in words, without the token`, async () => {
    await using w = await world()
    w.pretix.fault = fault
    const error = await failure(w.api.get(ORDERS, { query: { search: 'Jane' } }))
    assert.equal(error.kind, kind)
    assert.match(error.message, words)
    assert.ok(error.coded.length > 0)
    for (const { code, values } of error.coded)
      assert.deepEqual(Object.keys(values ?? {}).sort(), [...SAID.pretix[code]].sort(), code)
    const everything = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String((error.cause as Error)?.message)}`
    assert.doesNotMatch(everything, /aaaaaaaa|Jane/)
    assert.equal(w.pretix.asked.length, 1)
  })
}

test('an error has codes for apps, and the words of pretix as they came', async () => {
  await using w = await world()
  w.pretix.fault = (_, r) => answer(r, 403, { detail: 'You have no permission.' })
  const { coded } = await failure(w.api.get(ORDERS))
  assert.deepEqual(coded, [
    { code: 'token_forbidden', values: { path: ORDERS } },
    { code: 'says', values: { words: 'You have no permission' } },
  ])
})

test('an answer without end is given up', async () => {
  await using w = await world()
  w.pretix.fault = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(1024 * 1024)));
    }
    response.writeHead(200).on('drain', more)
    more()
    return true
  }
  assert.equal((await failure(w.api.get(ORDERS))).kind, 'refused')
})

test('a server that does not answer is given up', async () => {
  await using pretix = await PretixServer.start()
  pretix.fault = () => true
  await using api = new PretixApi({ url: pretix.url, timeoutMs: 50 })
  assert.equal((await failure(api.get(ORDERS))).kind, 'unreachable')
})

test('a check-in that pretix refuses is an answer, not an error', async () => {
  await using w = await world()
  w.pretix.fault = (_, response) => answer(response, 404, { status: 'error', reason: 'invalid' })
  const { status, json } = await w.api.ask('POST', 'organizers/acme/checkinrpc/redeem/', { body: { secret: 'x' } })
  assert.deepEqual([status, json], [404, { status: 'error', reason: 'invalid' }])
})

test('TLS is verified: by the private authority that is named, and by no other', async () => {
  const [authority, other] = await Promise.all([makeAuthority('Ours'), makeAuthority('Another')])
  const { cert, key } = await authority.issue('localhost', [{ type: 'dns', value: 'localhost' }])
  await using pretix = await PretixServer.start({ cert, key })
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pretix-'))
  try {
    const url = `https://localhost:${pretix.port}`
    const token = { kind: 'Token', secret: TOKEN } as const
    for (const [name, pem] of [
      ['ours', authority.ca],
      ['other', other.ca],
    ] as const)
      writeFileSync(join(folder, name), pem)
    await using good = await openApi({ url, token, ca: join(folder, 'ours') })
    assert.equal((await good.get(ORDERS)).status, 200)
    for (const ca of [null, join(folder, 'other')]) {
      await using bad = await openApi({ url, token, ca })
      const error = await failure(bad.get(ORDERS))
      assert.deepEqual([error.kind, error.isPassing], ['tls', false])
      assert.match(error.message, /--ca/)
    }
    await using byNumber = await openApi({ url: `https://127.0.0.1:${pretix.port}`, token, ca: join(folder, 'ours') })
    assert.match((await failure(byNumber.get(ORDERS))).message, /another name/)
    assert.equal(pretix.asked.length, 1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an address shows no token to the network', () => {
  assert.equal(readAddress(' https://shop.example/pretix ').href, 'https://shop.example/pretix/')
  assert.equal(readAddress('http://127.0.0.1:8345').href, 'http://127.0.0.1:8345/')
  for (const text of [
    'http://shop.example',
    'ftp://x',
    'shop.example',
    'https://u:p@x',
    'https://x/?token=1',
    'http://127.0.0.1.evil.example',
  ])
    assert.throws(() => readAddress(text), PretixError, text)
})

test('the connection is kept where only the box can read it, and a damaged one is not shown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pretix-'))
  try {
    assert.equal(await readConnection(folder), undefined)
    const connection: ShopConnection = {
      ...{ version: 1, shop: 'pretix', url: 'https://shop.example/', organizer: 'acme', event: 'summer' },
      ...{ subevents: null, token: { kind: 'Device', secret: TOKEN }, device: 3, ca: null },
      connectedAt: '2026-07-01T00:00:00.000Z',
    }
    await writeConnection(folder, connection)
    assert.equal(statSync(connectionPath(folder)).mode & 0o777, 0o600)
    assert.deepEqual(await readConnection(folder), connection)
    writeFileSync(connectionPath(folder), JSON.stringify({ ...connection, more: 1 }))
    assert.doesNotMatch((await failure(readConnection(folder))).message, /aaaa/)
    assert.equal(await removeConnection(folder), true)
    assert.equal(await removeConnection(folder), false)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
