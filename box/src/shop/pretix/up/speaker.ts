/** Of several boxes one tells pretix: the one with the mesh's lease, which also says how far it has come. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Progress, Waiting } from './outbox.ts'
import type { SentOtherwise } from './sent-as.ts'
import type { Speaker } from './shop-side.ts'

/** The mesh's lease as it is used here; a box alone always has it. */
export interface Lease {
  hold(held: { state: () => unknown; adopt: (state: unknown) => Promise<void> }): Promise<boolean>
}

/** Entries that wait, by name; of a box with more, the later ones are looked at again by whoever takes over. */
const MOST_NAMED = 60
/** Bytes of JSON: the lease's message takes 3,000, and refuses more. */
const MOST_BYTES = 2_900

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Shared = Type.Object({
  target: Type.String(),
  places: Type.Record(Type.String({ maxLength: 64 }), Count),
  /** Box, place, and the step as bits: force, by position, as an exit, sent before. */
  waiting: Type.Array(Type.Tuple([Type.String({ maxLength: 64 }), Count, Count]), { maxItems: MOST_NAMED }),
  as: Type.Optional(Type.String({ maxLength: 64 })),
  doubtful: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Count)),
  until: Type.Optional(Type.String({ maxLength: 64 })),
})
type Shared = Static<typeof Shared>

export interface SpeakerDeps {
  lease: Lease
  target: string
  /** Finds entries that wait here: another box names them by place alone. */
  find: (box: string, place: number) => Pick<Waiting, 'hlc' | 'ticket'> | undefined
  adopt: (progress: Progress & Partial<SentOtherwise>) => Promise<void>
  /** Unix ms. */
  now: () => number
}

export function speakerOf({ lease, target, find, adopt, now }: SpeakerDeps): Speaker {
  return {
    maySpeak: (progress) =>
      lease.hold({
        state: () => sharedOf(target, progress()),
        adopt: async (state) => {
          // Of another connection: this one begins by what it knows itself.
          if (!Value.Check(Shared, state) || state.target !== target) return
          await adopt(progressOf(state, { find, now }))
        },
      }),
  }
}

/** @returns what fits: where more waits, the place of a box is that of its first entry which is not named */
export function sharedOf(target: string, progress: Progress & Partial<SentOtherwise>): Shared {
  for (let most = MOST_NAMED; ; most = Math.floor(most / 2)) {
    const shared = namingOf(target, progress, most)
    if (most === 0 || Buffer.byteLength(JSON.stringify(shared)) <= MOST_BYTES) return shared
  }
}

function namingOf(
  target: string,
  { places, waiting, ...sent }: Progress & Partial<SentOtherwise>,
  most: number,
): Shared {
  const named = waiting.slice(0, most)
  const back: Record<string, number> = {}
  for (const { box, place } of waiting.slice(most)) back[box] = Math.min(back[box] ?? place, place)
  const kept = Object.entries(places).map(([box, place]) => [box, Math.min(place, back[box] ?? place)])
  return {
    ...sent,
    target,
    places: Object.fromEntries(kept),
    waiting: named.map(({ box, place, step, again }) => {
      const { force, byPosition, asExit } = step
      return [box, place, Number(force) + 2 * Number(byPosition) + 4 * Number(asExit) + 8 * Number(again)]
    }),
  }
}

function progressOf(
  { places, waiting, as, doubtful, until }: Shared,
  { find, now }: Pick<SpeakerDeps, 'find' | 'now'>,
): Progress & Partial<SentOtherwise> {
  return {
    places,
    ...(as !== undefined && { as }),
    ...(doubtful && { doubtful }),
    ...(until !== undefined && { until }),
    waiting: waiting.map(([box, place, bits]) => ({
      box,
      place,
      hlc: find(box, place)?.hlc ?? '',
      ticket: find(box, place)?.ticket ?? null,
      step: { force: (bits & 1) > 0, byPosition: (bits & 2) > 0, asExit: (bits & 4) > 0 },
      again: true,
      attempts: 0,
      nextAt: now(),
      refusal: null,
      triedCode: null,
    })),
  }
}
