import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv } from 'ajv'
import type { FastifySchema } from 'fastify'
import { serializerCompiler, validatorCompiler } from './compiled.ts'

/** No compiler takes it; a new one each time, as a compiler remembers what it has seen. */
const broken = () => ({ type: 'nonsense' })

const isLate = (path: string) => path !== '/lane'

const of = (schema: object, url: string) => ({ schema: schema as FastifySchema, url, method: 'POST' })

describe('a serializer', () => {
  const compile = serializerCompiler(isLate)

  it('is compiled at the first answer', () => {
    const serialize = compile(of(broken(), '/other'))
    assert.throws(() => serialize({}), /schema is invalid/)
  })

  it('is compiled at once for a lane', () => {
    assert.throws(() => compile(of(broken(), '/lane')), /schema is invalid/)
  })

  it('writes the fields of its schema, and no others', () => {
    const schema = { type: 'object', properties: { shown: { type: 'integer' } } }
    for (const url of ['/other', '/lane', '/third']) {
      assert.equal(compile(of(schema, url))({ shown: 1, secret: 2 }), '{"shown":1}')
    }
  })
})

describe('a validator', () => {
  const ajvs = { body: new Ajv(), rest: new Ajv({ coerceTypes: true }) }
  const compile = validatorCompiler((part) => (part === 'body' ? ajvs.body : ajvs.rest), isLate)
  const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }

  it('is compiled at the first request', () => {
    const validate = compile({ ...of(broken(), '/other'), httpPart: 'body' })
    assert.throws(() => validate({}), /schema is invalid/)
  })

  it('is compiled at once for a lane', () => {
    assert.throws(() => compile({ ...of(broken(), '/lane'), httpPart: 'body' }), /schema is invalid/)
  })

  it('takes what its schema allows, and says what is wrong', () => {
    const validate = compile({ ...of(schema, '/other'), httpPart: 'body' })
    assert.equal(validate({ n: 1 }), true)
    const { error } = validate({}) as { error: { keyword: string }[] }
    assert.deepEqual(
      error.map(({ keyword }) => keyword),
      ['required'],
    )
    assert.equal(validate({ n: 1 }), true, 'after a wrong one')
  })

  it('has the rules of its part of the request', () => {
    const part = (httpPart: string) => compile({ ...of(schema, '/other'), httpPart })
    const query = { n: '5' }
    assert.equal(part('querystring')(query), true)
    assert.deepEqual(query, { n: 5 })
    assert.ok((part('body')({ n: '5' }) as { error?: unknown }).error)
  })
})
