/** A box on loopback with the demo event, on which things have happened: the fuzzer is told what there is. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newRequest, readInvite } from '../../src/device/pair.ts'
import type { TestDevice } from '../world/device.ts'
import { Phone } from '../world/phone.ts'
import { World } from '../world/world.ts'
import type { Known } from './configuration.ts'

const DEMO = join(import.meta.dirname, '../../demo')
const INVITES = 30
/** A ticket of the demo that enters as often as it likes. */
const CREW = 'R6SVAKXAGQYD7PVD'
const STEP_MS = 100
const TICK_MS = 15

export interface Site extends AsyncDisposable {
  readonly world: World
  /** A supervisor's device with every checkpoint. */
  readonly device: TestDevice
  readonly known: Known
  /** The folder with the files below. */
  readonly folder: string
  /** PEM files. */
  readonly files: { ca: string; certificate: string; key: string }
}

/** @param hurry how many times faster its clock goes than this machine's: limits of rate would answer for most operations otherwise */
export async function openSite(hurry: number): Promise<Site> {
  const stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-fuzz-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const world = stack.use(
    await World.open({
      environment: {
        GATEHOUSE_EVENT_DIR: DEMO,
        GATEHOUSE_SCANS_PER_SECOND: '1000000',
        GATEHOUSE_SCAN_BURST: '1000000',
      },
    }),
  )
  // Other tests are about limits of rate.
  const timer = setInterval(() => {
    world.elapsedMs += (hurry - 1) * TICK_MS
  }, TICK_MS)
  stack.defer(() => clearInterval(timer))
  const device = await world.supervisor()
  const known = await prepare(world, device)
  stack.defer(await walk(world))
  const { ca, certificate, key } = device.paired
  const write = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  const files = { ca: write('ca.pem', ca), certificate: write('device.pem', certificate), key: write('key.pem', key) }
  return { world, device, known, folder, files, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** Admits and lets out one ticket again and again, so that every stream soon has an event. @returns a function that ends it */
async function walk(world: World): Promise<() => void> {
  const gate = await world.device()
  let underWay = false
  const timer = setInterval(async () => {
    if (underWay) return
    underWay = true
    // The box may be on its way out, or a gate on hold: the next one is not far.
    await gate.scan(CREW, { checkpoint: 'yard-in' }).catch(() => {})
    underWay = false
  }, STEP_MS)
  return () => clearInterval(timer)
}

/** Lets people in and turns them away, and calls the control room. @returns what there is then */
async function prepare(world: World, device: TestDevice): Promise<Known> {
  const { event } = world.box
  const codes = printedCodes().slice(0, 60)
  const checkpoints = event.checkpoints.map(({ id }) => id)
  const admissions: string[] = []
  const refusals: string[] = []
  for (const payload of codes.slice(0, 30)) {
    for (const checkpoint of ['north-in', 'south-in']) {
      const { scan_id, severity } = await device.scan(payload, { checkpoint })
      if (severity === 'admit') admissions.push(scan_id)
      else refusals.push(scan_id)
    }
  }
  // Two scanners without their box have let in the same ticket: a case.
  for (const payload of codes.slice(30, 36)) {
    for (const checkpoint of ['north-in', 'south-in']) {
      await device.scan(payload, { checkpoint, offline_admitted: true })
    }
  }
  const incidents = await reportIncidents(world, device)
  const admin = await world.admin()
  const { data: cases } = await admin.GET('/v1/admin/flags')
  const spare = await Promise.all(Array.from({ length: 4 }, () => world.device()))
  const phone = new Phone()
  const claimable = world.ticketIdOf(codes[40] ?? '')
  const claim = phone.claim(claimable)
  const invites = await Promise.all(Array.from({ length: INVITES }, () => world.inviteLink()))
  return {
    codes,
    checkpoints,
    admissions,
    refusals,
    scans: [...admissions.slice(0, 3), ...refusals.slice(0, 3), 'again'],
    incidents,
    flags: (cases?.flags ?? []).map(({ id }) => id),
    tickets: codes.slice(36, 60).map((code) => world.ticketIdOf(code)),
    claimable: [claimable],
    claimKeys: [claim.public_key],
    claimProofs: [claim.proof],
    gates: event.gates.map(({ id }) => id),
    zones: event.zones.map(({ id }) => id),
    categories: ['restroom', 'restroom.wheelchair', 'foodservice'],
    // Not the device that the fuzzer asks with.
    devices: spare.map(({ paired }) => paired.id),
    boxes: [world.box.boxId],
    invites: invites.map((link) => readInvite(link).code),
    requests: [(await newRequest()).csr],
  }
}

async function reportIncidents(world: World, device: TestDevice): Promise<string[]> {
  const ids: string[] = []
  for (const kind of ['crush', 'medical', 'need_staff'] as const) {
    const incident_id = randomUUID()
    const observed_at = new Date(world.now()).toISOString()
    const body = { incident_id, kind, checkpoint: 'north-in', observed_at }
    const { error } = await device.client.POST('/v1/incidents', { body })
    if (error) throw new Error(`${error.code}: ${error.message}`)
    ids.push(incident_id)
  }
  return ids
}

function printedCodes(): string[] {
  const [, ...rows] = readFileSync(join(DEMO, 'tickets.csv'), 'utf8').trim().split('\n')
  return rows.map((row) => row.split(',')[0] ?? '')
}
