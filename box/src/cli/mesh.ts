/** `gatehouse mesh`: several boxes of one event, from the first to the last. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { MeshBoxes, MeshView } from '@gatehouse/proto/wire/mesh.ts'
import QRCode from 'qrcode'
import { openAuthority } from '../ca/authority.ts'
import { pemBlock } from '../ca/pem.ts'
import { type Config, readConfig } from '../config.ts'
import { readIfThere } from '../durable-file.ts'
import { readEvent } from '../event/event.ts'
import { COMMAND_LINE } from '../http/actor.ts'
import { reachableHost } from '../http/machine.ts'
import { openLedger } from '../ledger/open.ts'
import { createLogger } from '../log.ts'
import { ownAddress, ownName } from '../mesh/join/address.ts'
import { listOf } from '../mesh/join/admin-routes.ts'
import { type Invited, inviteText, type MeshInvite, readInviteText } from '../mesh/join/invite.ts'
import { INVITE_SECONDS, MOST_INVITE_SECONDS, mintMeshInvite } from '../mesh/join/invites.ts'
import { elsewhere, joinAs } from '../mesh/join/join-as.ts'
import { pinned } from '../mesh/join/pinned.ts'
import { becomeVoter, knownVoter, runVoter } from '../mesh/join/voter.ts'
import { Membership } from '../mesh/membership.ts'
import { firstTopology } from '../mesh/topology.ts'
import { keysOf } from '../seal/verifier-key.ts'
import { type Command, JSON_OPTION, textOf, type Values } from './command.ts'
import { Unanswered } from './exit.ts'
import { UsageError } from './usage.ts'

export const mesh: Command = {
  usage: 'mesh init|invite|join|status|promote|remove|leave|voter ...',
  summary: 'several boxes of one event: who they are, who joins, who decides',
  details: `  mesh init                  make this box the first of several: its name, and whether it stands in a data centre
  mesh invite                at a box of the event: mint an invite for another one and show its QR code
  mesh join INVITE           at the new machine, with an empty data folder: take the event along and be one of its boxes
  mesh status                the boxes, and what this one hears of them; exit status 1 while it is DEGRADED
  mesh promote BOX           let BOX decide claims, in the place of one that is off: a new epoch begins
  mesh remove BOX            take a dead box off the list; a new machine then joins in its place
  mesh leave                 take this box itself off the list, when the others have all of its journal
  mesh voter INVITE          run nothing but a vote here, on a laptop or a router; without INVITE, go on with it
  Whoever uses an invite gets the keys of the event: hand it over as you would hand over the box. Two boxes, three, or more,
  and what happens in each failure: box/docs/mesh.md.`,
  operands: 2,
  options: {
    name: { type: 'string', description: 'init, join, voter: what the box is called (default: as its machine is)' },
    'data-centre': { type: 'boolean', description: 'init, invite: the boxes at the venue dial it' },
    voter: { type: 'boolean', description: 'invite: for a machine that only votes' },
    minutes: { type: 'string', description: `invite: until when it can be used (default: ${INVITE_SECONDS / 60})` },
    instead: { type: 'string', description: 'promote: the box that gives up its vote (default: the last voter)' },
    off: { type: 'boolean', description: 'promote, remove: somebody has seen that the other box is off' },
    anyway: { type: 'boolean', description: 'leave: although no other box has all of the journal' },
    actor: { type: 'string', description: 'who does it, for the record (default: admin)' },
    reason: { type: 'string', description: 'why, for the record' },
    ...JSON_OPTION,
  },
  async run({ values, positionals: [action, operand], environment }) {
    const config = readConfig(environment)
    switch (action) {
      case 'init':
        return init(config, values)
      case 'invite':
        return invite(config, values)
      case 'join':
        return joinEvent(config, operand, values)
      case 'status':
        return status(config, values)
      case 'promote':
      case 'remove':
        return change(action, config, operand, values)
      case 'leave':
        return leave(config, values)
      case 'voter':
        return voter(config, operand, values)
      default:
        throw new UsageError(
          'gatehouse mesh takes init, invite, join, status, promote, remove, leave or voter: see gatehouse mesh --help',
        )
    }
  },
}

const whoAndWhy = (values: Values) => ({
  actor: textOf(values.actor) ?? 'admin',
  reason: textOf(values.reason) ?? 'by hand',
})

/** The ledger beside a running box, or of one that does not run. */
async function opened(config: Config) {
  if (!existsSync(join(config.dataDir, 'ledger.db'))) {
    throw new UsageError(
      `There is no ledger in ${config.dataDir}: start the box once, or name its folder with GATEHOUSE_DATA_DIR.`,
    )
  }
  const event = await readEvent(config.eventDir)
  const { ledger, identity } = openLedger({ dataDir: config.dataDir, eventId: event.id, wallClock: Date.now })
  const keys = keysOf(event.id, identity)
  const membership = new Membership({ ledger, eventId: event.id, eventKey: keys.eventKey, now: Date.now })
  return { event, ledger, identity, keys, membership, [Symbol.dispose]: () => ledger[Symbol.dispose]() }
}

