import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fieldsOf, readJson } from './shared-file.ts'

describe('a file that somebody else writes', () => {
  it('is JSON of a bearable size, or nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-shared-'))
    try {
      const path = join(folder, 'file.json')
      assert.equal(await readJson(path), undefined)
      for (const [text, value] of [
        ['{"a":1}', { a: 1 }],
        [`"${'x'.repeat(65_000)}"`, 'x'.repeat(65_000)],
        [`"${'x'.repeat(66_000)}"`, undefined],
        ['{"a":1', undefined],
        ['', undefined],
      ] as const) {
        writeFileSync(path, text)
        assert.deepEqual(await readJson(path), value)
      }
      assert.equal(await readJson(folder), undefined)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('gives fields of the kind that was asked for, whatever is in it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        const fields = fieldsOf(value)
        if (fields === undefined) return
        const text = fields.text(name, 10)
        assert.ok(text === undefined || (text.length <= 10 && text.isWellFormed() && !/[^\P{C}\n]/u.test(text)))
        const percent = fields.percent(name)
        assert.ok(percent === null || (Number.isInteger(percent) && percent >= 0 && percent <= 100))
        assert.ok(fields.list(name, 3).length <= 3)
        assert.equal(typeof fields.flag(name), 'boolean')
      }),
    )
    assert.equal(fieldsOf({})?.text('toString'), undefined)
    assert.equal(fieldsOf({ n: 250 })?.percent('n'), 100)
    assert.equal(fieldsOf({ t: 'a\u001b[31m\ud800b\u202e\n' })?.text('t'), 'a[31mb\n')
  })
})
