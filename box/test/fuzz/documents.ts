/** OpenAPI documents of what has none of its own: the routes between boxes, the feed's control plane, HQ's health checks. */
import { Type } from 'typebox'
import { JoinRequest, VoterAnswer, VoterRequest } from '../../src/mesh/membership/join-request.ts'

interface Operation {
  id: string
  body?: object
  parameters?: object[]
  /** By status, with the schema of a JSON body or the type of another one. */
  answers: Record<number, object | string>
  open?: true
}

const Text = Type.String()
const Count = Type.Integer({ minimum: 0 })
const Refused = Type.Object({ error: Text }, { additionalProperties: false })

/** @param error the schema of the box's errors */
export function meshDocument(error: object): object {
  const refusals = Object.fromEntries([400, 404, 409, 410, 413, 429].map((status) => [status, error]))
  const Listed = Type.Object({ topology: Type.String({ maxLength: 600_000 }) })
  const Exchanged = Type.Object({ box: Text, topology: Text, heard: Type.Record(Text, Count) })
  const post = (id: string, body: object, answer: object | string): Record<string, Operation> => ({
    post: { id, body, answers: { 200: answer, ...refusals } },
  })
  return documentOf('mesh', {
    '/v1/mesh/join': post('meshJoin', JoinRequest, Type.Object({ topology: Text })),
    '/v1/mesh/voter': post('meshVoter', VoterRequest, VoterAnswer),
    '/v1/mesh/bundle': post('meshBundle', JoinRequest, 'application/gzip'),
    '/v1/mesh/topology': post('meshTopology', Listed, Exchanged),
  })
}

/** As box/docs/changefeed.md has it. */
export function feedDocument(): object {
  const Position = Type.String({ pattern: '^[0-9A-F]+/[0-9A-F]+$' })
  const Sink = Type.Object({
    ...{
      id: Text,
      name: Text,
      durability: Type.Enum(['durable', 'ephemeral']),
      status: Type.Enum(['running', 'paused']),
    },
    ...{ lastError: nullable(Text), queueDepth: Count, deliveredCount: Count, droppedCount: Count, ackedLsn: Position },
    ...{ queueBytes: Count, attempts: Count, lagMs: Type.Number({ minimum: 0 }), stalledBy: Type.Array(Text) },
  })
  const Engine = Type.Object({ eventsTotal: Count, flushedLsn: Position, stalledMs: Count, sinks: Type.Array(Sink) })
  const Slot = Type.Object({
    exists: Type.Boolean(),
    active: Type.Boolean(),
    restartLsn: Position,
    retainedWalBytes: Count,
  })
  const Stats = Type.Object({
    ...{ uptimeMs: Count, engine: Engine, slot: nullable(Slot), walLevel: nullable(Text) },
    publication: nullable(Type.Object({ exists: Type.Boolean(), allTables: Type.Boolean() })),
    source: Type.Object({ kind: Text, identity: nullable(Text), state: Text, lastError: nullable(Text) }),
  })
  const Done = Type.Object({ ok: Type.Literal(true) })
  const unless = (open?: true): Record<number, object> => (open ? {} : { 401: Refused })
  const get = (id: string, answer: object | string, more: Partial<Operation> = {}): Record<string, Operation> => ({
    get: { id, answers: { 200: answer, 400: Refused, ...unless(more.open) }, ...more },
  })
  const sink = (id: string): Record<string, Operation> => ({
    post: {
      id,
      parameters: [{ name: 'id', in: 'path', required: true, schema: Type.String({ minLength: 1 }) }],
      answers: { 200: Done, 400: Refused, 401: Refused, 404: Refused },
    },
  })
  return documentOf('feed', {
    '/healthz': get('feedHealth', Type.Object({ ok: Type.Literal(true), uptimeMs: Count }), { open: true }),
    '/readyz': get('feedReady', Type.Object({ ready: Type.Boolean(), reasons: Type.Array(Text) })),
    '/metrics': get('feedMetrics', 'text/plain'),
    '/ui/': get('feedPage', 'text/html'),
    '/api/stats': get('feedStats', Stats),
    '/api/sinks': get('feedSinks', Type.Object({ sinks: Type.Array(Sink) })),
    '/api/sinks/{id}/pause': sink('pauseSink'),
    '/api/sinks/{id}/resume': sink('resumeSink'),
  })
}

/** As box/docs/hq.md has it. Batches reach HQ over gRPC, which this fuzzer does not speak. */
export function hqDocument(): object {
  const get = (id: string, answer: object): Record<string, Operation> => ({
    get: { id, answers: { 200: answer, 400: Refused, 404: Refused, 405: Refused }, open: true },
  })
  return documentOf('hq', {
    '/healthz': get('hqHealth', Type.Object({ ok: Type.Literal(true), uptimeMs: Count })),
    '/readyz': get('hqReady', Type.Object({ ok: Type.Literal(true), uptimeMs: Count })),
  })
}

function documentOf(tag: string, paths: Record<string, Record<string, Operation>>): object {
  const pathItem = (item: Record<string, Operation>) =>
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, described(operation, tag)]))
  return {
    openapi: '3.1.0',
    info: { title: tag, version: '1' },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, pathItem(item)])),
  }
}

function described({ id, body, parameters, answers, open }: Operation, tag: string): object {
  const content = (answer: object | string) =>
    typeof answer === 'string' ? { [answer]: {} } : { 'application/json': { schema: answer } }
  const responses = Object.entries(answers).map(([status, answer]) => [
    status,
    { description: status, content: content(answer) },
  ])
  return {
    operationId: id,
    tags: [tag],
    ...(tag === 'feed' && !open && { security: [{ token: [] }] }),
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: Object.fromEntries(responses),
  }
}

function nullable(schema: object): object {
  return { anyOf: [schema, { type: 'null' }] }
}