async function init(config: Config, values: Values): Promise<boolean> {
  using open = await opened(config)
  const { event, identity, keys, membership } = open
  const { boxId } = identity
  if (config.httpsPort === 0 || config.devicePort === 0) throw new UsageError(NO_PORT)
  const address = await ownAddress(config, { https: config.httpsPort, device: config.devicePort })
  const box = {
    ...{ id: boxId, name: textOf(values.name) ?? ownName(), log_key: keys.logVerifierKey, ...address },
    ...(values['data-centre'] === true && { dial: 'core' as const }),
  }
  const { actor, reason } = whoAndWhy(values)
  const act = { ...COMMAND_LINE, actor, reason, action: 'began', box: boxId } as const
  const topology = await membership.change((topology) => {
    if (topology) throw new UsageError('This box is one of several already: see gatehouse mesh status.')
    return firstTopology(event.id, box)
  }, act)
  print(listOf(topology, boxId), values)
  return true
}

const NO_PORT = 'GATEHOUSE_HTTPS_PORT and GATEHOUSE_DEVICE_PORT have to be ports that the other boxes can reach, not 0.'

async function invite(config: Config, values: Values): Promise<boolean> {
  if (config.httpsPort === 0) {
    throw new UsageError('GATEHOUSE_HTTPS_PORT is 0: set it to the port that the box printed when it started.')
  }
  using open = await opened(config)
  const { event, ledger, identity } = open
  const authority = await openAuthority({
    ...{ dir: join(config.dataDir, 'ca'), eventId: event.id, eventName: event.name },
    ...{ endsAt: Date.parse(event.ends_at), hostname: hostname(), now: Date.now },
  })
  if (values.voter === true && values['data-centre'] === true)
    throw new UsageError('A vote belongs to the venue: leave out --voter or --data-centre.')
  const as: Invited = values.voter === true ? 'voter' : values['data-centre'] === true ? 'data-centre' : 'box'
  const { actor, reason } = whoAndWhy(values)
  const minted = await mintMeshInvite(
    { as, seconds: secondsOf(textOf(values.minutes)), by: { ...COMMAND_LINE, actor }, reason },
    { ledger, boxId: identity.boxId, now: Date.now, random: randomBytes },
  )
  const url = `https://${reachableHost(config.publicHost)}:${config.httpsPort}`
  const text = inviteText({ url, fingerprint: authority.fingerprint, as, eventId: event.id, ...minted })
  const expiresAt = new Date(minted.expiresAt).toISOString()
  if (values.json) console.log(JSON.stringify({ invite: text, expires_at: expiresAt }))
  else {
    const qr = await QRCode.toString(text, { type: 'terminal', small: true, errorCorrectionLevel: 'L' })
    const command = as === 'voter' ? 'voter' : 'join'
    console.log(`${qr}\nAt the other machine, until ${expiresAt}, once:\n\n  gatehouse mesh ${command} '${text}'\n`)
  }
  return true
}

function secondsOf(minutes: string | undefined): number {
  if (minutes === undefined) return INVITE_SECONDS
  const most = MOST_INVITE_SECONDS / 60
  if (!/^\d+$/.test(minutes) || Number(minutes) === 0 || Number(minutes) > most)
    throw new UsageError(`--minutes is "${minutes}", not a whole number from 1 to ${most}.`)
  return Number(minutes) * 60
}

async function joinEvent(config: Config, text: string | undefined, values: Values): Promise<boolean> {
  const invite = inviteOf(text)
  if (config.demo) {
    throw new UsageError('Name the folder that the event is to have here with GATEHOUSE_EVENT_DIR: it comes along.')
  }
  const joined = await joinAs(config, invite, textOf(values.name))
  if (values.json) console.log(JSON.stringify(joined))
  else {
    const { boxId, eventId, from, entries, keptEvent } = joined
    console.log(`This is ${boxId} of ${eventId} now: ${entries} entries came from ${from}. Start it: gatehouse serve`)
    if (keptEvent) console.log(`${config.eventDir} was here already, and is as it was.`)
  }
  return true
}

function inviteOf(text: string | undefined): MeshInvite {
  const invite = readInviteText(text ?? '')
  if (invite) return invite
  throw new UsageError('Name the invite, all of it, in quotes: it begins with gatehouse-mesh:https://')
}

/** Votes until it is told to stop. Exit status 1: it was taken off the list. */
async function voter(config: Config, text: string | undefined, values: Values): Promise<boolean> {
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
  const picked = { https: config.httpsPort || 1, device: config.devicePort || 1 }
  const place = {
    ...{ dataDir: config.dataDir, config, logger: createLogger(config.logLevel), random: randomBytes },
    box: { name: textOf(values.name) ?? ownName(), ...(await ownAddress(config, picked)) },
    ...{ elsewhere: elsewhere(config), now: Date.now, monotonic: () => performance.now() },
  }
  const kept = (await knownVoter(place)) ?? (await becomeVoter(inviteOf(text), place))
  console.log(
    `${kept.box.id} votes on the claims of ${kept.event}. Keep this running; gatehouse mesh voter goes on with it.`,
  )
  const isListed = await runVoter(kept, place, stopping.signal)
  if (!isListed) console.error(`${kept.box.id} was taken off the list: its vote is not counted any more.`)
  return isListed
}

