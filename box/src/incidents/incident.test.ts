import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { IncidentKind, IncidentState } from '../ledger/schema.ts'
import { type IncidentAction, isActive, isEmergency, next } from './incident.ts'

/** Every action in every state: the compiler refuses a table with a gap. */
const TABLE: Record<IncidentState, Record<IncidentAction, IncidentState | undefined>> = {
  open: { acknowledge: 'acknowledged', assign: 'assigned', resolve: 'resolved', cancel: 'cancelled' },
  acknowledged: { acknowledge: undefined, assign: 'assigned', resolve: 'resolved', cancel: 'cancelled' },
  assigned: { acknowledge: undefined, assign: 'assigned', resolve: 'resolved', cancel: 'cancelled' },
  resolved: { acknowledge: undefined, assign: undefined, resolve: undefined, cancel: undefined },
  cancelled: { acknowledge: undefined, assign: undefined, resolve: undefined, cancel: undefined },
}
const STATES = Object.keys(TABLE) as IncidentState[]
const ACTIONS = Object.keys(TABLE.open) as IncidentAction[]

describe('an incident', () => {
  for (const state of STATES) {
    for (const action of ACTIONS) {
      const expected = TABLE[state][action]
      it(`that is ${state}: ${action} makes it ${expected ?? 'nothing: refused'}`, () =>
        assert.equal(next(state, action), expected))
    }
  }

  it('stands until it is resolved or cancelled', () => {
    assert.deepEqual(STATES.filter(isActive), ['open', 'acknowledged', 'assigned'])
  })

  it('comes to an end within two steps and any number of assignments, and stays there', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ACTIONS)), (actions) => {
        let state: IncidentState = 'open'
        const passed: IncidentState[] = [state]
        for (const action of actions) {
          const after: IncidentState | undefined = next(state, action)
          if (!after) continue
          assert.ok(isActive(state))
          state = after
          passed.push(state)
        }
        const order = ['open', 'acknowledged', 'assigned']
        const ranks = passed.filter(isActive).map((each) => order.indexOf(each))
        assert.deepEqual(ranks, ranks.toSorted())
        assert.ok(passed.filter((each) => !isActive(each)).length <= 1)
      }),
    )
  })

  it('is an emergency when a life may hang on it', () => {
    const emergencies: Record<IncidentKind, boolean> = {
      crush: true,
      medical: true,
      fire: true,
      need_staff: false,
      security: false,
      lost_child: false,
      access: false,
      equipment: false,
    }
    for (const [kind, expected] of Object.entries(emergencies))
      assert.equal(isEmergency(kind as IncidentKind), expected)
  })
})
