/** The box's files for the board, on the board's own Node, under qemu's user emulation: it opens, pairs, and admits. No boot. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gatehouseClient } from '@gatehouse/proto/client.ts'
import { tlsFetch } from '../../box/src/device/tls-fetch.ts'
import { BoxFolder, BoxProcess } from '../../box/test/world/process-box.ts'
import { scanOf } from '../../box/test/world/scan-of.ts'
import { cache, notBuilt, work } from './tools.ts'

const QEMU = join(cache, 'tools/usr/bin/qemu-aarch64')
const SYSTEM = join(work, 'system')
const [NODE, BOX] = ['node', 'start/box.mjs'].map((path) => join(SYSTEM, 'opt/gatehouse', path)) as [string, string]
const missing = [QEMU, NODE, BOX].some((path) => !existsSync(path)) && 'no image is built here: npm run image'

test('the arm64 box admits a ticket', { skip: missing || notBuilt() }, async () => {
  using folder = new BoxFolder()
  await using box = new BoxProcess([QEMU, '-L', SYSTEM, NODE, BOX, 'serve'], folder.environment)
  const ports = await box.opened()
  const { ca, certificate: cert, key, token, deviceUrl } = await folder.pair(ports, 'a phone')
  await using fetch = tlsFetch({ ca, cert, key })
  const client = gatehouseClient({ baseUrl: deviceUrl, token, fetch })
  const { data, error } = await client.POST('/v1/scan', { body: scanOf('ONCE-1') })
  assert.equal(data?.verdict, 'ADMIT', JSON.stringify(data ?? error))
})
