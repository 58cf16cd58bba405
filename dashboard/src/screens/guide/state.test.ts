import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventDraft } from '@gatehouse/proto/wire/guide.ts'
import type { Json } from './draft.ts'
import { type Guiding, guiding } from './state.ts'

const mistakesOf = ({ checked }: Guiding) => checked.value?.mistakes.length

/** A box with one file, and a browser that keeps texts. */
function setting(event: Json | null, revision: string | null) {
  const box = { event, revision, saves: [] as unknown[] }
  const texts = new Map<string, string>()
  const store = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  }
  const read = async (): Promise<EventDraft> => ({
    ...{ event: box.event as Record<string, unknown> | null, revision: box.revision },
    ...{ demo: false, pending: false, other_boxes: 0, folder: '/event', mistakes: [] },
  })
  const api = {
    read,
    check: async (draft: Json) => ({
      mistakes: draft.name === '' ? [{ path: 'name', message: 'must be a name' }] : [],
      ...{ warnings: [], changes: [] },
    }),
    save: async (save: { event: Json; revision: string | null; accepts_changes: boolean }) => {
      box.saves.push(save)
      Object.assign(box, { event: save.event, revision: 'r2' })
    },
  }
  const waiting: (() => void)[] = []
  const opened = () => guiding(api, store, (work) => void waiting.push(work))
  const checked = async () => {
    for (const work of waiting.splice(0)) await (work as () => Promise<void>)()
  }
  return { box, texts, opened, checked }
}

test('a draft outlives the page, and is forgotten once it is saved', async () => {
  const { box, texts, opened } = setting({ name: 'Fair' }, 'r1')
  const first = opened()
  await first.open()
  first.change({ name: 'Other' })
  const second = opened()
  await second.open()
  assert.deepEqual([second.draft.value, second.isChanged.value, second.isOld.value], [{ name: 'Other' }, true, false])
  await second.save()
  assert.deepEqual(box.saves, [{ event: { name: 'Other' }, revision: 'r1', accepts_changes: false }])
  assert.equal(texts.size, 0)
  assert.equal(second.isChanged.value, false)
})

test('a draft of an earlier file asks which of the two counts', async () => {
  const { box, opened } = setting({ name: 'Fair' }, 'r1')
  const first = opened()
  await first.open()
  first.change({ name: 'Other' })
  Object.assign(box, { event: { name: 'By hand' }, revision: 'r9' })
  const second = opened()
  await second.open()
  assert.equal(second.isOld.value, true)
  second.keep()
  await second.save()
  assert.deepEqual(box.saves, [{ event: { name: 'Other' }, revision: 'r9', accepts_changes: false }])
  Object.assign(box, { event: { name: 'By hand' }, revision: 'r10' })
  first.discard()
  assert.equal(first.isOld.value, false)
})

test('a check that answers after another change is not shown', async () => {
  const { opened, checked } = setting({ name: 'Fair' }, 'r1')
  const guide = opened()
  await guide.open()
  guide.change({ name: '' })
  await checked()
  assert.equal(mistakesOf(guide), 1)
  guide.change({ name: 'Good' })
  assert.equal(guide.checked.value, null)
  await checked()
  assert.equal(mistakesOf(guide), 0)
})

test('what is no draft in the browser is not taken for one', async () => {
  for (const text of ['', '{', '[]', 'null', '{"event":[]}', '{"event":1}']) {
    const { texts, opened } = setting({ name: 'Fair' }, 'r1')
    texts.set('gatehouse-event-draft', text)
    const guide = opened()
    await guide.open()
    assert.deepEqual([guide.draft.value, guide.isChanged.value], [{ name: 'Fair' }, false], text)
  }
})
