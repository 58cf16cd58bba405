/**
 * What a voter knows of its own past before it starts: whether the machine went down while its server was running. What such a
 * server has on its disk may be less than what it has told the others, and a vote by it could lose what they agreed on. So it
 * comes back as somebody new, with nothing, when the others can do without it.
 *
 * A server that was killed while the machine went on has lost nothing: what a program wrote, the system keeps.
 */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const State = Type.Object(
  {
    epoch: Type.Integer({ minimum: 1 }),
    /** How often it has come back as somebody new in this epoch. */
    life: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    /** Which boot of the machine its server was last started in; null after it has ended as it should. */
    running: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
    /** Lives whose server the others still count as one of theirs. */
    retired: Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 1000 }),
  },
  { additionalProperties: false },
)
export type VoterState = Static<typeof State>

/** What is not there, damaged, or of another epoch is a new beginning: each epoch's core begins with nothing. */
export function readState(text: string | undefined, epoch: number): VoterState {
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (Value.Check(State, value) && value.epoch === epoch) return value
  } catch {
    // Not there, or cut short: what it would say cannot be known, and its store is another's.
  }
  return { epoch, life: 0, running: null, retired: [] }
}

/** Whether the machine went down under the server. @param boot which boot this is */
export function wentDown({ running }: VoterState, boot: string): boolean {
  return running !== null && running !== boot
}

export function started(state: VoterState, boot: string): VoterState {
  return { ...state, running: boot }
}

export function ended(state: VoterState): VoterState {
  return { ...state, running: null }
}

/** Somebody new: the others are told to forget who it was. */
export function reborn(state: VoterState): VoterState {
  return { ...state, life: state.life + 1, running: null, retired: [...state.retired, state.life] }
}

/** What the voters know the server of a life by. No id of a box has an underscore in it. */
export function serverName(boxId: string, life: number): string {
  return life === 0 ? boxId : `${boxId}_${life}`
}

/** Where the server of a life keeps what it is told, below the engine's folder. */
export function storeName({ epoch, life }: Pick<VoterState, 'epoch' | 'life'>): string {
  return `store-${epoch}-${life}`
}
