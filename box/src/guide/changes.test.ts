import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEST_EVENT } from '../../test/world/event.ts'
import type { EventFile } from '../event/event.ts'
import { parseEvent } from '../event/event.ts'
import { changesBetween } from './changes.ts'

type Plain = { -readonly [K in keyof EventFile]: EventFile[K] }

const EXISTING = {
  tickets: new Map([
    ['once', 12],
    ['daily', 7],
    ['vip', 0],
  ]),
  scanners: new Map([
    ['a-in', 2],
    ['a-out', 1],
  ]),
  inside: new Map([['arena', 40]]),
}

function changesOf(change: (event: Plain) => void) {
  const after = structuredClone(TEST_EVENT) as Plain
  change(after)
  return changesBetween(definition(TEST_EVENT), definition(after), EXISTING)
}

/** Without the check: a change is worded before the mistakes that it makes are mended. */
function definition(file: EventFile) {
  const parsed = parseEvent(TEST_EVENT)
  if ('mistakes' in parsed) throw new Error('the test event has a mistake')
  return {
    ...parsed.event,
    ...file,
    day_starts_at: file.day_starts_at ?? '00:00',
    tiers: file.tiers as typeof parsed.event.tiers,
  }
}

const without = <T extends { readonly id: string }>(list: readonly T[], id: string) =>
  list.filter((one) => one.id !== id)

test('the same event changes nothing', () => {
  assert.deepEqual(
    changesOf(() => {}),
    [],
  )
})

test('a tier that has tickets, and one that has none', () => {
  assert.deepEqual(
    changesOf((event) => {
      event.tiers = without(event.tiers, 'once')
    }),
    [{ kind: 'tier_removed', name: 'Day ticket', tickets: 12, scanners: 0, inside: 0 }],
  )
  assert.deepEqual(
    changesOf((event) => {
      event.tiers = without(event.tiers, 'vip')
    }),
    [],
  )
})

test('another number of entries, and a gate that takes a tier no more', () => {
  assert.deepEqual(
    changesOf((event) => {
      event.tiers = event.tiers.map((tier) => (tier.id === 'once' ? { ...tier, entry: 'unlimited' } : tier))
    }).map(({ kind, tickets }) => [kind, tickets]),
    [['tier_entry', 12]],
  )
  assert.deepEqual(
    changesOf((event) => {
      event.checkpoints = event.checkpoints.map((each) => (each.id === 'b-in' ? { ...each, tiers: ['crew'] } : each))
    }).map(({ kind, tickets }) => [kind, tickets]),
    [
      ['tier_elsewhere', 12],
      ['tier_elsewhere', 7],
    ],
  )
})

test('a zone with people in it, a gate with scanners, a checkpoint that leads elsewhere', () => {
  assert.deepEqual(
    changesOf((event) => {
      event.zones = without(event.zones, 'arena')
    }).map(({ kind, inside }) => [kind, inside]),
    [['zone_removed', 40]],
  )
  assert.deepEqual(
    changesOf((event) => {
      event.gates = without(event.gates, 'a')
      event.checkpoints = without(event.checkpoints, 'a-out')
    }).map(({ kind, scanners }) => [kind, scanners]),
    [
      ['gate_removed', 2],
      ['checkpoint_removed', 1],
    ],
  )
  assert.deepEqual(
    changesOf((event) => {
      event.checkpoints = event.checkpoints.map((each) => (each.id === 'a-in' ? { ...each, to: 'lounge' } : each))
    }).map(({ kind, scanners }) => [kind, scanners]),
    [['checkpoint_moved', 2]],
  )
})

test('a day that begins at another hour concerns the tickets for each day', () => {
  assert.deepEqual(
    changesOf((event) => {
      event.day_starts_at = '05:00'
    }).map(({ kind, tickets }) => [kind, tickets]),
    [['days', 7]],
  )
})
