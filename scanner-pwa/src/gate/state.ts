/** The stored state of a scanner, read from the device before any box is asked, and held in signals. */
import type { Ed25519Verifier } from '@gatehouse/proto/ed25519.ts'
import { type Signal, signal } from '@preact/signals'
import { ActiveBox } from '../box/active-box.ts'
import { DeviceClock } from '../box/clock.ts'
import { Directory } from '../box/directory.ts'
import type { Ended } from '../box/ended.ts'
import type { Mirror } from '../mirror/mirror.ts'
import { MirrorStore } from '../mirror/mirror-store.ts'
import type { Identity } from '../pairing/identity.ts'
import { type Database, keep, readKept, writeLater } from '../store/database.ts'
import type { Records } from '../store/records.ts'
import type { Deps } from './deps.ts'
import { OwnPassages } from './own-passages.ts'
import { Placement } from './placement.ts'
import { Places } from './places.ts'
import { Rehearsal } from './rehearsal.ts'
import { Tray } from './tray.ts'

/** State that outlives the pairing. */
export interface ScannerState {
  deps: Deps
  db: Database
  records: Records
  ended: Ended
  /** Origins that this page may ask beside its own; undefined where that is not known. */
  otherOrigins: Promise<readonly string[] | undefined>
}

export interface PairedState extends ScannerState {
  identity: Identity
  ed25519: Ed25519Verifier
  clock: DeviceClock
  active: ActiveBox
  directory: Directory
  placement: Placement
  places: Places
  own: OwnPassages
  mirrors: MirrorStore
  tray: Tray
  rehearsal: Rehearsal
  /** A manifest or a verdict has said that boxes know more of tickets than their tier: alone, this device does not know it. */
  described: Signal<boolean>
}

export async function openState(identity: Identity, scanner: ScannerState): Promise<PairedState> {
  const { deps, db, otherOrigins } = scanner
  const ed25519 = await deps.ed25519()
  const [offset, hlc, checkpoint, places, described] = await Promise.all([
    readKept(db, 'clock'),
    readKept(db, 'hlc'),
    readKept(db, 'checkpoint'),
    readKept(db, 'places'),
    readKept(db, 'described'),
  ])
  const clock = new DeviceClock(deps, { ...(offset && { offset }), ...(hlc && { hlc }) })
  const placement = new Placement(db, identity, checkpoint)
  return {
    ...scanner,
    identity,
    ed25519,
    clock,
    active: new ActiveBox(identity.baseUrl, deps.monotonic),
    directory: await Directory.open({ db, home: identity.baseUrl, page: deps.origin, mayAsk: otherOrigins }),
    placement,
    places: new Places(db, placement, places),
    own: new OwnPassages(await db.getAll('own')),
    mirrors: await MirrorStore.open({ db, eventId: identity.eventId, now: () => clock.now() }),
    tray: new Tray(),
    rehearsal: await Rehearsal.open({ db, records: scanner.records, now: () => clock.now() }),
    described: signal(described ?? false),
  }
}

/** Takes over what a newer mirror says about the event, and forgets what it contains. */
export function adoptMirror(mirror: Mirror, { directory, own, placement, db, described }: PairedState): void {
  directory.takeFrom(mirror)
  const forgotten = own.forgetUpTo(mirror)
  writeLater(
    db,
    forgotten.map((key) => ({ store: 'own', key, value: undefined })),
  )
  placement.adopt(mirror.checkpoints)
  if (!mirror.hasDetails || described.peek()) return
  described.value = true
  writeLater(db, [keep('described', true)])
}
