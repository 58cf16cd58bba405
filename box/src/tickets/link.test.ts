import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ticketLink } from './link.ts'

const ticketId = 'AAECAwQFBgcICQoLDA0ODw'
const verifierKey = 'gatehouse/test-fair/box-0badcafe+00c0ffee+AQAB/+w='

for (const [walletUrl, before] of [
  ['https://tickets.example/wallet/', 'https://tickets.example/wallet/'],
  ['https://tickets.example', 'https://tickets.example/'],
  ['https://tickets.example:443/w', 'https://tickets.example/w'],
  ['https://[2001:db8::1]:8443/wallet/', 'https://[2001:db8::1]:8443/wallet/'],
  ['https://tickets.example/w?event=5&lang=pt', 'https://tickets.example/w?event=5&lang=pt'],
  ['https://tickets.example/w?', 'https://tickets.example/w?'],
  ['https://münchen.example/tür', 'https://xn--mnchen-3ya.example/t%C3%BCr'],
  ['http://10.0.0.7:8080/wallet/', 'http://10.0.0.7:8080/wallet/'],
] as const) {
  test(`a link that begins with ${walletUrl} has the ticket after its # alone`, () => {
    const link = ticketLink({ walletUrl, ticketId, verifierKey })
    const [sent, kept, ...more] = link.split('#')
    assert.deepEqual([sent, more], [before, []])
    assert.ok(!sent?.includes(ticketId) && !sent?.includes('box-0badcafe'))
    assert.deepEqual(
      [...new URLSearchParams(kept)],
      [
        ['t', ticketId],
        ['k', verifierKey],
      ],
    )
    assert.doesNotMatch(link, /[\s"'<>+]/, 'whole in a mail, a cell, a QR code')
  })
}
