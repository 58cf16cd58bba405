import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { TEST_EVENT } from '../../test/world/event.ts'
import { type Event, parseEvent } from '../event/event.ts'
import { MappingError, parseMapping } from './mapping.ts'

function eventOf(file: object = TEST_EVENT): Event {
  const parsed = parseEvent(file)
  return 'event' in parsed ? parsed.event : assert.fail()
}
const event = eventOf()

function mistakesOf(text: string): string[] {
  try {
    parseMapping(text, 'shop.yaml', event)
  } catch (error) {
    assert.ok(error instanceof MappingError, String(error))
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }
  return []
}

describe('a mapping', () => {
  it('says every mistake at once, with its line', () => {
    const mistakes = mistakesOf(`tables:
  public.tickets:
    key: id
    code: order.code
    tier: { column: product, values: { A: platinum } }
    email: buyer.email
    status: { column: state, values: { p: payed } }
    where: [{ column: kind }]
    lookups:
      order: { table: public.orders, key: [id, part], by: order_id }`)
    const wanted = [
      /^line 4: .*code: must be a column of this table/,
      /^line 5: .*no ticket type "platinum"/,
      /^line 6: .*no lookup "buyer"/,
      /^line 7: .*must be one of paid, .*not "payed".*paid/,
      /^line 8: .*set in or notIn/,
      /^line 10: .*as many columns as the key of public.orders: 2/,
    ]
    assert.equal(mistakes.length, wanted.length, mistakes.join('\n'))
    for (const [i, pattern] of wanted.entries()) assert.match(mistakes[i] ?? '', pattern)
  })

  it('says what is missing, unknown, or no YAML', () => {
    assert.match(mistakesOf('tables: {}').join(), /tables/)
    assert.match(mistakesOf('tables: { public.t: { key: id, code: c } }').join(), /tier: missing/)
    assert.match(mistakesOf('tables: { public.t: { key: id, code: c, tier: t, seet: s } }').join(), /unknown key.*seat/)
    assert.match(mistakesOf('tables: [').join(), /line 1/)
    assert.match(
      mistakesOf('source: { urll: x }\ntables: { public.t: { key: id, code: c, tier: t } }').join(),
      /source.urll: unknown key/,
    )
    assert.deepEqual(mistakesOf('tables: { public.t: { key: id, code: c, tier: { value: once } } }'), [])
  })

  it('reads the examples of the documentation', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/hq.md'), 'utf8')
    const examples = [...page.matchAll(/^```yaml\n(tables:\n.*?)^```/gms)].map(([, text = '']) => text)
    assert.equal(examples.length, 2)
    const {
      tiers: [once],
      ...rest
    } = TEST_EVENT
    const tiers = ['day', 'vip'].map((id) => ({ ...once, id, name: id }))
    const checkpoints = rest.checkpoints.map((checkpoint) => ({ ...checkpoint, tiers: ['day', 'vip'] }))
    const documented = eventOf({ ...rest, tiers, checkpoints })
    const [generic, pretix] = examples.map((text) => parseMapping(text, 'shop.yaml', documented))
    assert.deepEqual([...(generic?.tables.keys() ?? [])], ['public.tickets'])
    const orders = pretix?.tables.get('public.pretixbase_order')
    assert.deepEqual([...(orders?.columns ?? [])].sort(), [
      ...['checkin_attention', 'checkin_text', 'code', 'email', 'event_id', 'id', 'status'],
    ])
    assert.deepEqual([...(orders?.personal ?? [])], ['email', 'checkin_text'])
    const items = pretix?.tables.get('public.pretixbase_item')
    assert.deepEqual([...(items?.columns ?? [])], ['id', 'name', 'checkin_attention', 'checkin_text'])
    assert.deepEqual([...(items?.personal ?? [])], [])
    assert.equal(orders?.lookedUp, true)
  })

  it('keeps of a source what the file says, and no default of the feed', () => {
    const text =
      'source: { url: "postgres://a@b/c", slot: { name: own } }\ntables: { public.t: { key: id, code: c, tier: t } }'
    assert.deepEqual(parseMapping(text, 'shop.yaml', event).source, { url: 'postgres://a@b/c', slot: { name: 'own' } })
  })

  it('is never anything but mistakes for a text that is none', () => {
    // An alias that leads nowhere, which random texts seldom have.
    assert.equal(mistakesOf('*!').length, 1)
    fc.assert(fc.property(fc.string(), (text) => mistakesOf(text).length > 0))
    fc.assert(fc.property(fc.json(), (text) => mistakesOf(`tables: { public.t: ${text} }`).length > 0))
  })
})
