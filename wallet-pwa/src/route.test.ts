import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routeOf, screenOf } from './route.ts'
import type { TicketLink } from './wallet/link.ts'

const ID = 'hOb-ZgK7k8qC0OmwjiC-fA'

function opened(hash: string) {
  const links: (TicketLink | undefined)[] = []
  let changed = () => {}
  const page = {
    location: { hash, pathname: '/wallet/', search: '' },
    history: {
      replaceState(_: unknown, __: string, url?: string | URL | null) {
        page.location.hash = new URL(String(url), 'https://box').hash
      },
    },
    addEventListener: (_: string, listener: () => void) => {
      changed = listener
    },
  }
  const screen = routeOf(page, (link) => links.push(link))
  const go = (to: string) => {
    page.location.hash = to
    changed()
  }
  return { page, links, screen, go }
}

test('the id is out of the address before anybody is told of it', () => {
  const { page, links, screen } = opened(`#t=${ID}`)
  assert.deepEqual([page.location.hash, links, screen.value], ['#/ticket', [{ id: ID, verifierKey: null }], 'ticket'])
})

test('a malformed link leaves the address too, and leads to where one is pasted', () => {
  for (const hash of ['#t=', `#t=${ID}x`, '#k=x&t=%']) {
    const { page, links, screen } = opened(hash)
    assert.deepEqual([page.location.hash, links, screen.value], ['#/more', [undefined], 'more'])
  }
})

test('a link that is opened over the page is taken like the first', () => {
  const { page, links, screen, go } = opened('#/nearby')
  assert.equal(screen.value, 'nearby')
  go(`#t=${ID}`)
  assert.deepEqual([page.location.hash, links.length, screen.value], ['#/ticket', 1, 'ticket'])
  go('#/news')
  assert.equal(screen.value, 'news')
})

test('any other text is the ticket', () => {
  for (const text of ['', '#', '#/', '#/nearby/x', '#/Nearby', '#//more', '#/constructor'])
    assert.equal(screenOf(text), 'ticket', text)
})
