/**
 * A traitor of a run, in a process of its own: with the files of its machine it connects to its own nats-server, listens to all that
 * it can hear, and lies, repeats and floods in the name of other boxes for as long as it is told to.
 */
import { spawn } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventTag } from '@gatehouse/proto/code.ts'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { secretsBeside } from '../src/ledger/secrets.ts'
import { tagSecret, withTag } from '../src/mesh/replication/member-tag.ts'
import { numbered } from '../src/mesh/replication/message-number.ts'
import { type MessageContext, signMessage } from '../src/mesh/replication/signed-message.ts'
import { signingKey } from '../src/seal/verifier-key.ts'
import { connectToServerOf } from '../test/mesh/server-account.ts'
import { forgedPage, LIES, spellingsOf } from './attacks.ts'

export interface TraitorSetup {
  /** The data folder of its machine. */
  readonly dataDir: string
  /** Its own id, and the event's. */
  readonly self: string
  readonly event: string
  /** The boxes in whose names it speaks, by id. */
  readonly victims: readonly string[]
  /** Texts that nobody without the keys may read: it looks for them in everything that it hears. */
  readonly personal: readonly string[]
  /** A device and a ticket of the event, by id and by ref, to lie about. */
  readonly device: string
  readonly ticket: string
  /** The program that it runs with its old configuration, where nothing else runs its nats-server. */
  readonly natsServer?: string
  /** Milliseconds by which its clock is ahead: it numbers its messages by it. */
  readonly aheadMs: number
  /** True where it forges reservations; a member may make them. */
  readonly forgesReservations: boolean
}

/** The instructions of a traitor. It knows how long each victim's journal is, which makes its lies as good as they can be. */
export type Order = { attack: { lengths: Readonly<Record<string, number>> } } | { rest: true } | { report: true }

export interface TraitorReport {
  /** Messages that it sent, by what they were. */
  sent: Record<'lies' | 'answers' | 'repeated' | 'noise' | 'reservations', number>
  /** Messages and bytes that it heard. */
  heard: { messages: number; bytes: number }
  /** The personal texts that it could read, and where first. */
  read: Record<string, string>
}

const RECORDED = 2_000
const EVERY_MS = 50
/** In each round, for each victim: 400 of each a second. */
const PER_ROUND = 20

// It has the processors of the boxes and gates here, and one of its own in a field: what they wait for is to be the boxes.
setPriority(constants.priority.PRIORITY_LOW)
// Sessions share a processor alike, whatever the priority of their processes, where the kernel groups them: its own yields, too.
const GROUP = '/proc/self/autogroup'
if (existsSync(GROUP)) writeFileSync(GROUP, String(constants.priority.PRIORITY_LOW))
const setup: TraitorSetup = JSON.parse(process.argv[2] ?? '{}')
const report: TraitorReport = {
  sent: { lies: 0, answers: 0, repeated: 0, noise: 0, reservations: 0 },
  heard: { messages: 0, bytes: 0 },
  read: {},
}
const recorded: { account: 'mesh' | 'urgent'; subject: string; reply: string | undefined; data: Uint8Array }[] = []
const personal = setup.personal.map((text) => ({ text, spellings: spellingsOf(text) }))
let lengths: Readonly<Record<string, number>> | undefined
let count = 0

/** Its signing key and the tag's secret: its own keys where it is or was a box, and invented ones otherwise. */
function keysOf({ dataDir, event }: TraitorSetup): { key: KeyObject; secret: Uint8Array } {
  if (!existsSync(join(dataDir, 'keys.json')))
    return { key: generateKeyPairSync('ed25519').privateKey, secret: randomBytes(32) }
  const secrets = secretsBeside(join(dataDir, 'ledger.db'))
  const seed = secrets.get('signing_seed') ?? randomBytes(32)
  return { key: signingKey(secrets.get('log_seed') ?? seed), secret: tagSecret(seed, event) }
}
const { key, secret } = keysOf(setup)

async function connected(user: 'mesh' | 'urgent'): Promise<NatsConnection> {
  for (;;) {
    try {
      return await connectToServerOf(setup.dataDir, user)
    } catch {
      // Its server is not up yet.
    }
    await sleep(100)
  }
}

function listen(nats: NatsConnection, account: 'mesh' | 'urgent'): void {
  nats.subscribe('>', {
    callback: (error, { subject, reply, data }: Msg) => {
      if (error) return
      report.heard.messages++
      report.heard.bytes += data.length
      for (const { text, spellings } of personal) {
        if (report.read[text] === undefined && spellings.some((spelling) => Buffer.from(data).includes(spelling)))
          report.read[text] = subject
      }
      if (!subject.startsWith('gh.')) return
      recorded.push({ account, subject, reply, data })
      if (recorded.length > RECORDED) recorded.splice(0, RECORDED / 2)
    },
  })
}

