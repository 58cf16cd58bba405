/** The checkpoints that this scanner was paired for, and the one at which it stands. */
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import { type Signal, signal } from '@preact/signals'
import type { Identity } from '../pairing/identity.ts'
import { type Database, keep, writeLater } from '../store/database.ts'
import type { Pairing } from './model.ts'

export class Placement {
  readonly #db: Database
  /** Id of the checkpoint that was chosen before this start. */
  readonly #chosenBefore: string | undefined
  readonly pairing: Signal<Pairing>
  readonly checkpoint: Signal<Checkpoint | null>

  constructor(db: Database, identity: Identity, chosenBefore: string | undefined) {
    this.#db = db
    this.#chosenBefore = chosenBefore
    const { checkpoints } = identity
    this.pairing = signal(pairingOf(identity))
    const chosen = checkpoints.find(({ id }) => id === chosenBefore)
    const only = checkpoints.length === 1 ? checkpoints[0] : undefined
    this.checkpoint = signal(chosen ?? only ?? null)
  }

  choose(id: string): void {
    const chosen = this.pairing.peek().checkpoints.find((each) => each.id === id)
    if (!chosen) return
    this.checkpoint.value = chosen
    writeLater(this.#db, [keep('checkpoint', id)])
  }

  /** Takes the checkpoints of a manifest: they may have changed since the scanner was paired. */
  adopt(checkpoints: readonly Checkpoint[]): void {
    const pairing = this.pairing.peek()
    if (JSON.stringify(checkpoints) === JSON.stringify(pairing.checkpoints)) return
    this.pairing.value = { ...pairing, checkpoints }
    const id = this.checkpoint.peek()?.id ?? this.#chosenBefore
    this.checkpoint.value = checkpoints.find((each) => each.id === id) ?? null
  }
}

function pairingOf(identity: Identity): Pairing {
  const { deviceId, deviceName, baseUrl, eventName, checkpoints, supervisor, certificateExpiresAt } = identity
  return { deviceId, deviceName, baseUrl, eventName, checkpoints, supervisor, certificateExpiresAt }
}
