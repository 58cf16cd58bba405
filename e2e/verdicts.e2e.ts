/** Verdicts between a plain admission and a plain refusal: each has its own look, and states its certainty. */
import { fromBase64 } from '../proto/base64.ts'
import { FRESH_SLOTS, keyFromSeed, PERIOD_SECONDS, signCode } from '../proto/code.ts'
import { dismiss, expectVerdict, pairScanner, typeCode, verdictOf, words } from './crew.ts'
import { expect, test } from './gate.ts'
import type { World } from './world.ts'

test('the way out, with and without the box', async ({ world, watch, phone }) => {
  watch.expectOutage()
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink(), { checkpoint: 'North exit' })
  await typeCode(page, 'LOUNGE-1')
  await expectVerdict(page, 'exit', 'Lounge', words.verdict.confirmed)
  // Gone by itself, as an admission is.
  await expect(verdictOf(page)).toBeHidden()
  await world.stop()
  await typeCode(page, 'LOUNGE-2')
  await expectVerdict(page, 'exit', /Offline for/)
})

test('a code of some minutes ago is too old, and one from the future is a clock that is off', async ({
  world,
  watch,
  phone,
}) => {
  watch.expectOutage()
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  const old = FRESH_SLOTS.unsynced + 8
  await typeCode(page, await codeOf(world, 'DAY-1', -old))
  await expectVerdict(page, 'stale', /This code is \d+ minutes old/, words.verdict.confirmed)
  await dismiss(page)
  await typeCode(page, await codeOf(world, 'DAY-2', old))
  const card = verdictOf(page)
  await expect(card).toContainText(words.verdict.clockOff)
  await expect(card).toContainText(/clock is \d+ minutes? ahead/)
  await dismiss(page)
  const shown = await codeOf(world, 'DAY-1', -old)
  await world.stop()
  await typeCode(page, shown)
  await expectVerdict(page, 'stale', /Offline for/)
})

/** The code that the wallet of this ticket showed, or will show, so many slots away from now. */
async function codeOf(world: World, code: string, slots: number): Promise<string> {
  const { hash } = new URL(await world.walletLink(code))
  const id = new URLSearchParams(hash.slice(1)).get('t') ?? ''
  const { data } = await world.admin.GET('/v1/ticket/{id}', { params: { path: { id } } })
  const seed = fromBase64(data?.secret ?? '')
  if (!data || !seed) throw new Error(`the box tells no secret of ${code}`)
  const tag = Uint8Array.from(Buffer.from(data.event_tag, 'hex'))
  return signCode(await keyFromSeed(seed), tag, Math.floor(Date.now() / 1000 / PERIOD_SECONDS) + slots)
}

test('a box that does not hear the others admits for now, and says so', async ({ world, phone }) => {
  const { page } = await phone()
  await pairScanner(page, await world.inviteLink())
  const { error } = await world.admin.PUT('/v1/admin/mode', {
    body: { mode: 'DEGRADED', actor: 'Ines', reason: 'The radio link is down' },
  })
  expect(error).toBeUndefined()
  await typeCode(page, 'DAY-1')
  await expectVerdict(page, 'admit', words.verdict.provisional)
  // A refusal is as sure as ever.
  await typeCode(page, 'REVOKED-1')
  await expectVerdict(page, 'revoked', words.verdict.confirmed)
})
