/**
 * What every configuration of the change feed has in common. What a source or a sink understands beside this, it says
 * itself. Each key's description is what `changefeed keys`, the documentation and a mistake's message show.
 */
import { type Static, Type } from 'typebox'

const MIB = 1024 * 1024

const strict = { additionalProperties: false }

const ServerSchema = Type.Object(
  {
    listen: Type.String({
      default: '127.0.0.1:7717',
      pattern: '^(\\[[0-9A-Fa-f:.]+\\]|[^\\s:\\[\\]]+):\\d{1,5}$',
      description: 'address and port of the control plane, such as 127.0.0.1:7717 or [::1]:7717; port 0 picks one',
    }),
    authToken: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{1,512}$',
        description:
          'the admin token, 1 to 512 printable characters without blanks; made anew at each start and printed when absent',
      }),
    ),
    tls: Type.Optional(
      Type.Object(
        {
          cert: Type.String({ minLength: 1, description: "the control plane's certificate chain, PEM file" }),
          key: Type.String({ minLength: 1, description: 'its private key, PEM file' }),
        },
        { ...strict, description: 'serves the control plane over HTTPS' },
      ),
    ),
  },
  { ...strict, default: {}, description: 'the control plane' },
)

const SinkSchema = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
      description: 'names the sink in routes and in stateDir: small letters, digits, - and _, 63 at most; unique',
    }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'for people; the id when absent' })),
    kind: Type.Optional(Type.Enum(['grpc', 'webhook', 'event-stream'], { description: 'a sink that is built in' })),
    plugin: Type.Optional(
      Type.String({ minLength: 1, description: "instead of kind: a module whose default export is a sink's kind" }),
    ),
    durability: Type.Optional(
      Type.Enum(['durable', 'ephemeral'], {
        description:
          'durable: the source keeps what this sink has not taken; ephemeral: what does not fit its queue is dropped, and counted. As the kind says when absent',
      }),
    ),
    maxAttempts: Type.Integer({
      default: 10,
      minimum: 0,
      maximum: 1_000_000,
      description: 'deliveries of one batch that may fail before the sink is paused; 0 tries for ever',
    }),
    backoff: Type.Object(
      {
        initialMs: Type.Integer({ default: 500, minimum: 1, maximum: 3_600_000, description: 'the first wait' }),
        maxMs: Type.Integer({ default: 30_000, minimum: 1, maximum: 86_400_000, description: 'the longest wait' }),
        factor: Type.Number({ default: 2, minimum: 1, maximum: 100, description: 'how much longer each wait is' }),
        jitter: Type.Number({
          default: 0.2,
          minimum: 0,
          maximum: 1,
          description: 'by which part a wait is shortened or lengthened at random',
        }),
      },
      { ...strict, default: {}, description: 'how long to wait between failed deliveries' },
    ),
    queue: Type.Object(
      {
        maxEvents: Type.Integer({
          default: 10_000,
          minimum: 1,
          maximum: 10_000_000,
          description: 'events that wait for the sink at most',
        }),
        maxBytes: Type.Integer({
          default: 64 * MIB,
          minimum: 1024,
          maximum: 16 * 1024 * MIB,
          description: 'bytes that wait for the sink at most',
        }),
      },
      { ...strict, default: {}, description: 'a full queue of a durable sink holds the source up' },
    ),
    batch: Type.Object(
      {
        maxEvents: Type.Integer({ default: 500, minimum: 1, maximum: 100_000, description: 'events in one delivery' }),
        maxBytes: Type.Integer({
          default: MIB,
          minimum: 1024,
          maximum: 1024 * MIB,
          description: 'bytes in one delivery; a single larger event goes alone',
        }),
        lingerMs: Type.Integer({
          default: 5,
          minimum: 0,
          maximum: 60_000,
          description: 'how long a batch waits for more once a delivery is done',
        }),
      },
      { ...strict, default: {}, description: 'what one delivery carries' },
    ),
    tables: Type.Optional(
      Type.Array(Type.String({ pattern: '^[^.]+\\.[^.]+$', description: '`schema.table`' }), {
        minItems: 1,
        description: 'only changes of these tables, each as `schema.table`; every published table when absent',
      }),
    ),
    options: Type.Unknown({ default: {}, description: "the kind's own options" }),
  },
  { ...strict, description: 'a receiver of changes' },
)

export const FeedSchema = Type.Object(
  {
    server: ServerSchema,
    stateDir: Type.String({
      default: 'changefeed-state',
      minLength: 1,
      description: 'folder where the position of each sink is kept, for this feed alone; made when it is not there',
    }),
    logLevel: Type.Enum(['debug', 'info', 'warn', 'error', 'silent'], {
      default: 'info',
      description: 'how much is logged',
    }),
    source: Type.Object(
      { kind: Type.Enum(['postgres', 'sqlite'], { description: 'where changes come from' }) },
      { description: 'the database; its other keys are those of its kind' },
    ),
    sinks: Type.Array(SinkSchema, { minItems: 1, maxItems: 100, description: 'the receivers, one at least' }),
  },
  strict,
)

export type FeedFile = Static<typeof FeedSchema>
export type SinkFile = Static<typeof SinkSchema>
