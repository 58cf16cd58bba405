import '../../../scanner-pwa/src/words/in-english.ts'

/** The scanner app's core against a real box: pairing, scanning, going offline, and coming back. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fromBase64 } from '@gatehouse/proto/base64.ts'
import { eventTag, formatCode, keyFromSeed, parseCode, signCode, slotAt } from '@gatehouse/proto/code.ts'
import { bytesOf, L, numberOf } from '@gatehouse/proto/curve25519.testing.ts'
import { type Ed25519Verifier, webCryptoVerifier } from '@gatehouse/proto/ed25519.ts'
import { naclVerifier } from '@gatehouse/proto/nacl.ts'
import type { ScanRecord } from '../../../scanner-pwa/src/gate/model.ts'
import { Phone } from '../../../scanner-pwa/src/gate/testing.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { openDb } from '../../src/ledger/db.ts'
import { beginNewIncarnation } from '../../src/ledger/identity.ts'
import { freePorts } from '../world/ports.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'

const BY = { actor: 'control room', reason: 'a test' }

async function phoneIn(world: World, ed25519?: Ed25519Verifier, clockOffMs = 0): Promise<Phone> {
  const fetch = tlsFetch({ ca: await world.ca })
  const engine = ed25519 && { ed25519: Promise.resolve(ed25519) }
  return new Phone({ origin: world.box.baseUrl, fetch, now: () => world.now() + clockOffMs, ...engine })
}

interface ReadyOptions {
  checkpoint?: string
  supervisor?: boolean
  ed25519?: Ed25519Verifier
  /** Of the phone's own clock, ms. */
  clockOffMs?: number
}

/** A phone that is paired, has its ticket list, and stands at a checkpoint. */
async function ready(
  world: World,
  { checkpoint = 'a-in', supervisor = false, ed25519, clockOffMs }: ReadyOptions = {},
): Promise<Phone> {
  const phone = await phoneIn(world, ed25519, clockOffMs)
  const scanner = await phone.open()
  await scanner.pair(await world.inviteLink(undefined, supervisor), 'Phone 1')
  scanner.choose(checkpoint)
  scanner.signOn('Ana')
  await inStep(phone)
  return phone
}

async function inStep({ scanner }: Phone): Promise<void> {
  await until(() => scanner.mirror.value !== null && scanner.link.value.state === 'reachable', 'the phone is in step')
}

/** A box that can be stopped, as by a cut cable: `world.restart()` brings it back at the same address. */
async function worldOfOneAddress(): Promise<World> {
  const [https] = await freePorts(1)
  return World.open({ environment: { GATEHOUSE_HTTPS_PORT: String(https) } })
}

async function stop(world: World): Promise<void> {
  await world.box[Symbol.asyncDispose]()
}

async function alone({ scanner }: Phone): Promise<void> {
  await until(() => scanner.link.value.state === 'offline', 'the phone knows that the box is gone')
}

const said = ({ verdict, alone }: ScanRecord) => `${verdict.verdict}${alone ? ', alone' : ''}`

async function codeOf(world: World, printed: string, offsetMs = 0): Promise<string> {
  const id = world.ticketIdOf(printed)
  const { data } = await (await world.admin()).GET('/v1/ticket/{id}', { params: { path: { id } } })
  const key = await keyFromSeed(fromBase64(data?.secret ?? '') ?? assert.fail())
  return signCode(key, await eventTag('test-fair'), slotAt(world.now() + offsetMs))
}

