import '../../../scanner-pwa/src/words/in-english.ts'

/** Answers from a pretix order's questions at the gate, out by the change feed, where the operator's configuration names their table. */
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { parse, stringify } from 'yaml'
import { Phone } from '../../../scanner-pwa/src/gate/testing.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { TEST_EVENT } from '../world/event.ts'
import { BoxFolder, type Ports } from '../world/process-box.ts'
import { until } from '../world/until.ts'
import { Both, sinkOf } from './both.ts'

const DOCUMENTED = readFileSync(join(import.meta.dirname, '../../docs/changefeed.md'), 'utf8')
const SHOP = [
  {
    ...{ code: 'FAM11', event: 'fair', status: 'p', email: 'jo@example.org', checkin_text: 'Wheelchair' },
    positions: [1, 2].map((n) => ({
      ...{ id: 70 + n, positionid: n, item: 1, variation: null, secret: `pretix-${n}`, price: '20.00' },
      ...{ attendee_name: `Person ${n}`, addon_to: null, answers: [] },
    })),
  },
  { id: 1, name: { en: 'Day ticket' }, admission: true, checkin_attention: true, checkin_text: 'Ask for the card.' },
  {
    ...{ id: 5, type: 'S', question: { en: 'Whom to call?' }, items: [1], position: 1 },
    ...{ required: true, ask_during_checkin: true, options: [] },
  },
]

/** Makes a copy of the box's own configuration with one more table, as the documentation says. @returns its path */
function publishAnswers(dataDir: string): string {
  const own = join(dataDir, 'feed/own.yaml')
  copyFileSync(join(dataDir, 'feed/changefeed.yaml'), own)
  const file = parse(readFileSync(own, 'utf8'))
  file.source.tables.push(parse(/^ {4}(\{ name: answers, .*\})$/m.exec(DOCUMENTED)?.[1] ?? assert.fail()))
  writeFileSync(own, stringify(file))
  return own
}

async function pairedPhone(folder: BoxFolder, { https }: Ports): Promise<Phone> {
  const origin = `https://127.0.0.1:${https}`
  const fetch = tlsFetch({ ca: folder.ca })
  const asAdmin = async (path: string, body: unknown, type: string) => {
    const headers = { authorization: `Bearer ${folder.adminToken}`, 'content-type': type }
    const text = JSON.stringify(body)
    const answer = await fetch(new Request(`${origin}/v1/admin/${path}`, { method: 'POST', headers, body: text }))
    assert.ok(answer.ok, String(answer.status))
    return answer.json() as Promise<Record<string, string>>
  }
  await asAdmin('import/tickets?tier=item:1%3Donce', SHOP, 'application/octet-stream')
  const phone = new Phone({ origin, fetch })
  const scanner = await phone.open()
  const body = { checkpoints: ['a-in', 'b-in'], expires_in_seconds: 600 }
  const { qr_payload: link = '' } = await asAdmin('invite', body, 'application/json')
  await scanner.pair(link, 'Phone 1')
  scanner.choose('a-in')
  await until(() => scanner.link.value.state === 'reachable', 'the box answers')
  return phone
}

it("an imported order's question reaches the phone, and its answer a sink of the operator's; by default it reaches none", async () => {
  using folder = new BoxFolder({ event: { ...TEST_EVENT, scanners_see: 'name_and_notes' } })
  {
    await using first = new Both(folder)
    await first.feedUrl()
    first.box.signal('SIGTERM')
    await first.box.exited()
  }
  assert.doesNotMatch(readFileSync(join(folder.dataDir, 'feed/changefeed.yaml'), 'utf8'), /name: answers/)
  await using both = new Both(folder, { GATEHOUSE_FEED_CONFIG: publishAnswers(folder.dataDir) })
  const ports = await both.box.opened()
  const url = await both.feedUrl()
  await using phone = await pairedPhone(folder, ports)
  const stop = new AbortController()
  const changes = both.changes(url, stop.signal)
  const first = changes.next()
  await until(async () => (await sinkOf(both, url)).readers === 1, 'somebody reads the stream')

  const { scanner } = phone
  const { scanId, verdict } = await scanner.scan('pretix-1')
  const { attention, holder, note, product, questions } = verdict
  assert.deepEqual(
    [verdict.verdict, attention, holder, note, product, questions?.map(({ text }) => text)],
    ['BLOCKED', { text: 'Ask for the card.' }, 'Person 1', 'Wheelchair', 'Day ticket', ['Whom to call?']],
  )
  const admitted = await scanner.answer(scanId, { 5: 'Jo, 112' })
  assert.equal(admitted?.verdict.verdict, 'ADMIT')

  const told = [(await first).value]
  while (!told.some((change) => change?.table === 'answers')) told.push((await changes.next()).value)
  stop.abort()
  const given = told.find((change) => change?.table === 'answers')?.after
  assert.deepEqual([given?.scan_id, JSON.parse(given?.answers ?? '')], [admitted?.scanId, { 5: 'Jo, 112' }])
  const others = told.filter((change) => change?.table !== 'answers')
  const entry = others.find((change) => change?.table === 'journal' && change.after?.kind === 'answers')
  assert.equal(JSON.parse(entry?.after?.bytes ?? '').count, 1, 'the journal says that there is one')
  assert.doesNotMatch(JSON.stringify(others), /Jo, 112|Person|Wheelchair|jo@example/)
})
