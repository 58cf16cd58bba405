/** A question of a screen to the box, which can be repeated. */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { sentenceOf } from '../../session/answered.ts'

export interface Read<T> {
  /** The last answer; null before the first. */
  found: ReadonlySignal<T | null>
  /** Reason for which there is no newer one. */
  problem: ReadonlySignal<string | null>
  read: () => Promise<void>
}

/** Asks nothing by itself. @param ask the same for as long as the screen is there */
export function useRead<T>(ask: () => Promise<T>): Read<T> {
  const found = useSignal<T | null>(null)
  const problem = useSignal<string | null>(null)
  const read = async () => {
    try {
      found.value = await ask()
      problem.value = null
    } catch (error) {
      problem.value = sentenceOf(error)
    }
  }
  return useMemo(() => ({ found, problem, read }), [])
}
