import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keysOf, mistakeIn, type Protection, strengthOf } from './protection.ts'

const ONE = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
const empty: Protection = { way: 'passphrase', passphrase: '', again: '', recipients: '' }

describe('the protection of a backup', () => {
  it('wants a passphrase of some length, twice', () => {
    const typed = (passphrase: string, again = passphrase) => mistakeIn({ ...empty, passphrase, again })
    assert.equal(typed(''), 'short')
    assert.equal(typed('elevenchars'), 'short')
    assert.equal(typed('🐟'.repeat(6)), 'short', 'characters, and not code units')
    assert.equal(typed('nine blue\tlanterns'), 'control')
    assert.equal(typed('nine blue lanterns', 'nine blue lantern'), 'different')
    assert.equal(typed('nine blue lanterns'), null)
  })

  it('wants public keys, and never sends a secret one', () => {
    const pasted = (recipients: string) => mistakeIn({ ...empty, way: 'recipients', recipients })
    assert.equal(pasted(' \n'), 'noRecipient')
    assert.equal(pasted(ONE), null)
    assert.equal(pasted(`${ONE}\n\n ${ONE}\r\n`), null)
    assert.equal(pasted(`${ONE}\nage-secret-key-1abc`), 'identity')
    assert.equal(pasted('ssh-ed25519 AAAA'), 'notRecipient')
    assert.equal(pasted(ONE.slice(0, 40)), 'notRecipient')
    assert.equal(pasted(`${ONE}\n`.repeat(21)), 'many')
  })

  it('sends what was chosen, and nothing of the rest', () => {
    const filled = { passphrase: 'nine blue lanterns', again: '', recipients: `${ONE} ${ONE}` }
    assert.deepEqual(keysOf({ ...filled, way: 'passphrase' }), { passphrase: 'nine blue lanterns' })
    assert.deepEqual(keysOf({ ...filled, way: 'recipients' }), { recipients: [ONE, ONE] })
    assert.deepEqual(keysOf({ ...filled, way: 'none' }), {})
    assert.equal(mistakeIn({ ...empty, way: 'none' }), null)
  })

  it('hints at how long a passphrase would hold', () => {
    for (const [passphrase, strength] of [
      ['', 'short'],
      ['elevenchars', 'short'],
      ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'weak'],
      ['123456789012', 'weak'],
      ['lanternquays', 'weak'],
      ['lantern quay 7', 'fair'],
      ['nine blue lanterns on the quay', 'strong'],
    ] as const)
      assert.equal(strengthOf(passphrase), strength, passphrase)
  })
})
