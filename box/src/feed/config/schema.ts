/**
 * The keys of every configuration of the change feed; each kind of source and sink has a schema of its own keys. `changefeed
 * keys`, the documentation and the messages about mistakes contain the descriptions.
 */
import { type Static, Type } from 'typebox'
import { LOG_LEVELS } from '../../log.ts'

const MIB = 1024 * 1024

const strict = { additionalProperties: false }

const ServerSchema = Type.Object(
  {
    listen: Type.String({
      default: '127.0.0.1:7717',
      pattern: '^(\\[[0-9A-Fa-f:.]+\\]|[^\\s:\\[\\]]+):\\d{1,5}$',
      description:
        'address and port of the control plane, such as 127.0.0.1:7717 or [::1]:7717; port 0 is any free port',
    }),
    authToken: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{1,512}$',
        description:
          'the admin token, 1 to 512 printable characters without blanks; if absent, each start makes and prints a new one',
      }),
    ),
    tls: Type.Optional(
      Type.Object(
        {
          cert: Type.String({ minLength: 1, description: "PEM file with the control plane's certificate chain" }),
          key: Type.String({ minLength: 1, description: 'PEM file with the private key of cert' }),
        },
        { ...strict, description: 'serve the control plane over HTTPS; if absent, over plain HTTP' },
      ),
    ),
  },
  { ...strict, default: {}, description: 'the control plane' },
)

const SinkSchema = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
      description: 'unique name of the sink in routes and in stateDir: up to 63 lower-case letters, digits, - and _',
    }),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'name of the sink on the dashboard; if absent, its id',
      }),
    ),
    kind: Type.Optional(Type.Enum(['grpc', 'webhook', 'event-stream'], { description: 'the kind of receiver' })),
    plugin: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'path of a module whose default export is a kind of sink; instead of kind',
      }),
    ),
    durability: Type.Optional(
      Type.Enum(['durable', 'ephemeral'], {
        description:
          'durable: the source keeps changes until this sink has taken them; ephemeral: changes that do not fit into its queue are dropped and counted; if absent, the default of its kind',
      }),
    ),
    maxAttempts: Type.Integer({
      default: 10,
      minimum: 0,
      maximum: 1_000_000,
      description: 'failed deliveries of one batch after which the sink is paused; 0: never',
    }),
    backoff: Type.Object(
      {
        initialMs: Type.Integer({
          default: 500,
          minimum: 1,
          maximum: 3_600_000,
          description: 'the first wait, in milliseconds',
        }),
        maxMs: Type.Integer({
          default: 30_000,
          minimum: 1,
          maximum: 86_400_000,
          description: 'the longest wait, in milliseconds',
        }),
        factor: Type.Number({
          default: 2,
          minimum: 1,
          maximum: 100,
          description: 'factor by which each wait is longer than the one before',
        }),
        jitter: Type.Number({
          default: 0.2,
          minimum: 0,
          maximum: 1,
          description: 'largest random change of a wait, as a fraction of it, in both directions',
        }),
      },
      { ...strict, default: {}, description: 'the wait after a failed delivery' },
    ),
    queue: Type.Object(
      {
        maxEvents: Type.Integer({
          default: 10_000,
          minimum: 1,
          maximum: 10_000_000,
          description: 'largest number of events that wait for the sink',
        }),
        maxBytes: Type.Integer({
          default: 64 * MIB,
          minimum: 1024,
          maximum: 16 * 1024 * MIB,
          description: 'largest number of bytes that wait for the sink in memory',
        }),
        maxDiskBytes: Type.Integer({
          default: 256 * MIB,
          minimum: 0,
          maximum: 1024 * 1024 * MIB,
          description:
            'largest number of bytes that wait for a durable sink in stateDir when its queue is full, so that it does not hold up the other sinks; 0: none; not used by a feed with one sink',
        }),
      },
      {
        ...strict,
        default: {},
        description:
          'the queue of the sink; while the queue of a durable sink is full, in memory and on disk, the source waits',
      },
    ),
    batch: Type.Object(
      {
        maxEvents: Type.Integer({
          default: 500,
          minimum: 1,
          maximum: 100_000,
          description: 'largest number of events in one delivery',
        }),
        maxBytes: Type.Integer({
          default: MIB,
          minimum: 1024,
          maximum: 1024 * MIB,
          description: 'largest number of bytes in one delivery; a larger event is delivered on its own',
        }),
        lingerMs: Type.Integer({
          default: 5,
          minimum: 0,
          maximum: 60_000,
          description: 'how long a batch waits for more events after a delivery, in milliseconds',
        }),
      },
      { ...strict, default: {}, description: 'the size of one delivery' },
    ),
    deadLetters: Type.Object(
      {
        automatic: Type.Boolean({
          default: false,
          description:
            'put an event that the receiver refuses, or that is too large for it, into the file and go on; otherwise the sink is paused, and a person may skip the event',
        }),
        file: Type.Optional(
          Type.String({
            minLength: 1,
            description: 'the file, a line of JSON for each event; default: dead-letters-<id>.jsonl in stateDir',
          }),
        ),
        maxBytes: Type.Integer({
          default: 64 * MIB,
          minimum: 1024,
          maximum: 16 * 1024 * MIB,
          description: 'largest size of the file in bytes; when it is full, the sink is paused instead',
        }),
      },
      { ...strict, default: {}, description: 'events that the sink cannot take' },
    ),
    tables: Type.Optional(
      Type.Array(Type.String({ pattern: '^[^.]+\\.[^.]+$', description: '`schema.table`' }), {
        minItems: 1,
        description:
          'deliver only changes of these tables, each as `schema.table`; if absent, of every published table',
      }),
    ),
    options: Type.Unknown({ default: {}, description: 'the options of its kind' }),
  },
  { ...strict, description: 'a receiver of changes' },
)

export const FeedSchema = Type.Object(
  {
    server: ServerSchema,
    stateDir: Type.String({
      default: 'changefeed-state',
      minLength: 1,
      description: 'folder for the position of each sink, used by this feed only; created if it does not exist',
    }),
    logLevel: Type.Enum(LOG_LEVELS, {
      default: 'info',
      description: 'the lowest level that is logged',
    }),
    source: Type.Object(
      { kind: Type.Enum(['postgres', 'sqlite'], { description: 'the kind of database' }) },
      { description: 'the database that changes are read from; its other keys depend on its kind' },
    ),
    sinks: Type.Array(SinkSchema, { minItems: 1, maxItems: 100, description: 'the receivers, at least one' }),
  },
  strict,
)

export type FeedFile = Static<typeof FeedSchema>
export type SinkFile = Static<typeof SinkSchema>
