import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches } from './etag.ts'

test('If-None-Match, as RFC 9110 compares it', () => {
  const etag = '"sha256-abc"'
  const cases: [header: string | undefined, expected: boolean][] = [
    [undefined, false],
    ['', false],
    [etag, true],
    [`W/${etag}`, true],
    ['*', true],
    [`"x", ${etag}`, true],
    [`"x",\t${etag}  ,"y"`, true],
    ['"sha256-abcd"', false],
    ['sha256-abc', false],
    [`w/${etag}`, false],
    ['"', false],
    [`${etag}x`, false],
  ]
  for (const [header, expected] of cases) assert.equal(matches(header, etag), expected, header)
})
