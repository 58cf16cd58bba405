import '../../../scanner-pwa/src/words/in-english.ts'

/** The scanner app's core with two boxes: when its own goes down, it moves to the other one. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScanRecord } from '../../../scanner-pwa/src/gate/model.ts'
import { Phone } from '../../../scanner-pwa/src/gate/testing.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { type MeshBox, MeshWorld } from '../mesh/world.ts'
import { natsServer } from '../world/nats-server.ts'
import { until } from '../world/until.ts'

const { whyNot } = await natsServer()
const MINUTES = 2
const originOf = ({ ports }: MeshBox) => `https://127.0.0.1:${ports.https}`
const said = ({ verdict, alone }: ScanRecord) => `${verdict.verdict}${alone ? ', alone' : ''}`

async function phoneAt(box: MeshBox): Promise<Phone> {
  const pem = readFileSync(join(box.dataDir, 'ca/authority.pem'), 'utf8')
  const fetch = tlsFetch({ ca: pem.slice(0, pem.indexOf('-----BEGIN PRIVATE KEY')) })
  return new Phone({ origin: originOf(box), fetch })
}

async function inviteAt(box: MeshBox, supervisor = false): Promise<string> {
  const body = { checkpoints: ['a-in', 'b-in'], supervisor, expires_in_seconds: 600 }
  const { data, error } = await box.admin().POST('/v1/admin/invite', { body })
  return data?.qr_payload ?? assert.fail(error?.message)
}

/** A phone that is paired here, and knows of the other box. */
async function readyAt(box: MeshBox): Promise<Phone> {
  const phone = await phoneAt(box)
  const scanner = await phone.open()
  await scanner.pair(await inviteAt(box, true), 'Phone 1')
  scanner.choose('a-in')
  scanner.signOn('Ana')
  await until(() => scanner.boxes.value.length === 1, 'it knows of the other box', MINUTES)
  return phone
}

async function strict(...boxes: MeshBox[]): Promise<void> {
  for (const box of boxes) {
    await until(async () => (await box.admin().GET('/v1/meta')).data?.mode === 'STRICT', 'STRICT', MINUTES)
  }
}

/** Waits until the other box has replicated the pairing of this scanner. */
async function knownAt(box: MeshBox, phone: Phone): Promise<void> {
  const id = phone.scanner.pairing.value?.deviceId
  const isThere = async () =>
    (await box.admin().GET('/v1/admin/devices')).data?.devices.some(({ device_id }) => device_id === id) === true
  await until(isThere, 'the scanner is known there', MINUTES)
}

async function admissionsAt(box: MeshBox): Promise<number> {
  return (await box.admin().GET('/v1/admin/stats')).data?.admissions ?? -1
}

async function unheardAt(box: MeshBox): Promise<string[]> {
  const { data } = await box.admin().GET('/v1/admin/stats')
  return (data?.mesh?.boxes ?? []).filter(({ heard }) => !heard).map(({ name }) => name)
}

describe('a scanner among two boxes', { skip: whyNot, timeout: 300_000 }, () => {
  it('moves to the other box when its own is killed, uploads its offline admissions there, and moves back', async () => {
    await using world = await MeshWorld.open({ boxes: 2 })
    const [home, south] = world.boxes
    assert.ok(home && south)
    await strict(home, south)
    await using phone = await readyAt(home)
    const { scanner } = phone
    await knownAt(south, phone)
    assert.equal(said(await scanner.scan('ONCE-1')), 'ADMIT')
    const boxes = (await scanner.preflight()).find(({ id }) => id === 'boxes')
    assert.deepEqual([boxes?.state, boxes?.detail], ['ok', 'if this box fails, this phone uses Box 2'])
    await until(async () => (await admissionsAt(south)) === 1, 'the other box has heard of it', MINUTES)

    await home.kill()
    await until(() => scanner.link.value.state === 'offline', 'it knows that its box is gone', MINUTES)
    const alone = await scanner.scan('ONCE-2')
    assert.equal(said(alone), 'ADMIT, alone')
    await until(() => scanner.link.value.away === 'Box 2', 'it is at the other box', MINUTES)
    await until(() => scanner.unsent.value === 0, 'what it let in alone is there', MINUTES)
    const used = await scanner.scan('ONCE-1')
    assert.deepEqual([said(used), used.box], ['ALREADY_USED', 'Box 2'])
    // The other box has noticed, and has told its scanners which box does not answer.
    await until(async () => (await unheardAt(south)).includes('Box 1'), 'it is unheard', MINUTES)
    await sleep(1_000)
    const admitted = await scanner.scan('DAILY-1')
    assert.deepEqual([said(admitted), admitted.verdict.confidence], ['ADMIT', 'provisional'])
    assert.deepEqual(
      admitted.unheard?.map(({ name }) => name),
      ['Box 1'],
    )
    assert.equal(scanner.ended.value, null)

    // The phone was switched off and on again meanwhile: its own box is still away, and it finds the other one again.
    await phone.reopen()
    await until(() => phone.scanner.link.value.away === 'Box 2', 'again', MINUTES)
    assert.equal(said(await phone.scanner.scan('ONCE-2')), 'ALREADY_USED')

    await home.start()
    await until(
      () => phone.scanner.link.value.away === null && phone.scanner.link.value.state === 'reachable',
      'home',
      MINUTES,
    )
    await until(async () => (await admissionsAt(home)) === 3, 'home has heard of all', MINUTES)
    assert.equal(said(await phone.scanner.scan('DAILY-1')), 'ALREADY_USED')
    assert.deepEqual([phone.scanner.doubles.value, phone.scanner.aside.value], [[], []])
  })

  it('pairs at either box with an invite of either, and stays with it while both run', async () => {
    await using world = await MeshWorld.open({ boxes: 2 })
    const [home, south] = world.boxes
    assert.ok(home && south)
    await strict(home, south)
    await using phone = await phoneAt(home)
    const scanner = await phone.open()
    Object.assign(phone.deps, { otherOrigins: async () => [originOf(south)] })
    await phone.close()
    await phone.open()
    await phone.scanner.pair(await inviteAt(south), 'Phone 2')
    phone.scanner.choose('a-in')
    await until(() => phone.scanner.boxes.value.length === 1, 'it knows of the other box', MINUTES)
    assert.equal(phone.scanner.pairing.value?.baseUrl, originOf(south))
    assert.equal(phone.scanner.boxes.value[0]?.open, true, 'the box that its page is from')
    assert.equal(scanner.link.value.away, null)
    assert.equal(said(await phone.scanner.scan('ONCE-1')), 'ADMIT')
  })
})
