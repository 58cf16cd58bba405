/**
 * A power cut while people enter: the emulator is killed in the middle of scanning, and every answered verdict is there as
 * it was after each start. What had reached the virtual card stays, in order: a card that loses what it has in its own memory is not simulated here.
 * GATEHOUSE_TEST_LONG=1: 50 times instead of 5.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { unpackId } from '../../box/src/ledger/packed-id.ts'
import { putTogether } from '../../box/src/rights/verdict-text.ts'
import { Board, eventually, report } from './board.ts'
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
    let begun = 0
    for (let cut = 0; cut <= CUTS; cut++) {
      if (cut % 5 === 2) await cutDuringStart(cut * 700)
      await using board = await Board.start(card)
      const before = answered.slice()
      const { ports } = board
      const seconds = await board.answers()
      assert.equal(board.slots, 'A', 'a power cut is no reason to take another slot')
      gate ??= await Gate.open(ports, (await board.ssh(key, 'head -1 /boot/firmware/admin-token.txt')).trim())
      const here = gate
      // Each phone scans on and on: ticket after ticket, in the end each of them again.
      let isOn = cut < CUTS
      using _phones = {
        [Symbol.dispose]() {
          isOn = false
        },
      }
      let waiting = 0
      const phones = Array.from({ length: PHONES }, async () => {
        while (isOn) {
          waiting++
          const answer = await here.scan(ports, DAY_TICKETS[begun++ % DAY_TICKETS.length] ?? '').catch(() => undefined)
          waiting--
          if (answer) answered.push(answer)
          else await sleep(50)
        }
      })
      // Meanwhile: all that was ever answered is in the ledger as it was, and what came last is answered so again.
      await assertKept(board, before)
      await here.recognises(ports, before.slice(-20))
      if (cut === CUTS) {
        assert.equal(await board.ssh(key, 'systemctl --failed --no-legend --plain'), '')
        break
      }
      await eventually(() => answered.length >= before.length + PHONES)
      await sleep((cut % 7) * 300)
      const under = waiting
      await board.cut()
      isOn = false
      await Promise.all(phones)
      const said = `first answer after ${seconds.toFixed(0)} s, ${before.length} verdicts kept`
      console.log(`cut ${cut + 1}: ${said}, ${answered.length - before.length} more, ${under} under way when it went`)
    }
    report('power cuts, and verdicts that were answered and are still there', `${CUTS}, ${answered.length}`)
    assert.ok(answered.length > CUTS)
  })

  /** Before anybody is there to scan: while file systems are looked at, or the box opens its ledger. */
  async function cutDuringStart(ms: number): Promise<void> {
    await using board = await Board.start(card)
    await eventually(() => board.slots === 'A')
    await sleep(5_000 + ms)
  }

  async function assertKept(board: Board, answered: readonly Answered[]): Promise<void> {
    // Reads the file beside the box, which had the rest of its redo log in the tables before it answered for the first time.
    const read = `const { default: open } = await import('better-sqlite3')
      const of = 'scans join verdict_texts on verdict_texts.id = scans.text'
      const sql = 'select hex(scan_id), own, verdict_texts.text from ' + of
      const rows = new open('/data/box/demo/ledger.db', { readonly: true }).prepare(sql).raw().all()
      console.log(JSON.stringify(rows))`
    const text = await board.ssh(key, `cd /opt/gatehouse && ./node --input-type=module -e "${read}"`)
    const rows: [hex: string, own: string | null, text: string][] = JSON.parse(text)
    const kept = new Map(rows.map(([hex, own, text]) => [unpackId(Buffer.from(hex, 'hex')), { own, text }]))
    for (const { request, answer } of answered) {
      const row = kept.get(request.scan_id)
      assert.ok(row, `the verdict of ${request.scan_id} is lost`)
      // No holder is in either of them: the demo event shows scanners none.
      assert.deepEqual(JSON.parse(putTogether(row, request.scan_id)), JSON.parse(answer))
    }
  }
})
