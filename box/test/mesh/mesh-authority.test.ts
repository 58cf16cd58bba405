/** A voter's certificate is good between the servers of the mesh, and for nothing else. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { createServer } from 'node:tls'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { openMeshAuthority } from '../../src/ca/mesh-authority.ts'
import { fetchAuthority } from '../../src/device/pair.ts'
import { tlsFetch } from '../../src/device/tls-fetch.ts'
import { tlsKeyHash } from '../../src/mesh/engine/link-keys.ts'
import { mintMeshInvite } from '../../src/mesh/membership/invites.ts'
import { joinRequest } from '../../src/mesh/membership/join-request.ts'
import { pinnedClient } from '../../src/mesh/membership/pinned-client.ts'
import { originOf, signingKey, verifierKey } from '../../src/seal/verifier-key.ts'
import { natsServer } from '../world/nats-server.ts'
import { until } from '../world/until.ts'
import { World } from '../world/world.ts'
import { EVENT, listen, MeshEngines, newKeys, voterRequest } from './engines.ts'

const { whyNot } = await natsServer()
const ALONE = { GATEHOUSE_NATS_SERVER: '/nonexistent/nats-server' }

describe('a voter that stands in for the box', () => {
  it('is believed by no browser, scanner or joining box, whatever names it asked for', async () => {
    await using world = await World.open({ environment: ALONE })
    const { ledger, boxId, baseUrl } = world.box
    const ca = await world.ca
    const wanted = { as: 'voter' as const, by: COMMAND_LINE, reason: 'a test' }
    const { code } = await mintMeshInvite(wanted, { ledger, boxId, now: () => world.now(), random: randomBytes })
    await using inviter = pinnedClient(baseUrl, ca)
    const key = signingKey(randomBytes(32))
    const box = {
      ...{ id: 'box-liar', name: 'x', log_key: verifierKey(originOf(EVENT, 'box-liar'), key), host: '127.0.0.1' },
      ...{ ports: { route: 6222, leaf: 7422 }, https: 'https://127.0.0.1:1', device: 'https://127.0.0.1:2' },
    }
    const keys = newKeys()
    const request = voterRequest(code, box, key, keys)
    // As version 0.1 asked for names of its own choice.
    const names = ['localhost', 'gatehouse.local', `${boxId}.mesh.gatehouse.invalid`]
    const machine = { names, addresses: ['127.0.0.1', '192.168.1.1'] }
    const answer = await inviter.post('/v1/mesh/voter', { ...request, machine })
    assert.equal(answer.status, 200)
    const got = (await answer.json()) as { certificate: string; mesh_ca: string }
    const secret = keys.tls.export({ type: 'pkcs8', format: 'pem' }).toString()
    const shown = new X509Certificate(got.certificate)
    assert.ok(!shown.verify(new X509Certificate(ca).publicKey), "not of the event's authority")
    assert.ok(shown.verify(new X509Certificate(got.mesh_ca).publicKey), "but of the mesh's")
    assert.equal(shown.subjectAltName, 'DNS:box-liar.mesh.gatehouse.invalid, IP Address:127.0.0.1')

    // It answers in the place of the box, with its certificate and the one of either authority behind it.
    for (const cert of [got.certificate, got.certificate + got.mesh_ca, got.certificate + ca]) {
      const server = createServer({ cert, key: secret }, (socket) => {
        socket.on('error', () => {})
        socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}')
      })
      server.on('tlsClientError', () => {}).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
      try {
        await using phone = tlsFetch({ ca })
        await assert.rejects(phone(new Request(`${url}/healthz`)), 'a browser or a scanner')
        await using joining = pinnedClient(url, ca)
        await assert.rejects(joining.get('/healthz'), 'a box of the event')
        await assert.rejects(fetchAuthority(url, world.box.caFingerprint), 'whoever has an invite')
      } finally {
        server.close()
      }
    }
  })

  it('has its certificate from an authority that every box of the event has, and no other', async () => {
    await using engines = await MeshEngines.open(1)
    const seed = randomBytes(32)
    const open = (at: Uint8Array, eventId = EVENT) =>
      openMeshAuthority(engines.event, { seed: at, eventId, now: Date.now })
    const [here, there, stranger, elsewhere] = await Promise.all([
      open(seed),
      open(seed),
      open(randomBytes(32)),
      open(seed, 'other'),
    ])
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const certificate = await here.issueMeshCertificate({ boxId: 'box-a', host: '127.0.0.1', publicKey })
    const isOf = (by: { certificate: string }) =>
      new X509Certificate(certificate).verify(new X509Certificate(by.certificate).publicKey)
    assert.deepEqual([here, there, stranger, elsewhere].map(isOf), [true, true, false, false])
  })
})

describe('what a voter asks for', () => {
  it('is a public name or address in vain, without the word of an admin', async () => {
    await using world = await World.open({ environment: ALONE })
    const { ledger, boxId, baseUrl } = world.box
    await using inviter = pinnedClient(baseUrl, await world.ca)
    const asks = async (id: string, host: string, approved?: string) => {
      const as = 'voter' as const
      const wish = { as, by: COMMAND_LINE, reason: 'a test', ...(approved !== undefined && { host: approved }) }
      const { code } = await mintMeshInvite(wish, { ledger, boxId, now: () => world.now(), random: randomBytes })
      const key = signingKey(randomBytes(32))
      const box = {
        ...{ id, name: id, log_key: verifierKey(originOf(EVENT, id), key), host },
        ...{ ports: { route: 6222, leaf: 7422 }, https: 'https://127.0.0.1:1', device: 'https://127.0.0.1:2' },
      }
      const answer = await inviter.post('/v1/mesh/voter', voterRequest(code, box, key))
      const said = (await answer.json()) as { code?: string; message?: string; certificate?: string }
      return { status: answer.status, ...said }
    }
    for (const host of ['tickets.example', '203.0.113.9', '2001:db8::1', 'gate.local.example']) {
      const { status, code, message } = await asks('box-far', host)
      assert.deepEqual([status, code], [409, 'conflict'], host)
      assert.match(message ?? '', /public name or address/)
      assert.equal((await asks('box-far', host, 'other.example')).status, 409)
    }
    const listed = async () => (await (await world.admin()).GET('/v1/admin/mesh')).data?.listed?.boxes.length ?? 1
    assert.equal(await listed(), 1, 'nobody was listed')
    const { certificate = '' } = await asks('box-named', 'vote.example', 'vote.example')
    const { subjectAltName } = new X509Certificate(certificate)
    assert.equal(subjectAltName, 'DNS:box-named.mesh.gatehouse.invalid, DNS:vote.example')
    assert.equal((await asks('box-near', 'vote.local')).status, 200)
  })

  it('is no key of another kind, of another member, or other than the one that it is listed with', async () => {
    await using world = await World.open({ environment: ALONE })
    const { ledger, boxId, baseUrl } = world.box
    await using inviter = pinnedClient(baseUrl, await world.ca)
    const wish = { as: 'voter' as const, by: COMMAND_LINE, reason: 'a test' }
    const { code } = await mintMeshInvite(wish, { ledger, boxId, now: () => world.now(), random: randomBytes })
    const key = signingKey(randomBytes(32))
    const box = {
      ...{ id: 'box-v', name: 'v', log_key: verifierKey(originOf(EVENT, 'box-v'), key), host: '127.0.0.1' },
      ...{ ports: { route: 6222, leaf: 7422 }, https: 'https://127.0.0.1:1', device: 'https://127.0.0.1:2' },
    }
    const good = voterRequest(code, box, key)
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const ofRsa = { ...newKeys(), tls: rsa }
    const bad = {
      'another key': { ...good, tls_key: voterRequest(code, box, key).tls_key },
      RSA: voterRequest(code, box, key, { ...ofRsa, listed: { ...ofRsa.listed, tls: tlsKeyHash(rsa) } }),
      'no key': { ...good, tls_key: 'AAAA' },
      'version 0.1': { ...joinRequest(code, box, key), machine: { names: [], addresses: [] } },
    }
    for (const [why, request] of Object.entries(bad)) {
      const answer = await inviter.post('/v1/mesh/voter', request)
      assert.equal(answer.status, 400, why)
    }
    assert.equal((await inviter.post('/v1/mesh/voter', good)).status, 200)
    // With the keys of a member that is listed nobody else is listed: that member's connections would end.
    const { code: second } = await mintMeshInvite(wish, { ledger, boxId, now: () => world.now(), random: randomBytes })
    const thief = { ...box, id: 'box-w', log_key: verifierKey(originOf(EVENT, 'box-w'), key) }
    const { link_keys: listed } = good.box
    const stolen = {
      ...joinRequest(second, { ...thief, ...(listed && { link_keys: listed }) }, key),
      tls_key: good.tls_key,
    }
    assert.equal((await inviter.post('/v1/mesh/voter', stolen)).status, 409)
  })
})

describe('boxes of two versions', { skip: whyNot }, () => {
  it('are not connected until both have listed their keys, and then without a restart of the others', async () => {
    await using engines = await MeshEngines.open(5)
    const old = 4
    const { boxes } = engines.topology
    const before = {
      ...engines.topology,
      boxes: boxes.map(({ link_keys, ...box }, i) => (i === old || !link_keys ? box : { ...box, link_keys })),
    }
    await Promise.all([0, 1, 2, 3].map((i) => engines.start(i, {}, before)))
    await engines.start(old)
    const pids = [0, 1, 2].map((i) => engines.at(i).pid)
    const [subject, others] = [`gh.t.new.${engines.id(old)}`, `gh.t.new.${engines.id(3)}`]
    const heard = listen(engines.at(0).bulk, subject)
    const among = listen(engines.at(1).bulk, others)
    for (let count = 0; count < 10; count++) {
      engines.at(old).bulk.publish(subject, 'x')
      await until(() => {
        engines.at(3).bulk.publish(others, 'x')
        return among.length > count
      }, others)
    }
    assert.deepEqual(heard, [])
    await Promise.all([0, 1, 2, 3].map((i) => engines.at(i).apply(engines.topology)))
    await until(() => {
      engines.at(old).bulk.publish(subject, 'x')
      return heard.length > 0
    }, subject)
    assert.deepEqual(
      [0, 1, 2].map((i) => engines.at(i).pid),
      pids,
    )
  })
})
