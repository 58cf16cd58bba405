import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { test } from 'node:test'
import { waitForRecord } from '../../src/certificate/dns/lookup.ts'
import { DnsServer } from '../world/dns-server.ts'

const RECORD = '_acme-challenge.gate.example.org'
const TARGET = 'd420.dns.example.net'
const OF_ZONE = '192.0.2.53'

/** The venue's resolver and the servers of the zone, which has another address there than on this machine. */
async function look(venue: DnsServer, zone: DnsServer, waitMs = 0) {
  const resolverOf = (servers?: readonly string[]) => {
    const resolver = new Resolver({ timeout: 1000, tries: 2 })
    resolver.setServers([servers?.includes(OF_ZONE) ? zone.address : venue.address])
    return resolver
  }
  const { signal } = new AbortController()
  const asked = { server: undefined, waitMs, everyMs: 5, signal, resolverOf }
  return waitForRecord({ record: RECORD, value: 'token' }, asked)
}

const NS = { 'NS dns.example.net': ['ns.example.net'], 'A ns.example.net': [OF_ZONE] }

test('a record that leads elsewhere is looked for where it leads, at the servers of that zone', async () => {
  await using venue = await DnsServer.open({ [`CNAME ${RECORD}`]: [TARGET], ...NS })
  await using zone = await DnsServer.open({ [`TXT ${TARGET}`]: ['token'] })
  assert.equal(await look(venue, zone), 'there')
  assert.ok(!venue.asked.some((question) => question.startsWith('TXT')), 'it may remember that there was none')
  assert.deepEqual([...new Set(zone.asked)], [`TXT ${TARGET}`])
})

test('without a CNAME it is looked for at its own name, and another value is not it', async () => {
  await using venue = await DnsServer.open({ 'NS example.org': ['ns.example.net'], 'A ns.example.net': [OF_ZONE] })
  await using zone = await DnsServer.open({ [`TXT ${RECORD}`]: ['of last time'] })
  assert.equal(await look(venue, zone, 20), 'absent')
  zone.records[`TXT ${RECORD}`] = ['of last time', 'token']
  assert.equal(await look(venue, zone), 'there')
})

test('the servers of a top-level domain are never asked', async () => {
  await using venue = await DnsServer.open({ 'NS org': ['ns.example.net'], 'A ns.example.net': [OF_ZONE] })
  await using zone = await DnsServer.open({})
  assert.equal(await look(venue, zone), 'absent')
  assert.deepEqual(zone.asked, [])
  assert.ok(venue.asked.includes(`TXT ${RECORD}`), 'where no zone is found, the resolver of the machine')
})
