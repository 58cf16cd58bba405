/** Has the box check a draft that changes while it does: one check at a time, and at the end one of the newest draft. */
import { Refused } from '../../session/answered.ts'

export interface Checking<D, A> {
  /** The draft as it is now; null where there is nothing to check. */
  now(): D | null
  ask(draft: D): Promise<A>
  /** Takes the answer about the newest draft alone. */
  take(answer: A): void
  fail(error: unknown): void
  /** Runs the last of several calls in a row, once they stop. */
  later(work: () => void): void
}

/** Somebody who types or draws is faster than a slow box, and the box refuses whoever asks again before it has answered. */
export function checking<D, A>({ now, ask, take, fail, later }: Checking<D, A>): () => void {
  let isUnderWay = false
  async function run(): Promise<void> {
    if (isUnderWay) return
    isUnderWay = true
    let asked: D | null = null
    try {
      for (let draft = now(); draft !== null && draft !== asked; draft = now()) {
        asked = draft
        const answer = await ask(draft)
        if (draft === now()) take(answer)
      }
    } catch (error) {
      const isBusy = error instanceof Refused && error.code === 'rate_limited'
      if (isBusy || asked !== now()) later(() => void run())
      else fail(error)
    } finally {
      isUnderWay = false
    }
  }
  return () => later(() => void run())
}
