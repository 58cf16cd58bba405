/** `verify` finds every change that SQL can make to a ledger behind the box's back. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import type { Verification } from '@gatehouse/proto/wire/seal.ts'
import type { Environment } from '../../src/config.ts'
import { sql } from '../../src/drizzle/core.ts'
import { openDb, openSnapshot } from '../../src/ledger/db.ts'
import { signingKey, verifierKey } from '../../src/seal/verifier-key.ts'
import { verifyLedger } from '../../src/seal/verify.ts'
import { fillLedger } from '../world/full-ledger.ts'
import { World } from '../world/world.ts'

interface Tampering {
  what: string
  sql: string
  /** Kinds that must be among what is found. */
  finds: string[]
  /** SQL for the index of the first bad entry, when its place is known. */
  at?: string
}

/** The first entry of a kind. */
const first = (kind: string) => `SELECT min(idx) FROM journal WHERE kind = '${kind}'`
const bytesOf = (kind: string, from: string, to: string) =>
  `UPDATE journal SET bytes = CAST(replace(CAST(bytes AS TEXT), '${from}', '${to}') AS BLOB) WHERE idx = (${first(kind)})`
const aRow = (table: string) => {
  const key = table === 'movements' || table === 'scans' ? 'entry' : 'rowid'
  return `${key} = (SELECT min(${key}) FROM ${table})`
}
const END = 'SELECT max(idx) FROM journal'
const AFTER = 'SELECT max(idx) + 1 FROM journal'

const IN_THE_JOURNAL: Tampering[] = [
  {
    what: 'a changed word in an entry',
    sql: bytesOf('scan', 'ADMIT', 'BLOCK'),
    finds: ['scan_differs', 'seal_root'],
    at: first('scan'),
  },
  {
    what: 'a space more',
    sql: bytesOf('scan', '{"at"', '{ "at"'),
    finds: ['not_canonical', 'seal_root'],
    at: first('scan'),
  },
  {
    what: 'bytes that are not JSON',
    sql: `UPDATE journal SET bytes = x'ff00' WHERE idx = (${first('mode')})`,
    finds: ['not_canonical', 'seal_root'],
    at: first('mode'),
  },
  {
    what: 'an entry that lacks what every entry of its kind has',
    sql: `UPDATE journal SET bytes = CAST('{"hlc":"' || hlc || '","index":' || idx || ',"kind":"event"}' AS BLOB) WHERE kind = 'event'`,
    finds: ['unreadable', 'seal_root'],
    at: first('event'),
  },
  {
    what: 'another kind in its column',
    sql: `UPDATE journal SET kind = 'import' WHERE kind = 'scan'`,
    finds: ['column_differs'],
    at: first('scan'),
  },
  {
    what: 'another clock in its column',
    sql: `UPDATE journal SET hlc = '0000000000001.000000' WHERE idx = 5`,
    finds: ['column_differs', 'clock_order'],
    at: 'SELECT 5',
  },
  { what: 'a removed entry', sql: 'DELETE FROM journal WHERE idx = 10', finds: ['gap', 'seal_root'], at: 'SELECT 11' },
  {
    what: 'a removed entry, and the others moved up',
    sql: 'DELETE FROM journal WHERE idx = 10; UPDATE journal SET idx = idx - 1 WHERE idx > 10',
    finds: ['column_differs', 'seal_root', 'seal_beyond'],
    at: 'SELECT 10',
  },
  { what: 'the last entries removed', sql: 'DELETE FROM journal WHERE idx > 20', finds: ['seal_beyond'] },
  {
    what: 'an entry added at the end, well made, that nobody has sealed',
    sql: `INSERT INTO journal SELECT idx + 1, '9999999999999.000000', 'claim', CAST('{"code":"00","hlc":"9999999999999.000000","index":' || (idx + 1) || ',"kind":"claim","ticket":"nobody"}' AS BLOB) FROM journal WHERE idx = (${END})`,
    finds: ['ticket_differs'],
    at: AFTER,
  },
  {
    what: 'an entry added before the first',
    sql: `INSERT INTO journal VALUES (-1, '0000000000001.000000', 'mode', CAST('{"hlc":"0000000000001.000000","index":-1,"kind":"mode"}' AS BLOB))`,
    finds: ['gap', 'seal_root'],
    at: 'SELECT -1',
  },
  {
    what: 'two entries swapped',
    sql: 'UPDATE journal SET idx = -7 WHERE idx = 7; UPDATE journal SET idx = 7 WHERE idx = 8; UPDATE journal SET idx = 8 WHERE idx = -7',
    finds: ['column_differs', 'clock_order', 'seal_root'],
    at: 'SELECT 7',
  },
  {
    what: 'an entry twice',
    sql: `INSERT INTO journal SELECT (${END}) + 1, hlc, kind, bytes FROM journal WHERE idx = 7`,
    finds: ['column_differs', 'clock_order'],
    at: AFTER,
  },
  {
    what: 'an entry changed with all its columns, and its seals with it, but for the signature',
    sql: `${bytesOf('mode', 'a reason', 'no reason')}; UPDATE seals SET root = zeroblob(32)`,
    finds: ['seal_root', 'seal_differs'],
  },
]

