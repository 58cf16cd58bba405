/** Numbers of tests that passed and failed, and the names of those left out. */
import type { TestEvent } from 'node:test/reporters'

export interface Counts {
  passed: number
  failed: number
}

export interface TestCounts extends Counts {
  /** Names of skipped tests, with the reason if there is one. */
  skipped: string[]
}

/** Passes the events of a test run on. @param counts are complete when the events have ended */
export async function* counting(events: AsyncIterable<TestEvent>, counts: TestCounts): AsyncGenerator<TestEvent, void> {
  for await (const event of events) {
    if (event.type === 'test:pass') {
      const { name, skip, details } = event.data
      if (skip !== undefined) counts.skipped.push(`${name}${typeof skip === 'string' ? `: ${skip}` : ''}`)
      else if (details.type !== 'suite') counts.passed++
    } else if (event.type === 'test:fail') {
      const { details } = event.data
      const { failureType } = details.error as { failureType?: string }
      // Counts a suite that fails without a failing test, because a hook threw.
      if (details.type !== 'suite' || failureType !== 'subtestsFailed') counts.failed++
    }
    yield event
  }
}
