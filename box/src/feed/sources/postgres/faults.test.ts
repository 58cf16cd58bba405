import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { ConnectionConfigError } from './connection.ts'
import { consequence, isShuttingDown, LostError, SourceError } from './faults.ts'
import { ProtocolError } from './pgoutput.ts'

function database(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('x', 1, 'error'), { code })
}
function system(code: string): Error {
  return Object.assign(new Error('x'), { code })
}

describe('what becomes of a session that has ended', () => {
  it('at any time', () => {
    const outcomes: [Error, ReturnType<typeof consequence>][] = [
      [new SourceError('x'), 'fail'],
      [new ProtocolError('x'), 'fail'],
      [new ConnectionConfigError('x'), 'fail'],
      [new LostError('x'), 'lost'],
      [database('42704'), 'lost'],
      [database('55000'), 'lost'],
      [database('55006'), 'retry'],
      [database('57P01'), 'retry'],
      [database('57P03'), 'retry'],
      [database('53300'), 'retry'],
      [system('ECONNREFUSED'), 'retry'],
      [system('ENOTFOUND'), 'retry'],
      [system('42704'), 'retry'],
      [new Error('x'), 'retry'],
    ]
    for (const [error, outcome] of outcomes) {
      assert.equal(consequence(error, false), outcome, JSON.stringify(error))
      assert.equal(consequence(error, true), outcome, JSON.stringify(error))
    }
  })

  it('when nothing has worked yet, and later, when it once did', () => {
    const refused = [database('28P01'), database('28000'), database('3D000'), database('42501')]
    const tls = [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CERT_HAS_EXPIRED',
    ]
    const noTls = new Error('The server does not support SSL connections')
    for (const error of [...refused, ...tls.map(system), noTls]) {
      assert.deepEqual([consequence(error, true), consequence(error, false)], ['fail', 'retry'], JSON.stringify(error))
    }
  })

  it('a server that stops says so', () => {
    assert.ok(isShuttingDown(database('57P03')))
    for (const error of [database('57P01'), system('57P03'), system('ECONNREFUSED'), undefined])
      assert.ok(!isShuttingDown(error))
  })
})
