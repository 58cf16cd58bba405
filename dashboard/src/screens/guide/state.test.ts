import '../../words/in-english.ts'

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventDraft } from '@gatehouse/proto/wire/guide.ts'
import type { Json } from './draft.ts'
import { type Guiding, guiding } from './state.ts'

const mistakesOf = ({ checked }: Guiding) => checked.value?.mistakes.length

function noRoom(): never {
  throw new DOMException('no room', 'QuotaExceededError')
}

/** A box with one file, and a browser that keeps texts. */
function setting(event: Json | null, revision: string | null) {
  const box = { event, revision, saves: [] as unknown[], meanwhile: () => {} }
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
      box.meanwhile()
      Object.assign(box, { event: save.event, revision: 'r2' })
    },
  }
  const waiting: (() => void)[] = []
  const opened = () => guiding(api, store, (work) => void waiting.push(work))
  const checked = async () => {
    for (const work of waiting.splice(0)) await (work as () => Promise<void>)()
  }
  return { box, texts, store, opened, checked }
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

test('two tabs have one draft: neither overwrites what was typed in the other', async () => {
  const { box, opened } = setting({ name: 'Fair' }, 'r1')
  const [first, second] = [opened(), opened()]
  await first.open()
  await second.open()
  first.change({ name: 'Other' })
  await second.follow()
  assert.deepEqual([second.draft.value, second.isChanged.value, second.isOld.value], [{ name: 'Other' }, true, false])
  second.change({ name: 'Other', place: 'Hall' })
  await first.follow()
  await first.save()
  assert.deepEqual(box.event, { name: 'Other', place: 'Hall' })
  await second.follow()
  assert.deepEqual([second.isChanged.value, second.draft.value], [false, { name: 'Other', place: 'Hall' }])
})

test('typed in another tab while this one saves: that draft stays, and asks about the new file', async () => {
  const { box, opened } = setting({ name: 'Fair' }, 'r1')
  const [first, second] = [opened(), opened()]
  await first.open()
  first.change({ name: 'Other' })
  await second.open()
  box.meanwhile = () => second.change({ name: 'Other', place: 'Hall' })
  await first.save()
  assert.deepEqual(box.event, { name: 'Other' })
  const again = opened()
  await again.open()
  for (const tab of [first, again])
    assert.deepEqual(
      [tab.draft.value, tab.isChanged.value, tab.isOld.value],
      [{ name: 'Other', place: 'Hall' }, true, true],
    )
})

test('typed in this tab while it saves stays too, even where the browser keeps nothing', async () => {
  for (const keeps of [true, false]) {
    const { box, opened, store } = setting({ name: 'Fair' }, 'r1')
    if (!keeps) Object.assign(store, { getItem: noRoom, setItem: noRoom, removeItem: noRoom })
    const guide = opened()
    await guide.open()
    guide.change({ name: 'Other' })
    box.meanwhile = () => guide.change({ name: 'Others' })
    await guide.save()
    assert.deepEqual(
      [box.event, guide.draft.value, guide.isChanged.value],
      [{ name: 'Other' }, { name: 'Others' }, true],
    )
  }
})

test('thrown away in another tab while this one saves: the file that was saved counts', async () => {
  const { box, opened } = setting({ name: 'Fair' }, 'r1')
  const [first, second] = [opened(), opened()]
  await first.open()
  first.change({ name: 'Other' })
  await second.open()
  box.meanwhile = () => {
    second.discard()
    first.discard()
  }
  await first.save()
  assert.deepEqual([first.draft.value, first.isChanged.value], [{ name: 'Other' }, false])
})

test('a draft for which there is no room leaves no older one behind, which would come back after a reload', async () => {
  const { opened, store } = setting({ name: 'Fair' }, 'r1')
  const guide = opened()
  await guide.open()
  guide.change({ name: 'Older' })
  Object.assign(store, { setItem: noRoom })
  guide.change({ name: 'Newer' })
  assert.equal(guide.isKept.value, false)
  const again = opened()
  await again.open()
  assert.deepEqual([again.draft.value, again.isChanged.value], [{ name: 'Fair' }, false])
})

test('a browser that keeps nothing says so, and the draft can be saved all the same', async () => {
  const { box, opened, store } = setting({ name: 'Fair' }, 'r1')
  Object.assign(store, { getItem: noRoom, setItem: noRoom, removeItem: noRoom })
  const guide = opened()
  await guide.open()
  guide.change({ name: 'Other' })
  assert.deepEqual([guide.draft.value, guide.isChanged.value, guide.isKept.value], [{ name: 'Other' }, true, false])
  await guide.save()
  assert.deepEqual([box.event, guide.isChanged.value], [{ name: 'Other' }, false])
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
