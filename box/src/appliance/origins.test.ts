import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { originsOf, type Reached } from './origins.ts'

const REACHED: Reached = {
  machine: {
    names: ['localhost', 'gatehouse', 'gatehouse.local'],
    addresses: ['127.0.0.1', '::1', '192.168.1.10', 'fe80::1', 'fd00::7'],
  },
  ...{ asked: undefined, usual: '192.168.1.10', port: 443 },
}

describe('where a box is reached', () => {
  const of = (more: Partial<Reached>) => originsOf({ ...REACHED, ...more })

  it('is by its names and addresses, that of the invites first', () => {
    assert.deepEqual(of({}), ['https://192.168.1.10', 'https://gatehouse.local', 'https://[fd00::7]'])
    assert.deepEqual(of({ port: 8443, usual: '[fd00::7]' })[0], 'https://[fd00::7]:8443')
  })

  it('is what whoever asks has typed, as long as it is one of its own', () => {
    for (const asked of ['gatehouse.local', 'GATEHOUSE.local:80'])
      assert.equal(of({ asked })[0], 'https://gatehouse.local', asked)
    assert.equal(of({ asked: '[fd00::7]:8080' })[0], 'https://[fd00::7]')
    for (const asked of ['evil.example', 'gatehouse.local.evil.example', '"><script>', '', '127.0.0.1', 'localhost'])
      assert.equal(of({ asked })[0], 'https://192.168.1.10', asked)
  })
})