const IN_THE_SEALS: Tampering[] = [
  {
    what: "a seal's root",
    sql: `UPDATE seals SET root = zeroblob(32) WHERE ${aRow('seals')}`,
    finds: ['seal_differs', 'seal_root'],
  },
  {
    what: "a seal's size",
    sql: `UPDATE seals SET size = size - 1 WHERE ${aRow('seals')}`,
    finds: ['seal_differs', 'seal_root'],
  },
  {
    what: "a seal's note",
    sql: `UPDATE seals SET note = replace(note, 'gatehouse', 'gatehousf') WHERE ${aRow('seals')}`,
    finds: ['seal_differs', 'seal_missing'],
  },
  {
    what: "a seal's signature",
    sql: `UPDATE seals SET note = substr(note, 1, length(note) - 10) || 'AAAAAAAA=' || char(10) WHERE ${aRow('seals')}`,
    finds: ['seal_differs'],
  },
  {
    what: 'a seal twice',
    sql: `INSERT INTO seals SELECT size + 1000, root, note, at FROM seals WHERE ${aRow('seals')}`,
    finds: ['seal_beyond', 'seal_differs'],
  },
  { what: 'the first seal removed', sql: `DELETE FROM seals WHERE ${aRow('seals')}`, finds: ['seal_missing'] },
  {
    what: 'the last seal removed',
    sql: 'DELETE FROM seals WHERE size = (SELECT max(size) FROM seals)',
    finds: ['seal_missing'],
  },
  { what: 'every seal removed', sql: 'DELETE FROM seals', finds: ['seal_missing'] },
  {
    what: 'a stored root that is another',
    sql: 'UPDATE subtrees SET hash = zeroblob(32) WHERE level = 1 AND idx = 1',
    finds: ['subtree_differs'],
    at: 'SELECT 16',
  },
  {
    what: 'subtrees of entries that are not there',
    sql: 'INSERT INTO subtrees VALUES (1, 99, zeroblob(32))',
    finds: ['subtree_unexplained'],
  },
]

