/** Reports the tests of a process that `test.ts` has started: prints a dot for each, or its name in the long form, and sends the counts. */
import { Readable } from 'node:stream'
import { dot, spec, type TestEvent } from 'node:test/reporters'
import { counting, type TestCounts } from './counts.ts'

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string | Buffer, void> {
  const counts: TestCounts = { passed: 0, failed: 0, skipped: [] }
  const strays: string[] = []
  const counted = counting(noting(events, strays), counts)
  if (process.env.GATEHOUSE_TEST_LONG === undefined) yield* dot(counted)
  else yield* Readable.from(counted).compose(new spec())
  for (const stray of strays) yield `\n✖ ${stray}\n`
  await new Promise<void>((resolve) => (process.send ? process.send(counts, () => resolve()) : resolve()))
}

/** Node ends with an error for what breaks outside of every test, and the dots do not say so. */
async function* noting(events: AsyncIterable<TestEvent>, strays: string[]): AsyncGenerator<TestEvent> {
  for await (const event of events) {
    if (event.type === 'test:diagnostic' && /generated asynchronous activity/.test(event.data.message)) {
      strays.push(event.data.message)
    }
    yield event
  }
}