describe('a scanner', () => {
  it('pairs, and scans with signed requests', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    const { scanner } = phone
    assert.equal(scanner.pairing.value?.eventName, 'Test Fair')
    assert.ok((scanner.pairing.value?.certificateExpiresAt ?? 0) > world.now())
    assert.equal(scanner.mirror.value?.tickets, 12)
    assert.equal(said(await scanner.scan('ONCE-1')), 'ADMIT')
    const again = await scanner.scan('ONCE-1')
    assert.equal(said(again), 'ALREADY_USED')
    assert.match(again.verdict.reason, /^Used at Gate A \(A entry\) /)
    assert.equal(said(await scanner.scan(await codeOf(world, 'ONCE-2'))), 'ADMIT')
    assert.deepEqual(scanner.recent.value.map(said), ['ADMIT', 'ALREADY_USED', 'ADMIT'])
    const { byClass, operator, alone } = scanner.shift.value
    assert.deepEqual([byClass.admit, byClass.used, operator, alone], [2, 1, 'Ana', 0])
    const checks = Object.fromEntries((await scanner.preflight()).map(({ id, state }) => [id, state]))
    assert.deepEqual(checks, { clock: 'ok', manifest: 'ok', certificate: 'ok', storage: 'ok', link: 'ok' })
    for (const odd of ['', ' ', '\ud800', 'x'.repeat(1025), '\0', 'G1:'.padEnd(155, 'A'), '€'.repeat(400)]) {
      assert.equal(said(await scanner.scan(odd)), 'UNKNOWN', JSON.stringify(odd.slice(0, 9)))
    }
  })

  it('admits offline, keeps its admissions through a restart of the page, and uploads them in order when the box is back', async () => {
    await using world = await worldOfOneAddress()
    await using phone = await ready(world, { checkpoint: 'b-in' })
    await using other = await ready(world)
    assert.equal(said(await other.scanner.scan('ONCE-1')), 'ADMIT')
    assert.equal(said(await phone.scanner.scan('CREW-1')), 'ADMIT')
    const { version } = phone.scanner.mirror.value ?? assert.fail()
    await until(() => (phone.scanner.mirror.value?.version ?? 0) > version, 'the own scan is in the list')
    await stop(world)
    await alone(phone)

    const { scanner } = phone
    const used = await scanner.scan('ONCE-1')
    assert.equal(said(used), 'ALREADY_USED, alone')
    assert.match(used.verdict.reason, /^Used at Gate A \(A entry\) .*(ago|just now)\.$/)
    assert.ok(used.unheardMs !== undefined && used.unheardMs >= 0)
    const first = await scanner.scan('ONCE-2')
    assert.deepEqual([said(first), first.sent, first.verdict.confidence], ['ADMIT, alone', false, 'provisional'])
    assert.equal(said(await scanner.scan('ONCE-2')), 'ALREADY_USED, alone', 'what it did itself')
    assert.equal(said(await scanner.scan('\ufeff]Q1ONCE-1\r\n')), 'ALREADY_USED, alone', 'what surrounds a code')
    assert.equal(said(await scanner.scan('CREW-1')), 'ADMIT, alone', 'a kind of ticket that is never used up')
    assert.equal(said(await scanner.scan(await signedAlone)), 'UNKNOWN, alone', 'a key that is not a ticket')
    assert.equal(said(await scanner.scan('NOBODY')), 'UNKNOWN, alone')
    assert.equal(said(await scanner.scan('REVOKED-1')), 'REVOKED, alone')
    assert.equal(scanner.unsent.value, 2)

    await phone.reopen()
    await alone(phone)
    assert.equal(phone.scanner.unsent.value, 2)
    assert.equal(phone.scanner.checkpoint.value?.id, 'b-in')
    assert.equal(phone.scanner.shift.value.operator, 'Ana')
    assert.equal(phone.scanner.recent.value.length, 9)
    assert.equal(said(await phone.scanner.scan('ONCE-2')), 'ALREADY_USED, alone', 'also after a restart')
    assert.match((await phone.scanner.scan('ONCE-1')).verdict.reason, /^Used at Gate A/)
    assert.equal(said(await phone.scanner.scan('DAILY-1')), 'ADMIT, alone')
    await assert.rejects(phone.scanner.unpair(), /3 admissions/)

    await world.restart()
    await until(() => phone.scanner.unsent.value === 0, 'all is sent')
    assert.equal(phone.scanner.link.value.state, 'reachable')
    assert.deepEqual([phone.scanner.doubles.value, phone.scanner.aside.value], [[], []])
    assert.equal(phone.scanner.recent.value.find(({ scanId }) => scanId === first.scanId)?.sent, true)
    const { data } = await (await world.admin()).GET('/v1/admin/log', {
      params: { query: { limit: 50, kind: 'scan' } },
    })
    const uploaded = data?.rows.filter((row) => JSON.stringify(row).includes('"offline_admitted":true')) ?? []
    assert.equal(uploaded.length, 3)
    assert.equal(said(await phone.scanner.scan('DAILY-1')), 'ALREADY_USED')
  })

  const signedAlone = (async () => {
    const seed = crypto.getRandomValues(new Uint8Array(32))
    return signCode(await keyFromSeed(seed), await eventTag('test-fair'), slotAt(Date.now()))
  })()

  it('shows a double use with both records until it is dismissed', async () => {
    await using world = await World.open()
    await using phone = await ready(world, { checkpoint: 'b-in' })
    await using other = await ready(world)
    phone.go(false)
    const inside = await phone.scanner.scan('ONCE-1')
    assert.equal(said(inside), 'ADMIT, alone')
    assert.equal(said(await other.scanner.scan('ONCE-1')), 'ADMIT', 'the other gate has its box')
    phone.go(true)
    await until(() => phone.scanner.doubles.value.length === 1)
    const [double] = phone.scanner.doubles.value
    assert.equal(double?.verdict.verdict, 'ADMIT')
    assert.equal(double?.afterwards?.verdict, 'ALREADY_USED')
    assert.equal(double?.afterwards?.severity, 'admit', 'nobody is refused after the fact')
    assert.ok(double?.afterwards?.flag)
    await phone.reopen()
    assert.equal(phone.scanner.doubles.value[0]?.scanId, inside.scanId)
    assert.equal(phone.scanner.shift.value.doubles, 1)
    phone.scanner.dismissDouble(inside.scanId)
    assert.deepEqual(phone.scanner.doubles.value, [])
    await phone.reopen()
    assert.deepEqual(phone.scanner.doubles.value, [])
  })

  it('checks rotating codes offline: signature, event, age', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    const [fresh, old] = [await codeOf(world, 'ONCE-1'), await codeOf(world, 'ONCE-2', -90_000)]
    const forged = `${fresh.slice(0, -3)}${fresh.endsWith('000') ? '111' : '000'}`
    phone.go(false)
    assert.equal(said(await phone.scanner.scan(forged)), 'UNKNOWN, alone')
    const stale = await phone.scanner.scan(old)
    assert.equal(said(stale), 'STALE_CODE, alone')
    assert.match(stale.verdict.reason, /No screenshots/)
    assert.equal(said(await phone.scanner.scan(fresh)), 'ADMIT, alone')
    assert.equal(said(await phone.scanner.scan(fresh)), 'ALREADY_USED, alone')
    phone.go(true)
    await until(() => phone.scanner.unsent.value === 0)
    assert.deepEqual(phone.scanner.doubles.value, [])
  })

  it('refuses offline tickets of other gates and other times', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    phone.go(false)
    const vip = await phone.scanner.scan('VIP-1')
    assert.deepEqual([said(vip), vip.verdict.tier_name, vip.verdict.tier_colour], ['REDIRECT, alone', 'VIP', '#EB5757'])
    assert.match(vip.verdict.reason, /^Not at A entry: send to Gate B/)
    assert.deepEqual(vip.verdict.evidence, {
      checkpoint: 'b-in',
      checkpoint_name: 'B entry',
      gate_name: 'Gate B',
      walking_seconds: null,
    })
    for (const code of ['FUTURE-1', 'PAST-1'])
      assert.equal(said(await phone.scanner.scan(code)), 'NOT_VALID_NOW, alone')
    for (let i = 0; i < 3; i++) assert.equal(said(await phone.scanner.scan('CREW-1')), 'ADMIT, alone')
    assert.equal(said(await phone.scanner.scan('FLEX-1')), 'ADMIT, alone')
    assert.equal(said(await phone.scanner.scan('FLEX-1')), 'ALREADY_USED, alone')
    phone.scanner.choose('a-out')
    const out = await phone.scanner.scan('FLEX-1')
    assert.deepEqual([said(out), out.verdict.tier_name], ['EXIT, alone', 'Flex'])
    phone.scanner.choose('a-in')
    assert.equal(said(await phone.scanner.scan('FLEX-1')), 'ADMIT, alone')
    assert.equal((await phone.scanner.scan('NOBODY')).verdict.tier_name, null)
    phone.go(true)
    await until(() => phone.scanner.unsent.value === 0)
    assert.deepEqual(phone.scanner.doubles.value, [])
  })

  it('does all of it in a browser without Ed25519', async () => {
    await using world = await World.open()
    await using phone = await ready(world, { ed25519: naclVerifier() })
    const [fresh, other] = [await codeOf(world, 'ONCE-1'), await codeOf(world, 'ONCE-2')]
    phone.go(false)
    assert.equal(said(await phone.scanner.scan(fresh)), 'ADMIT, alone')
    assert.equal(said(await phone.scanner.scan(`${other.slice(0, -3)}000`)), 'UNKNOWN, alone')
  })

  for (const [clockOffMs, how] of [
    [3_600_000, 'ahead'],
    [-3_600_000, 'behind'],
  ] as const) {
    it(`does all of it with a clock that is an hour ${how}, and records true times`, async () => {
      await using world = await World.open()
      await using phone = await ready(world, { clockOffMs })
      assert.equal(said(await phone.scanner.scan(await codeOf(world, 'ONCE-1'))), 'ADMIT')
      const [fresh, old] = [await codeOf(world, 'ONCE-2'), await codeOf(world, 'ONCE-2', -3_600_000)]
      phone.go(false)
      assert.notEqual(said(await phone.scanner.scan(old)), 'ADMIT, alone', 'a picture of an hour ago')
      await phone.reopen()
      assert.equal(said(await phone.scanner.scan(fresh)), 'ADMIT, alone')
      phone.go(true)
      await until(() => phone.scanner.unsent.value === 0, 'all is sent')
      assert.equal((await phone.scanner.preflight()).find(({ id }) => id === 'clock')?.state, 'fail')
      const { ledger } = world.box
      const observed = ledger
        .read(0, ledger.size)
        .flatMap(({ kind, fields }) => (kind === 'scan' ? [Date.parse(fields.observed_at)] : []))
      assert.equal(observed.length, 2)
      for (const at of observed) assert.ok(Math.abs(at - world.now()) < 60_000, new Date(at).toISOString())
    })
  }

  for (const by of [webCryptoVerifier(crypto.subtle), naclVerifier()]) {
    it(`refuses a code with S + L in the place of S, alone with ${by.name} as its box does`, async () => {
      await using world = await World.open()
      await using phone = await ready(world, { ed25519: by })
      const good = parseCode(await codeOf(world, 'ONCE-1')) ?? assert.fail()
      const s = numberOf(good.signature.subarray(32)) + L
      const forged = formatCode({ ...good, signature: Uint8Array.of(...good.signature.subarray(0, 32), ...bytesOf(s)) })
      assert.equal(said(await phone.scanner.scan(forged)), 'UNKNOWN')
      phone.go(false)
      assert.equal(said(await phone.scanner.scan(forged)), 'UNKNOWN, alone')
      assert.equal(said(await phone.scanner.scan(formatCode(good))), 'ADMIT, alone')
    })
  }

  it('goes on with a box that was restored from a backup, and keeps everybody who is inside', async () => {
    await using world = await worldOfOneAddress()
    await using phone = await ready(world, { checkpoint: 'b-in' })
    await using other = await ready(world)
    const { version: before } = phone.scanner.mirror.value ?? assert.fail()
    // Scans that the backup does not have.
    await stop(world)
    const ledger = join(world.environment.GATEHOUSE_DATA_DIR ?? '', 'ledger.db')
    const backup = readFileSync(ledger)
    await world.restart()
    await inStep(other)
    assert.equal(said(await other.scanner.scan('ONCE-1')), 'ADMIT')
    for (let i = 0; i < 5; i++) assert.equal(said(await other.scanner.scan('CREW-1')), 'ADMIT')
    await until(
      () => (phone.scanner.mirror.value?.version ?? 0) >= before && phone.scanner.link.value.state === 'reachable',
    )
    await phone.reopen()
    // Each scan is a version: a list that lacks some of them may be no newer than the one of the restored box.
    await until(() => (phone.scanner.mirror.value?.version ?? 0) >= before + 6, 'every scan is in the list')
    const { version } = phone.scanner.mirror.value ?? assert.fail()
    phone.go(false)
    assert.equal(said(await phone.scanner.scan('DAILY-1')), 'ADMIT, alone')

    await stop(world)
    for (const end of ['-wal', '-shm']) rmSync(`${ledger}${end}`, { force: true })
    writeFileSync(ledger, backup)
    const db = openDb(ledger)
    beginNewIncarnation(db, () => world.now())
    db.close()
    await world.restart()
    phone.go(true)
    await until(() => phone.scanner.unsent.value === 0, 'the queue goes on')
    await until(() => (phone.scanner.mirror.value?.version ?? version) < version, 'the new life is taken')
    await inStep(phone)
    phone.go(false)
    assert.equal(said(await phone.scanner.scan('ONCE-1')), 'ALREADY_USED, alone', 'the box has forgotten it')
    await phone.reopen()
    assert.equal(said(await phone.scanner.scan('ONCE-1')), 'ALREADY_USED, alone', 'also after a restart')
    assert.equal(said(await phone.scanner.scan('ONCE-2')), 'ADMIT, alone')
  })

  it('keeps the verdict that it showed when the answer comes too late, and counts nobody twice', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    phone.delayMs = (path) => (path === '/v1/scan' ? 3_000 : 0)
    const shown = await phone.scanner.scan('ONCE-1')
    assert.equal(said(shown), 'ADMIT, alone')
    phone.delayMs = () => 0
    await until(() => phone.scanner.recent.value[0]?.afterwards !== undefined)
    await until(() => phone.scanner.unsent.value === 0)
    const [record] = phone.scanner.recent.value
    assert.equal(said(record ?? assert.fail()), 'ADMIT, alone')
    assert.equal(record?.afterwards?.verdict, 'ADMIT')
    assert.deepEqual(phone.scanner.doubles.value, [])
    const { data } = await (await world.admin()).GET('/v1/admin/stats')
    assert.equal(data?.admitted, 1)
  })

  it('undoes a late admission of somebody who was refused', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    // The phone's list does not get the ticket, and the box has it.
    phone.delayMs = (path) => (path === '/v1/manifest' ? 600_000 : 0)
    const { data: report } = await (await world.admin()).POST('/v1/admin/import/tickets', {
      body: 'code,tier,status\nNEW-1,once,valid\n' as never,
      bodySerializer: (body) => body,
      headers: { 'content-type': 'application/octet-stream' },
    })
    assert.equal(report?.added, 1)
    phone.delayMs = (path) => (path === '/v1/manifest' ? 600_000 : path === '/v1/scan' ? 3_000 : 0)
    assert.equal(said(await phone.scanner.scan('NEW-1')), 'UNKNOWN, alone')
    await until(() => phone.scanner.recent.value[0]?.undone === true)
    assert.equal(phone.scanner.recent.value[0]?.afterwards?.verdict, 'ADMIT')
    phone.delayMs = () => 0
    await until(() => phone.scanner.link.value.state === 'reachable')
    assert.equal(said(await phone.scanner.scan('NEW-1')), 'ADMIT', 'the right is the ticket’s again')
  })

  it('refuses to scan once it is revoked, also after a restart without the box', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    phone.go(false)
    assert.equal(said(await phone.scanner.scan('ONCE-1')), 'ADMIT, alone')
    const id = phone.scanner.pairing.value?.deviceId ?? ''
    await (await world.admin()).POST('/v1/admin/devices/{id}/revoke', { params: { path: { id } }, body: BY })
    phone.go(true)
    await until(() => phone.scanner.ended.value !== null)
    assert.match(phone.scanner.ended.value ?? '', /control room/)
    const refused = await phone.scanner.scan('ONCE-2')
    assert.deepEqual([refused.class, refused.failed], ['supervisor', true])
    assert.equal(phone.scanner.unsent.value, 1, 'what was not sent is still there to be seen')
    phone.online = false
    await phone.reopen()
    assert.match(phone.scanner.ended.value ?? '', /control room/)
    assert.equal((await phone.scanner.scan('ONCE-2')).failed, true)
    await phone.scanner.unpair({ force: true })
    assert.deepEqual(
      [phone.scanner.pairing.value, phone.scanner.ended.value, phone.scanner.unsent.value],
      [null, null, 0],
    )
  })

  it('sets aside uploads that the box refuses for good, and goes on with the rest', async () => {
    await using world = await worldOfOneAddress()
    await using phone = await ready(world, { checkpoint: 'b-in' })
    await stop(world)
    await alone(phone)
    const lost = await phone.scanner.scan('ONCE-1')
    phone.scanner.choose('a-in')
    assert.equal(said(await phone.scanner.scan('ONCE-2')), 'ADMIT, alone')
    const path = join(world.environment.GATEHOUSE_EVENT_DIR ?? '', 'event.json')
    const event = JSON.parse(readFileSync(path, 'utf8'))
    event.checkpoints = event.checkpoints.filter(({ id }: { id: string }) => id !== 'b-in')
    writeFileSync(path, JSON.stringify(event))
    await world.restart()
    await until(() => phone.scanner.unsent.value === 0)
    assert.deepEqual(
      phone.scanner.aside.value.map(({ scanId }) => scanId),
      [lost.scanId],
    )
    assert.match(phone.scanner.aside.value[0]?.refusal ?? '', /checkpoint/)
    assert.equal(phone.scanner.shift.value.aside, 1)
    await phone.reopen()
    assert.equal(phone.scanner.aside.value.length, 1)
    await assert.rejects(phone.scanner.unpair(), /One admission/)
  })

  it('receives holds, announcements and incidents, and reports its own after an outage', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    const admin = await world.admin()
    await admin.POST('/v1/admin/announce', { body: { text: 'Doors at six.', severity: 'info', actor: 'a' } })
    await until(() => phone.scanner.announcements.value[0]?.text === 'Doors at six.')
    const sentAt = performance.now()
    const [{ id: first } = assert.fail()] = phone.scanner.announcements.value
    await admin.POST('/v1/admin/announce', {
      body: { text: 'Doors at seven.', severity: 'info', actor: 'a', replaces: first },
    })
    await until(() => phone.scanner.announcements.value[0]?.text === 'Doors at seven.')
    assert.ok(performance.now() - sentAt < 1_000, `corrected after ${Math.round(performance.now() - sentAt)} ms`)
    await admin.POST('/v1/admin/gates/{id}/hold', {
      params: { path: { id: 'a' } },
      body: { ...BY, reason: 'Too many people' },
    })
    await until(() => phone.scanner.hold.value?.reason === 'Too many people')
    phone.go(false)
    const held = await phone.scanner.scan('ONCE-1')
    assert.equal(said(held), 'BLOCKED, alone')
    assert.match(held.verdict.reason, /^Stop: Too many people/)

    const reported = await phone.scanner.report('medical', 'Somebody fell.')
    assert.equal(phone.scanner.incidents.value[0]?.id, reported)
    await until(() => phone.scanner.incidents.value[0]?.progress === 'unsent')
    await phone.reopen()
    assert.equal(
      phone.scanner.incidents.value[0]?.progress,
      'unsent',
      'at once: nobody was told while the app was closed',
    )
    assert.equal(phone.scanner.announcements.value.length, 1)
    assert.equal(phone.scanner.hold.value?.reason, 'Too many people')
    phone.go(true)
    await until(() => phone.scanner.incidents.value[0]?.progress === 'received')
    const id = phone.scanner.incidents.value[0]?.id ?? ''
    await until(async () => {
      const acted = await admin.POST('/v1/admin/incidents/{id}', {
        params: { path: { id } },
        body: { action: 'acknowledge', actor: 'Rui' },
      })
      return acted.response.ok || acted.response.status === 409
    })
    await until(() => phone.scanner.incidents.value[0]?.progress === 'seen')
    assert.equal(phone.scanner.incidents.value[0]?.incident?.actions[0]?.actor, 'Rui')
    const [{ id: announcement } = assert.fail()] = phone.scanner.announcements.value
    phone.scanner.dismissAnnouncement(announcement)
    await inStep(phone)
    assert.deepEqual(phone.scanner.announcements.value, [])
  })

  it('shows what others report at the gate where it stands, and emergencies of every gate', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    const other = await world.device()
    const reported = async (kind: 'need_staff' | 'crush', checkpoint: string) => {
      const body = { incident_id: crypto.randomUUID(), kind, checkpoint, observed_at: new Date().toISOString() }
      assert.equal((await other.client.POST('/v1/incidents', { body })).response.status, 201)
    }
    const seen = () => phone.scanner.incidents.value.map(({ kind, incident }) => `${kind} ${incident?.gate}`).sort()
    await reported('need_staff', 'a-in')
    await reported('need_staff', 'b-in')
    await reported('crush', 'b-in')
    await until(() => seen().length === 2)
    assert.deepEqual(seen(), ['crush b', 'need_staff a'])
    phone.go(false)
    phone.scanner.choose('b-in')
    assert.deepEqual(seen(), ['crush b', 'need_staff b'], 'also without a box')
  })

  it('calls a report not sent while the box takes its time, and received once it has answered', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    const answer = Promise.withResolvers<void>()
    const { fetch } = phone.deps
    phone.deps.fetch = async (request) => {
      if (new URL(request.url).pathname === '/v1/incidents' && request.method === 'POST') await answer.promise
      return fetch(request)
    }
    await phone.reopen()
    await phone.scanner.report('fire')
    assert.equal(phone.scanner.incidents.value[0]?.progress, 'sending')
    await until(() => phone.scanner.incidents.value[0]?.progress === 'unsent')
    answer.resolve()
    await until(() => phone.scanner.incidents.value[0]?.progress === 'received')
  })

  it('says how many wait, which goes with the next incident at the gate', async () => {
    await using world = await World.open()
    await using phone = await ready(world)
    await phone.scanner.reportWaiting(50)
    await phone.scanner.report('need_staff')
    await until(() => phone.scanner.incidents.value[0]?.progress === 'received')
    assert.equal(phone.scanner.incidents.value[0]?.incident?.queue, 50)
    phone.go(false)
    await assert.rejects(phone.scanner.reportWaiting(10), { name: 'ScannerError', message: /does not answer/ })
  })

  it('lets a supervisor admit and undo', async () => {
    await using world = await World.open()
    await using phone = await ready(world, { supervisor: true })
    await phone.scanner.scan('ONCE-1')
    const refused = await phone.scanner.scan('ONCE-1')
    const let_in = await phone.scanner.admit(refused.scanId, 'Lost the stub')
    assert.deepEqual([let_in.class, let_in.supervised], ['admit', true])
    const undone = await phone.scanner.undo(refused.scanId, 'Wrong person')
    assert.equal(undone.undone, true)
    assert.deepEqual([phone.scanner.shift.value.supervised, phone.scanner.shift.value.undone], [1, 1])
    await assert.rejects(phone.scanner.admit(refused.scanId, 'Again'), { name: 'ScannerError' })
    phone.go(false)
    const alone = await phone.scanner.scan('ONCE-2')
    await assert.rejects(phone.scanner.undo(alone.scanId, 'x'), /does not have this scan yet/)
    const summary = phone.scanner.handOver()
    assert.deepEqual([summary.operator, summary.alone, phone.scanner.shift.value.alone], ['Ana', 1, 0])
    phone.scanner.signOn(null)
    await assert.rejects(phone.scanner.admit(refused.scanId, 'Again'), /Sign in/)
  })

  it('refuses a manifest that its box did not sign, or that is older than its own', async () => {
    await using world = await World.open()
    await using phone = await phoneIn(world)
    const { fetch } = phone.deps
    const seen: string[] = []
    let tamper: (body: string) => string = (body) => body
    phone.deps.fetch = async (request) => {
      const response = await fetch(request)
      if (!request.url.includes('/v1/manifest') || response.status !== 200) return response
      const body = await response.text()
      seen.push(body)
      return new Response(tamper(body), { status: 200, headers: response.headers })
    }
    const changed = (change: (manifest: Record<string, unknown>) => void) => (body: string) => {
      const manifest = JSON.parse(body)
      change(manifest)
      return JSON.stringify(manifest)
    }
    const scanner = await phone.open()
    tamper = changed((manifest) => {
      manifest.revoked = []
    })
    await scanner.pair(await world.inviteLink(), 'Phone')
    scanner.choose('a-in')
    const hostile = [
      changed((manifest) => {
        manifest.revoked = []
      }),
      changed((manifest) => {
        manifest.version = 1_000_000
      }),
      changed((manifest) => {
        manifest.signature = 'AAAA'
      }),
      changed((manifest) => {
        delete manifest.signature
      }),
      changed((manifest) => {
        manifest.filter = { ...(manifest.filter as object), m: 0 }
      }),
      (body: string) => body.slice(0, -20),
      () => 'null',
      () => '{}',
    ]
    for (const change of hostile) {
      tamper = change
      const { length } = seen
      // A connection that begins anew asks again.
      await phone.reopen()
      await until(() => seen.length > length)
      assert.equal(phone.scanner.mirror.value, null)
    }
    phone.go(false)
    assert.equal(said(await phone.scanner.scan('ONCE-1')), 'BLOCKED, alone', 'without a list nobody is let in')
    assert.equal(phone.scanner.unsent.value, 0)
    phone.go(true)
    tamper = (body) => body
    await phone.reopen()
    await inStep(phone)
    assert.equal(said(await phone.scanner.scan('ONCE-1')), 'ADMIT')
    const { version } = phone.scanner.mirror.value ?? assert.fail()
    await until(() => (phone.scanner.mirror.value?.version ?? 0) > version)
    const newest = phone.scanner.mirror.value?.version
    // Played back: signed by the box, and from before the admission.
    const old = seen.findLast((body) => JSON.parse(body).filter && JSON.parse(body).version < (newest ?? 0))
    assert.ok(old)
    tamper = () => old
    const { length } = seen
    await phone.reopen()
    await until(() => seen.length > length)
    phone.go(false)
    assert.equal(said(await phone.scanner.scan('ONCE-1')), 'ALREADY_USED, alone')
    assert.equal(phone.scanner.mirror.value?.version, newest)
  })

  it('is open in one tab at a time', async () => {
    await using world = await World.open()
    await using phone = await phoneIn(world)
    await phone.open()
    const { openScanner } = await import('../../../scanner-pwa/src/gate/scanner.ts')
    await assert.rejects(openScanner(phone.deps), /another tab/)
    await phone.reopen()
  })
})

