import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { describe, it } from 'node:test'
import { reachableHost, thisMachine, unreachableHost } from './machine.ts'

describe('this machine', () => {
  it('goes by its own names and addresses', () => {
    const { names, addresses } = thisMachine(undefined)
    assert.ok(names.includes('localhost') && names.includes(hostname()))
    assert.ok(addresses.includes('127.0.0.1'))
  })

  it('goes by the operator’s word first, be it a name or an address', () => {
    assert.equal(thisMachine('gate.example.org').names[0], 'gate.example.org')
    for (const address of ['192.0.2.7', '2001:db8::7']) {
      const { names, addresses } = thisMachine(address)
      assert.equal(addresses[0], address)
      assert.ok(!names.includes(address))
    }
    const { addresses } = thisMachine('127.0.0.1')
    assert.equal(addresses.filter((address) => address === '127.0.0.1').length, 1)
  })

  it('says when no phone can open its links, and what to set', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      assert.match(unreachableHost(host) ?? '', /GATEHOUSE_PUBLIC_HOST/)
    for (const host of ['192.168.1.7', 'gate.local', '[fd00::1]']) assert.equal(unreachableHost(host), undefined)
  })

  it('is named to phones so that a URL can hold it', () => {
    const cases = { 'gate.example.org': 'gate.example.org', '192.0.2.7': '192.0.2.7', '2001:db8::7': '[2001:db8::7]' }
    for (const [host, expected] of Object.entries(cases)) {
      assert.equal(reachableHost(host), expected)
      assert.ok(new URL(`https://${reachableHost(host)}:8443`))
    }
    assert.ok(new URL(`https://${reachableHost(undefined)}:8443`))
  })
})
