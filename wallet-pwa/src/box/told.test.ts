import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toldBy } from './told.ts'

const ANNOUNCEMENT = {
  id: 'a',
  text: 'Doors at eight',
  lang: 'en',
  severity: 'info',
  issued_at: '2026-07-04T12:00:00.000Z',
  signature: 'AA==',
}

/** A page with streams that the test opens, fails and writes to by hand. */
function page() {
  const state = { visible: true }
  const streams: { readyState: number; emit(type: string, data?: unknown): void }[] = []
  const waits: { ms: number; run: () => void }[] = []
  const taken: string[][] = []
  const changed = toldBy({
    open() {
      const listeners: [string, (event: { data?: unknown }) => void][] = []
      const stream = {
        readyState: 0,
        addEventListener: (type: string, listener: (event: { data?: unknown }) => void) => {
          listeners.push([type, listener])
        },
        close() {
          stream.readyState = 2
        },
        emit(type: string, data?: unknown) {
          for (const [of, listener] of listeners) if (of === type) listener({ data })
        },
      }
      streams.push(stream)
      return stream
    },
    visible: () => state.visible,
    random: () => 0.5,
    after(ms, run) {
      const one = { ms, run }
      waits.push(one)
      return () => {
        waits.splice(waits.indexOf(one), 1)
      }
    },
    take: (list) => void taken.push(list.map(({ text }) => text)),
  })
  return { state, streams, waits, taken, changed }
}

describe('the stream of announcements', () => {
  it('gives each list on, and nothing that is none', () => {
    const { streams, taken } = page()
    streams[0]?.emit('announcements', JSON.stringify({ announcements: [ANNOUNCEMENT] }))
    for (const other of ['<html>', '{}', 'null', JSON.stringify({ announcements: [{ text: 'x' }] })])
      streams[0]?.emit('announcements', other)
    streams[0]?.emit('announcements', JSON.stringify({ announcements: [] }))
    assert.deepEqual(taken, [['Doors at eight'], []])
  })

  it('is open while the page is seen, and once', () => {
    const { state, streams, changed } = page()
    changed()
    assert.equal(streams.length, 1)
    state.visible = false
    changed()
    assert.equal(streams[0]?.readyState, 2)
    state.visible = true
    changed()
    assert.equal(streams.length, 2)
  })

  it('is asked for again after minutes where the box has no room, and not while nobody looks', () => {
    const { state, streams, waits } = page()
    const refuse = (index: number) => {
      const stream = streams[index] ?? assert.fail()
      stream.readyState = 2
      stream.emit('error')
    }
    refuse(0)
    assert.deepEqual(
      waits.map(({ ms }) => ms),
      [300_000],
    )
    waits[0]?.run()
    assert.equal(streams.length, 2)
    refuse(1)
    state.visible = false
    waits[0]?.run()
    assert.deepEqual([streams.length, waits.length], [2, 0])
  })
})
