/**
 * Compiles the schemas of routes for Fastify: once for all listeners, and those of a control room when a request first needs them. A box
 * has hundreds; compiled at its start, they take longer than all else before the gates open. A route whose schema cannot be compiled
 * refuses its requests.
 */
import type { Ajv, ValidateFunction } from 'ajv'
import fastJson from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'

type Serializer = (value: unknown) => string

/** By schema: many routes share some, such as that of an error. */
const serializers = new WeakMap<object, Serializer>()

/** @param isLate tells by its path whether a route is compiled when it is first needed */
export function serializerCompiler(isLate: (path: string) => boolean): FastifySerializerCompiler<object> {
  return ({ schema, url }) => {
    const serialize: Serializer = (value) => serializerOf(schema)(value)
    if (!isLate(url)) serializerOf(schema)
    return serialize
  }
}

function serializerOf(schema: object): Serializer {
  const known = serializers.get(schema)
  if (known) return known
  const made = fastJson(schema)
  serializers.set(schema, made)
  return made
}

/** @param ajvFor the one for this part of a request; it keeps what it has compiled, by schema */
export function validatorCompiler(
  ajvFor: (part: string | undefined) => Ajv,
  isLate: (path: string) => boolean,
): FastifySchemaCompiler<object> {
  return ({ schema, url, httpPart }) => {
    let compiled: ValidateFunction | undefined
    const compile = () => (compiled ??= ajvFor(httpPart).compile(schema))
    if (!isLate(url)) compile()
    return (value: unknown) => {
      const validate = compile()
      return validate(value) || { error: validate.errors ?? [] }
    }
  }
}
