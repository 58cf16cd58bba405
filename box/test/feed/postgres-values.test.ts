/** The values of a row at a receiver. The numbers are those of issue 5's list of faults. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Postgres } from '../world/postgres.ts'
import { Place } from './listener.ts'

/** Column, type, and values that other readers of the log change. */
const MATRIX: readonly [string, string, readonly string[]][] = [
  ['small', 'smallint', ['-32768', '32767']],
  ['big', 'bigint', ['9223372036854775807', '-9223372036854775808']],
  ['exact', 'numeric', ['NaN', 'Infinity', '-Infinity', '1.10', `${'9'.repeat(1000)}.${'1'.repeat(1000)}`, '1e-30']],
  ['scaled', 'numeric(12,4)', ['12345678.9', '-0.0001']],
  ['single', 'real', ['NaN', 'Infinity', '-Infinity', '0.1', '1e-45', '3.4028235e38']],
  ['double', 'double precision', ['NaN', 'Infinity', '-Infinity', '-0', '0.1', '5e-324', '3.333333333333333e-8']],
  ['cash', 'money', ['-92233720368547758.08', '1234.5']],
  ['flag', 'boolean', ['true', 'false']],
  [
    'txt',
    'text',
    ['', 'NULL', 'null', '\\N', 'a"b\\c/d', '\u0001\b\t\n\f\r\u001f\u007f', '😀 é\u2028\u2029 \u{10ffff}', ' x '],
  ],
  ['vc', 'varchar(8)', ['', 'ab  ']],
  ['padded', 'char(6)', ['', 'ab', 'äöü']],
  ['one', '"char"', ['a', '']],
  ['ident', 'name', ['Quoted "name"']],
  ['bin', 'bytea', ['\\x', '\\x00dead5c22ff']],
  ['day', 'date', ['infinity', '-infinity', '0044-03-15 BC', '2026-11-20', '5874897-12-31']],
  ['clock', 'time', ['24:00:00', '00:00:00.000001']],
  ['clockz', 'timetz', ['04:05:06.789-08', '12:00:00+05:30']],
  ['moment', 'timestamp', ['infinity', '-infinity', '0044-03-15 10:00:00 BC', '2026-11-20 04:52:12.706892']],
  [
    'moment_z',
    'timestamptz',
    ['infinity', '0044-03-15 10:00:00+00 BC', '2026-11-20 04:52:12.700001+09', '294276-12-31 23:59:59+00'],
  ],
  ['span', 'interval', ['1 year -2 mons 3 days -04:05:06.789', '00:00:00', '-178000000 years']],
  ['doc', 'json', ['{"a": 1.10,  "a": 9007199254740993}', 'null', '"\\u2028"']],
  ['docb', 'jsonb', ['{"n": 9007199254740993, "d": 1.10}', 'null', '[1, "two", null]']],
  ['path', 'jsonpath', ['$."a"[*] ? (@ > 1)']],
  ['markup', 'xml', ['<a b="c">&amp;\n</a>']],
  ['uid', 'uuid', ['00000000-0000-0000-0000-00000000000f']],
  ['host', 'inet', ['2001:db8::1/64', '10.0.0.1']],
  ['net', 'cidr', ['10.0.0.0/8']],
  ['mac', 'macaddr8', ['08:00:2b:01:02:03:04:05']],
  ['flags', 'bit(5)', ['00101']],
  ['moreflags', 'bit varying', ['', '1']],
  ['words', 'tsvector', ["'a':1A 'fat':2B,4C"]],
  ['search', 'tsquery', ["'fat' & !'rat':AB"]],
  ['spot', 'point', ['(1.5,-0)', '(NaN,Infinity)']],
  ['outline', 'polygon', ['((0,0),(0,1),(1,0))']],
  ['round', 'circle', ['<(1,2),3>']],
  ['ints', 'int[]', ['{}', '{1,NULL,3}', '{{1,2},{3,4}}', '[0:1]={1,2}']],
  ['texts', 'text[]', ['{"NULL",NULL,"","a,b","c\\"d","e\\\\f","{}"}']],
  ['stamps', 'timestamptz[]', ['{"2026-11-20 04:52:12.7+00",infinity}']],
  ['span_of', 'int8range', ['empty', '[1,5)', '(,)']],
  ['period', 'tstzrange', ['["2026-11-20 00:00:00+00",infinity)']],
  ['periods', 'datemultirange', ['{[2026-01-01,2026-02-01),[2026-03-01,2026-04-01)}']],
  ['mood', 'mood', ["it's", 'a "b"', '']],
  ['grade', 'grade', ['7']],
  ['pair', 'pair', ['(1,"a ""quoted"" b","2026-11-20 04:52:12.7+00")', '(,,)']],
  ['pairs', 'pair[]', ['{"(1,x,)",NULL}']],
  ['thing', 'regclass', ['matrix', 'pg_class']],
  ['place', 'pg_lsn', ['16/B374D848']],
  ['system', 'oid', ['4294967295']],
]

