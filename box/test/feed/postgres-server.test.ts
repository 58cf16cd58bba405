/** The tests' own PostgreSQL server: other tests rely on its start, restarts and clean-up. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Postgres } from '../world/postgres.ts'

for (const version of [15, 18] as const) {
  describe(`PostgreSQL ${version}`, () => {
    it('starts, keeps its rows over both kinds of restart, and leaves nothing', async () => {
      const server = await Postgres.start({ version, settings: { work_mem: '5MB' }, files: { 'pg_ident.conf': '' } })
      await using _ = server
      assert.equal((await server.query('SHOW server_version_num'))[0]?.server_version_num?.slice(0, 2), String(version))
      assert.equal((await server.query('SHOW work_mem'))[0]?.work_mem, '5MB')
      assert.equal((await server.query('SHOW wal_level'))[0]?.wal_level, 'logical')
      await server.query('CREATE TABLE kept (i int); INSERT INTO kept VALUES (1)')
      const port = server.port
      for (const how of ['fast', 'immediate'] as const) {
        await server.restart(how)
        assert.deepEqual(await server.query('SELECT count(*)::text AS n FROM kept'), [{ n: '1' }])
        assert.equal(server.port, port)
      }
      await server[Symbol.asyncDispose]()
      assert.equal(existsSync(server.dataDir), false)
    })
  })
}

it('ends with the process of the test, however that ends', async () => {
  const code = `
    import { Postgres } from ${JSON.stringify(join(import.meta.dirname, '../world/postgres.ts'))}
    const server = await Postgres.start({ version: 18 })
    console.log(JSON.stringify([server.pid, server.dataDir]))
    process.kill(process.pid, 'SIGKILL')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  await once(child, 'close')
  const [pid, dataDir]: [number, string] = JSON.parse(said)
  for (let i = 0; i < 300 && (isAlive(pid) || existsSync(dataDir)); i++) await sleep(100)
  assert.deepEqual([isAlive(pid), existsSync(dataDir)], [false, false])
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
