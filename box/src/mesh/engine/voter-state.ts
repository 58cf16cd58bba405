/**
 * A voter's knowledge of its own past before it starts: whether the machine went down while its server was running. Such a server
 * may have less on its disk than it has acknowledged to the others, and its vote could lose what they agreed on. It therefore
 * comes back as a new server with an empty store, when the others can do without it.
 *
 * A server that was killed while the machine kept running has lost nothing: the system keeps what a program has written.
 */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const State = Type.Object(
  {
    epoch: Type.Integer({ minimum: 1 }),
    /** Incarnation of its server: how often it has come back as a new one in this epoch. */
    life: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    /** The boot of the machine in which its server was last started; null after a regular end. */
    running: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
    /** Former incarnations that the others still count among the voters. */
    retired: Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 1000 }),
  },
  { additionalProperties: false },
)
export type VoterState = Static<typeof State>

/** A state that is missing, damaged or of another epoch is a fresh one: the core of each epoch starts with empty stores. */
export function readState(text: string | undefined, epoch: number): VoterState {
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (Value.Check(State, value) && value.epoch === epoch) return value
  } catch {
    // Missing, or cut short: what it said cannot be known, and the store is not used.
  }
  return { epoch, life: 0, running: null, retired: [] }
}

/** True if the machine went down while the server was running. @param boot the machine's present one */
export function wentDown({ running }: VoterState, boot: string): boolean {
  return running !== null && running !== boot
}

export function started(state: VoterState, boot: string): VoterState {
  return { ...state, running: boot }
}

export function ended(state: VoterState): VoterState {
  return { ...state, running: null }
}

/** The state of a new server, whose predecessor the others are to forget. */
export function nextIncarnation(state: VoterState): VoterState {
  return { ...state, life: state.life + 1, running: null, retired: [...state.retired, state.life] }
}

/** The name by which the voters know the server of an incarnation. No box id contains an underscore. */
export function serverName(boxId: string, incarnation: number): string {
  return incarnation === 0 ? boxId : `${boxId}_${incarnation}`
}

/** True for the name of a box's server in any incarnation. */
export function isServerOf(boxId: string, name: string): boolean {
  return name === boxId || name.startsWith(`${boxId}_`)
}

/** The folder of an incarnation's JetStream store, below the engine's folder. */
export function storeName({ epoch, life }: Pick<VoterState, 'epoch' | 'life'>): string {
  return `store-${epoch}-${life}`
}
