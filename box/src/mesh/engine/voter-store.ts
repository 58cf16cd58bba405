/** The state of a voter's server and its JetStream stores on disk: a store for each epoch and each incarnation. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere, replaceDurably } from '../../durable-file.ts'
import { ended, nextIncarnation, readState, started, storeName, type VoterState, wentDown } from './voter-state.ts'

const STATE = 'voter.json'

export class VoterStore {
  readonly #folder: string
  #state: VoterState

  private constructor(folder: string, state: VoterState) {
    this.#folder = folder
    this.#state = state
  }

  /** @param folder of the server alone */
  static async open(folder: string, epoch: number): Promise<VoterStore> {
    return new VoterStore(folder, readState(await readIfThere(join(folder, STATE)), epoch))
  }

  /** Of the present incarnation. */
  get path(): string {
    return join(this.#folder, storeName(this.#state))
  }

  get incarnation(): number {
    return this.#state.life
  }

  /** Former incarnations that the others may still count. */
  get retired(): readonly number[] {
    return this.#state.retired
  }

  /** True if the machine went down while the server was running. @param boot the machine's present one */
  wentDown(boot: string): boolean {
    return wentDown(this.#state, boot)
  }

  /** Another core starts with empty stores. */
  beginEpoch(epoch: number): void {
    this.#state = readState(undefined, epoch)
  }

  /** @param asNew with an empty store, or else as the server that it was */
  comeBack(asNew: boolean): void {
    this.#state = asNew ? nextIncarnation(this.#state) : ended(this.#state)
  }

  started(boot: string): Promise<void> {
    return this.#keep(started(this.#state, boot))
  }

  ended(): Promise<void> {
    return this.#keep(ended(this.#state))
  }

  async clearRetired(): Promise<void> {
    await this.#keep({ ...this.#state, retired: [] })
    await this.clean()
  }

  /** Removes the stores of other epochs and incarnations. Everything in them can be written again from the journals. */
  async clean(): Promise<void> {
    const { life: current, retired } = this.#state
    const kept = [current, ...retired].map((life) => storeName({ ...this.#state, life }))
    for (const name of await readdir(this.#folder)) {
      if (name.startsWith('store-') && !kept.includes(name)) await rm(join(this.#folder, name), { recursive: true })
    }
  }

  #keep(state: VoterState): Promise<void> {
    this.#state = state
    return replaceDurably(join(this.#folder, STATE), JSON.stringify(state))
  }
}
