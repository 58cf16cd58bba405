import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { takeAnswer } from './provider.ts'

const [STATE, SECRET] = ['S'.repeat(43), 'K'.repeat(43)]

function page(search: string, stored: string | null) {
  const items = new Map(stored === null ? [] : [['gatehouse-provider', stored]])
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  Object.defineProperty(globalThis, 'sessionStorage', { value: storage, configurable: true })
  const shown: string[] = []
  return {
    items,
    shown,
    place: {
      location: { search, pathname: '/dashboard/', hash: '#/gates' },
      history: {
        replaceState: (_data: unknown, _unused: string, url?: string | URL | null) => void shown.push(`${url}`),
      },
    },
  }
}

describe("the provider's answer in the address", () => {
  afterEach(() => Reflect.deleteProperty(globalThis, 'sessionStorage'))

  it('is taken once, by the tab that began it, and leaves the address', () => {
    const { place, items, shown } = page(`?code=x&state=${STATE}`, `${STATE} ${SECRET}`)
    assert.deepEqual(takeAnswer(place), { state: STATE, secret: SECRET, answer: `?code=x&state=${STATE}` })
    assert.deepEqual([items.size, shown], [0, ['/dashboard/#/gates']])
    assert.equal(takeAnswer(place), undefined)
  })

  it('is not taken up where this tab has begun nothing, or something else; it leaves the address all the same', () => {
    for (const stored of [null, `${'T'.repeat(43)} ${SECRET}`, 'x', `${STATE}`]) {
      const { place, shown } = page(`?code=x&state=${STATE}`, stored)
      assert.equal(takeAnswer(place), undefined, `${stored}`)
      assert.equal(shown.length, 1)
    }
  })

  it('is none where the address has no state', () => {
    const { place, items, shown } = page('?x=1', `${STATE} ${SECRET}`)
    assert.equal(takeAnswer(place), undefined)
    assert.deepEqual([items.size, shown.length], [1, 0])
  })
})
