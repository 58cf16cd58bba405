import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodeConstraints, permit, permittedNames } from './constraints.ts'

const NAMES = permittedNames(encodeConstraints('gatehouse'))

test('the names can be read back from the encoding', () => {
  assert.deepEqual(NAMES, ['localhost', 'local', 'home.arpa', 'internal', 'gatehouse'])
  assert.deepEqual(permittedNames(encodeConstraints('Box.Example.ORG.')).at(-1), 'box.example.org')
  assert.equal(permittedNames(encodeConstraints('not a host')).length, 4)
  assert.deepEqual(permittedNames(new ArrayBuffer(0)), [])
})

describe('a name', () => {
  for (const [name, expected] of [
    ['localhost', true],
    ['gatehouse', true],
    ['GATEHOUSE.local', true],
    ['a.b.home.arpa', true],
    ['box.internal.', true],
    ['local', true],
    ['notlocal', false],
    ['local.example.com', false],
    ['example.com', false],
    ['mygatehouse', false],
    ['*.local', false],
    ['a_b.local', false],
    ['-a.local', false],
    ['a..local', false],
    ['', false],
    ['192.168.1.1', false],
    [`${'a'.repeat(64)}.local`, false],
    ['a\0.local', false],
  ] as const) {
    test(`${JSON.stringify(name)} is ${expected ? '' : 'not '}permitted`, () => {
      const { names, leftOut } = permit({ names: [name], addresses: [] }, NAMES)
      assert.deepEqual([names.length, leftOut], expected ? [1, []] : [0, [name]])
    })
  }
})

describe('an address', () => {
  for (const [address, expected] of [
    ['10.255.255.255', true],
    ['172.16.0.1', true],
    ['172.31.255.255', true],
    ['172.32.0.0', false],
    ['192.168.0.1', true],
    ['192.169.0.1', false],
    ['127.0.0.1', true],
    ['169.254.1.1', true],
    ['100.64.0.1', false],
    ['8.8.8.8', false],
    ['::1', true],
    ['::2', false],
    ['fd12:3456::1', true],
    ['fe80::1', true],
    ['fec0::1', false],
    ['fe80::1%eth0', false],
    ['2001:db8::1', false],
    ['::ffff:10.0.0.1', false],
    ['::ffff:a00:1', false],
    ['10.0.0.1/8', false],
    ['box.local', false],
    ['', false],
  ] as const) {
    test(`${JSON.stringify(address)} is ${expected ? '' : 'not '}permitted`, () => {
      const { addresses, leftOut } = permit({ names: [], addresses: [address] }, NAMES)
      assert.deepEqual([addresses.length, leftOut], expected ? [1, []] : [0, [address]])
    })
  }
})

test('each name and address stands once', () => {
  const machine = { names: ['a.local', 'A.local', 'a.local.'], addresses: ['::1', '::1'] }
  assert.deepEqual(permit(machine, NAMES), { names: ['a.local'], addresses: ['::1'], leftOut: [] })
})
