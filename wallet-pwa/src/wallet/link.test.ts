import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ticketLink } from '../../../box/src/tickets/link.ts'
import { isTicketId, looksLikeLink, parseTicketLink } from './link.ts'

const ID = 'hOb-ZgK7k8qC0OmwjiC-fA'
const KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const made = ticketLink({ walletUrl: 'https://box:8443/wallet/', ticketId: ID, verifierKey: KEY })

test('a link of the box, whole, its fragment alone, with space around it', () => {
  for (const text of [made, new URL(made).hash, new URL(made).hash.slice(1), ` ${made}\n`])
    assert.deepEqual(parseTicketLink(text), { id: ID, verifierKey: KEY }, text)
})

test('what messengers make of a link still opens the ticket', () => {
  assert.deepEqual(parseTicketLink(decodeURIComponent(made)), { id: ID, verifierKey: KEY }, 'decoded')
  for (const cut of [made.slice(0, -10), made.slice(0, made.indexOf('&')), made.replace('%2B', '%2'), ID])
    assert.deepEqual(parseTicketLink(cut), { id: ID, verifierKey: null }, cut)
})

for (const [why, text] of [
  ['nothing', ''],
  ['a screen', '#/ticket'],
  ['no id', `#k=${encodeURIComponent(KEY)}`],
  ['an empty id', '#t='],
  ['a short id', `#t=${ID.slice(1)}`],
  ['a long id', `#t=${ID}A`],
  ['bits that Base64 has no use for', `#t=${ID.slice(0, -1)}B`],
  ['a path', '#t=../../v1/admin/stats__'],
  ['a path, escaped', `#t=..%2F${ID.slice(3)}`],
  ['markup', '#t=<img src=x onerror=1>'],
  ['a broken escape', '#t=%E0%A4%A'],
  ['an id of another alphabet', `#t=${ID.replace('-', '+')}`],
  ['a link longer than any', `${made}${'&x='.repeat(1000)}`],
] as const) {
  test(`no ticket: ${why}`, () => assert.equal(parseTicketLink(text), undefined))
}

test('hostile text never throws, and what comes out of it is an id', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.boolean(), (text, asId) => {
      const link = parseTicketLink(asId ? `#t=${text}` : text)
      if (link) assert.ok(isTicketId(link.id))
    }),
  )
})

test('what is meant to be a link is told from a screen', () => {
  for (const text of ['#t=', '#t=x&k=y', '#k=y&t=x', 't=x']) assert.ok(looksLikeLink(text), text)
  for (const text of ['', '#', '#/ticket', '#/nearby?at=x']) assert.ok(!looksLikeLink(text), text)
})
