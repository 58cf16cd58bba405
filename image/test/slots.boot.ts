/** A card that is wearing out, and updates that are not for it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Board } from './board.ts'
import { Card, SshKey } from './card.ts'
import { ownUpdate, updateFor } from './updates.ts'

describe('a card whose first slot is spoilt', () => {
  const card = new Card()
  const key = new SshKey()
  let board: Board

  before(async () => {
    await card.put('authorized_keys', key.publicKey)
    card.fill('B')
    card.spoil('A')
    board = await Board.start(card)
  })
  after(async () => {
    await board[Symbol.asyncDispose]()
    key[Symbol.dispose]()
    card[Symbol.dispose]()
  })

  test('starts from the second', async () => {
    await board.answers()
    assert.equal(board.slots, 'AB')
    assert.match(board.said, /slot A cannot be loaded/)
    assert.match(await board.ssh(key, '/usr/lib/gatehouse/slots get-current'), /^B$/m)
    assert.equal(await board.ssh(key, 'systemctl --failed --no-legend --plain'), '')
  })

  test('refuses an update for another board, and one that somebody else signed', async () => {
    for (const [bundle, said] of [
      [await updateFor('another-board'), /compatible/i],
      [await ownUpdate({ signedBy: 'stranger' }), /signature/i],
    ] as const) {
      await board.ssh(key, 'cat > /data/updates/refused.update', bundle)
      await assert.rejects(board.ssh(key, 'rauc install /data/updates/refused.update >&2'), said)
    }
    assert.match(await board.ssh(key, 'head -3 /boot/firmware/ab.env'), /^ORDER=A B$/m, 'nothing was switched')
  })
})
