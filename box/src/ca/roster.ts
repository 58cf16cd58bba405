/** Every device that may scan, in memory: checked on each request, so that a revocation takes effect with the next one. */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { eq } from '../drizzle/core.ts'
import { GatehouseError } from '../errors.ts'
import { factsIn } from '../ledger/facts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type DeviceRow, devices } from '../ledger/schema.ts'
import { Subscribers } from '../subscribers.ts'
import { type By, type SignedOnBy, whoOf } from './actor.ts'

export interface Device {
  readonly id: string
  readonly name: string
  readonly checkpoints: ReadonlySet<string>
  /** SHA-256 of the certificate, hex. */
  readonly fingerprint: string
  /** SHA-256 of the bearer token, hex. */
  readonly tokenHash: string
  /** Public key of the certificate, which verifies signed requests. */
  readonly publicKey: KeyObject
  /** Unix ms. */
  readonly enrolledAt: number
  readonly expiresAt: number
  readonly revokedAt: number | null
  readonly revokedReason: string | null
  /** True if it may admit refused tickets, with a reason. */
  readonly supervisor: boolean
  /** Of pretixSCAN: the app and its version. Such a device proves a token alone, and is let in at the port for pretixSCAN only. */
  readonly app: string | null
}

/** The properties of the requesting device on which an answer depends. */
export type ScanningDevice = Pick<Device, 'id' | 'checkpoints'> & {
  /** The person signed on there; absent where nobody is. */
  readonly by?: SignedOnBy
}

export class Roster {
  readonly #ledger: Ledger
  readonly #byId = new Map<string, Device>()
  readonly #byFingerprint = new Map<string, Device>()
  readonly #byTokenHash = new Map<string, Device>()
  readonly #onRevoked = new Subscribers<[Device]>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    this.#load()
    ledger.subscribe('committed', (entries) => {
      if (factsIn(ledger, entries).some(({ kind }) => kind === 'enrolment' || kind === 'device_revoked')) this.#load()
    })
  }

  list(): Device[] {
    return [...this.#byId.values()]
  }

  byId(id: string): Device | undefined {
    return this.#byId.get(id)
  }

  /** @param fingerprint SHA-256 of the certificate that the handshake proved, hex */
  byFingerprint(fingerprint: string): Device | undefined {
    return this.#byFingerprint.get(fingerprint)
  }

  byToken(token: string): Device | undefined {
    return this.#byTokenHash.get(hashToken(token))
  }

  /** Called once for each device that was revoked, whichever process did it. */
  onRevoked(listener: (device: Device) => void): void {
    this.#onRevoked.add(listener)
  }

  /** @throws GatehouseError `not_found` */
  revoke(id: string, options: By & { reason: string; at: number }): Promise<Device> {
    return this.#ledger.commit(() => {
      const { drizzle } = this.#ledger.db
      const row = drizzle.select().from(devices).where(eq(devices.id, id)).get()
      if (!row)
        throw new GatehouseError('not_found', 'No device has this id: take it from the list of devices.', {
          reason: 'device_unknown',
        })
      // The first revocation is kept, with its time and reason.
      if (row.revokedAt !== null) return toDevice(row)
      const revoked = { revokedAt: options.at, revokedReason: options.reason }
      drizzle.update(devices).set(revoked).where(eq(devices.id, id)).run()
      const { reason } = options
      this.#ledger.append('device_revoked', { ...whoOf(options), device: id, reason })
      return toDevice({ ...row, ...revoked })
    })
  }

  #load(): void {
    for (const row of this.#ledger.db.drizzle.select().from(devices).all()) {
      const before = this.#byId.get(row.id)
      const device = before && before.revokedAt === row.revokedAt ? before : toDevice(row)
      this.#byId.set(device.id, device)
      this.#byFingerprint.set(device.fingerprint, device)
      this.#byTokenHash.set(device.tokenHash, device)
      if (before && before.revokedAt === null && device.revokedAt !== null) this.#onRevoked.notify(device)
    }
  }
}

/** A token is 256 random bits: its plain hash cannot be guessed, and a stolen ledger shows no token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function toDevice(row: DeviceRow): Device {
  return {
    id: row.id,
    name: row.name,
    checkpoints: new Set(row.checkpoints),
    fingerprint: row.fingerprint,
    tokenHash: row.tokenHash.toString('hex'),
    publicKey: createPublicKey({ key: row.publicKey, format: 'der', type: 'spki' }),
    enrolledAt: row.enrolledAt,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    revokedReason: row.revokedReason,
    supervisor: row.supervisor,
    app: row.app,
  }
}
