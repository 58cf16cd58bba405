/** A few minutes at a box in which everything happens once: afterwards every table has rows, and most have two kinds. */
import assert from 'node:assert/strict'
import type { GatehouseClient } from '@gatehouse/proto/client.ts'
import { eventTag, slotAt } from '@gatehouse/proto/code.ts'
import { Phone } from './phone.ts'
import type { World } from './world.ts'

const ACTOR = 'Tess Kahn'
const WHY = { actor: ACTOR, reason: 'a reason' }

/** @returns the admin's client */
export async function fillLedger(world: World): Promise<GatehouseClient> {
  const admin = await world.admin()
  const done = ({ response }: { response: Response }) => assert.ok(response.ok, `${response.url} ${response.status}`)
  await using device = await world.device()
  await using boss = await world.supervisor()
  await using lost = await world.device(['b-in'])
  const params = (path: { [name: string]: string }) => ({ params: { path: path as never } })

  // Admitted, refused, out and in again, admitted offline: twice on one ticket, and after a refusal that did not arrive.
  for (const code of ['ONCE-1', 'ONCE-1', 'FLEX-1', 'PENDING-1', 'NOBODY', 'VIP-1']) await device.scan(code)
  await device.scan('FLEX-1', { checkpoint: 'a-out' })
  await device.scan('FLEX-1', { checkpoint: 'b-in' })
  await device.scan('ONCE-1', { offline_admitted: true, checkpoint: 'b-in' })
  const unheard = world.scanOf('BLOCKED-1')
  done(await device.client.POST('/v1/scan', { body: unheard }))
  done(await device.client.POST('/v1/scan', { body: { ...unheard, offline_admitted: true } }))
  done(await device.client.POST('/v1/scan', { body: world.scanOf('GHOST', { offline_admitted: true }) }))

  // A supervisor lets in, and takes back; so does a scanner.
  const refused = await boss.scan('REVOKED-1')
  done(await boss.client.POST('/v1/scan/{scan_id}/admit', { ...params({ scan_id: refused.scan_id }), body: WHY }))
  for (const code of ['PAST-1', 'FUTURE-1']) {
    const { scan_id } = await boss.scan(code)
    done(await boss.client.POST('/v1/scan/{scan_id}/admit', { ...params({ scan_id }), body: WHY }))
    if (code === 'PAST-1')
      done(await boss.client.POST('/v1/scan/{scan_id}/undo', { ...params({ scan_id }), body: WHY }))
  }
  const wrong = await device.scan('DAILY-1')
  done(await device.client.POST('/v1/scan/{scan_id}/undo', { ...params({ scan_id: wrong.scan_id }), body: WHY }))
  await device.scan('DAILY-1')

  // Phones, revocations, cases.
  const phone = new Phone()
  for (const code of ['PHONE-1', 'VIP-1', 'CREW-1']) {
    const id = world.ticketIdOf(code)
    const claim = code === 'PHONE-1' ? phone : new Phone()
    done(await admin.POST('/v1/ticket/{id}/claim', { ...params({ id }), body: claim.claim(id) }))
  }
  for (const id of ['VIP-1', 'CREW-1']) {
    done(await admin.POST('/v1/admin/tickets/{id}/release', { ...params({ id }), body: WHY }))
  }
  const again = world.ticketIdOf('VIP-1')
  done(await admin.POST('/v1/ticket/{id}/claim', { ...params({ id: again }), body: new Phone().claim(again) }))
  await device.scan(phone.code(await eventTag('test-fair'), slotAt(world.now())))
  for (const id of ['ONCE-2', 'CREW-1']) {
    done(await admin.POST('/v1/admin/tickets/{id}/revoke', { ...params({ id }), body: WHY }))
  }
  done(await admin.POST('/v1/admin/tickets/{id}/reinstate', { ...params({ id: 'CREW-1' }), body: WHY }))
  const { data } = await admin.GET('/v1/admin/flags')
  const [flag] = data?.flags ?? []
  const resolution = { actor: ACTOR, resolution: 'staff_error' as const, note: 'Ana Reis came twice' }
  done(await admin.POST('/v1/admin/flags/{id}/resolve', { ...params({ id: flag?.id ?? '' }), body: resolution }))
  done(await admin.POST('/v1/admin/devices/{id}/revoke', { ...params({ id: lost.paired.id }), body: WHY }))

  // The control room.
  for (const incident_id of ['incident-1', 'incident-2']) {
    const report = { checkpoint: 'a-in', observed_at: new Date(world.now()).toISOString(), note: 'Ana Reis fell' }
    done(await device.client.POST('/v1/incidents', { body: { incident_id, kind: 'medical', ...report } }))
  }
  for (const body of [
    { actor: ACTOR, action: 'acknowledge' as const },
    { actor: ACTOR, action: 'assign' as const, assignee: 'Medics' },
    { actor: ACTOR, action: 'resolve' as const },
  ]) {
    done(await admin.POST('/v1/admin/incidents/{id}', { ...params({ id: 'incident-1' }), body }))
  }
  for (const reason of ['crowded', 'still crowded']) {
    done(await admin.POST('/v1/admin/gates/{id}/hold', { ...params({ id: 'b' }), body: { actor: ACTOR, reason } }))
  }
  await device.scan('VIP-1', { checkpoint: 'b-in' })
  done(await admin.POST('/v1/admin/gates/{id}/release', { ...params({ id: 'b' }), body: { actor: ACTOR } }))
  done(await admin.POST('/v1/admin/gates/{id}/hold', { ...params({ id: 'v' }), body: WHY }))
  for (const zones of [undefined, ['arena']]) {
    const body = { actor: ACTOR, severity: 'info' as const, text: 'Doors are open.', ...(zones && { zones }) }
    done(await admin.POST('/v1/admin/announce', { body }))
  }
  done(await admin.PUT('/v1/admin/mode', { body: { ...WHY, mode: 'DEGRADED' } }))
  done(await admin.POST('/v1/admin/seal', { body: { actor: ACTOR } }))
  done(await admin.PUT('/v1/admin/mode', { body: { ...WHY, mode: 'STRICT' } }))
  done(await admin.POST('/v1/admin/seal', { body: null }))
  return admin
}
