import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_EVENT } from '../../test/world/event.ts'
import { parseEvent } from '../event/event.ts'
import type { Mistake } from '../event/mistakes.ts'
import { Checks } from './checks.ts'
import { type EditorDeps, EventEditor } from './editor.ts'

/** An editor whose thread has found these mistakes. */
function editorThatFinds(mistakes: readonly Mistake[]): EventEditor {
  const parsed = parseEvent(TEST_EVENT)
  assert.ok('event' in parsed)
  return new EventEditor({
    ...{ event: parsed.event, dataDir: '', eventDir: '', ownEvent: undefined, reopen: undefined, checks: new Checks() },
    checkDraft: async () => ({ mistakes, warnings: [{ path: 'gates[2]', message: 'has no checkpoint' }] }),
    isMapPending: async () => false,
    existing: () => ({ tickets: new Map([['vip', 1]]), scanners: new Map(), inside: new Map() }),
    otherBoxes: () => 0,
    ledger: {} as EditorDeps['ledger'],
  })
}

/** A draft that says whether its fields were read on this thread. */
function watched() {
  const reads: string[] = []
  const draft = new Proxy<Record<string, unknown>>(
    { ...TEST_EVENT, tiers: TEST_EVENT.tiers.filter(({ id }) => id !== 'vip') },
    {
      get(target, field: string) {
        reads.push(field)
        return target[field]
      },
    },
  )
  return { draft, reads }
}

test('a draft in which the thread has found mistakes, or that it gave up, is not read on the thread that answers scans', async () => {
  const mistake = { path: '', message: 'took too long to check' }
  const editor = editorThatFinds([mistake])
  const { draft, reads } = watched()
  const { mistakes, changes } = await editor.check(draft)
  assert.deepEqual([mistakes, changes], [[mistake], []])
  await assert.rejects(editor.save({ event: draft, revision: null }, { actor: 'Kim' } as never), /took too long/)
  assert.deepEqual(
    reads.filter((field) => field !== 'id'),
    [],
  )
})

test('a draft without mistakes is compared with what exists, and has the warnings of the thread', async () => {
  const { draft } = watched()
  draft.checkpoints = TEST_EVENT.checkpoints.map((one) => ({ ...one, tiers: one.tiers.filter((id) => id !== 'vip') }))
  const { mistakes, warnings, changes } = await editorThatFinds([]).check(draft)
  assert.deepEqual(
    [mistakes, warnings.map(({ path }) => path), changes.map(({ kind, name }) => [kind, name])],
    [[], ['gates[2]'], [['tier_removed', 'VIP']]],
  )
})
