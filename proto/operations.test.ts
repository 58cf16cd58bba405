import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import document from './gen/openapi.json' with { type: 'json' }
import { grantOf, mayUse, OPERATIONS, STAFF_ROLES, type StaffRole } from './operations.ts'

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

  it('is what the issue of roles asks for, by what the paths are about', () => {
    const asked: readonly [RegExp, StaffRole][] = [
      [/^post \/v1\/admin\/desk\//, 'desk'],
      [/\/v1\/admin\/(tickets|sales|guests|paper)\b/, 'desk'],
      [/^(post|put) \/v1\/admin\/(gates|incidents|announce|announcements|invite|flags|devices|mode)\b/, 'operator'],
      [/\/v1\/admin\/(staff|sessions|tokens|token|passkeys|backup|event|update|appliance|export)\b/, 'admin'],
      [/^post \/v1\/admin\/(mesh|boxes)\b/, 'admin'],
    ]
    const paths = Object.entries(document.paths as unknown as Record<string, Record<string, Operation>>)
    const all = paths.flatMap(([path, of]) =>
      Object.entries(of).map(([method, { operationId }]) => ({ line: `${method} ${path}`, operationId })),
    )
    for (const [pattern, role] of asked) {
      const these = all.filter(({ line }) => pattern.test(line))
      assert.ok(these.length > 0, `${pattern}`)
      for (const { line, operationId } of these) assert.equal(grantOf(operationId)?.role, role, line)
    }
  })

  it('limits a token to the operations that it names, and never beyond its role', () => {
    assert.ok(mayUse('operator', 'holdGate', new Set(['holdGate'])))
    assert.ok(!mayUse('operator', 'announce', new Set(['holdGate'])))
    assert.ok(!mayUse('viewer', 'holdGate', new Set(['holdGate'])))
    assert.ok(!mayUse('admin', 'scan'), 'a person is no scanner')
  })
})
