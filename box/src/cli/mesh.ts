/** `gatehouse mesh`: sets up, watches and changes the boxes of an event. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { MeshBoxes, MeshView } from '@gatehouse/proto/wire/mesh.ts'
import QRCode from 'qrcode'
import { COMMAND_LINE } from '../ca/actor.ts'
import { openEventAuthority } from '../ca/authority.ts'
import { type InvitedRole, inviteText, type MeshInvite, readInviteText } from '../ca/box-invite.ts'
import { pemBlock } from '../ca/pem.ts'
import { type Config, readConfig } from '../config.ts'
import { readIfThere } from '../durable-file.ts'
import { reachableHost } from '../http/machine.ts'
import { hostInUrl } from '../listen.ts'
import { createLogger } from '../log.ts'
import { openBoxKey } from '../mesh/encryption/box-key.ts'
import { ownAddress, ownName } from '../mesh/membership/address.ts'
import { meshBoxes } from '../mesh/membership/admin-routes.ts'
import { INVITE_SECONDS, MOST_INVITE_SECONDS, mintMeshInvite } from '../mesh/membership/invites.ts'
import { discoverAddresses, joinFromSettings } from '../mesh/membership/join-from-settings.ts'
import { Membership } from '../mesh/membership/membership.ts'
import { pinnedClient } from '../mesh/membership/pinned-client.ts'
import { enrolVoter, readVoter, runVoter } from '../mesh/membership/voter.ts'
import { firstTopology } from '../mesh/topology.ts'
import { UsageError } from '../usage.ts'
import { answerTo, type Command, JSON_OPTION, secondsOf, textOf, type Values } from './command.ts'
import { Unanswered } from './exit.ts'
import { statusText } from './mesh-status.ts'
import { openBeside, requireHttpsPort, requireLedger } from './opened.ts'

export const mesh: Command = {
  usage: 'mesh ACTION [OPTIONS]',
  summary: 'run several boxes for one event: set up, join, watch, replace',
  actions: {
    init: 'make this box the first of several',
    invite: 'at a box of the event: create an invite for another machine, and show its QR code',
    'join INVITE': 'at the new machine, with an empty data folder: fetch the event and become one of its boxes',
    status: 'list the boxes, the mode, and what this box has of their journals',
    'promote BOX': 'give BOX the vote of a box that is off; a new epoch begins',
    'remove BOX': 'take a dead box off the list, so that a new machine can join in its place',
    leave: 'take this box off the list, once the others have all of its journal',
    'voter [INVITE]': 'run only a vote on this machine; without INVITE, as the voter that it already is',
  },
  details: `Whoever uses an invite receives the keys of the event: guard it as you guard a box.
box/docs/mesh.md describes two, three and more boxes, and what to do in each failure.`,
  statuses: { 1: 'status: the mode is DEGRADED; voter: this voter was taken off the list' },
  examples: ['gatehouse mesh status', 'gatehouse mesh promote BOX --off --reason "north box has no power"'],
  operands: 2,
  options: {
    name: {
      type: 'string',
      value: 'NAME',
      description: "init, join, voter: name of the box (default: the machine's name)",
    },
    'data-centre': { type: 'boolean', description: 'init, invite: for a box in a data centre, which the venue dials' },
    voter: { type: 'boolean', description: 'invite: for a machine that only votes' },
    host: {
      type: 'string',
      value: 'HOST',
      description: 'invite --voter: the public name or address at which it may be reached (default: a local one only)',
    },
    minutes: {
      type: 'string',
      value: 'MINUTES',
      description: `invite: how long it is valid, 1 to ${MOST_INVITE_SECONDS / 60} (default: ${INVITE_SECONDS / 60})`,
    },
    instead: {
      type: 'string',
      value: 'BOX',
      description: 'promote: the box that loses its vote (default: the last voter)',
    },
    off: { type: 'boolean', description: 'promote, remove: confirms that somebody has seen that the other box is off' },
    anyway: { type: 'boolean', description: 'leave: even if no other box has all of the journal' },
    actor: { type: 'string', value: 'NAME', description: 'your name, for the journal (default: admin)' },
    reason: { type: 'string', value: 'TEXT', description: 'why, for the journal (default: by hand)' },
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

/** Opens the ledger of this box, whether the box is running or not. */
async function opened(config: Config) {
  requireLedger(config)
  const open = await openBeside(config)
  const { ledger, event, identity, keys } = open
  const key = await openBoxKey(config.dataDir, randomBytes)
  const keyHolder = { id: identity.boxId, key, random: randomBytes, logKey: keys.logKey }
  const deps = { ledger, eventId: event.id, eventKey: keys.eventKey, keyHolder, now: Date.now }
  const membership = new Membership(deps)
  return { ...open, membership }
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
  print(meshBoxes(topology, boxId), values)
  return true
}

const NO_PORT = 'GATEHOUSE_HTTPS_PORT and GATEHOUSE_DEVICE_PORT have to be ports that the other boxes can reach, not 0.'

