import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Value } from 'typebox/value'
import type { Situation, Slot } from './catalog.ts'
import { PostgresOptions } from './options.ts'
import { Watch } from './watch.ts'

function watching(tables?: string[]) {
  const said: [string, string][] = []
  const write = (level: string) => (fields: object) => said.push([level, (fields as { event: string }).event])
  const log = { info: write('info'), warn: write('warn'), error: write('error') }
  const given = { kind: 'postgres', retainedWarnBytes: 1000, publication: { ...(tables && { tables }) } }
  const watch = new Watch(Value.Default(PostgresOptions, given) as PostgresOptions, log)
  const look = (walStatus: string, retainedWalBytes = 0, published = ['public.a']) =>
    watch.look({
      slot: { walStatus, retainedWalBytes, safeWalBytes: null } as Slot,
      publication: { oid: '7', allTables: false, leavesOut: [], tables: published },
    } as unknown as Situation)
  return { said, look }
}

describe('the watch', () => {
  it('says what changes, once', () => {
    const { said, look } = watching()
    const steps: [string, number][] = [
      ['reserved', 0],
      ['reserved', 1001],
      ['extended', 1002],
      ['unreserved', 0],
      ['unreserved', 0],
      ['lost', 0],
    ]
    for (const [status, bytes] of [...steps, ['reserved', 5], ['reserved', 6]] as [string, number][])
      look(status, bytes)
    assert.deepEqual(said, [
      ['warn', 'slot_retains_wal'],
      ['error', 'slot_about_to_be_lost'],
      ['error', 'slot_lost'],
      ['info', 'slot_well'],
    ])
  })

  it('says when a publication has other tables', () => {
    const { said, look } = watching(['a'])
    for (const tables of [['public.a'], ['public.a'], [], ['public.a', 'public.b'], ['public.a', 'public.b']])
      look('reserved', 0, tables)
    assert.deepEqual(said, [
      ['warn', 'publication_changed'],
      ['warn', 'publication_changed'],
    ])
  })
})
