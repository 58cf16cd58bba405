import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLogger } from '../log.ts'
import { type App, createApp } from './app.ts'
import { requireStaff } from './staff-auth.ts'

const NOBODY = {
  principalOf: async () => undefined,
  isStill: () => false,
  byPassword: async () => undefined,
  isConfirmed: () => false,
  canConfirm: () => true,
}

async function register(route: { operationId?: string }): Promise<void> {
  const app = createApp({ logger: createLogger('silent') })
  app.register(async (scope) => {
    requireStaff(scope as App, { staff: NOBODY, wrong: { note: () => {} }, now: () => 0 })
    scope.get('/v1/admin/new', { schema: route }, async () => 'done')
  })
  try {
    await app.ready()
  } finally {
    await app.close()
  }
}

describe('a route of the control room', () => {
  it('is refused where it has no role, and the box does not start', async () => {
    for (const schema of [{}, { operationId: 'nobodyKnowsThis' }, { operationId: 'toString' }])
      await assert.rejects(register(schema), /has no role of the staff: give it one/)
  })

  it('is refused where its role is not of the staff', async () => {
    for (const operationId of ['scan', 'meta', 'supervisorAdmit'])
      await assert.rejects(register({ operationId }), /has no role/)
  })

  it('is taken with its role', async () => {
    await register({ operationId: 'stats' })
  })
})
