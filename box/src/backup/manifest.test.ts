import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BackupError, FORMAT, isNamed, mismatch, readManifest } from './manifest.ts'

const sha256 = 'a'.repeat(64)
const whole = {
  ...{ format: FORMAT, event_id: 'fair-26', box_id: 'box-1', made_at: '2026-07-01T18:00:00.000Z', entries: 3 },
  software: 'gatehouse/0.1.0',
  files: [
    { path: 'data/ledger.db', bytes: 4096, sha256 },
    { path: 'data/ca/ca.key', bytes: 227, sha256 },
  ],
}
const text = (change: object) => JSON.stringify({ ...whole, ...change })

describe('a manifest', () => {
  test('is read as it was written', () => {
    assert.deepEqual(readManifest(JSON.stringify(whole)), whole)
  })

  test('anything else is refused in one sentence', () => {
    const ledger = whole.files[0]
    for (const [wrong, said] of [
      ['', /not JSON/],
      ['null', /its manifest lacks fields/],
      ['[]', /its manifest lacks fields/],
      [text({ format: 'gatehouse-backup/2' }), /gatehouse-backup\/2/],
      [text({ files: [] }), /no ledger/],
      [text({ files: [ledger, ledger] }), /twice/],
      [text({ files: [ledger, { ...ledger, path: 'data/LEDGER.db' }] }), /twice/],
      [text({ files: [ledger, { ...ledger, path: '../ledger.db' }] }), /its manifest lacks fields/],
      [text({ entries: -1 }), /its manifest lacks fields/],
      [text({ more: 1 }), /its manifest lacks fields/],
    ] as const)
      assert.throws(
        () => readManifest(wrong),
        (error) => error instanceof BackupError && said.test(error.message),
        wrong,
      )
    fc.assert(
      fc.property(fc.string(), (any) => {
        assert.throws(() => readManifest(any), BackupError)
      }),
    )
  })

  test('no name leads out of the folder', () => {
    for (const path of ['manifest.json', 'data/ledger.db', 'data/ca/ca.key', 'event/event.json', 'data/a b/c+d@e'])
      assert.ok(isNamed(path), path)
    for (const path of [
      'data',
      'data/',
      'data//x',
      'data/../x',
      'data/./x',
      'data/..',
      '/data/x',
      'other/x',
      'data/x\0',
      'data\\x',
      'data/c:x',
      `data/${'x'.repeat(121)}`,
      'data/a/b/c/d/e/f/g/h/i',
    ])
      assert.ok(!isNamed(path), path)
    fc.assert(
      fc.property(fc.array(fc.constantFrom('..', '.', '', 'a', 'data', 'event', 'a..b', '...')), (parts) => {
        const path = parts.join('/')
        if (isNamed(path)) assert.ok(!path.split('/').some((part) => ['', '.', '..'].includes(part)), path)
      }),
    )
  })

  test('a file more, a file less or another one is seen', () => {
    const [ledger, key] = whole.files
    assert.ok(ledger && key)
    assert.equal(mismatch(whole as never, whole.files), undefined)
    assert.match(mismatch(whole as never, [ledger]) ?? '', /ca.key is missing/)
    assert.match(mismatch(whole as never, [ledger, { ...key, bytes: 228 }]) ?? '', /has other contents/)
    assert.match(mismatch(whole as never, [ledger, { ...key, sha256: 'b'.repeat(64) }]) ?? '', /has other contents/)
    assert.match(mismatch(whole as never, [...whole.files, { ...key, path: 'data/x' }]) ?? '', /does not belong/)
  })
})
