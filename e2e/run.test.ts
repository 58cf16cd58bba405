import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JSONReport } from '@playwright/test/reporter'
import { outcomeOf } from './run.ts'

/** The parts of Playwright's report that are read. */
function report(
  stats: object,
  { errors = [], suites = [] }: { errors?: object[]; suites?: object[] } = {},
): JSONReport {
  return {
    stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats },
    errors,
    suites,
  } as unknown as JSONReport
}

test('what passed is counted, and everything else has failed', () => {
  assert.deepEqual(outcomeOf(report({ expected: 7 })), { passed: 7, failed: 0, skipped: [], failures: [] })
  assert.deepEqual(outcomeOf(report({ expected: 1, unexpected: 2, flaky: 3 })), {
    passed: 1,
    failed: 5,
    skipped: [],
    failures: [],
  })
})

test('an error outside of every test is a failure', () => {
  assert.equal(outcomeOf(report({ expected: 7 }, { errors: [{ message: 'a file that does not load' }] })).failed, 1)
})

test('a skipped test is named', () => {
  const specs = [
    { title: 'left out', tests: [{ status: 'skipped' }] },
    { title: 'done', tests: [{ status: 'expected' }] },
  ]
  const suites = [{ specs: [], suites: [{ specs }] }]
  assert.deepEqual(outcomeOf(report({ expected: 1, skipped: 1 }, { suites })).skipped, ['left out'])
})

test('a failed test is named by its place, with what it said', () => {
  const failed = {
    title: 'sells',
    file: 'desk.e2e.ts',
    line: 12,
    ok: false,
    tests: [{ status: 'unexpected', results: [{ error: { message: 'not there' } }] }],
  }
  assert.deepEqual(outcomeOf(report({ unexpected: 1 }, { suites: [{ specs: [failed] }] })).failures, [
    { place: 'desk.e2e.ts:12', message: 'sells\nnot there' },
  ])
})
