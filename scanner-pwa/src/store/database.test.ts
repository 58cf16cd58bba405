import 'fake-indexeddb/auto'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { forceCloseDatabase } from 'fake-indexeddb'
import { unwrap } from 'idb'
import { openDatabase } from './database.ts'

describe('the database', () => {
  it('says that the browser has taken it away while it was open, and not that the app has closed it', async () => {
    let lost = 0
    const closed = await openDatabase('closed', () => lost++)
    closed.close()
    assert.equal(lost, 0)
    const taken = await openDatabase('taken', () => lost++)
    // biome-ignore lint/suspicious/noExplicitAny: the types of fake-indexeddb know their own class alone
    forceCloseDatabase(unwrap(taken) as any)
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(lost, 1)
  })
})