const TYPES = `
  CREATE TYPE mood AS ENUM ('it''s', 'a "b"', '');
  CREATE DOMAIN grade AS int CHECK (VALUE BETWEEN 0 AND 9);
  CREATE TYPE pair AS (a int, b text, c timestamptz);`

/** The settings that a value's text depends on, as the source sets them. */
const PINNED = `
  SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 3;
  SET bytea_output = 'hex'; SET search_path = pg_catalog;`

for (const version of [15, 18] as const) {
  describe(`values of PostgreSQL ${version}`, () => {
    let server: Postgres
    before(async () => {
      server = await Postgres.start({ version })
    })
    after(() => server[Symbol.asyncDispose]())

    it('18: every type is the text that the server writes, whatever it is set to', async () => {
      const place = await Place.make(server, 'matrix')
      const columns = MATRIX.map(([name, type]) => `${name} ${type}`).join(', ')
      await place.query(
        `${TYPES} CREATE TABLE matrix (id int PRIMARY KEY, ${columns}, twice int GENERATED ALWAYS AS (id * 2) STORED)`,
      )
      await using plain = await place.open()
      // A second slot reads the same log in a session with other settings of server, database and role.
      await using first = await place.open({ slot: { name: 'otherwise' } })
      const options = place.options({ slot: { name: 'otherwise', create: false } })
      await first.source[Symbol.asyncDispose]()

      await place.query('INSERT INTO matrix (id) VALUES (0)')
      const most = Math.max(...MATRIX.map(([, , values]) => values.length))
      for (let row = 0; row < most; row++) {
        const values = MATRIX.map(([, , values]) => values[row] ?? null)
        const holders = MATRIX.map(([, type], i) => `$${i + 2}::text::${type}`).join(', ')
        await place.query(`INSERT INTO matrix VALUES ($1, ${holders})`, [row + 1, ...values])
      }
      const events = await plain.heard.count('matrix', most + 1)

      const rows = await place.query(`${PINNED} SELECT * FROM public.matrix ORDER BY id`)
      const published = (row: object) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'twice'))
      assert.deepEqual(
        events.map(({ afterJson }) => JSON.parse(afterJson)),
        rows.map(published),
      )
      // The cast to text says the same, but for these: `true`, blanks removed, a mask added.
      const casts = MATRIX.filter(([name]) => !['flag', 'padded', 'host'].includes(name)).map(
        ([name]) => `${name}::text`,
      )
      const texts = await place.query(`${PINNED} SELECT ${casts.join(', ')} FROM public.matrix ORDER BY id`)
      assert.equal(texts.length, events.length)
      texts.forEach((row, i) => {
        const told = JSON.parse(events[i]?.afterJson ?? '')
        for (const [name, text] of Object.entries(row)) assert.equal(told[name], text, name)
      })
      const [row] = events.slice(1).map(({ afterJson }) => JSON.parse(afterJson))
      assert.deepEqual(
        [row.flag, row.padded, row.big, row.thing],
        ['t', '      ', '9223372036854775807', 'public.matrix'],
      )

      for (const setting of [`TimeZone = 'Asia/Tokyo'`, `DateStyle = 'SQL, DMY'`, `bytea_output = 'escape'`]) {
        await server.query(`ALTER SYSTEM SET ${setting}`)
      }
      await place.query(
        `ALTER DATABASE matrix SET IntervalStyle = 'iso_8601'; ALTER DATABASE matrix SET search_path = public`,
      )
      await server.query('ALTER ROLE postgres SET extra_float_digits = 0')
      await server.restart('fast')
      try {
        const [odd] = await place.query(`SELECT moment_z::text AS at, span::text AS span FROM matrix WHERE id = 3`)
        assert.notEqual(odd?.at, texts[3]?.moment_z, 'the settings make no difference here')
        await using other = await place.open({ ...options, slot: { name: 'otherwise', create: false } })
        assert.deepEqual(await other.heard.count('matrix', most + 1), events)
      } finally {
        await server.query('ALTER SYSTEM RESET ALL')
        await server.query('ALTER ROLE postgres RESET ALL')
        await server.restart('fast')
      }
    })

    it('19: an untouched large value is taken from the old row, or left out, but never null', async () => {
      const place = await Place.make(server, 'toast')
      const big = 'x'.repeat(100_000)
      const identities = {
        by_default: 'DEFAULT',
        by_index: 'USING INDEX by_index_n',
        by_all: 'FULL',
        by_nothing: 'NOTHING',
      }
      for (const [table, identity] of Object.entries(identities)) {
        await place.query(`
          CREATE TABLE ${table} (id int PRIMARY KEY, n int NOT NULL, small text, big text);
          ALTER TABLE ${table} ALTER big SET STORAGE EXTERNAL;
          CREATE UNIQUE INDEX ${table}_n ON ${table} (n);
          ALTER TABLE ${table} REPLICA IDENTITY ${identity};`)
      }
      await using opened = await place.open()
      const { heard } = opened
      for (const table of Object.keys(identities)) {
        await place.query(`INSERT INTO ${table} VALUES (1, 10, 'a', repeat('x', 100000)), (2, 20, NULL, NULL)`)
        if (table === 'by_nothing') {
          // The server does not let them through: what preflight warns of.
          await assert.rejects(place.query(`UPDATE ${table} SET small = 'b'`), { code: '55000' })
          await assert.rejects(place.query(`DELETE FROM ${table}`), { code: '55000' })
          continue
        }
        await place.query(`UPDATE ${table} SET small = 'b' WHERE id = 1`)
        await place.query(`UPDATE ${table} SET id = 3, n = 30 WHERE id = 1`)
        await place.query(`DELETE FROM ${table} WHERE id = 3`)
        await place.query(`UPDATE ${table} SET small = 'c' WHERE id = 2`)
      }
      await heard.count('by_nothing', 2)
      const inserts = [
        `insert {"id":"1","n":"10","small":"a","big":"${big}"}`,
        'insert {"id":"2","n":"20","small":null,"big":null}',
      ]
      assert.deepEqual(heard.changesOf('by_nothing'), inserts)
      const byKey = (key: string, before: string, after: string) => [
        ...inserts,
        'update {"id":"1","n":"10","small":"b"}',
        `update {"${key}":"${before}"} {"id":"3","n":"30","small":"b"}`,
        `delete {"${key}":"${after}"}`,
        'update {"id":"2","n":"20","small":"c","big":null}',
      ]
      assert.deepEqual(heard.changesOf('by_default'), byKey('id', '1', '3'))
      assert.deepEqual(heard.changesOf('by_index'), byKey('n', '10', '30'))
      const row = (id: number, n: number, small: string) =>
        `{"id":"${id}","n":"${n}","small":"${small}","big":"${big}"}`
      assert.deepEqual(heard.changesOf('by_all'), [
        ...inserts,
        `update ${row(1, 10, 'a')} ${row(1, 10, 'b')}`,
        `update ${row(1, 10, 'b')} ${row(3, 30, 'b')}`,
        `delete ${row(3, 30, 'b')}`,
        'update {"id":"2","n":"20","small":null,"big":null} {"id":"2","n":"20","small":"c","big":null}',
      ])
    })

    it('20: a truncate of several tables is several events', async () => {
      const place = await Place.make(server, 'truncated')
      await place.query(`
        CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY, a int REFERENCES a);
        CREATE TABLE c (id int PRIMARY KEY, b int REFERENCES b);
        CREATE TABLE whole (id int PRIMARY KEY) PARTITION BY RANGE (id);
        CREATE TABLE low PARTITION OF whole FOR VALUES FROM (0) TO (10);
        CREATE PUBLICATION roots FOR TABLE whole WITH (publish_via_partition_root = true);`)
      await using opened = await place.open()
      await using roots = await place.open({ slot: { name: 'truncated_roots' }, publication: { name: 'roots' } })
      await place.query('TRUNCATE a CASCADE')
      await place.query('INSERT INTO whole VALUES (1)')
      await place.query('TRUNCATE low')
      await place.query('TRUNCATE whole')
      await place.query('INSERT INTO whole VALUES (2)')
      const { heard } = opened
      await heard.count('low', 4)
      const first = heard.events.slice(0, 3)
      assert.deepEqual(first.map(({ op, table }) => `${op} ${table}`).sort(), [
        'truncate a',
        'truncate b',
        'truncate c',
      ])
      const ids = [0, 1, 2].map((i) => [`${first[0]?.commitLsn}:${i}`, i])
      assert.deepEqual(
        first.map(({ id, position }) => [id, position.index]),
        ids,
      )
      assert.deepEqual([first[0]?.beforeJson, first[0]?.afterJson], ['', ''])
      assert.deepEqual(heard.changesOf('low'), ['insert {"id":"1"}', 'truncate', 'truncate', 'insert {"id":"2"}'])
      // The server does not publish the truncate of a partition under its root.
      await roots.heard.until(() => roots.heard.events.length >= 3)
      assert.deepEqual(roots.heard.changesOf('whole'), ['insert {"id":"1"}', 'truncate', 'insert {"id":"2"}'])
    })

    it('21: partitions come and go, under their own name or that of the root', async () => {
      const place = await Place.make(server, 'parts')
      await place.query(`
        CREATE TABLE whole (id int PRIMARY KEY, v text) PARTITION BY RANGE (id);
        CREATE TABLE low PARTITION OF whole FOR VALUES FROM (0) TO (10);
        CREATE TABLE loose (LIKE whole INCLUDING ALL);
        CREATE PUBLICATION roots FOR TABLE whole WITH (publish_via_partition_root = true);
        CREATE PUBLICATION leaves FOR TABLE whole;`)
      await using roots = await place.open({ slot: { name: 'parts_roots' }, publication: { name: 'roots' } })
      await using leaves = await place.open({ slot: { name: 'parts_leaves' }, publication: { name: 'leaves' } })
      await place.query(`INSERT INTO whole VALUES (1, 'a')`)
      await place.query(`ALTER TABLE whole ATTACH PARTITION loose FOR VALUES FROM (10) TO (20)`)
      await place.query(`INSERT INTO whole VALUES (11, 'b')`)
      await place.query(`UPDATE whole SET id = 12 WHERE id = 1`)
      await place.query(`ALTER TABLE whole DETACH PARTITION loose`)
      await place.query(`INSERT INTO loose VALUES (13, 'not published')`)
      await place.query(`INSERT INTO whole VALUES (2, 'c')`)
      const names = (heard: typeof roots.heard) =>
        heard.events.map(({ op, table, beforeJson, afterJson }) => `${op} ${table} ${beforeJson || afterJson}`)
      const told = (a: string, b: string) => [
        `insert ${a} {"id":"1","v":"a"}`,
        `insert ${b} {"id":"11","v":"b"}`,
        `delete ${a} {"id":"1"}`,
        `insert ${b} {"id":"12","v":"a"}`,
        `insert ${a} {"id":"2","v":"c"}`,
      ]
      await roots.heard.until(() => roots.heard.events.length >= 5)
      await leaves.heard.until(() => leaves.heard.events.length >= 5)
      assert.deepEqual(names(roots.heard), told('whole', 'whole'))
      assert.deepEqual(names(leaves.heard), told('low', 'loose'))
    })

    it('22: rows have the columns that the table had when they were written', async () => {
      const place = await Place.make(server, 'changing')
      await place.query('CREATE TABLE t (id int PRIMARY KEY, v text); CREATE TABLE gone (id int PRIMARY KEY)')
      await using opened = await place.open()
      await place.query(`
        BEGIN;
        INSERT INTO t VALUES (1, 'a'); INSERT INTO gone VALUES (1);
        ALTER TABLE t ADD n int DEFAULT 7; INSERT INTO t VALUES (2, 'b');
        ALTER TABLE t RENAME v TO "w ""x"; INSERT INTO t VALUES (3, 'c', 8);
        ALTER TABLE t DROP "w ""x"; INSERT INTO t VALUES (4, 9);
        ALTER TABLE t ALTER n TYPE text USING 'n' || n; UPDATE t SET n = 'new' WHERE id = 1;
        ALTER TABLE t RENAME TO u; INSERT INTO u VALUES (5, NULL);
        DROP TABLE gone;
        COMMIT;`)
      await place.query('DELETE FROM u WHERE id = 5')
      const { heard } = opened
      // Rows that the server rewrites when a type changes are not published.
      await heard.until(() => heard.events.some(({ op }) => op === 'delete'))
      const told = heard.events.map(
        ({ op, table, beforeJson, afterJson }) => `${op} ${table} ${beforeJson || afterJson}`,
      )
      assert.deepEqual(told, [
        'insert t {"id":"1","v":"a"}',
        'insert gone {"id":"1"}',
        'insert t {"id":"2","v":"b","n":"7"}',
        'insert t {"id":"3","w \\"x":"c","n":"8"}',
        'insert t {"id":"4","n":"9"}',
        'update t {"id":"1","n":"new"}',
        'insert u {"id":"5","n":null}',
        'delete u {"id":"5"}',
      ])
      assert.deepEqual(
        heard.events.map(({ position }) => position.index),
        [0, 1, 2, 3, 4, 5, 6, 0],
      )
    })

    it('22: a publication of some columns and some rows', async () => {
      const place = await Place.make(server, 'filtered')
      await place.query(`
        CREATE TABLE t (id int PRIMARY KEY, shown text, hidden text);
        CREATE PUBLICATION some_of_it FOR TABLE t (id, shown) WHERE (id > 10);`)
      await using opened = await place.open({ publication: { name: 'some_of_it', tables: ['t'] } })
      await place.query(`INSERT INTO t VALUES (1, 'a', 'x'), (11, 'b', 'y')`)
      await place.query(`UPDATE t SET id = 12 WHERE id = 1; UPDATE t SET id = 2 WHERE id = 11`)
      await opened.heard.count('t', 3)
      const told = ['insert {"id":"11","shown":"b"}', 'insert {"id":"12","shown":"a"}', 'delete {"id":"11"}']
      assert.deepEqual(opened.heard.changesOf('t'), told)
    })

    it('12: rows of one COPY stand at one position and have indexes of their own', async () => {
      const place = await Place.make(server, 'copied')
      await place.query('CREATE TABLE t (id int PRIMARY KEY)')
      await using opened = await place.open()
      await place.query(`COPY t FROM PROGRAM 'printf "1\\n2\\n3\\n4\\n5\\n"'`)
      const events = await opened.heard.count('t', 5)
      assert.equal(new Set(events.map(({ lsn }) => lsn)).size, 1)
      const ids = [0, 1, 2, 3, 4].map((i) => `${events[0]?.commitLsn}:${i}`)
      assert.deepEqual(
        events.map(({ id }) => id),
        ids,
      )
      assert.deepEqual(
        opened.heard.changesOf('t'),
        [1, 2, 3, 4, 5].map((i) => `insert {"id":"${i}"}`),
      )
    })

    it('24: a row of 20 MiB passes as it is', async () => {
      const place = await Place.make(server, 'huge')
      await place.query('CREATE TABLE t (id int PRIMARY KEY, v text)')
      await using opened = await place.open()
      await place.query(`INSERT INTO t VALUES (1, repeat(E'a"\\n\\u00e9', 4 * 1024 * 1024))`)
      await place.query(`INSERT INTO t VALUES (2, 'b')`)
      const [event] = await opened.heard.count('t', 2)
      assert.equal(JSON.parse(event?.afterJson ?? '').v, 'a"\né'.repeat(4 * 1024 * 1024))
      assert.ok((event?.bytes ?? 0) >= Buffer.byteLength(event?.afterJson ?? ''))
      assert.deepEqual(opened.heard.changesOf('t')[1], 'insert {"id":"2","v":"b"}')
    })

    it('24: a value of 300 MB stops the source, which names its table, id and size', async (t) => {
      if (!process.env.GATEHOUSE_TEST_LONG) return t.skip('it takes 3 GB of memory: GATEHOUSE_TEST_LONG=1')
      const place = await Place.make(server, 'too_large')
      await place.query('CREATE TABLE t (id int PRIMARY KEY, v bytea)')
      await using opened = await place.open()
      await place.query(`INSERT INTO t VALUES (1, decode(repeat('ab', 300000000), 'hex'))`)
      await opened.heard.until(() => opened.source.state.state === 'failed')
      assert.match(
        opened.source.state.lastError ?? '',
        /^The change [0-9A-F]+\/[0-9A-F]+:0 of public\.t takes 6000000\d\d bytes/,
      )
    })
  })
}