/** Signed and tagged as well as it can, in the name of `by`. */
function signedAs(by: string, content: Uint8Array, context: MessageContext): Uint8Array {
  const signed = context.kind === 'answer' ? content : numbered(content, numberNow(), randomBytes(8))
  return withTag(signMessage(signed, context, { by, event: setup.event, key }), context, secret)
}

function numberNow() {
  count = (count + 1) % 1_000_000
  return { ms: Date.now() + setup.aheadMs, count }
}

function lieOf(box: string, which: number): Uint8Array {
  const lie = LIES[which % LIES.length] ?? 'erasure'
  const { device, ticket } = setup
  return forgedPage(lie, { box, index: lengths?.[box] ?? 0, at: Date.now() + 1_000, device, ticket })
}

/** Answers every question that it hears, in the name of the box that is asked. */
function answerFor(nats: NatsConnection, tag: string, box: string): void {
  nats.subscribe(`gh.${tag}.journal.${box}`, {
    callback: (error, message) => {
      if (error || !lengths) return
      for (const page of LIES.map((_, i) => lieOf(box, i))) {
        message.respond(page)
        message.respond(signedAs(box, page, { kind: 'answer', question: message.data }))
        report.sent.answers += 2
      }
    },
  })
}

function round(by: Record<'mesh' | 'urgent', NatsConnection>, tag: string): void {
  for (const box of setup.victims) {
    for (let i = 0; i < LIES.length; i++) {
      const page = lieOf(box, i)
      for (const kind of ['push', 'urgent'] as const) {
        const [nats, subject] = kind === 'push' ? ([by.mesh, 'new'] as const) : ([by.urgent, 'urgent'] as const)
        const messages = [page, signedAs(box, page, { kind }), signedAs(setup.self, page, { kind })]
        for (const name of [box, setup.self])
          for (const message of messages) nats.publish(`gh.${tag}.${subject}.${name}`, message)
        report.sent.lies += 2 * messages.length
      }
    }
    for (let i = 0; i < PER_ROUND; i++) {
      by.mesh.publish(`gh.${tag}.new.${box}`, randomBytes(20 * 1024))
      by.mesh.publish(
        `gh.${tag}.journal.${box}`,
        signedAs(setup.self, Buffer.from('{"v":1,"from":0}'), { kind: 'ask', to: box }),
      )
      report.sent.noise += 2
    }
  }
  for (let i = 0; i < PER_ROUND; i++) {
    const old = recorded[Math.floor(Math.random() * recorded.length)]
    if (!old || (!setup.forgesReservations && old.subject.includes('.rights.'))) continue
    by[old.account].publish(old.subject, old.data, old.reply === undefined ? {} : { reply: old.reply })
    report.sent.repeated++
    if (!setup.forgesReservations || !old.subject.includes('.rights.')) continue
    by.mesh.publish(old.subject, releaseOf(old.data))
    report.sent.reservations++
  }
}

/** A release of the right that somebody has just reserved: whoever shows the ticket again would be let in again. */
function releaseOf(claim: Uint8Array): Uint8Array {
  return Buffer.from(Buffer.from(claim).toString('latin1').replace('"kind":"claim"', '"kind":"release"'), 'latin1')
}

process.on('message', (order: Order) => {
  if ('attack' in order) lengths = order.attack.lengths
  else if ('rest' in order) lengths = undefined
  else process.send?.(report)
})
process.once('disconnect', () => process.exit(0))

if (setup.natsServer !== undefined) {
  const folder = join(setup.dataDir, 'nats')
  for (const name of readdirSync(join(folder, 'ports'))) rmSync(join(folder, 'ports', name))
  const server = spawn(setup.natsServer, ['-c', join(folder, 'nats.conf')], { stdio: 'ignore' })
  process.once('exit', () => server.kill('SIGKILL'))
}
const by = { mesh: await connected('mesh'), urgent: await connected('urgent') }
listen(by.mesh, 'mesh')
listen(by.urgent, 'urgent')
process.send?.('listening')
// Anybody who knows the event's id can compute it.
const tag = Buffer.from(await eventTag(setup.event)).toString('hex')
for (const box of setup.victims) answerFor(by.mesh, tag, box)
for (;;) {
  await sleep(EVERY_MS)
  if (lengths) round(by, tag)
}
