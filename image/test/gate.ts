/** A gate of a board: pairs over its forwarded ports, scans, and keeps the answers. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { type GatehouseClient, gatehouseClient } from '@gatehouse/proto/client.ts'
import type { ScanRequest } from '@gatehouse/proto/wire/scan.ts'
import { type PairedDevice, pair } from '../../box/src/device/pair.ts'
import { tlsFetch } from '../../box/src/device/tls-fetch.ts'
import { format } from '../../proto/hlc.ts'
import { type Ports as BoardPorts, PATIENCE_MS as patienceMs } from './board.ts'

/** Printed codes of the demo event's tickets that admit once, in the file's order. */
export const DAY_TICKETS = readFileSync(join(import.meta.dirname, '../../box/demo/tickets.csv'), 'utf8')
  .split('\n')
  .filter((line) => /^[A-Z0-9]{16},day,.*,,,valid$/.test(line))
  .map((line) => line.slice(0, 16))

export interface Answered {
  request: ScanRequest
  answer: string
}

/** Ports of this machine that lead to a board, or to a box in a process. */
type Ports = Pick<BoardPorts, 'http' | 'https' | 'device'>

/** Every request has a connection of its own: none survives a restart of the board. */
export class Gate {
  readonly paired: PairedDevice
  readonly token: string
  readonly #checkpoint: string

  private constructor(paired: PairedDevice, token: string, checkpoint: string) {
    this.paired = paired
    this.token = token
    this.#checkpoint = checkpoint
  }

  /** @param token the admin's, as it was found on the boot partition */
  static async open(ports: Ports, token: string): Promise<Gate> {
    const { data, error } = await asAdmin(ports, token, (admin) =>
      admin.POST('/v1/admin/invite', { body: { checkpoints: ['north-in'], expires_in_seconds: 600 } }),
    )
    if (!data) throw new Error(error.message)
    return Gate.byInvite(data.qr_payload, ports, { token, checkpoint: 'north-in' })
  }

  /** @param invite as a phone reads it off a sheet, for this checkpoint */
  static async byInvite(
    invite: string,
    ports: Ports,
    { token, checkpoint }: { token: string; checkpoint: string },
  ): Promise<Gate> {
    return new Gate(await pair(through(invite, ports), 'a phone at the gate'), token, checkpoint)
  }

  /** Asks as an admin. */
  async asAdmin<T>(ports: Ports, ask: (admin: GatehouseClient) => Promise<T>): Promise<T> {
    await using fetch = tlsFetch({ ca: trusted(this.paired.ca), patienceMs })
    return await ask(gatehouseClient({ baseUrl: `https://127.0.0.1:${ports.https}`, token: this.token, fetch }))
  }

  /** Asks as the phone that was paired. */
  async asDevice<T>(ports: Ports, ask: (device: GatehouseClient) => Promise<T>): Promise<T> {
    const { ca, certificate: cert, key, token } = this.paired
    await using fetch = tlsFetch({ ca, cert, key, patienceMs })
    return await ask(gatehouseClient({ baseUrl: `https://127.0.0.1:${ports.device}`, token, fetch }))
  }

  scan(ports: Ports, payload: string): Promise<Answered> {
    return this.#send(ports, this.#request(payload))
  }

  /** Scans in the rehearsal that runs. @returns the verdict; why none was given */
  async rehearse(ports: Ports, payload: string): Promise<string> {
    const body = this.#request(payload)
    const { data, error } = await this.asDevice(ports, (device) => device.POST('/rehearsal/v1/scan', { body }))
    return data?.verdict ?? error?.message ?? ''
  }

  #request(payload: string): ScanRequest {
    const now = Date.now()
    return {
      ...{ scan_id: randomUUID(), payload, checkpoint: this.#checkpoint, offline_admitted: false },
      ...{ device_hlc: format({ ms: now, count: 0 }), observed_at: new Date(now).toISOString() },
    }
  }

  /** Asserts that every earlier request gets the same answer when it is sent again, and that the record is complete. */
  async recognises(ports: Ports, answered: readonly Answered[]): Promise<void> {
    for (const before of answered) assert.deepEqual(await this.#send(ports, before.request), before)
    const { data } = await this.asAdmin(ports, (admin) => admin.GET('/v1/admin/verify'))
    assert.deepEqual([data?.ok, data?.problems], [true, []])
  }

  async #send(ports: Ports, request: ScanRequest): Promise<Answered> {
    const { data, error } = await this.asDevice(ports, (device) => device.POST('/v1/scan', { body: request }))
    if (!data) throw new Error(error.message)
    return { request, answer: JSON.stringify(data) }
  }
}

/** Asks as an admin whose device trusts the authority that the box shows now. */
export async function asAdmin<T>(ports: Ports, token: string, ask: (admin: GatehouseClient) => Promise<T>): Promise<T> {
  await using fetch = tlsFetch({ ca: trusted(await authorityAt(ports)), patienceMs })
  return await ask(gatehouseClient({ baseUrl: `https://127.0.0.1:${ports.https}`, token, fetch }))
}

/** The box's authority, and those that this machine trusts anyway: an organiser's certificate is from one of them. */
function trusted(ca: string): string[] {
  return [ca, ...getCACertificates('default')]
}

export async function authorityAt(ports: Ports): Promise<string> {
  return (await fetch(`http://127.0.0.1:${ports.http}/ca.crt`)).text()
}

/** The invite with this machine's port in place of the address that phones at the gate would take. */
function through(invite: string, ports: Ports): string {
  const url = new URL(invite)
  const payload = JSON.parse(Buffer.from(url.hash.slice('#i='.length), 'base64url').toString())
  const there = { ...payload, u: `https://127.0.0.1:${ports.https}/` }
  return `${url.origin}/scanner/#i=${Buffer.from(JSON.stringify(there)).toString('base64url')}`
}
