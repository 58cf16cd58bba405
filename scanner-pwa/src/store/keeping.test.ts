import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scantRoom, storageKeeping } from './keeping.ts'

describe('the room for what is stored', () => {
  it('is named where it is scant, as in a private window, and not where the browser does not say', async () => {
    const of = (estimate: StorageEstimate) => scantRoom({ estimate: async () => estimate })
    assert.equal(await of({ quota: 20.9 * 2 ** 20 }), 20)
    assert.equal(await of({ quota: 100 * 2 ** 20 }), undefined)
    assert.equal(await of({}), undefined)
    assert.equal(await scantRoom(undefined), undefined)
    assert.equal(await scantRoom({ estimate: () => Promise.reject(new TypeError('refused')) }), undefined)
  })
})

describe('keeping what is stored', () => {
  it('asks the browser once, and waits for no person', async () => {
    const answer = Promise.withResolvers<boolean>()
    let asked = 0
    let persisted = false
    const keeping = storageKeeping({
      persist: () => {
        asked++
        return answer.promise
      },
      persisted: async () => persisted,
    })
    assert.equal(await keeping(), 'asking')
    assert.equal(await keeping(), 'asking')
    answer.resolve(false)
    await answer.promise
    assert.equal(await keeping(), false)
    persisted = true
    assert.equal(await keeping(), true, 'the app was added to the home screen')
    assert.equal(asked, 1)
  })

  it('does not know in a browser that does not say, or that refuses to', async () => {
    assert.equal(await storageKeeping(undefined)(), undefined)
    const refusing = storageKeeping({
      persist: () => Promise.reject(new TypeError('refused')),
      persisted: () => Promise.reject(new TypeError('refused')),
    })
    await refusing()
    assert.equal(await refusing(), undefined)
  })
})
