/** Every operation of a box, read off its own OpenAPI document: a new route is covered by the tests that walk this. */
import type { Box } from '../../src/boot/box.ts'

/** A JSON schema, as far as the tests look into one. */
export interface Schema {
  readonly [keyword: string]: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}

export interface Operation {
  readonly operationId?: string
  readonly 'x-role'?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: { readonly [type: string]: { readonly schema: Schema } } }
  readonly responses: { readonly [status: string]: { readonly content?: object } }
}

export interface Walked {
  readonly method: string
  /** With `{name}` for each parameter. */
  readonly template: string
  /** With a value in every parameter. */
  readonly path: string
  readonly tier: string
  readonly operation: Operation
}

export function operationsOf(box: Box): Walked[] {
  const { paths } = box.openapi as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      template,
      path: template.replaceAll(/\{\w+\}/g, 'some-id'),
      tier: operation.tags[0] ?? '',
      operation,
    })),
  )
}
