/** The configuration's `source` with `kind: postgres`. */
import { type Static, Type } from 'typebox'

const Name = { pattern: '^[a-z0-9_]{1,63}$' }
const whole = (description: string, fallback: number, minimum = 0, maximum = 86_400_000) =>
  Type.Integer({ description, default: fallback, minimum, maximum })
const text = (description: string) => Type.Optional(Type.String({ description, minLength: 1 }))

export const PostgresOptions = Type.Object(
  {
    kind: Type.Literal('postgres', { description: 'A PostgreSQL database, version 14 or newer.' }),
    url: text(
      'postgres://user@host:5432/database, instead of host, port, database and user. With ?sslmode=, sslrootcert=, sslcert= and sslkey= as libpq has them.',
    ),
    host: text('Host name, address, or the folder of a Unix socket. Default: localhost.'),
    port: Type.Optional(Type.Integer({ description: 'Port. Default: 5432.', minimum: 1, maximum: 65_535 })),
    database: text("The database whose changes are read. Default: the user's name."),
    user: text('A role with LOGIN and REPLICATION.'),
    password: text('The password itself. Better: passwordFile or passwordEnv.'),
    passwordFile: text('A file with the password on its first line, read at every connection.'),
    passwordEnv: text('The environment variable that holds the password.'),
    tls: Type.Optional(
      Type.Object(
        {
          mode: Type.Optional(
            Type.Union(
              ['disable', 'require', 'verify-ca', 'verify-full'].map((mode) => Type.Literal(mode)),
              {
                description:
                  'disable: none. require: encrypted, to whoever answers. verify-ca: a certificate of the CA. verify-full: and for this host. Default: verify-full; for a socket or this machine without a tls section: disable.',
              },
            ),
          ),
          ca: text("PEM file of the CA that signed the server's certificate. Default: the CAs that Node.js trusts."),
          cert: text('PEM file of a client certificate. Goes with key.'),
          key: text('PEM file of its key.'),
          servername: text("The name that the server's certificate has to bear. Default: the host."),
        },
        { description: 'TLS to the database.', additionalProperties: false },
      ),
    ),
    slot: Type.Object(
      {
        name: Type.String({ description: 'The replication slot.', default: 'changefeed', ...Name }),
        create: Type.Boolean({ description: 'Create the slot when it was never there.', default: false }),
        onLost: Type.Union([Type.Literal('fail'), Type.Literal('recreate')], {
          description:
            'When the slot that was used is gone, invalidated, or stands where it was not left, changes are lost. fail: stop and say so. recreate: say so, make slot (and publication, if that may be created) anew, and go on behind the gap.',
          default: 'fail',
        }),
        failover: Type.Boolean({
          description: 'Create the slot so that it is synchronised to standbys (PostgreSQL 17 or newer).',
          default: false,
        }),
      },
      { description: 'The replication slot.', default: {}, additionalProperties: false },
    ),
    publication: Type.Object(
      {
        name: Type.String({ description: 'The publication.', default: 'changefeed', ...Name }),
        create: Type.Boolean({
          description: 'Create the publication when slot and publication were never there.',
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
                'What a created publication has: all, or a list of schema.table. An existing one is compared with it.',
            },
          ),
        ),
      },
      { description: 'What is published.', default: {}, additionalProperties: false },
    ),
    statusIntervalMs: whole(
      'How often the server hears that this end is alive; more often when wal_sender_timeout asks for it.',
      10_000,
      10,
    ),
    slotPollMs: whole('How often slot and publication are looked at.', 30_000, 10),
    retainedWarnBytes: Type.Integer({
      description: 'Warn when the slot holds back more write-ahead log than this.',
      default: 1024 ** 3,
      minimum: 0,
    }),
    connectTimeoutMs: whole('How long a connection may take, and a question to the catalog.', 15_000, 10),
    reconnectMinMs: whole('The wait before a lost connection is tried again; it doubles each time.', 1000, 10),
    reconnectMaxMs: whole('The longest of these waits.', 30_000, 10),
    heartbeatMs: whole(
      'Write a logical message this often, so that the slot moves in a database where nothing else is written; 0: never.',
      0,
    ),
  },
  { additionalProperties: false },
)
export type PostgresOptions = Static<typeof PostgresOptions>