/** For every table: a row removed, a row that no entry explains, and every value that the journal knows of changed. */
const IN_THE_TABLES: Tampering[] = [
  ...table('scan', 'scans', ['passed = 1 - passed', 'entry = entry + 1', 'text = -1', `own = replace(own, '1', '2')`], {
    insert: `SELECT 'made-up', digest, passed, text, own, entry FROM scans`,
    unknown: `SELECT 'made-up', digest, passed, text, own, 0 FROM scans`,
  }),
  ...[`text = 'no'`, `text = replace(text, 'ADMIT', 'BLOCKED')`].map((change) => ({
    what: `the text of a verdict: ${change}`,
    // Of an admission: ids are random, and the first of whoever has passed may have gone out.
    sql: `UPDATE verdict_texts SET ${change} WHERE id = (
      SELECT scans.text FROM scans JOIN verdict_texts t ON t.id = scans.text WHERE passed AND instr(t.text, '"verdict":"ADMIT"'))`,
    finds: ['scan_differs'],
  })),
  ...table(
    'movement',
    'movements',
    [
      `checkpoint = 'b-in'`,
      `direction = 'out'`,
      `to_zone = 'lounge'`,
      'occurrence = 9',
      'at = at - 60000',
      `hlc = '1'`,
      `scan_id = 'x'`,
      'provisional = 1 - provisional',
    ],
    {
      insert: `SELECT ticket, 'another', surplus, direction, checkpoint, from_zone, to_zone, occurrence, at, hlc, scan_id, provisional, entry FROM movements`,
    },
  ),
  ...['slot', 'ticket', 'surplus', 'entry'].map((column) => ({
    what: `movements: another ${column}`,
    sql: `UPDATE movements SET ${column} = 77 WHERE ${aRow('movements')}`,
    finds: ['movement_missing', 'movement_unexplained'],
  })),
  {
    what: 'movements: a passage that was taken back is there again',
    sql: `INSERT INTO movements SELECT t.id, json_extract(CAST(j.bytes AS TEXT), '$.slot'), 0, 'in', 'a-in', NULL, 'arena', 1, 0, j.hlc, 'x', 0, j.idx
      FROM journal u JOIN journal j ON j.idx = json_extract(CAST(u.bytes AS TEXT), '$.undone') JOIN tickets t ON t.ref = json_extract(CAST(u.bytes AS TEXT), '$.ticket')
      WHERE u.kind = 'undo' AND json_extract(CAST(u.bytes AS TEXT), '$.supervised')`,
    finds: ['movement_unexplained'],
  },
  ...table(
    'override',
    'overrides',
    [`actor = 'x'`, `reason = 'x'`, `device = 'x'`, 'at = 0', 'entry = 0', `response = '{}'`],
    {
      insert: `SELECT 'made-up', kind, device, actor, reason, at, response, entry FROM overrides`,
    },
  ),
  ...table(
    'flag',
    'flags',
    [`kind = 'clock_skew'`, `ticket_ref = 'x'`, `device = 'x'`, `scan_ids = '[]'`, 'entry = 0'],
    {
      insert: `SELECT 'made-up', kind, ticket_ref, device, occurrence, detected_at, scan_ids, resolution, resolution_note, resolution_salt, resolved_by, resolved_at, entry FROM flags`,
      columns:
        'id, kind, ticket_ref, device, occurrence, detected_at, scan_ids, resolution, resolution_note, resolution_salt, resolved_by, resolved_at, entry',
    },
  ),
  ...[
    `resolution = 'fraud'`,
    'resolution = NULL',
    `resolved_by = 'x'`,
    'resolved_at = 0',
    `resolution_note = 'x'`,
    'resolution_note = NULL',
  ].map((change) => ({
    what: `flags: ${change} where one is resolved`,
    sql: `UPDATE flags SET ${change} WHERE resolution IS NOT NULL`,
    finds: ['flag_differs'],
    at: first('flag_resolved'),
  })),
  {
    what: 'flags: a scan of a case is gone',
    sql: `DELETE FROM flag_scans WHERE id = (SELECT max(id) FROM flag_scans)`,
    finds: ['flag_differs'],
  },
  {
    what: 'flags: a scan more',
    sql: `INSERT INTO flag_scans (flag, scan_id) SELECT flag, 'made-up' FROM flag_scans LIMIT 1`,
    finds: ['flag_differs'],
  },
  {
    what: 'flags: scans of a case that is none',
    sql: `INSERT INTO flag_scans (flag, scan_id) VALUES ('made-up', 'made-up')`,
    finds: ['flag_unexplained'],
  },
  {
    what: 'flags: one resolved that is open',
    sql: `UPDATE flags SET resolution = 'fraud' WHERE resolution IS NULL`,
    finds: ['flag_differs'],
  },
  ...table(
    'incident',
    'incidents',
    [
      `kind = 'crush'`,
      `state = 'cancelled'`,
      `checkpoint = 'x'`,
      `gate = 'x'`,
      `zone = NULL`,
      'occupancy = 999',
      'queue_rate_per_min = 99',
      `note = 'x'`,
      'note = NULL',
      `reported_by = 'x'`,
      'observed_at = 0',
      'reported_at = 0',
      `hlc = '1'`,
      `assignee = 'x'`,
      'version = 9',
      'entry = 0',
    ],
    {},
  ),
  ...table(
    'incident_action',
    'incident_actions',
    [`action = 'cancel'`, `actor = 'x'`, `assignee = 'x'`, `reason = 'x'`, 'at = 0', `hlc = '1'`, 'entry = 0'],
    {
      insert: `SELECT incident, 99, action, actor, assignee, reason, at, hlc, entry FROM incident_actions`,
    },
  ),
  ...table(
    'hold',
    'holds',
    [
      `gate = 'a'`,
      `reason = 'x'`,
      `actor = 'x'`,
      'placed_at = 0',
      'expires_at = 5',
      'released_at = 5',
      `released_by = 'x'`,
      'entry = 0',
    ],
    {
      insert: `SELECT 'made-up', gate, reason, actor, placed_at, expires_at, released_at, released_by, entry FROM holds`,
    },
  ),
  ...table(
    'device',
    'devices',
    [
      `fingerprint = 'x'`,
      `checkpoints = '[]'`,
      'supervisor = 1 - supervisor',
      `app = 'x'`,
      'revoked_at = 5',
      `revoked_reason = 'x'`,
    ],
    {
      insert: `SELECT 'made-up', name, fingerprint, token_hash, public_key, checkpoints, enrolled_at, expires_at, revoked_at, revoked_reason, supervisor, app FROM devices`,
    },
  ),
  {
    what: 'devices: a revoked one that may scan again',
    sql: 'UPDATE devices SET revoked_at = NULL',
    finds: ['device_differs'],
    at: first('device_revoked'),
  },
  ...table(
    'invite',
    'invites',
    [`checkpoints = '[]'`, 'expires_at = 5', 'supervisor = 1 - supervisor', `app = 'proxy'`],
    {
      insert: `SELECT zeroblob(32), name, checkpoints, expires_at, used_at, supervisor, app FROM invites`,
      differs: ['invite_missing', 'invite_unexplained'],
    },
  ),
  { what: 'invites: one that can be used again', sql: 'UPDATE invites SET used_at = NULL', finds: ['invite_differs'] },
  ...table(
    'announcement',
    'announcements',
    [
      `severity = 'emergency'`,
      `text = 'x'`,
      `lang = 'pt'`,
      `zones = '["lounge"]'`,
      `replaces = '["x"]'`,
      'withdrawn = 1',
      'issued_at = 0',
      'expires_at = 5',
      `hlc = '1'`,
      'signature = zeroblob(64)',
      'entry = 0',
    ],
    {
      insert: `SELECT 'made-up', severity, text, lang, zones, issued_at, expires_at, hlc, signature, entry, replaces, withdrawn FROM announcements`,
    },
  ),
  {
    what: 'the mode',
    sql: `UPDATE identity SET value = CAST('DEGRADED' AS BLOB) WHERE name = 'mode'`,
    finds: ['mode_differs'],
  },
  {
    what: 'the mode forgotten',
    sql: `UPDATE identity SET value = CAST('x' AS BLOB) WHERE name = 'mode'`,
    finds: ['mode_differs'],
  },
  ...[
    `ref = 'x'`,
    `code = 'FORGED'`,
    `tier = 'vip'`,
    `seat = 'A1'`,
    'valid_from = 5',
    'valid_until = 5',
    `status = 'pending'`,
    `status_detail = 'x'`,
  ].map((change) => ({
    what: `tickets: ${change}`,
    sql: `UPDATE tickets SET ${change} WHERE code = 'ONCE-1'`,
    finds: ['tickets_differ'],
    at: first('import'),
  })),
  {
    what: 'tickets: one removed',
    sql: `DELETE FROM tickets WHERE code = 'PAST-1'`,
    finds: ['tickets_differ', 'credential_unexplained'],
  },
  {
    what: 'tickets: one that no import brought',
    sql: `INSERT INTO tickets (ref, capability, code, tier, status, seed, public_key, entry) VALUES ('x', 'x', 'FORGED', 'vip', 'valid', zeroblob(32), zeroblob(32), 1)`,
    finds: ['tickets_differ', 'credential_differs'],
  },
  {
    what: 'tickets: a revoked one that opens',
    sql: `UPDATE tickets SET revoked_at = NULL, revoked_reason = NULL WHERE code = 'ONCE-2'`,
    finds: ['ticket_differs'],
    at: first('ticket_revoked'),
  },
  {
    what: "tickets: a revocation's reason",
    sql: `UPDATE tickets SET revoked_reason = 'x' WHERE code = 'ONCE-2'`,
    finds: ['ticket_differs'],
  },
  {
    what: 'tickets: one revoked by nobody',
    sql: `UPDATE tickets SET revoked_at = 5, revoked_reason = 'x' WHERE code = 'ONCE-1'`,
    finds: ['ticket_unexplained'],
  },
  {
    what: 'tickets: a reinstated one revoked again',
    sql: `UPDATE tickets SET revoked_at = 5, revoked_reason = 'x' WHERE code = 'CREW-1'`,
    finds: ['ticket_unexplained'],
  },
  {
    what: 'tickets: claimed by nobody',
    sql: `UPDATE tickets SET claimed_at = 5 WHERE code = 'ONCE-1'`,
    finds: ['ticket_unexplained'],
  },
  {
    what: 'tickets: a claim undone',
    sql: `UPDATE tickets SET claimed_at = NULL WHERE code = 'PHONE-1'`,
    finds: ['ticket_differs', 'ticket_unexplained'],
  },
  {
    what: 'tickets: a claimed one with another key',
    sql: `UPDATE tickets SET public_key = zeroblob(32) WHERE code = 'PHONE-1'`,
    finds: ['ticket_differs', 'credential_differs'],
  },
  {
    what: 'tickets: another key',
    sql: `UPDATE tickets SET public_key = zeroblob(32) WHERE code = 'ONCE-1'`,
    finds: ['credential_differs'],
  },
  {
    what: 'credentials: one more',
    sql: `INSERT INTO credentials VALUES (zeroblob(16), 1, 'static')`,
    finds: ['credential_unexplained'],
  },
  {
    what: 'credentials: of another ticket',
    sql: `UPDATE credentials SET ticket = ticket + 1 WHERE kind = 'static' AND ticket = 1`,
    finds: ['credential_differs'],
  },
  {
    what: 'credentials: one that opens again',
    sql: `UPDATE credentials SET kind = 'key' WHERE kind = 'retired'`,
    finds: ['credential_unexplained'],
  },
]

