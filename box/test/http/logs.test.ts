/** A whole day at debug level: the log names events and leaves out everything secret or personal. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { eventTag, keyFromSeed, signCode, slotAt } from '@gatehouse/proto/code.ts'
import { VERDICTS } from '@gatehouse/proto/wire/scan.ts'
import { readInvite } from '../../src/device/pair.ts'
import { sql } from '../../src/drizzle/core.ts'
import { flags, tickets } from '../../src/ledger/schema.ts'
import { type Answer, type Ask, ask as askBox } from '../world/ask.ts'
import { operationsOf } from '../world/operations.ts'
import { Phone } from '../world/phone.ts'
import { StreamReader } from '../world/stream-reader.ts'
import { World } from '../world/world.ts'

it('neither logs nor public answers contain a ticket, code, token, invite, person or key', async () => {
  const lines: string[] = []
  const errors: string[] = []
  const ask = async (...args: Parameters<typeof askBox>): Promise<Answer> => {
    const answer = await askBox(...args)
    if (answer.status >= 400) errors.push(answer.text)
    return answer
  }
  await using world = await World.open({ log: { write: (line) => void lines.push(line) } })
  const secrets = new Set<string>()
  /** Of tickets: neither log, journal, stream nor error may have them. */
  const ofTickets = new Set<string>()
  const noteTickets = () => {
    for (const ticket of drizzle.select().from(tickets).all()) {
      const { capability, code, holderName, email, seat, orderCode, personal } = ticket
      const { deskCode, deskLink, deskHolder, deskNote } = ticket
      const ofShop = Object.values(JSON.parse(personal ?? '{}')).filter((value) => typeof value === 'string')
      const ofDesk = [deskCode, deskLink, deskHolder?.text, deskNote?.text]
      for (const text of [capability, code, holderName, email, seat, orderCode, ...ofShop, ...ofDesk])
        if (text) ofTickets.add(text)
      for (const bytes of [ticket.seed, ticket.publicKey]) {
        if (bytes.length === 0) continue
        for (const form of ['hex', 'base64', 'base64url'] as const) ofTickets.add(bytes.toString(form))
      }
    }
  }
  const { http, https, device: devicePort } = world.box.ports
  const { drizzle } = world.box.ledger.db
  const ca = await world.ca
  const json = (body: unknown): Ask => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const asAdmin = (path: string, { headers, ...options }: Ask): Promise<Answer> =>
    ask(https, path, {
      tls: { ca },
      ...options,
      headers: { ...headers, authorization: `Bearer ${world.box.adminToken}` },
    })

  // Tickets arrive, some of them damaged.
  const rows = [
    'code,tier,holder_name,email,order_code,product,company,phone,note',
    'SECRET-CODE-1,once,Zoe Quill,zoe@quill.example,SECRET-ORDER,Day ticket,Pell & Orr,+351 912 345 678,Ask Wim Nagel',
    'SECRET-CODE-2,nowhere,Yan Pell,yan@pell.example,SECRET-ORDER,Day ticket,,,',
  ]
  assert.equal(
    (
      await asAdmin('/v1/admin/import/tickets', {
        method: 'POST',
        body: rows.join('\n'),
        headers: { 'content-type': 'text/csv' },
      })
    ).status,
    200,
  )
  await asAdmin('/v1/admin/import/tickets', {
    method: 'POST',
    body: '{"code":"SECRET-CODE-3","attendee":"Xavier Orr"',
    headers: {},
  })

  // Devices are enrolled in each way, and turned away.
  const device = await world.device()
  const link = await world.inviteLink(['a-in'])
  const { code: invite } = readInvite(link)
  await ask(http, '/v1/enroll', json({ invite, name: 'Wim Nagel his phone' }))
  const inSecret = { ...json({ invite, name: 'Wim Nagel his phone' }), tls: { ca: await world.ca } }
  const enrolment = JSON.parse((await ask(https, '/v1/enroll', inSecret)).text)
  await ask(http, '/v1/enroll', json({ invite, name: 'Vera Mott her phone' }))
  await ask(http, '/v1/enroll', json({ invite: 'SECRET-INVITE', name: 'Uli Lang his phone' }))

  // Every verdict.
  const seen = new Set<string>()
  const scan = async (...args: Parameters<typeof device.scan>) => seen.add((await device.scan(...args)).verdict)
  const ticketOf = (code: string) =>
    drizzle.select().from(tickets).where(sql`code = ${code}`).get() ?? assert.fail(code)
  const shownAt = async (slot: number) =>
    signCode(await keyFromSeed(ticketOf('PHONE-1').seed), await eventTag('test-fair'), slot)
  const slot = slotAt(world.now())
  const rotating = [await shownAt(slot), await shownAt(slot - 100)]
  for (const code of [
    'SECRET-CODE-1',
    'SECRET-CODE-1',
    'PENDING-1',
    'BLOCKED-1',
    'REVOKED-1',
    'FUTURE-1',
    'VIP-1',
    'SECRET-UNKNOWN',
  ])
    await scan(code)
  for (const code of rotating) await scan(code)
  await scan('SECRET-CODE-1', { checkpoint: 'a-out' })
  await scan('SECRET-CODE-1', { offline_admitted: true })
  assert.deepEqual([...seen].sort(), [...VERDICTS].sort())

  // A ticket is opened, claimed, tried from elsewhere, let go of; the organiser speaks.
  await using reader = new StreamReader(world, device)
  const say = (text: string) => asAdmin('/v1/admin/announce', json({ actor: 'Tess Kahn', text, severity: 'info' }))
  const opened = async () => (await say('Doors are open.')) && reader.event(() => true, 50).catch(() => undefined)
  while (!(await opened()));
  noteTickets()
  const { capability } = ticketOf('FLEX-1')
  const [phone, thief] = [new Phone(), new Phone()]
  const attendee = (path = '', options: Ask = {}) =>
    ask(https, `/v1/ticket/${capability}${path}`, { tls: { ca }, ...options })
  const claims = [phone.claim('another ticket'), phone.claim(capability), thief.claim(capability)]
  const claimed: number[] = []
  for (const claim of claims) claimed.push((await attendee('/claim', json(claim))).status)
  assert.deepEqual(claimed, [400, 200, 409])
  for (const one of [phone, thief]) {
    const signed = await one.sign(new Request(`${world.box.baseUrl}/v1/ticket/${capability}`), world.now())
    for (let i = 0; i < 2; i++) await attendee('', { headers: Object.fromEntries(signed.headers) })
    ofTickets.add(signed.headers.get('signature') ?? '')
  }
  await attendee()
  await attendee('/nearby')
  await scan(phone.code(await eventTag('test-fair'), slot), { checkpoint: 'a-out' })
  noteTickets()
  await asAdmin('/v1/admin/tickets/FLEX-1/release', json({ actor: 'Tess Kahn', reason: 'lost' }))
  await asAdmin(`/v1/admin/tickets/${capability}/release`, json({ actor: 'Tess Kahn', reason: 'again' }))
  for (const { proof } of claims) ofTickets.add(proof)
  await reader.event(({ event, data }) => event === 'ticket' && data.version === world.box.ledger.size)

  // The desk looks somebody up, and writes on the ticket.
  const { ref } = ticketOf('SECRET-CODE-1')
  const atTheDesk = async (path: string, body: object) =>
    assert.equal((await asAdmin(`/v1/admin/desk/${path}`, json({ actor: 'Tess Kahn', ...body }))).status, 200, path)
  await atTheDesk('look-up', { text: 'Quill' })
  await atTheDesk('ticket', { ticket: 'SECRET-CODE-1' })
  await atTheDesk(`tickets/${ref}/holder`, { holder: 'Iris Falk', reason: 'lost' })
  await atTheDesk(`tickets/${ref}/note`, { note: 'Met Gus Moll' })
  noteTickets()
  await atTheDesk(`tickets/${ref}/reissue`, { reason: 'lost' })
  noteTickets()
  await asAdmin('/v1/admin/desk/look-up', json({ actor: 'Tess Kahn', text: 'Iris Falk', kind: 'Gus Moll' }))

  // Rights are taken away; requests fail in every way that a client can make them.
  await asAdmin(
    `/v1/admin/tickets/${ticketOf('ONCE-2').capability}/revoke`,
    json({ actor: 'Tess Kahn', reason: 'Stan Ives paid back' }),
  )
  await asAdmin('/v1/admin/tickets/SECRET-CODE-1/revoke', json({ actor: 'Tess Kahn', reason: 'chargeback' }))
  await asAdmin(
    `/v1/admin/devices/${enrolment.device_id}/revoke`,
    json({ actor: 'Tess Kahn', reason: 'lost by Rolf Horn' }),
  )
  const { token } = device.paired
  const tls = { ca, cert: device.paired.certificate, key: device.paired.key }
  for (const { method, path, tier } of operationsOf(world.box)) {
    const port = tier === 'open' ? http : tier === 'device' ? devicePort : https
    for (const bearer of ['SECRET-TOKEN', token, world.box.adminToken]) {
      const headers = {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        'signature-input': 'SECRET-SIGNATURE',
      }
      const request = {
        method,
        headers,
        ...(method !== 'GET' && { body: '{"payload":"SECRET-CODE-4"' }),
        ...(tier !== 'open' && { tls }),
      }
      await ask(port, `${path}?payload=SECRET-CODE-5&token=SECRET-TOKEN`, request)
    }
  }
  await ask(http, '/v1/ticket/SECRET-CODE-6%ff')

  // The box itself fails: a disk that is full, and a row that cannot be read.
  drizzle.run(sql`PRAGMA query_only = 1`)
  const { response } = await device.client.POST('/v1/scan', { body: world.scanOf('CREW-1') })
  assert.equal(response.status, 503)
  drizzle.run(sql`PRAGMA query_only = 0`)
  drizzle.update(flags).set({ scanIds: sql`'SECRET-CODE-7 of Quin Gale'` }).run()
  assert.equal((await asAdmin('/v1/admin/flags', {})).status, 500)

  noteTickets()
  for (const text of rotating) ofTickets.add(text)
  const journal = world.box.ledger.read(0, 100_000).map(({ bytes }) => bytes.toString())
  const streamed = reader.received.map(({ id, event, data }) => JSON.stringify({ id, event, data }))
  assert.ok(journal.length > 20 && streamed.length >= 5 && errors.length > 50, 'there is something to look at')
  for (const text of [...journal, ...streamed, ...errors]) {
    for (const secret of ofTickets) assert.ok(!text.includes(secret), `${secret} in ${text}`)
  }
  for (const secret of ofTickets) secrets.add(secret)
  for (const text of [invite, link, token, enrolment.token, world.box.adminToken, enrolment.pkcs12_password])
    secrets.add(text)
  for (const pem of [device.paired.key, enrolment.private_key, ...keysIn(join(world.folder, 'data/ca'))]) {
    for (const line of pem.split('\n')) if (line.length > 20 && !line.startsWith('-')) secrets.add(line)
  }
  const people = [
    'SECRET',
    'Zoe',
    'Quill',
    'Yan',
    'Xavier',
    'Wim',
    'Vera',
    'Uli',
    'Tess',
    'Stan',
    'Rolf',
    'Iris',
    'Falk',
    'Gus',
    'Quin',
    'Ana',
    'Reis',
  ]
  for (const name of people) secrets.add(name)

  await world.restart()
  const events = lines.map((line) => JSON.parse(line))
  for (const [i, line] of lines.entries()) {
    assert.deepEqual(
      [typeof events[i].event, typeof events[i].time, typeof events[i].level],
      ['string', 'string', 'number'],
      line,
    )
    assert.ok(!('msg' in events[i]), line)
    for (const secret of secrets) assert.ok(!line.includes(secret), `${secret} in ${line}`)
  }
  const failed = events.filter(({ event }) => event === 'request_failed').map(({ route, code }) => `${route} ${code}`)
  assert.deepEqual(failed, ['/v1/scan ledger_unavailable', '/v1/admin/flags internal'])
})

function keysIn(folder: string): string[] {
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
}
