/** Reports the tests of a process that `test.ts` has started: prints a dot for each, or its name in the long form, and sends the counts. */
import { Readable } from 'node:stream'
import { dot, spec, type TestEvent } from 'node:test/reporters'
import { counting, type TestCounts } from './counts.ts'

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string | Buffer, void> {
  const counts: TestCounts = { passed: 0, failed: 0, skipped: [] }
  const counted = counting(events, counts)
  if (process.env.GATEHOUSE_TEST_LONG === undefined) yield* dot(counted)
  else yield* Readable.from(counted).compose(new spec())
  await new Promise<void>((resolve) => (process.send ? process.send(counts, () => resolve()) : resolve()))
}