function table(
  name: string,
  of: string,
  changes: string[],
  {
    insert,
    unknown,
    columns,
    differs = [`${name}_differs`],
  }: { insert?: string; unknown?: string; columns?: string; differs?: string[] },
): Tampering[] {
  const inserting = (select: string) => `INSERT INTO ${of} ${columns ? `(${columns})` : ''} ${select} WHERE ${aRow(of)}`
  return [
    { what: `${of}: a row removed`, sql: `DELETE FROM ${of} WHERE ${aRow(of)}`, finds: [`${name}_missing`] },
    ...changes.map((change) => ({
      what: `${of}: ${change}`,
      sql: `UPDATE ${of} SET ${change} WHERE ${aRow(of)}`,
      finds: differs,
    })),
    ...[insert, unknown].flatMap((select) =>
      select ? { what: `${of}: a row added`, sql: inserting(select), finds: [`${name}_unexplained`] } : [],
    ),
  ]
}

describe('verify', () => {
  let folder: string
  let path: string
  let copies = 0
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-verify-'))
    path = join(folder, 'ledger.db')
    await using world = await World.open()
    await fillLedger(world)
    await world.box[Symbol.asyncDispose]()
    copyFileSync(join(world.folder, 'data/ledger.db'), path)
    copyFileSync(join(world.folder, 'data/keys.json'), join(folder, 'keys.json'))
    await world.restart()
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** @returns what is found in a copy in which this was done, and the index that `at` then is */
  function tampered(statements: string, at?: string): { found: Verification; index: number | undefined } {
    const copy = join(folder, `${copies++}.db`)
    copyFileSync(path, copy)
    const db = openDb(copy)
    let index: number | undefined
    try {
      if (at) [index] = db.drizzle.values<[number]>(sql.raw(at))[0] ?? []
      for (const statement of statements.split('; ')) db.drizzle.run(sql.raw(statement))
    } finally {
      db.close()
    }
    using snapshot = openSnapshot(copy)
    const found = verifyLedger(snapshot)
    rmSync(copy)
    return { found, index }
  }

  it('finds no problem in a ledger as its box has left it, with rows in every table', () => {
    using snapshot = openSnapshot(path)
    const progress: number[] = []
    const { ok, size, seals, problems } = verifyLedger(snapshot, { onProgress: (fraction) => progress.push(fraction) })
    assert.deepEqual([ok, problems], [true, []])
    assert.ok(size > 50 && seals >= 3, `${size} entries, ${seals} seals`)
    assert.equal(progress.at(-1), 1)
    const empty = [
      'scans',
      'movements',
      'overrides',
      'flags',
      'incidents',
      'incident_actions',
      'holds',
      'devices',
      'invites',
      'announcements',
    ].filter((name) => snapshot.drizzle.values(sql.raw(`SELECT 1 FROM ${name}`)).length < 2)
    assert.deepEqual(empty, [])
  })

  for (const { what, sql: statements, finds, at } of [...IN_THE_JOURNAL, ...IN_THE_SEALS, ...IN_THE_TABLES]) {
    it(what, () => {
      const { found, index } = tampered(statements, at)
      const kinds = found.problems.map(({ kind }) => kind)
      assert.equal(found.ok, false)
      for (const kind of finds) assert.ok(kinds.includes(kind), `${kind} in ${JSON.stringify(found.problems)}`)
      if (at) assert.equal(found.problems.find(({ kind }) => kind === finds[0])?.index, index)
    })
  }

  it('finds a change of any byte of any entry', () => {
    const entries = (() => {
      using snapshot = openSnapshot(path)
      return snapshot.drizzle.values<[number, number]>(sql.raw('SELECT idx, length(bytes) FROM journal'))
    })()
    for (const [index, length] of entries) {
      const at = 1 + ((index * 7919) % length)
      const flip = `UPDATE journal SET bytes = CAST(substr(bytes, 1, ${at - 1}) || CASE WHEN substr(bytes, ${at}, 1) = x'41' THEN x'42' ELSE x'41' END || substr(bytes, ${at + 1}) AS BLOB) WHERE idx = ${index}`
      const { found } = tampered(flip)
      assert.equal(found.ok, false, `byte ${at} of entry ${index}`)
    }
  })
})

