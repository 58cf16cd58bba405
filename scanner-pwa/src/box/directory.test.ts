import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { originOf, withManifest } from './directory.ts'

const HOME = 'https://10.0.0.1:8443'
const box = (id: string, unheard_seconds: number | null = null) => ({
  box_id: id,
  name: id.toUpperCase(),
  url: `https://${id}:8443`,
  device_url: `https://${id}:8444`,
  unheard_seconds,
})
const NOTHING = { home: undefined, others: [] }
const ids = ({ others }: { others: readonly { box_id: string }[] }) => others.map(({ box_id }) => box_id)

describe('the boxes that a scanner knows', () => {
  const atHome = withManifest(NOTHING, { origin: HOME, box: 'a', boxes: [box('b'), box('c')] }, HOME)

  it('are those that home names', () => {
    assert.deepEqual([ids(atHome), atHome.home], [['b', 'c'], 'a'])
    const later = withManifest(atHome, { origin: HOME, box: 'a', boxes: [box('c')] }, HOME)
    assert.deepEqual(ids(later), ['c'], 'one that has left is gone')
  })

  it('and elsewhere all that the other one adds to them: neither home, nor without itself', () => {
    const there = { origin: 'https://b:8443', box: 'b', boxes: [box('a'), box('c'), box('d')] }
    const away = withManifest(atHome, there, HOME)
    assert.deepEqual([ids(away).sort(), away.home], [['b', 'c', 'd'], 'a'])
  })

  it('are the same however long one is unheard', () => {
    const later = withManifest(atHome, { origin: HOME, box: 'a', boxes: [box('b', 7), box('c', 9)] }, HOME)
    assert.deepEqual(later, atHome)
  })

  it('have addresses that a page may ask', () => {
    assert.equal(originOf('https://10.0.0.2:8443/scanner/'), 'https://10.0.0.2:8443')
    for (const url of ['http://10.0.0.2', 'javascript:alert(1)', '', 'south']) assert.equal(originOf(url), undefined)
  })
})
