import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isItsHost, namesOneHost } from './one-host.ts'

test('a request with two Host lines is refused, in whatever case and place they are', () => {
  const host = fc.constantFrom('Host', 'host', 'HOST', 'hOsT').map((name) => [name, 'a'])
  const other = fc
    .constantFrom('accept', 'x-host', 'hosts', 'x-forwarded-host', ':authority')
    .map((name) => [name, 'b'])
  fc.assert(
    fc.property(fc.array(fc.oneof(host, other), { maxLength: 40 }), (lines) => {
      const hosts = lines.filter(([name]) => name?.toLowerCase() === 'host').length
      assert.equal(namesOneHost(lines.flat()), hosts < 2)
    }),
  )
})

test('a request with more lines than Node keeps is refused: the last of them could be a second Host', () => {
  const lines = (count: number) => Array.from({ length: count }, () => ['a', 'b']).flat()
  assert.ok(namesOneHost(['host', 'a', ...lines(400)]))
  assert.ok(!namesOneHost(['host', 'a', ...lines(500)]))
})

test('over HTTP/2 a host field repeats the authority, or the request is refused', () => {
  assert.ok(isItsHost('box:7718', []))
  assert.ok(isItsHost('box:7718', ['BOX:7718']))
  assert.ok(!isItsHost('box:7718', ['box']))
  assert.ok(!isItsHost('box:7718', ['box:7718', 'elsewhere']))
})
