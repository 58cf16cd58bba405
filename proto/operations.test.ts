import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import document from './gen/openapi.json' with { type: 'json' }
import { grantOf, mayUse, OPERATIONS, STAFF_ROLES } from './operations.ts'

type Operation = { operationId: string; tags: string[]; security: Record<string, string[]>[]; 'x-role': string }

const operations = Object.values(document.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
  (methods) => Object.values(methods),
)

describe('the table of operations and roles', () => {
  it('has a row for every operation of the document, and no other', () => {
    assert.deepEqual(Object.keys(OPERATIONS).sort(), operations.map(({ operationId }) => operationId).sort())
  })

  it('gives each tier its own roles', () => {
    const allowed: Record<string, readonly string[]> = {
      open: ['anybody'],
      attendee: ['anybody'],
      device: ['scanner', 'supervisor'],
      admin: ['self', 'signing_in', ...STAFF_ROLES],
    }
    for (const { operationId, tags } of operations) {
      const role = grantOf(operationId)?.role ?? 'none'
      assert.ok(allowed[tags[0] ?? '']?.includes(role), `${operationId}: ${role} in ${tags}`)
    }
  })

  it('is what the document says', () => {
    for (const operation of operations) assert.equal(operation['x-role'], grantOf(operation.operationId)?.role)
  })

  it('refuses an operation that it does not name, to everybody', () => {
    for (const role of STAFF_ROLES)
      for (const id of ['nothing', 'toString', '__proto__', 'constructor', '', undefined]) assert.ok(!mayUse(role, id))
  })

  it('lets a viewer change nothing: what it may use only reads', () => {
    const methods = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>).flatMap(
      ([, of]) => Object.entries(of).map(([method, { operationId }]) => [operationId, method] as const),
    )
    for (const [id, method] of methods)
      if (mayUse('viewer', id) && !['self', 'signing_in'].includes(grantOf(id)?.role ?? ''))
        assert.equal(method, 'get', id)
  })

  it('limits a token to the operations that it names, and never beyond its role', () => {
    assert.ok(mayUse('operator', 'holdGate', new Set(['holdGate'])))
    assert.ok(!mayUse('operator', 'announce', new Set(['holdGate'])))
    assert.ok(!mayUse('viewer', 'holdGate', new Set(['holdGate'])))
    assert.ok(!mayUse('admin', 'scan'), 'a person is no scanner')
  })
})
