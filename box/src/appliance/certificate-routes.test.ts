import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PublicCertificateState } from '../certificate/public-certificate.ts'
import { answerOf } from './certificate-routes.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-20T12:00:00Z')

function outlasts({ from = -1, to = 60, ends = 7, acme = true } = {}): boolean {
  const held = { notBefore: NOW + from * DAY, notAfter: NOW + to * DAY, issuer: 'CA' }
  const state = { name: 'gate.example.org', held, acme, isDamaged: false } as unknown as PublicCertificateState
  return answerOf(state, NOW, NOW + ends * DAY).outlasts_event
}

test('a certificate outlasts the event where it holds beyond it, or where somebody renews it in time', () => {
  assert.equal(outlasts(), true)
  assert.equal(outlasts({ ends: 90 }), true, 'it will be renewed')
  assert.equal(outlasts({ ends: 90, acme: false }), false, 'it was imported, and nobody renews it')
  assert.equal(outlasts({ ends: 30, acme: false }), true)
  assert.equal(outlasts({ from: -85, to: 5 }), false, 'its renewal is late already')
  assert.equal(answerOf(undefined, NOW, NOW).outlasts_event, false)
})
