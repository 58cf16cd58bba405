/**
 * The power goes while people come in: the emulator is killed in the middle of scanning, and whatever was answered is answered
 * the same after the next start. GATEHOUSE_TEST_LONG=1: 50 times instead of 5.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Board, report } from './board.ts'
import { Card, SshKey } from './card.ts'
import { type Answered, DAY_TICKETS, Gate } from './gate.ts'

const CUTS = process.env.GATEHOUSE_TEST_LONG === '1' ? 50 : 5
/** Phones that scan side by side. */
const PHONES = 4

describe('a power cut', () => {
  const card = new Card()
  const key = new SshKey()
  before(async () => {
    await card.put('gatehouse.toml', '[box]\nshow_admin_token = true\n')
    await card.put('authorized_keys', key.publicKey)
  })
  after(() => {
    key[Symbol.dispose]()
    card[Symbol.dispose]()
  })

  test(`${CUTS} of them, and no answered verdict is lost`, async () => {
    let gate: Gate | undefined
    const answered: Answered[] = []
    const tickets = DAY_TICKETS.values()
    for (let cut = 0; cut <= CUTS; cut++) {
      await using board = await Board.start(card)
      await board.answers()
      assert.equal(board.slots, 'A', 'a power cut is no reason to take another slot')
      gate ??= await Gate.open(board.ports, (await board.ssh(key, 'head -1 /boot/firmware/admin-token.txt')).trim())
      await gate.recognises(board.ports, answered)
      if (cut === CUTS) {
        assert.equal(await board.ssh(key, 'systemctl --failed --no-legend --plain'), '')
        break
      }
      const { ports } = board
      const here = gate
      // Each phone scans until nobody answers any more: ticket after ticket, some of them a second time.
      const phones = Array.from({ length: PHONES }, async () => {
        for (const payload of tickets) {
          const answer = await here.scan(ports, payload).catch(() => undefined)
          if (!answer) return
          answered.push(answer)
        }
      })
      await sleep(2_000 + (cut % 7) * 700)
      await board.cut()
      await Promise.all(phones)
    }
    report('power cuts, and verdicts that were answered and are still there', `${CUTS}, ${answered.length}`)
    assert.ok(answered.length > CUTS)
  })
})
