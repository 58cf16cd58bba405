import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { TEST_EVENT } from '../../test/world/event.ts'
import { checkDraft } from './check-draft.ts'

test('the thread says the warnings of the event too, since nobody else reads a draft with mistakes beside it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-draft-'))
  try {
    const draft = { ...TEST_EVENT, gates: [...TEST_EVENT.gates, { id: 'spare', name: 'Spare' }] }
    const { mistakes, warnings } = await checkDraft({ folder, draft })
    assert.deepEqual([mistakes, warnings.map(({ path }) => path)], [[], [`gates[${TEST_EVENT.gates.length}]`]])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
