/** The schema of the configuration's `source` with `kind: postgres`. */
import { type Static, Type } from 'typebox'

const Name = { pattern: '^[a-z0-9_]{1,63}$' }
const whole = (description: string, fallback: number, minimum = 0, maximum = 86_400_000) =>
  Type.Integer({ description, default: fallback, minimum, maximum })
const text = (description: string) => Type.Optional(Type.String({ description, minLength: 1 }))

export const PostgresOptions = Type.Object(
  {
    kind: Type.Literal('postgres', { description: 'a PostgreSQL database, version 14 or newer' }),
    url: text(
      'postgres://user@host:5432/database, instead of host, port, database and user; may have the parameters sslmode, sslrootcert, sslcert and sslkey of libpq',
    ),
    host: text('host name, address, or folder of a Unix socket; default: localhost'),
    port: Type.Optional(Type.Integer({ description: 'port; default: 5432', minimum: 1, maximum: 65_535 })),
    database: text("the database whose changes are read; default: the user's name"),
    user: text('a role with LOGIN and REPLICATION'),
    password: text('the password; passwordFile or passwordEnv keeps it out of this file'),
    passwordFile: text('file with the password on its first line, read at every connection'),
    passwordEnv: text('environment variable with the password'),
    tls: Type.Optional(
      Type.Object(
        {
          mode: Type.Optional(
            Type.Union(
              ['disable', 'require', 'verify-ca', 'verify-full'].map((mode) => Type.Literal(mode)),
              {
                description:
                  'disable: no TLS; require: encrypted, but the server is not verified; verify-ca: its certificate has to be from the CA; verify-full: and has to name the host; default: verify-full, and disable for a socket or this machine if there is no tls section',
              },
            ),
          ),
          ca: text("PEM file with the CA of the server's certificate; default: the CAs that Node.js trusts"),
          cert: text('PEM file with a client certificate; needs key'),
          key: text('PEM file with the private key of cert'),
          servername: text("name that the server's certificate has to contain; default: the host"),
        },
        { description: 'TLS for the connection to the database', additionalProperties: false },
      ),
    ),
    slot: Type.Object(
      {
        name: Type.String({ description: 'name of the replication slot', default: 'changefeed', ...Name }),
        create: Type.Boolean({ description: 'create the slot if this feed has never used it', default: false }),
        onLost: Type.Union([Type.Literal('fail'), Type.Literal('recreate')], {
          description:
            'what to do when changes are lost, because the slot is gone, was invalidated, or was moved by somebody else, or because the log is another one than before; fail: report it and stop; recreate: report it, tell every sink, create slot (and publication, if publication.create allows it) again where that is needed, and continue after the gap',
          default: 'fail',
        }),
        failover: Type.Boolean({
          description: 'create the slot so that it is synchronised to standbys (PostgreSQL 17 or newer)',
          default: false,
        }),
      },
      { description: 'the replication slot', default: {}, additionalProperties: false },
    ),
    publication: Type.Object(
      {
        name: Type.String({ description: 'name of the publication', default: 'changefeed', ...Name }),
        create: Type.Boolean({
          description: 'create the publication if this feed has never used slot or publication',
          default: false,
        }),
        tables: Type.Optional(
          Type.Union(
            [
              Type.Literal('all'),
              Type.Array(Type.String({ pattern: '^[^.\\u0000]+(\\.[^.\\u0000]+)?$' }), {
                minItems: 1,
                uniqueItems: true,
              }),
            ],
            {
              description:
                'what is published: all, or a list of schema.table; for creating the publication, and for checking an existing one',
            },
          ),
        ),
      },
      { description: 'the publication', default: {}, additionalProperties: false },
    ),
    snapshot: Type.Union([Type.Literal('never'), Type.Literal('initial')], {
      description:
        'initial: when the slot is created, the rows that are already in the published tables are sent first, as inserts; needs slot.create, SELECT on the tables, and a key in each; never: changes only',
      default: 'never',
    }),
    statusIntervalMs: whole(
      'how often the feed reports its position to the server, in milliseconds; more often if wal_sender_timeout requires it',
      10_000,
      10,
    ),
    slotPollMs: whole('how often slot and publication are checked, in milliseconds', 30_000, 10),
    retainedWarnBytes: Type.Integer({
      description: 'warn when the slot retains more write-ahead log than this, in bytes',
      default: 1024 ** 3,
      minimum: 0,
    }),
    connectTimeoutMs: whole('how long connecting may take, and a query to the catalog, in milliseconds', 15_000, 10),
    reconnectMinMs: whole(
      'the first wait before a lost connection is opened again, in milliseconds; it doubles each time',
      1000,
      10,
    ),
    reconnectMaxMs: whole('the longest of these waits, in milliseconds', 30_000, 10),
    heartbeatMs: whole(
      'how often to write a logical message, in milliseconds, so that the slot advances in a database without other changes; 0: never',
      0,
    ),
  },
  { additionalProperties: false },
)
export type PostgresOptions = Static<typeof PostgresOptions>
