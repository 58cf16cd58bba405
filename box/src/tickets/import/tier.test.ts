import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatehouseError } from '../../errors.ts'
import { parseTierMap, tierMatcher } from './tier.ts'

describe('mappings', () => {
  it('are split at the last equals sign', () => {
    assert.deepEqual(parseTierMap(['Early Bird=day', 'a=b=vip', 'item:12 = day ', 'Parking=']), {
      'Early Bird': 'day',
      'a=b': 'vip',
      'item:12': 'day',
      Parking: '',
    })
  })

  it('keep a name that objects give a meaning', () => {
    assert.deepEqual(Object.entries(parseTierMap(['__proto__=day'])), [['__proto__', 'day']])
  })

  for (const text of ['day', '=day', ' =day', '']) {
    it(`refuse ${JSON.stringify(text)}`, () =>
      assert.throws(
        () => parseTierMap([text]),
        (error) => error instanceof GatehouseError && error.code === 'bad_request',
      ))
  }
})

describe('matching', () => {
  const tiers = [
    { id: 'day', name: 'VIP' },
    { id: 'vip', name: 'Day' },
    { id: 'Crew', name: 'Crew upper' },
    { id: 'crew', name: 'Crew lower' },
  ]
  const tierOf = (...names: string[]) => tierMatcher(tiers, {}).match({ names, key: '' })

  it('an id counts more than a name, and its exact spelling most', () => {
    assert.deepEqual(tierOf('Vip'), { tier: 'vip' })
    assert.deepEqual(tierOf('Crew'), { tier: 'Crew' })
    assert.deepEqual(tierOf('crew'), { tier: 'crew' })
  })

  it('the most exact name of a product counts first', () => {
    const { match } = tierMatcher(tiers, { 'item:1/2': 'vip', 'item:1': 'day' })
    assert.deepEqual(match({ names: ['item:1/2', 'item:1'], key: '' }), { tier: 'vip' })
    assert.deepEqual(match({ names: ['item:1/3', 'item:1'], key: '' }), { tier: 'day' })
  })

  it('names of objects are no tiers', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) assert.equal(tierOf(name), 'none')
  })
})
