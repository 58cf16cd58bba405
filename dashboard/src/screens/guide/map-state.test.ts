import '../../words/in-english.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MapImport, MapImported } from '@gatehouse/proto/wire/guide-map.ts'
import type { Json } from './draft.ts'
import { type MapApi, mapping } from './map-state.ts'

const EVENT: Json = { gates: [{ id: 'north' }], zones: [{ id: 'hall' }, { id: 'yard' }] }
const FOUND: MapImported = {
  ...{ format: 'imdf', collection: { features: [] }, problems: [], languages: ['de', 'en'] },
  entrances: [{ id: 'e1', said: 'Main' }],
  parts: [{ id: 'p1', said: 'Hall 1' }],
}

function open(answer: (asked: MapImport) => MapImported) {
  const asked: MapImport[] = []
  const api: MapApi = {
    read: async () => ({ state: 'none', collection: null, revision: null }),
    check: async () => ({ problems: [] }),
    save: async () => undefined,
    import: async (body) => {
      asked.push(body)
      return answer(body)
    },
  }
  return { asked, state: mapping(api, () => {}) }
}

test('what somebody says of the files goes to the box: entrances, parts that are zones, the language of names', async () => {
  const { asked, state } = open(() => FOUND)
  await state.choose([new File(['{}'], 'unit.geojson')], EVENT)
  const entrances = { north: 'e1' }
  await state.say({ ...state.choices.value, entrances, parts: { hall: 'p1', yard: '' }, language: 'de' }, EVENT)
  const { files, ...said } = asked.at(-1) ?? { files: [] }
  assert.deepEqual(said, {
    gates: [{ id: 'e1', gate: 'north' }],
    ...{ zones: [{ id: 'p1', zone: 'hall' }], language: 'de' },
  })
  assert.equal(files.length, 1)
})

test('rules of a file take the place of the usual ones, and what is no list is refused', async () => {
  const { asked, state } = open(({ rules }) => ({
    ...FOUND,
    format: 'geojson',
    collection: rules ? FOUND.collection : null,
  }))
  await state.choose([new File(['{}'], 'town.geojson')], EVENT)
  assert.deepEqual(asked.at(-1)?.rules, [{ file: 'town.geojson', geometry: 'line', kind: 'path' }])
  const rules = [{ file: 'town.geojson', where: { ref: 'wc' }, kind: 'amenity' }]
  await state.chooseRules(new File([JSON.stringify(rules)], 'rules.json'), EVENT)
  assert.deepEqual(asked.at(-1)?.rules, rules)
  assert.equal(state.problem.value, null)
  for (const bad of ['{"a":1}', 'no json', '']) {
    await state.chooseRules(new File([bad], 'rules.json'), EVENT)
    assert.notEqual(state.problem.value, null, bad)
    assert.deepEqual(state.choices.value.rules, rules)
  }
})
