/** Chooses the checkpoint for somebody whose ticket several serve: the shortest sum of walk and wait, with a sentence that says why. */
import type { Alternative, Guidance } from '@gatehouse/proto/wire/venue.ts'

/** A checkpoint that serves the ticket, as it is now. */
export interface Lane {
  readonly checkpoint: string
  readonly checkpoint_name: string
  /** null where no map says. */
  readonly walking_seconds: number | null
  /** People waiting there, as reported; null without a report. */
  readonly queue: number | null
  /** People admitted there per minute, over the last minutes. */
  readonly per_minute: number
}

/** Assumed for a lane of which only the queue is known: one person every six seconds. */
const USUAL_PER_MINUTE = 10
/** A lane that admits fewer has just opened or is about to, so that its rate predicts nothing. */
const SLOWEST_PER_MINUTE = 1

interface Weighed extends Alternative {
  readonly cost: number
}

/** The best lane, the reason, and the others, best first. Undefined if there is no lane. */
export function guide(lanes: readonly Lane[]): Guidance | undefined {
  const [best, ...others] = lanes.map(weigh).sort((a, b) => a.cost - b.cost || (a.checkpoint < b.checkpoint ? -1 : 1))
  if (!best) return undefined
  return { ...plain(best), reason: reasonFor(best, others), alternatives: others.map(plain) }
}

function weigh({ checkpoint, checkpoint_name, walking_seconds, queue, per_minute }: Lane): Weighed {
  const rate = per_minute >= SLOWEST_PER_MINUTE ? per_minute : USUAL_PER_MINUTE
  const wait_seconds = Math.round(((queue ?? 0) / rate) * 60)
  // A lane that the map does not reach comes last; without a map this changes nothing.
  const cost = (walking_seconds ?? UNREACHED) + wait_seconds
  return { checkpoint, checkpoint_name, walking_seconds, wait_seconds, cost }
}

/** Seconds of a year: more than any walk and wait. */
const UNREACHED = 31_536_000

function plain({ checkpoint, checkpoint_name, walking_seconds, wait_seconds }: Weighed): Alternative {
  return { checkpoint, checkpoint_name, walking_seconds, wait_seconds }
}

function reasonFor(best: Weighed, others: readonly Weighed[]): string {
  const parts = best.walking_seconds === null ? [] : [`${minutes(best.walking_seconds)} on foot`]
  const reason = `${best.checkpoint_name}: ${[...parts, queueing(best)].join(', ')}`
  const walk = best.walking_seconds ?? UNREACHED
  const nearer = others
    .filter(({ walking_seconds }) => (walking_seconds ?? UNREACHED) < walk)
    .sort((a, b) => (a.walking_seconds ?? 0) - (b.walking_seconds ?? 0))[0]
  if (nearer) return `${reason}; ${nearer.checkpoint_name} is nearer but has ${minutes(nearer.wait_seconds)} of queue.`
  const [next] = others
  if (next && best.walking_seconds === null && next.wait_seconds > best.wait_seconds) {
    return `${reason}; ${next.checkpoint_name} has ${minutes(next.wait_seconds)} of queue.`
  }
  return `${reason}.`
}

function queueing({ wait_seconds }: Weighed): string {
  return wait_seconds < 30 ? 'no queue' : `${minutes(wait_seconds)} of queue`
}

function minutes(seconds: number): string {
  const whole = Math.round(seconds / 60)
  if (whole < 1) return 'less than a minute'
  return whole === 1 ? '1 minute' : `${whole} minutes`
}
