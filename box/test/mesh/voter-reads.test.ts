/**
 * A machine that only votes writes down every byte that its own nats-server is given, while the boxes import tickets, admit
 * somebody and report an emergency.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { COMMAND_LINE } from '../../src/ca/actor.ts'
import { tickets } from '../../src/ledger/schema.ts'
import { LiveScans } from '../../src/live-scans.ts'
import { natsTransport } from '../../src/mesh/replication/nats-transport.ts'
import { importTickets } from '../../src/tickets/import-tickets.ts'
import { Control } from '../world/control.ts'
import type { Desk } from '../world/desk.ts'
import { natsServer } from '../world/nats-server.ts'
import { until } from '../world/until.ts'
import { replicatedAt } from './desks.ts'
import { MeshEngines } from './engines.ts'
import { ReplicatingDesks } from './replicating-desks.ts'

const { whyNot } = await natsServer()
const TAG = '0011'
const NAMES = ['Ana Reis', 'Bertil Öberg', 'Chidi Okafor']
const MAILS = ['ana.reis@example.com', 'bertil@example.org', 'chidi@example.net']
const NOTE = 'Ana Reis has fallen at the stairs'

/** All that must not be read, by what it is. */
function secretsOf({ deps }: Desk): Map<string, Buffer> {
  const { drizzle } = deps.ledger.db
  const texts = [...NAMES, ...MAILS, NOTE].map((text) => [text, Buffer.from(text)] as const)
  const ofTickets = drizzle
    .select()
    .from(tickets)
    .all()
    .flatMap(({ id, seed, publicKey, capability, code }) => [
      [`seed of ticket ${id}`, seed] as const,
      [`public key of ticket ${id}`, publicKey] as const,
      [`id of ticket ${id}`, Buffer.from(capability)] as const,
      [`code of ticket ${id}`, Buffer.from(code)] as const,
    ])
  return new Map([...texts, ...ofTickets])
}

/** Those of them that are in what was seen: as they are, in hex, or in base64 of either alphabet. */
function foundIn(seen: readonly Buffer[], secrets: ReadonlyMap<string, Buffer>): string[] {
  const all = Buffer.concat(seen)
  return [...secrets].flatMap(([what, secret]) => {
    const forms = [
      secret,
      ...(['hex', 'base64', 'base64url'] as const).map((form) => Buffer.from(secret.toString(form))),
    ]
    // In a longer text, base64 of a part differs by what is in front of it: JSON has none of that.
    const escaped = Buffer.from(JSON.stringify(secret.toString()).slice(1, -1))
    return [...forms, escaped].some((form) => all.includes(form)) ? [what] : []
  })
}

/** Every file below a folder. */
function filesIn(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path))
}

it('a voter that writes down what its nats-server carries finds no name, address, ticket id, seed or code in it', {
  skip: whyNot,
  timeout: 120_000,
}, async () => {
  await using engines = await MeshEngines.open(3, (i) => ({ ...(i === 2 && { role: 'voter' as const }) }))
  await engines.startAll()
  using carriers = new DisposableStack()
  const seen: Buffer[] = []
  const subjects = new Set<string>()
  const voter = engines.at(2)
  for (const connection of [voter.bulk, voter.urgent]) {
    connection.subscribe('>', {
      callback: (error, message) => {
        if (error) return
        subjects.add(message.subject.split('.').slice(0, 3).join('.'))
        seen.push(Buffer.from(`${message.subject} `), Buffer.from(message.data))
      },
    })
    await connection.flush()
  }
  await using world = await ReplicatingDesks.open(2, {
    carrierOf: (self, i) =>
      carriers.use(natsTransport({ engine: engines.at(i), tag: TAG, self, liveScans: new LiveScans() })),
  })
  const [a, b] = world.boxes

  /** An event at the first box, until the second has all of it. */
  const happens = async (round: number) => {
    const rows = NAMES.map((name, i) => `CODE-${round}-${i}-of-a-ticket,once,valid,${name},${MAILS[i]}`)
    const file = Buffer.from(['code,tier,status,holder_name,email', ...rows, ''].join('\n'))
    await importTickets(file, { format: 'auto', tierMap: {}, dryRun: false, by: COMMAND_LINE }, a.deps)
    await a.scan(`CODE-${round}-0-of-a-ticket`)
    await new Control(a).report({ incident_id: `i-${round}`, kind: 'crush', note: NOTE })
    await until(() => replicatedAt(b, 'box-0') === a.deps.ledger.size)
  }
  await happens(1)
  // The second box has what the voter could have read.
  const secrets = secretsOf(a)
  for (const [i, name] of NAMES.entries())
    assert.ok(
      b.deps.ledger.db.drizzle
        .select()
        .from(tickets)
        .all()
        .some(({ holderName }) => holderName === name),
      `${i}`,
    )
  assert.ok(secrets.size >= 19)
  await until(() => [`gh.${TAG}.new`, `gh.${TAG}.urgent`, `gh.${TAG}.journal`].every((each) => subjects.has(each)))
  assert.ok(Buffer.concat(seen).length > 2_000, 'it is given the bytes')
  assert.deepEqual(foundIn(seen, secrets), [])
  assert.deepEqual(foundIn(filesIn(engines.dataDir(2)), secrets), [])
  await assert.rejects(
    voter.bulk.request(`gh.${TAG}.journal.box-0`, Buffer.from(`${'A'.repeat(22)}\n{"v":1,"from":0}`), { timeout: 300 }),
    'nor does a box answer it',
  )

  // The search finds them where they are to be found: while a box of an older version is on the list, everything is in clear.
  seen.length = 0
  world.listOlder(1)
  await happens(2)
  await until(() => foundIn(seen, secretsOf(a)).some((what) => what === NAMES[0]))
  const found = foundIn(seen, secretsOf(a))
  for (const what of ['Bertil Öberg', NOTE, 'seed of ticket 4', 'id of ticket 5', 'code of ticket 6'])
    assert.ok(found.includes(what), what)
})
