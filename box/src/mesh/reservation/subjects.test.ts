import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { streamSubjects } from './subjects.ts'

const names = streamSubjects('00ff', 3)

describe('what claims are called', () => {
  it('is one subject for each right, whatever characters are in it', () => {
    assert.equal(names.stream, 'RIGHTS_00ff_3')
    fc.assert(
      fc.property(fc.string(), fc.string(), (ref, slot) => {
        assert.match(names.rightSubject(ref, slot), /^gh\.00ff\.rights\.3\.[0-9a-f]{32}$/)
      }),
    )
    assert.match(names.probeSubject('box-1'), /^gh\.00ff\.probes\.3\.[0-9a-f]{32}$/)
  })

  it('is another for another ticket, right or epoch', () => {
    const subjects = [
      names.rightSubject('a', 'b'),
      names.rightSubject('b', 'b'),
      names.rightSubject('a', 'c'),
      names.rightSubject('ab', ''),
      streamSubjects('00ff', 4).rightSubject('a', 'b'),
      streamSubjects('00fe', 3).rightSubject('a', 'b'),
    ]
    assert.equal(new Set(subjects).size, subjects.length)
  })
})
