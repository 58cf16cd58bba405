import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { runInNewContext } from 'node:vm'
import { readPage } from './page.ts'

interface Words {
  bytesText(bytes: number): string
  durationText(ms: number): string
  warningsOf(statistics: object): { level: string; text: string }[]
}

/** As in the page: the script's functions without their exports. */
const words: Words = runInNewContext(
  `${readFileSync(join(import.meta.dirname, 'words.js'), 'utf8').replace(/^export /gm, '')}; ({ bytesText, durationText, warningsOf })`,
)

const GIB = 1024 ** 3

function statistics(sinks: object[] = [], more: object = {}) {
  return {
    source: { state: 'streaming', lastError: null },
    slot: { exists: true, active: true, retainedWalBytes: 0 },
    publication: { exists: true, allTables: true },
    walLevel: 'logical',
    engine: { stalledBy: [], stalledMs: 0, positionsError: null, sinks },
    ...more,
  }
}

const sink = (more: object) => ({
  ...{
    id: 'north',
    name: 'North',
    durability: 'durable',
    status: 'running',
    lastError: null,
    attempts: 0,
    stalledBy: [],
  },
  ...more,
})

const told = (...args: Parameters<typeof statistics>) =>
  words.warningsOf(statistics(...args)).map(({ level, text }) => `${level}: ${text}`)

describe('the dashboard says in words', () => {
  it('how much and how long', () => {
    assert.deepEqual([0, 1023, 1024, 1536 * 1024, 5 * GIB, 3 * 1024 * GIB].map(words.bytesText), [
      ...['0 B', '1023 B', '1.0 KiB', '1.5 MiB', '5.0 GiB', '3.0 TiB'],
    ])
    assert.deepEqual([0, 61_000, 3_660_000, 90_000_000].map(words.durationText), [
      ...['0 s', '1 min 1 s', '1 h 1 min', '1 d 1 h'],
    ])
  })

  it('nothing when everything is well', () => assert.deepEqual(told([sink({})]), []))

  it('who makes the database keep its log, and when that is too much', () => {
    const [paused] = [sink({ status: 'paused', lastError: 'refused' })]
    const slot = (retainedWalBytes: number) => ({ slot: { exists: true, active: true, retainedWalBytes } })
    assert.deepEqual(told([sink({})], slot(GIB - 1)), [])
    assert.deepEqual(told([sink({})], slot(GIB)), ['warn: The database retains 1.0 GiB of log for this feed.'])
    assert.deepEqual(told([paused], slot(10 * GIB)), [
      'alarm: The database retains 10.0 GiB of log for this feed. Held by the paused North: resume or remove it.',
      'alarm: North is paused, and the database keeps its log for it: refused',
    ])
  })

  it('which sink stalls whom', () => {
    const engine = {
      ...{ stalledBy: ['north'], stalledMs: 61_000, positionsError: null },
      sinks: [sink({}), sink({ id: 'south', name: 'South', stalledBy: ['north'] })],
    }
    assert.deepEqual(told([], { engine }), [
      'alarm: Nothing is read for 1 min 1 s: the queue of North is full. South waits with it.',
    ])
  })

  it('what has failed, what is gone, and what is not known; the worst first', () => {
    assert.deepEqual(
      told([sink({ lastError: 'no', attempts: 3 }), sink({ durability: 'ephemeral', status: 'paused' })], {
        source: { state: 'failed', lastError: 'lost' },
        slot: { exists: false, active: false, retainedWalBytes: 0 },
        publication: { exists: false, allTables: false },
      }).map((line) => line.slice(0, 34)),
      [
        'alarm: The source has failed, and ',
        'alarm: The replication slot is gon',
        'alarm: The publication is gone: no',
        'warn: North has failed 3 times and',
        'warn: North is paused.',
      ],
    )
    assert.deepEqual(told([], { slot: null, publication: null, walLevel: null }), [
      'warn: The database does not answer: nothing is known of slot, publication and retained log.',
    ])
  })
})

describe('the page', () => {
  it('has everything that its script looks for', () => {
    const { html } = readPage()
    const script = readFileSync(join(import.meta.dirname, 'page.js'), 'utf8')
    const ids = [...script.matchAll(/byId\('(\w+)'\)/g)].map(([, id]) => id)
    assert.ok(ids.length > 8)
    for (const id of ids) assert.ok(html.includes(`id="${id}"`), id)
    const columns = [...html.matchAll(/<th scope="col"/g)].length
    assert.equal([...script.matchAll(/cell\('/g)].length + 1, columns, 'a cell for each column')
  })
})
