import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { firstTopology, promoted, type Topology, type TopologyBox, withBox } from '../topology.ts'
import { type ConfigurationOptions, configurationOf, skeletonOf } from './configuration.ts'
import { userKey } from './nkey.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const raw = (id: string, use: string) => Buffer.from(hash(`${id} ${use}`), 'hex').toString('base64')

function box(id: string, more: Partial<TopologyBox> = {}): Omit<TopologyBox, 'role'> {
  return {
    id,
    name: id.toUpperCase(),
    log_key: `k ${id}`.replace(' ', '-'),
    host: `${id}.local`,
    ports: { route: 6222, leaf: 7422 },
    https: `https://${id}.local:8443`,
    device: `https://${id}.local:8444`,
    link_keys: { bulk: raw(id, 'bulk'), urgent: raw(id, 'urgent'), tls: hash(id) },
    ...more,
  }
}

function mesh(...ids: string[]): Topology {
  const [first = 'a', ...rest] = ids
  return rest.reduce(
    (topology, id) => withBox(topology, id === 'far' ? box(id, { dial: 'core', host: 'tickets.example' }) : box(id)),
    firstTopology('fair', box(first)),
  )
}

function textFor(
  boxId: string,
  topology: Topology,
  more: Partial<ConfigurationOptions> = {},
  make = configurationOf,
): string {
  return make({
    topology,
    boxId,
    serverName: boxId,
    bind: '::',
    clientPort: 0,
    secrets: { local: 'LOCAL', route: 'SHARED' },
    seeds: { bulk: 'SUBULK', urgent: 'SUURGENT' },
    files: {
      certificate: '/d/mesh.pem',
      key: '/d/mesh.pem',
      authority: '/d/ca.pem',
      portsFolder: '/d/ports',
      pid: '/d/pid',
      store: '/d/store-1-0',
    },
    ...more,
  })
}

/** The addresses that it listens on, in order. */
const listens = (text: string) => [...text.matchAll(/listen: "(.*?)"/g)].map(([, at]) => at)
/** The servers that it dials: as voters do, or with which of its keys. */
function dials(text: string): string[] {
  const routes = [...text.matchAll(/"nats-route:\/\/route:SHARED@(\S+?)"/g)].map(([, to]) => `route ${to}`)
  const remotes = [...text.matchAll(/account: (\w+)\n +urls: \[ (.*) \]\n +nkey: SU(\w+)/g)]
  return [
    ...routes,
    ...remotes.flatMap(([, account = '', urls = '', seed]) => {
      assert.equal(seed, account === 'MESH' ? 'BULK' : 'URGENT')
      return [...urls.matchAll(/"tls:\/\/(\S+?)"/g)].map(([, to]) => `${account.toLowerCase()} ${to}`)
    }),
  ]
}