describe('verify beside a running box', () => {
  let world: World
  before(async () => {
    world = await World.open()
  })
  after(() => world[Symbol.asyncDispose]())

  const BIN = join(import.meta.dirname, '../../bin/gatehouse.mjs')
  async function command(args: string[], environment: Environment = world.environment) {
    const env = { PATH: process.env.PATH ?? '', ...environment }
    const child = spawn(process.execPath, [BIN, 'verify', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { out, err, code }
  }
  const asAdmin = async () => (await (await world.admin()).GET('/v1/admin/verify')).data

  it('succeeds with progress, on the command line and over HTTP alike', async () => {
    await using device = await world.device()
    await device.scan('ONCE-1')
    const admin = await world.admin()
    const { data: meta } = await admin.GET('/v1/meta')
    const { code, out, err } = await command(['--json', '--key', meta?.verifier_key ?? ''])
    assert.equal(code, 0, out + err)
    assert.match(err, /100 %/)
    assert.deepEqual(await asAdmin(), JSON.parse(out))
    assert.match((await command([])).out, /^The record is valid: \d+ entries, \d+ seals, root \S{44}\n$/)
  })

  it('answers a second request while it runs, and scans go on', async () => {
    await using device = await world.device()
    const asked = [asAdmin(), asAdmin(), asAdmin()]
    assert.equal((await device.scan('CREW-1')).verdict, 'ADMIT')
    for (const answer of await Promise.all(asked)) assert.equal(answer?.ok, true)
  })

  it('fails, and names the entries', async () => {
    world.box.ledger.db.drizzle.run(sql.raw(`UPDATE scans SET passed = 1 - passed`))
    const { code, out } = await command([])
    assert.equal(code, 1)
    assert.match(out, /^The record is not valid: .*\n {2}scan_differs at entry \d+: scan \S+: passed, and 1 more\n$/)
    const answer = await asAdmin()
    assert.deepEqual(
      [answer?.ok, answer?.problems.map(({ kind, count }) => [kind, count])],
      [false, [['scan_differs', 2]]],
    )
    world.box.ledger.db.drizzle.run(sql.raw(`UPDATE scans SET passed = 1 - passed`))
  })

  it('exits 2 without a ledger, with an invalid key, or with an extra argument', async () => {
    const nowhere = { ...world.environment, GATEHOUSE_DATA_DIR: join(world.folder, 'nowhere') }
    for (const [args, environment, says] of [
      [[], nowhere, /There is no ledger at .*nowhere/],
      [['--key', 'x'], world.environment, /--key takes a verifier key/],
      [['now'], world.environment, /one word too many/],
    ] as const) {
      const { code, out, err } = await command([...args], environment)
      assert.deepEqual([code, out], [2, ''])
      assert.match(err, says)
    }
    assert.equal(existsSync(join(world.folder, 'nowhere')), false)
  })

  it('reports a key other than the expected one', async () => {
    const other = verifierKey('gatehouse/test-fair/box-0badcafe', signingKey(Buffer.alloc(32, 1)))
    const { code, out } = await command(['--json', '--key', other])
    const { problems } = JSON.parse(out)
    assert.deepEqual([code, problems.map(({ kind }: { kind: string }) => kind)], [1, ['another_key']])
  })
})
