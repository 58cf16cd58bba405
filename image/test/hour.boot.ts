/**
 * The first hour on a card, from the setup page to doors (issue 26): no file edited, no line of `gatehouse.toml` but the one that shows the
 * admin token. Over the API, by which the guide's screens work; ssh only looks. Each test continues from the state that the one before left.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Script } from 'node:vm'
import { blankEvent, withNew } from '../../dashboard/src/screens/guide/draft.ts'
import { Board, eventually, report } from './board.ts'
import { Card, SshKey } from './card.ts'
import { type Answered, asAdmin, authorityAt, Gate } from './gate.ts'

const BY = { actor: 'Ines' }
const SHOP_FILE = 'code,tier,holder_name\nA-1,Early Bird,Ana\nA-2,Early Bird,Rui\nV-1,Backstage,Eva\n'
const EVENT = 'feira-da-ponte'
const OWN = '/data/box/demo/own'

describe('the first hour on a card', () => {
  const card = new Card()
  const key = new SshKey()
  const phones: Gate[] = []
  const answered: Answered[] = []
  let board: Board
  let token: string

  before(async () => {
    await card.put('gatehouse.toml', '[box]\nshow_admin_token = true\n')
    await card.put('authorized_keys', key.publicKey)
    board = await Board.start(card)
  })
  after(async () => {
    await board?.[Symbol.asyncDispose]()
    key[Symbol.dispose]()
    card[Symbol.dispose]()
  })
  const ssh = (command: string) => board.ssh(key, command)
  const page = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${board.ports.http}${path}`, { redirect: 'manual' })
    return { status: answer.status, text: await answer.text(), to: answer.headers.get('location') ?? '' }
  }
  const admin = <T>(ask: Parameters<typeof asAdmin<T>>[2]) => asAdmin(board.ports, token, ask)
  const problems = async () => {
    const { data } = await admin((one) => one.GET('/v1/admin/appliance'))
    return data?.problems.map(({ where }) => where)
  }
  const admissions = async () => (await admin((one) => one.GET('/v1/admin/stats'))).data?.admissions

  test('the setup page leads to the control room, and the trust page is whole', async () => {
    report('power on to first answer', `${(await board.answers()).toFixed(1)} s`)
    report('power on to the watchdog’s word', `${(await board.settled(key)).toFixed(1)} s, starts: ${board.slots}`)
    const setup = await page('/')
    assert.equal(setup.status, 200)
    for (const said of ['/dashboard/', 'href="/ca.crt"', '<strong>box.event</strong>'])
      assert.ok(setup.text.includes(said), said)
    assert.match((await page('/dashboard/')).to, /^https:\/\/.*\/dashboard\/$/)
    const [, there = ''] = /href="(\/trust\/[^"]*)"/.exec(setup.text) ?? []
    const trust = await page(there)
    assert.equal(trust.status, 200, there)
    for (const [, asset = ''] of trust.text.matchAll(/(?:src|href)="(\/[^"#]*\.(?:css|js|crt))"/g))
      assert.equal((await page(asset)).status, 200, asset)
    // It is sent as its own source, of which the bundle may have made another one.
    const script = (await page('/trust/page.js')).text
    new Script(script).runInNewContext({ document: { querySelector: () => null } })
    assert.doesNotMatch(script, /__\w+\(|import\.meta/)
    token = (await ssh('head -1 /boot/firmware/admin-token.txt')).trim()
  })

  test('the guide makes an event of its own, and the machine knows it at once', async () => {
    const { data: before } = await admin((one) => one.GET('/v1/admin/event'))
    assert.deepEqual([before?.demo, before?.event, before?.folder], [true, null, `${OWN}/event`])
    const [ca, demo] = [await authorityAt(board.ports), await ssh('cat /run/gatehouse/feed.env')]
    assert.deepEqual([demo, await problems()], ['GATEHOUSE_DATA_DIR=/data/box/demo\n', ['box.event']])

    // An event as the forms make it of a name and the shop's file, with a gate more.
    const words = { tier: 'Ticket', zone: 'Inside', gate: 'Main gate' }
    const tiers = ['Early Bird', 'Backstage']
    const blank = blankEvent({ name: 'Feira da Ponte', timezone: 'Europe/Lisbon', tiers, now: Date.now(), words })
    const event = { ...withNew(blank, 'gates', 'South') }
    const checked = await admin((one) => one.POST('/v1/admin/event/check', { body: { event } }))
    assert.deepEqual(checked.data, { mistakes: [], warnings: [], changes: [] }, checked.error?.message)
    const saved = await admin((one) => one.PUT('/v1/admin/event', { body: { event, revision: null, ...BY } }))
    assert.equal(saved.data?.pending, true, saved.error?.message)
    const applied = await admin((one) => one.POST('/v1/admin/event/apply', { body: BY }))
    assert.equal(applied.data?.restarting, true, applied.error?.message)
    const started = performance.now()
    await eventually(async () => (await eventId()) === EVENT)
    report('the box begins anew with its event in', `${((performance.now() - started) / 1000).toFixed(0)} s`)
    assert.notEqual(await authorityAt(board.ports), ca, 'nothing of the demo is the event’s')

    await eventually(async () => (await problems())?.length === 0)
    await eventually(async () => (await feeds()) === `${OWN}/data/feed/changefeed.yaml`)
    await ssh(`for i in $(seq 300); do [ -s ${OWN}/data/feed/state/positions.json ] && exit; sleep 1; done; exit 1`)
    assert.match(await ssh('cat /boot/firmware/gatehouse-problems.txt'), /Nothing is wrong/)
    assert.doesNotMatch((await page('/')).text, /box\.event/)
  })

  test('the change feed’s user reads that ledger, and no key and no file of the event', async () => {
    const readable = await ssh(
      `find ${OWN} -type f | setpriv --reuid=changefeed --regid=changefeed --init-groups sh -c 'while read -r file; do if [ -r "$file" ]; then echo "$file"; fi; done'`,
    )
    const files = readable.trim().split('\n')
    assert.ok(files.includes(`${OWN}/data/ledger.db`), readable)
    for (const file of files)
      assert.match(file.slice(OWN.length), /^\/data\/(ledger\.db(-wal|-shm|-changefeed)?|feed\/.*)$/)
  })

  test('the shop’s file, a sheet for each gate, two phones', async () => {
    const imported = await admin((one) =>
      one.POST('/v1/admin/import/tickets', {
        params: { query: BY },
        body: SHOP_FILE as never,
        bodySerializer: (body: unknown) => body as string,
        headers: { 'content-type': 'application/octet-stream' },
      }),
    )
    assert.equal(imported.data?.added, 3, imported.error?.message)
    for (const checkpoint of ['main-gate-in', 'south-in']) {
      const { data, error } = await admin((one) =>
        one.POST('/v1/admin/invite', { body: { checkpoints: [checkpoint], expires_in_seconds: 3600 } }),
      )
      assert.ok(data?.trust_link, error?.message)
      const [link, invite] = [new URL(data.trust_link), new URL(data.qr_payload)]
      assert.deepEqual([link.protocol, link.pathname, link.hash], ['http:', '/trust/', invite.hash])
      phones.push(await Gate.byInvite(data.qr_payload, board.ports, { token, checkpoint }))
    }
  })

  test('a rehearsal with the real tickets, of which nothing is counted', async () => {
    const { error } = await admin((one) => one.POST('/v1/admin/rehearsal', { body: { minutes: 30, ...BY } }))
    assert.equal(error?.message, undefined)
    const verdicts = []
    for (const phone of phones) verdicts.push(await phone.rehearse(board.ports, 'A-1'))
    assert.deepEqual(verdicts, ['ADMIT', 'ALREADY_USED'])
    const { data: ended } = await admin((one) => one.POST('/v1/admin/rehearsal/end', { body: BY }))
    assert.deepEqual([ended?.scans, ended?.devices, await admissions()], [2, 2, 0])
  })

  test('doors', async () => {
    for (const [i, phone] of phones.entries()) answered.push(await phone.scan(board.ports, ['A-1', 'V-1'][i] ?? ''))
    for (const { answer } of answered) assert.match(answer, /"verdict":"ADMIT"/)
    await eventually(async () => (await admissions()) === 2)
    assert.equal(await ssh('systemctl --failed --no-legend --plain'), '')
  })

  test('is all there after a power cut, with the feed at the same ledger', async () => {
    const ca = await authorityAt(board.ports)
    await restart()
    assert.deepEqual([await eventId(), await problems(), await authorityAt(board.ports)], [EVENT, [], ca])
    await phones[0]?.recognises(board.ports, answered.slice(0, 1))
    await eventually(async () => (await feeds()) === `${OWN}/data/feed/changefeed.yaml`)
    assert.equal(
      (await ssh('systemctl is-active gatehouse-own-event.service || true')).trim(),
      'inactive',
      'no second time',
    )
    assert.equal(await ssh('systemctl --failed --no-legend --plain'), '')
  })

  test('put on the card, the event keeps its tickets and scanners', async () => {
    const ca = await authorityAt(board.ports)
    const event = await ssh(`cat ${OWN}/event/event.json`)
    await board.cut()
    await card.put('event.json', event)
    await card.makeFolder('event', ['event.json'])
    await card.put('gatehouse.toml', '[box]\nshow_admin_token = true\nevent = "event"\n')
    board = await Board.start(card)
    await board.settled(key)
    assert.match(
      await ssh('cat /run/gatehouse/box.env'),
      new RegExp(`^GATEHOUSE_DATA_DIR=${OWN}/data\nGATEHOUSE_EVENT_DIR=/data/event\n`),
    )
    assert.deepEqual([await eventId(), await problems(), await authorityAt(board.ports)], [EVENT, [], ca])
    for (const [i, phone] of phones.entries()) await phone.recognises(board.ports, answered.slice(i, i + 1))
    assert.equal(await admissions(), 2)
  })

  async function eventId(): Promise<string | undefined> {
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(`http://127.0.0.1:${board.ports.http}/v1/meta`, { signal }).catch(() => undefined)
    return answer?.ok ? ((await answer.json()) as { event_id: string }).event_id : undefined
  }

  /** The configuration with which the change feed's process was started; empty while there is none. */
  async function feeds(): Promise<string> {
    const command = await ssh(
      `pid=$(systemctl show -P MainPID changefeed); [ "$pid" = 0 ] || tr '\\0' ' ' </proc/$pid/cmdline || true`,
    )
    return /--config (\S+)/.exec(command)?.[1] ?? ''
  }

  async function restart(): Promise<void> {
    await board.cut()
    board = await Board.start(card)
    await board.settled(key)
  }
})