describe('the configuration', () => {
  test('of a box that is one of three that vote', () => {
    const text = textFor('b', mesh('a', 'b', 'c'))
    assert.deepEqual(listens(text), ['127.0.0.1:-1', '[::]:6222', '[::]:7422'])
    // Itself too: a new core takes its size from how many there are.
    assert.deepEqual(dials(text), ['route a.local:6222', 'route b.local:6222', 'route c.local:6222'])
    for (const line of ['name: "core-2"', 'sync_interval: always', 'domain: "core"', 'advertise: "b.local:6222"'])
      assert.ok(text.includes(line), line)
    assert.equal(text.match(/verify: true/g)?.length, 2)
  })

  test('of a leaf: it listens to nobody but its box, and keeps nothing', () => {
    const text = textFor('d', mesh('a', 'b', 'c', 'd'))
    assert.deepEqual(listens(text), ['127.0.0.1:-1'])
    assert.deepEqual(dials(text), [
      'mesh a.local:7422',
      'mesh b.local:7422',
      'mesh c.local:7422',
      'urgent a.local:7422',
      'urgent b.local:7422',
      'urgent c.local:7422',
    ])
    assert.doesNotMatch(text, /jetstream|cluster/)
  })

  test('of the one of two that votes: no cluster', () => {
    const text = textFor('a', mesh('a', 'b'))
    assert.deepEqual([listens(text), dials(text)], [['127.0.0.1:-1', '[::]:7422'], []])
    assert.match(text, /sync_interval: always/)
    assert.doesNotMatch(text, /cluster/)
    assert.match(text, /advertise: "a\.local:7422"/, 'where a leaf dials the next time')
    assert.deepEqual(dials(textFor('b', mesh('a', 'b'))), ['mesh a.local:7422', 'urgent a.local:7422'])
    assert.deepEqual(dials(textFor('a', promoted(mesh('a', 'b'), 'b'))), ['mesh b.local:7422', 'urgent b.local:7422'])
  })

  test('of a data centre: it is dialled, by those that vote, and its certificate is checked as the public ones are', () => {
    const topology = mesh('a', 'b', 'c', 'far')
    const publicCertificate = { certificate: '/public.pem', key: '/public.key' }
    const far = textFor('far', topology, { publicCertificate })
    assert.deepEqual([listens(far), dials(far)], [['127.0.0.1:-1', '[::]:7422'], []])
    assert.match(
      far,
      /cert_file: "\/public\.pem"\n {4}key_file: "\/public\.key"\n {4}ca_file: "\/d\/ca\.pem"\n {4}verify: true/,
    )
    const voter = textFor('a', topology)
    assert.deepEqual(dials(voter).slice(3), ['mesh tickets.example:7422', 'urgent tickets.example:7422'])
    const remotes = voter.slice(voter.indexOf('remotes'))
    assert.match(remotes, /cert_file: "\/d\/mesh\.pem"/)
    assert.doesNotMatch(remotes, /ca_file/)
    assert.deepEqual(
      dials(textFor('d', mesh('a', 'b', 'c', 'far', 'd'))).filter((to) => to.includes('tickets')),
      [],
    )
  })

  test('of a voter that asks first is a leaf of the others', () => {
    const text = textFor('b', mesh('a', 'b', 'c'), { asLeaf: true })
    assert.deepEqual(listens(text), ['127.0.0.1:-1'])
    assert.doesNotMatch(text, /jetstream|cluster/)
    assert.deepEqual(dials(text), [
      'mesh a.local:7422',
      'mesh c.local:7422',
      'urgent a.local:7422',
      'urgent c.local:7422',
    ])
  })

  test('writes IPv6 addresses as they are written in URLs', () => {
    const topology = withBox(firstTopology('fair', box('a', { host: 'fd00::7' })), box('b'))
    assert.deepEqual(dials(textFor('b', topology)), ['mesh [fd00::7]:7422', 'urgent [fd00::7]:7422'])
  })

  test('is the same for boxes that are not its business, and for a voter as far as a start is concerned', () => {
    const [four, five] = [mesh('a', 'b', 'c', 'd'), mesh('a', 'b', 'c', 'd', 'e')]
    assert.equal(textFor('d', four), textFor('d', five))
    assert.notEqual(textFor('a', four), textFor('a', five))
    assert.equal(textFor('a', four, {}, skeletonOf), textFor('a', five, {}, skeletonOf))
    assert.notEqual(textFor('a', four, {}, skeletonOf), textFor('a', mesh('a', 'b'), {}, skeletonOf))
  })

  test('lets in who is listed, with its own keys and what its role needs; nobody else', () => {
    const topology = mesh('a', 'b', 'c', 'd', 'far')
    const users = (text: string) =>
      [...text.matchAll(/nkey: (U\w{55}), .*permissions: (.*) }/g)].map(([, key, may]) => [key, may])
    const keyOf = (id: string, use: string) => userKey(Buffer.from(raw(id, use), 'base64'))
    const both = (id: string) => [keyOf(id, 'bulk'), keyOf(id, 'urgent')].sort()
    const keysIn = (text: string) =>
      users(text)
        .map(([key]) => key)
        .sort()
    assert.deepEqual(keysIn(textFor('a', topology)), ['b', 'c', 'd'].flatMap(both).sort())
    assert.deepEqual(keysIn(textFor('far', topology)), ['a', 'b', 'c'].flatMap(both).sort())
    assert.deepEqual(users(textFor('d', topology)), [])
    const may = new Map(users(textFor('a', topology)).map(([key, text]) => [key, text ?? '']))
    assert.match(
      may.get(keyOf('d', 'bulk')) ?? '',
      /publish: { allow: \[ "gh\.\*\.new\.d", .*subscribe: { allow: \[ "gh\.\*\.new\.\*", "gh\.\*\.journal\.d"/,
    )
    assert.equal(
      may.get(keyOf('d', 'urgent')),
      '{ publish: { allow: [ "gh.*.urgent.d" ] }, subscribe: { allow: [ "gh.*.urgent.*" ] } }',
    )
  })

  test('believes nobody at the other end whose key is not listed', () => {
    const topology = mesh('a', 'b', 'c', 'd')
    const pins = (text: string) => [...text.matchAll(/pinned_certs: \[ (.*) \]/g)].map(([, all]) => all)
    const voters = ['a', 'b', 'c'].map((id) => `"${hash(id)}"`).join(', ')
    assert.deepEqual([pins(textFor('a', topology)), pins(textFor('d', topology))], [[voters], [voters]])
    // With an empty list nats-server would believe everybody.
    const before = { ...topology, boxes: topology.boxes.map(({ link_keys: _, ...box }) => box) }
    assert.deepEqual(pins(textFor('a', before)), [`"${'0'.repeat(64)}"`])
  })

  test('lets no path end a text', () => {
    const text = textFor('b', mesh('a', 'b'), {
      files: {
        certificate: '/d/a"\nlisten: "0.0.0.0:1',
        key: '/k',
        authority: '/c',
        portsFolder: '/p',
        pid: '/i',
        store: '/s',
      },
    })
    assert.deepEqual(listens(text), ['127.0.0.1:-1'])
    assert.doesNotMatch(text, /^listen: "0/m)
  })
})
