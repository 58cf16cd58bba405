/** A first boot with a `gatehouse.toml` full of mistakes: the box is up, and says what is wrong where one can read it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Board, eventually } from './board.ts'
import { Card, SshKey } from './card.ts'

const DEMO = join(import.meta.dirname, '../../box/demo')

describe('gatehouse.toml', () => {
  const card = new Card()
  const key = new SshKey()
  after(() => {
    key[Symbol.dispose]()
    card[Symbol.dispose]()
  })

  test('with mistakes: the box comes up all the same, and a laptop can read what is wrong', async () => {
    await card.put(
      'gatehouse.toml',
      '[box]\nname = "north gate"\nevent = "nowhere.zip"\n[wifi]\nmode = "client"\npasword = "secret words"\n',
    )
    await using board = await Board.start(card)
    await board.answers()
    assert.doesNotMatch(board.said, /secret words/)
    await assert.rejects(fetchMeta(board.ports.ssh), 'no key, no ssh')
    // It was written before the box started, but a power cut may come before the card has it: this partition is written through.
    await board.cut()
    const problems = (await card.get('gatehouse-problems.txt')) ?? ''
    for (const said of [/The box is up/, /box\.name/, /box\.event nowhere\.zip/, /wifi\.pasword/, /wifi\.country/])
      assert.match(problems, said)
    assert.doesNotMatch(problems, /secret words/)
    assert.equal(await card.get('admin-token.txt'), undefined, 'nobody asked for it')
  })

  test('set right: the name, the event and ssh', async () => {
    for (const file of ['event.json', 'venue.geojson']) await card.put(file, readFileSync(join(DEMO, file), 'utf8'))
    await card.makeFolder('fair', ['event.json', 'venue.geojson'])
    await card.put('gatehouse.toml', '[box]\nname = "north-gate"\nevent = "fair"\n')
    await card.put('authorized_keys', key.publicKey)
    await using board = await Board.start(card)
    await board.answers()
    assert.equal((await board.ssh(key, 'hostname')).trim(), 'north-gate')
    assert.match(await board.ssh(key, 'cat /run/gatehouse/box.env'), /EVENT_DIR=\/data\/event/)
    assert.equal(((await fetchMeta(board.ports.http)) as { event_id: string }).event_id, 'lantern-quay')
    await eventually(async () => (await board.ssh(key, 'systemctl is-active avahi-daemon || true')).trim() === 'active')
    await board.cut()
    assert.match((await card.get('gatehouse-problems.txt')) ?? '', /Nothing is wrong/)
  })
})

async function fetchMeta(port: number): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/meta`, { signal: AbortSignal.timeout(30_000) })
  return answer.json()
}
