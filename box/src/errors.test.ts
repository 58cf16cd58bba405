import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { CODES } from '@gatehouse/proto/refusal-reasons.ts'
import { STATUS } from './errors.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/errors.md'), 'utf8')

describe('box/docs/errors.md', () => {
  const sections = page.split(/^## /m).slice(1)

  it('has every code with its status, and no other', () => {
    const documented = sections.map((section) => {
      const [, code, status] = /^`(\w+)` \((\d{3})\)\n/.exec(section) ?? assert.fail(section)
      return [code, Number(status)]
    })
    const byStatus = Object.entries(STATUS).toSorted(([, a], [, b]) => a - b)
    assert.deepEqual(documented, byStatus)
  })

  it('is what the apps have sentences for', () => {
    assert.deepEqual([...CODES].toSorted(), Object.keys(STATUS).toSorted())
  })

  it('says of each when it comes and what to do then', () => {
    for (const section of sections) assert.match(section, /\n\*\*When\*\* [\s\S]+\.\n\n\*\*Then\*\* [\s\S]+\.\n/)
  })
})