async function status(config: Config, values: Values): Promise<boolean> {
  const { listed, standing } = await ask<MeshView>(config, '/v1/admin/mesh')
  if (values.json) console.log(JSON.stringify({ listed, standing }))
  else if (!listed) console.log('This box is alone: it asks nobody, and is always of one mind.')
  else {
    const heard = new Map(standing?.boxes.map((box) => [box.box_id, box]))
    console.log(standing ? `${standing.mode}, epoch ${standing.epoch}: ${standing.reason}` : `Epoch ${listed.epoch}`)
    for (const box of listed.boxes) {
      const { heard: now = false, last_heard = null, behind = 0, problem } = heard.get(box.box_id) ?? {}
      const since = last_heard === null ? 'never heard' : `last heard ${last_heard}`
      const how = box.self ? 'this one' : now ? (behind > 0 ? `heard, ${behind} entries behind` : 'heard') : since
      console.log(`  ${box.box_id}  ${box.role.padEnd(5)}  ${box.name.padEnd(20)}  ${how}`)
      if (problem !== undefined) console.log(`    Look at this: ${problem}`)
    }
  }
  return standing === undefined || standing.mode === 'STRICT'
}

async function change(action: 'promote' | 'remove', config: Config, box: string | undefined, values: Values) {
  if (box === undefined) throw new UsageError(`Name the box: gatehouse mesh ${action} BOX`)
  const instead = textOf(values.instead)
  const off = action === 'remove' ? box : (instead ?? 'the box that decides now')
  const body = {
    ...{ box_id: box, ...whoAndWhy(values), is_off: values.off === true || (await confirmed(off)) },
    ...(action === 'promote' && instead !== undefined && { instead }),
  }
  print(await ask<MeshBoxes>(config, `/v1/admin/mesh/${action}`, body), values)
  return true
}

async function leave(config: Config, values: Values): Promise<boolean> {
  const { listed } = await ask<MeshView>(config, '/v1/admin/mesh')
  const self = listed?.boxes.find((box) => box.self)
  if (!self) throw new Unanswered('This box is not on the list: it is alone, or has left.')
  const body = { box_id: self.box_id, ...whoAndWhy(values), anyway: values.anyway === true }
  print(await ask<MeshBoxes>(config, '/v1/admin/mesh/remove', body), values)
  if (!values.json)
    console.log('Stop this box now: it asks nobody any more. Its ledger stays what it is, for the record.')
  return true
}

/** Two boxes that both decide alone admit a ticket twice: somebody has to have looked. */
async function confirmed(box: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError(`Look that ${box} is off, or hears this box, then add --off.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`Has somebody seen that ${box} is off, or does it hear this box? Type yes: `)
    if (answer.trim().toLowerCase() === 'yes') return true
  } finally {
    terminal.close()
  }
  throw new UsageError('Nothing was changed.')
}

function print(boxes: MeshBoxes, values: Values): void {
  if (values.json) {
    console.log(JSON.stringify(boxes))
    return
  }
  console.log(`Epoch ${boxes.epoch}:`)
  for (const { box_id, role, name, self } of boxes.boxes)
    console.log(`  ${box_id}  ${role.padEnd(5)}  ${name}${self ? ', this one' : ''}`)
}

/** Asks the box that runs here. @throws Unanswered with its own words when it says no */
async function ask<T>(config: Config, path: string, body?: object): Promise<T> {
  const { dataDir, host, httpsPort } = config
  const token = (await readIfThere(join(dataDir, 'admin-token')))?.trim()
  const ca = pemBlock((await readIfThere(join(dataDir, 'ca', 'authority.pem'))) ?? '', 'CERTIFICATE')
  if (token === undefined || ca === undefined) {
    throw new UsageError(`There is no box in ${dataDir}: name its folder with GATEHOUSE_DATA_DIR.`)
  }
  if (httpsPort === 0) {
    throw new UsageError('GATEHOUSE_HTTPS_PORT is 0: set it to the port that the box printed when it started.')
  }
  const at = host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  await using box = pinned(`https://${at}:${httpsPort}`, ca, token)
  const answer = await (body ? box.post(path, body) : box.get(path)).catch((cause) => {
    throw new Unanswered('No box runs here: start it, then try again.', { cause })
  })
  const said = (await answer.json().catch(() => undefined)) as { message?: string } | undefined
  if (!answer.ok) throw new Unanswered(said?.message ?? `The box says ${answer.status}.`)
  return said as T
}
