import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hosts, pairingHost } from './pairing-host.ts'

const NOTHING: Hosts = { publicHost: undefined, publicName: undefined, usual: 'localhost', addresses: [] }
const NAME = 'gate.example.org'
const PUBLIC = 'tickets.example.org'

test('the host of a pairing, by what the box knows of itself', () => {
  const table: [string, Partial<Hosts>, string, string][] = [
    ['no network', {}, '127.0.0.1', '127.0.0.1'],
    ['a private address', { usual: '10.0.0.7', addresses: ['10.0.0.7'] }, '10.0.0.7', '10.0.0.7'],
    ['an address of no private network', { addresses: ['198.51.100.7'] }, '198.51.100.7', '198.51.100.7'],
    [
      'an address that is set',
      { publicHost: '10.0.0.9', usual: '10.0.0.9', addresses: ['10.0.0.7'] },
      '10.0.0.9',
      '10.0.0.9',
    ],
    ['a name that is set', { publicHost: NAME, usual: NAME, addresses: ['10.0.0.7'] }, '10.0.0.7', NAME],
    [
      'an IPv6 address that is set',
      { publicHost: 'fd00::2', usual: '[fd00::2]', addresses: ['10.0.0.7'] },
      '10.0.0.7',
      '[fd00::2]',
    ],
    ['a public certificate', { publicName: PUBLIC, usual: '10.0.0.7', addresses: ['10.0.0.7'] }, '10.0.0.7', PUBLIC],
    ['both names', { publicName: PUBLIC, publicHost: NAME, usual: NAME, addresses: ['10.0.0.7'] }, '10.0.0.7', PUBLIC],
    ['a public certificate, and no network', { publicName: PUBLIC }, '127.0.0.1', PUBLIC],
  ]
  for (const [what, known, proxy, plain] of table) {
    const hosts = { ...NOTHING, ...known }
    assert.deepEqual([pairingHost('proxy', hosts), pairingHost('plain', hosts)], [proxy, plain], what)
  }
})