describe('pairing', () => {
  it('uses no invite up in a browser that stores no keys', async (t) => {
    await using world = await World.open()
    await using phone = await phoneIn(world)
    const scanner = await phone.open()
    const link = await world.inviteLink()
    const put = t.mock.method(IDBObjectStore.prototype, 'put', () => {
      throw new DOMException('a key could not be cloned', 'DataCloneError')
    })
    await assert.rejects(scanner.pair(link, 'Phone'), { name: 'ScannerError', message: /cannot store the key/ })
    put.mock.restore()
    await scanner.pair(link, 'Phone')
  })

  it('says what is wrong with an invite', async () => {
    await using world = await World.open()
    await using elsewhere = await World.open()
    await using phone = await phoneIn(world)
    const scanner = await phone.open()
    const link = await world.inviteLink()
    const payload = JSON.parse(Buffer.from(link.split('#i=')[1] ?? '', 'base64url').toString())
    const made = (change: object) =>
      `${world.box.baseUrl}/scanner/#i=${Buffer.from(JSON.stringify({ ...payload, ...change })).toString('base64url')}`
    const cases: [string, RegExp][] = [
      ['', /not a Gatehouse invite/],
      ['https://example.org/', /not a Gatehouse invite/],
      ['ONCE-1', /not a Gatehouse invite/],
      [await elsewhere.inviteLink(), new RegExp(`Open ${elsewhere.box.baseUrl}/scanner/ on this phone`)],
      [made({ fp: `sha256:${'0'.repeat(64)}` }), /a different event/],
      [made({ i: 'AAAAAAAAAAAAAAAAAAAAAA' }), /never made this invite/],
      [made({ x: 1 }), /expired/],
    ]
    for (const [text, message] of cases)
      await assert.rejects(scanner.pair(text, 'Phone'), { name: 'ScannerError', message })
    await assert.rejects(scanner.pair(link, ' '), /name/)
    phone.online = false
    await assert.rejects(scanner.pair(link, 'Phone'), /does not answer/)
    phone.online = true
    await scanner.pair(link.slice(link.indexOf('#')), 'Phone')
    await assert.rejects(scanner.pair(await world.inviteLink(), 'Phone'), /already paired/)
    await scanner.unpair()
    await assert.rejects(scanner.pair(link, 'Phone'), /has been used/)
    await assert.rejects(scanner.scan('ONCE-1'), /not paired/)
  })
})