async function invite(config: Config, values: Values): Promise<boolean> {
  requireHttpsPort(config)
  using open = await opened(config)
  const { event, ledger, identity } = open
  const authority = await openEventAuthority(event, { ...config, now: Date.now })
  if (values.voter === true && values['data-centre'] === true)
    throw new UsageError('A voter has to be at the venue: leave out --voter or --data-centre.')
  const host = textOf(values.host)
  if (host !== undefined && values.voter !== true)
    throw new UsageError('--host is for --voter: leave one out, or add the other.')
  const as: InvitedRole = values.voter === true ? 'voter' : values['data-centre'] === true ? 'data-centre' : 'box'
  const { actor, reason } = whoAndWhy(values)
  const minted = await mintMeshInvite(
    {
      as,
      ...(host !== undefined && { host }),
      seconds: secondsOf(values, { usual: INVITE_SECONDS, most: MOST_INVITE_SECONDS }),
      by: { ...COMMAND_LINE, actor },
      reason,
    },
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

async function joinEvent(config: Config, text: string | undefined, values: Values): Promise<boolean> {
  const invite = inviteOf(text)
  if (config.demo) {
    throw new UsageError('Name the folder for the event with GATEHOUSE_EVENT_DIR: joining fetches the event into it.')
  }
  const joined = await joinFromSettings(config, invite, textOf(values.name))
  if (values.json) console.log(JSON.stringify(joined))
  else {
    const { boxId, eventId, from, entries, keptEvent } = joined
    console.log(
      `This machine is now ${boxId} of ${eventId}, with ${entries} entries from ${from}. Start it: gatehouse serve`,
    )
    if (keptEvent) console.log(`${config.eventDir} already existed and was not changed.`)
  }
  return true
}

function inviteOf(text: string | undefined): MeshInvite {
  const invite = readInviteText(text ?? '')
  if (invite) return invite
  throw new UsageError('Name the invite, all of it, in quotes: it begins with gatehouse-mesh:https://')
}

/** Runs a vote until SIGTERM or SIGINT. @returns false when the voter was taken off the list */
async function voter(config: Config, text: string | undefined, values: Values): Promise<boolean> {
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
  const picked = { https: config.httpsPort || 1, device: config.devicePort || 1 }
  const place = {
    ...{ dataDir: config.dataDir, config, logger: createLogger(config.logLevel), random: randomBytes },
    box: { name: textOf(values.name) ?? ownName(), ...(await ownAddress(config, picked)) },
    ...{ otherAddresses: discoverAddresses(config), now: Date.now, monotonic: () => performance.now() },
  }
  const kept = (await readVoter(place)) ?? (await enrolVoter(inviteOf(text), place))
  console.log(
    `${kept.box.id} votes on the reservations of ${kept.event}. Keep this running; to start it again: gatehouse mesh voter`,
  )
  const isListed = await runVoter(kept, place, stopping.signal)
  if (!isListed) console.error(`${kept.box.id} was taken off the list: its vote no longer counts.`)
  return isListed
}

async function status(config: Config, values: Values): Promise<boolean> {
  const { listed, standing } = await ask<MeshView>(config, '/v1/admin/mesh')
  console.log(values.json ? JSON.stringify({ listed, standing }) : statusText({ listed, standing }))
  return standing === undefined || standing.mode === 'STRICT'
}

async function change(action: 'promote' | 'remove', config: Config, box: string | undefined, values: Values) {
  if (box === undefined) throw new UsageError(`Name the box: gatehouse mesh ${action} BOX`)
  const instead = textOf(values.instead)
  const off = action === 'remove' ? box : (instead ?? 'the present leader')
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
  if (!self) throw new Unanswered('This box is not on a list of boxes: it is alone, or has left.')
  const body = { box_id: self.box_id, ...whoAndWhy(values), anyway: values.anyway === true }
  print(await ask<MeshBoxes>(config, '/v1/admin/mesh/remove', body), values)
  if (!values.json)
    console.log('Stop this box now: it no longer reserves rights with the others. Keep its ledger, for the record.')
  return true
}

/** Asks whether the other box is off: two leaders would admit a ticket twice. @throws UsageError unless the answer is yes */
async function confirmed(box: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError(`Make sure that ${box} is off, or in contact with this box, then add --off.`)
  const answer = await answerTo(`Has somebody seen that ${box} is off, or is it in contact with this box? Type yes: `)
  if (answer.toLowerCase() === 'yes') return true
  throw new UsageError('Nothing was changed.')
}

function print(boxes: MeshBoxes, values: Values): void {
  if (values.json) {
    console.log(JSON.stringify(boxes))
    return
  }
  console.log(`Epoch ${boxes.epoch}:`)
  for (const { box_id, role, name, self } of boxes.boxes)
    console.log(`  ${box_id}  ${role.padEnd(5)}  ${name}${self ? ', this box' : ''}`)
}

/** Sends a request to the box on this machine. @throws Unanswered with the box's message when it refuses */
async function ask<T>(config: Config, path: string, body?: object): Promise<T> {
  const { dataDir, host, httpsPort } = config
  const token = (await readIfThere(join(dataDir, 'admin-token')))?.trim()
  const ca = pemBlock((await readIfThere(join(dataDir, 'ca', 'authority.pem'))) ?? '', 'CERTIFICATE')
  if (token === undefined || ca === undefined) {
    throw new UsageError(`There is no box in ${dataDir}: name its folder with GATEHOUSE_DATA_DIR.`)
  }
  requireHttpsPort(config)
  const at = host === '::' || host === '0.0.0.0' ? '127.0.0.1' : hostInUrl(host)
  await using box = pinnedClient(`https://${at}:${httpsPort}`, ca, token)
  const answer = await (body ? box.post(path, body) : box.get(path)).catch((cause) => {
    throw new Unanswered('No box is running here: start it, then try again.', { cause })
  })
  const result = (await answer.json().catch(() => undefined)) as { message?: string } | undefined
  if (!answer.ok) throw new Unanswered(result?.message ?? `The box answered with status ${answer.status}.`)
  return result as T
}
