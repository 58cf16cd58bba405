/** A card that is wearing out, and updates that are not for it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Board, eventually } from './board.ts'
import { Card, SshKey } from './card.ts'
import { ownUpdate, updateFor } from './updates.ts'

describe('a card whose first slot is spoilt', () => {
  const card = new Card()
  const another = new Card()
  const key = new SshKey()
  let board: Board

  before(async () => {
    await card.put('authorized_keys', key.publicKey)
    card.fill('B')
    card.spoil('A')
    board = await Board.start(card, { usb: true })
  })
  after(async () => {
    await board[Symbol.asyncDispose]()
    key[Symbol.dispose]()
    another[Symbol.dispose]()
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

  test('looks at an update in the same way when its clock is years behind', async () => {
    await board.ssh(key, 'cat > /data/updates/refused.update', await updateFor('another-board'))
    const install = 'date -s 2020-01-01 >&2; rauc install /data/updates/refused.update >&2'
    await assert.rejects(board.ssh(key, install), /compatible mismatch/i)
    await board.ssh(key, `date -s @${Math.floor(Date.now() / 1000)}`)
  })

  test('takes the slots of another card in a reader for none of its own', async () => {
    const slots = 'udevadm settle; readlink -f /dev/gatehouse/slot-a /dev/gatehouse/slot-b'
    assert.equal(await board.ssh(key, slots), '/dev/vda2\n/dev/vda3\n')
    await board.plug(another.path)
    await eventually(async () => /^there$/m.test(await board.ssh(key, '[ ! -b /dev/sda3 ] || echo there')))
    // The same numbers, as a card that was written from the same file has.
    const number = 'blkid -p -s PART_ENTRY_UUID -o value'
    assert.equal(await board.ssh(key, `${number} /dev/sda3`), await board.ssh(key, `${number} /dev/vda3`))
    assert.equal(await board.ssh(key, slots), '/dev/vda2\n/dev/vda3\n')
    await board.unplug()
    await eventually(async () => /^gone$/m.test(await board.ssh(key, '[ -b /dev/sda ] || echo gone')))
    assert.equal(await board.ssh(key, slots), '/dev/vda2\n/dev/vda3\n')
  })
})
