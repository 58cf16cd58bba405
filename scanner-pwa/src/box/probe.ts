/** Small requests that show whether a box answers, and whether it would accept this scanner. */
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { type Database, keep, writeLater } from '../store/database.ts'
import type { ActiveBox } from './active-box.ts'
import type { BoxClient } from './client.ts'
import type { DeviceClock } from './clock.ts'
import { measureTime } from './time.ts'

const PATIENCE_MS = 3_000

interface Open {
  clock: DeviceClock
  /** A client of the open tier of the box at this origin. */
  openAt: (origin: string) => GatehouseClient
}

/**
 * Asks the active box for its time. Rejects when it does not answer.
 * @returns false where another box has become the active one meanwhile, or `stopping` has aborted
 */
export async function probe(
  { active, clock, db, openAt }: Open & { active: ActiveBox; db: Database },
  stopping: AbortSignal,
): Promise<boolean> {
  const origin = active.origin.peek()
  const taken = await measureTime(openAt(origin), clock, patience(stopping))
  if (taken) writeLater(db, [keep('clock', taken)])
  return !stopping.aborted && origin === active.origin.peek()
}

/**
 * True when the box at `origin` answers a signed request: only such an answer shows that it accepts this scanner. Never
 * rejects.
 * @param mayMeasure the clock may be compared with this box's, because no other box answers
 */
export async function accepts(
  origin: string,
  mayMeasure: boolean,
  { box, clock, openAt }: Open & { box: BoxClient },
  stopping: AbortSignal,
): Promise<boolean> {
  const signal = patience(stopping)
  const ask = () => box.of(origin).GET('/v1/incidents', { signal })
  const compareClocks = () => measureTime(openAt(origin), clock, signal)
  try {
    if (mayMeasure && clock.offsetMs.peek() === null) await compareClocks()
    const { response, error } = await ask()
    if (response.ok || !mayMeasure || error?.code !== 'bad_signature') return response.ok
    // This phone's clock went wrong while no box could show it.
    await compareClocks()
    return (await ask()).response.ok
  } catch {
    return false
  }
}

function patience(stopping: AbortSignal): AbortSignal {
  return AbortSignal.any([stopping, AbortSignal.timeout(PATIENCE_MS)])
}
