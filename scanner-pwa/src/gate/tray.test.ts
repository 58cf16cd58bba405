import '../words/in-english.ts'

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AskedQuestion, Verdict } from '@gatehouse/proto/wire/scan.ts'
import type { Checkpoint } from '@gatehouse/proto/wire/terms.ts'
import type { QueueItem } from '../store/database.ts'
import type { ScanRecord } from './model.ts'
import { withoutPerson } from './private.ts'
import { Tray } from './tray.ts'
import { scanFor } from './uploads.ts'

const SIZE: AskedQuestion = { id: 'size', text: 'Size?', kind: 'text', required: true }
const DIET: AskedQuestion = { id: 'diet', text: 'Diet?', kind: 'text', required: false }
const AT = {} as Checkpoint
const record = (scanId: string, verdict: Partial<Verdict>) =>
  ({ scanId, at: 1, verdict: { verdict: 'ADMIT', ...verdict } }) as ScanRecord
const by = (payload: string) => ({ payload, checkpoint: AT, by: 'https://box' })
const ids = (tray: Tray) => tray.items.value.map(({ scanId }) => scanId)

describe('the tray', () => {
  it('keeps attention and questions of people who come in or wait, and nothing of others', () => {
    const tray = new Tray()
    tray.take(record('1', { attention: {} }), by('A'))
    tray.take(record('2', { verdict: 'BLOCKED', questions: [SIZE] }), by('B'))
    tray.take(record('3', {}), by('C'))
    tray.take(record('4', { verdict: 'ALREADY_USED', attention: {} }), by('D'))
    tray.take(record('5', { verdict: 'BLOCKED' }), by('E'))
    assert.deepEqual(ids(tray), ['2', '1'])
    tray.seen('1')
    assert.deepEqual(ids(tray), ['2'])
    tray.drop('2')
    assert.deepEqual(ids(tray), [])
  })

  it('has a code that waits once, with what was typed so far for the questions that are left', () => {
    const tray = new Tray()
    tray.take(record('1', { verdict: 'BLOCKED', questions: [SIZE, DIET] }), by('A'))
    tray.draft('1', { size: 'x', diet: 'None' })
    tray.take(record('2', { verdict: 'BLOCKED', questions: [SIZE] }), by('A'))
    assert.deepEqual([ids(tray), tray.items.value[0]?.draft], [['2'], { size: 'x' }])
    tray.take(record('3', { questions: [DIET] }), by('A'), '2')
    assert.deepEqual([ids(tray), tray.find('3')?.draft], [[], {}], 'nobody has begun with what may be left out')
  })

  it('offers what may be left out for the last scans alone, and never drops what has to stay', () => {
    const tray = new Tray()
    tray.take(record('heed', { attention: {} }), by('heed'))
    for (let n = 1; n <= 30; n++) tray.take(record(`${n}`, { questions: [DIET] }), by(`${n}`))
    assert.deepEqual([tray.find('10'), tray.find('11')?.scanId, ids(tray)], [undefined, '11', ['heed']])
  })
})

it('a record is kept without the holder and the note, also of the later answer', () => {
  const person = { holder: 'Ana', note: 'Has the keys.', product: 'Child' }
  const kept = withoutPerson({ ...record('1', person), afterwards: record('1', person).verdict })
  assert.deepEqual([kept.verdict, kept.afterwards], Array(2).fill({ verdict: 'ADMIT', product: 'Child' }))
})

it('a box that has not asked is sent no answers, and the admission all the same', () => {
  const scan = { scan_id: '1', answers: [{ question: 'size', answer: 'l' }], asked_by: '0' }
  const item = { scan, asker: 'https://box' } as unknown as QueueItem
  assert.deepEqual(scanFor(item, 'https://box'), scan)
  assert.deepEqual(scanFor(item, 'https://older'), { scan_id: '1' })
})
